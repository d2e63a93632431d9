//! Operations on rectangles of cells (DECCRA and others).

use shellkeep_core::{Attrs, Style, Underline, width};

use super::exec::Performer;
use super::screen::Screen;
use crate::grid::Area;
use crate::grid::cell::Cell;
use crate::grid::look::{Look, Tables};
use crate::op::{RectOp, Spare};
use crate::parser::Csi;

impl Performer<'_> {
    pub(crate) fn rectangle(&mut self, op: RectOp, csi: &Csi) {
        let is_rectangular = self.terminal.flags.rectangular;
        let screen = &mut self.terminal.screen;
        match op {
            RectOp::Copy => copy_rect(screen, csi),
            RectOp::Erase => erase_rect(screen, csi, Spare::Nothing),
            RectOp::SelectiveErase => erase_rect(screen, csi, Spare::Protected),
            RectOp::Fill => fill_rect(screen, csi),
            RectOp::ChangeAttributes => restyle(screen, csi, is_rectangular, change_attribute),
            RectOp::ReverseAttributes => restyle(screen, csi, is_rectangular, reverse_attribute),
            RectOp::Checksum => self.checksum(csi),
        }
    }

    /// DECRQCRA, only if the configuration allows it, because it lets a program read the screen.
    fn checksum(&mut self, csi: &Csi) {
        if !self.terminal.config.report_checksum {
            return;
        }
        let screen = &self.terminal.screen;
        let area = screen.margins.rectangle(csi, 2);
        let sum = area.map_or(0, |area| sum(screen, area));
        let id = csi.raw(0);
        self.reply(format!("\x1bP{id}!~{sum:04X}\x1b\\"));
    }
}

/// The attributes of an SGR number.
fn attribute_bits(number: u16) -> Attrs {
    match number {
        1 => Attrs::BOLD,
        5 => Attrs::BLINK,
        7 => Attrs::REVERSE,
        8 => Attrs::HIDDEN,
        _ => Attrs::empty(),
    }
}

/// DECCARA knows the attributes of a VT420.
fn change_attribute(style: &mut Style, number: u16) {
    match number {
        0 => {
            style.attrs -= Attrs::BOLD | Attrs::BLINK | Attrs::REVERSE | Attrs::HIDDEN;
            style.underline = Underline::None;
        }
        4 => style.underline = Underline::Single,
        22 => style.attrs -= Attrs::BOLD,
        24 => style.underline = Underline::None,
        25 => style.attrs -= Attrs::BLINK,
        27 => style.attrs -= Attrs::REVERSE,
        28 => style.attrs -= Attrs::HIDDEN,
        _ => style.attrs |= attribute_bits(number),
    }
}

/// DECRARA.
fn reverse_attribute(style: &mut Style, number: u16) {
    let flip_underline = |style: &mut Style| {
        style.underline = match style.underline {
            Underline::None => Underline::Single,
            _ => Underline::None,
        };
    };
    match number {
        0 => {
            style.attrs ^= Attrs::BOLD | Attrs::BLINK | Attrs::REVERSE | Attrs::HIDDEN;
            flip_underline(style);
        }
        4 => flip_underline(style),
        _ => style.attrs ^= attribute_bits(number),
    }
}

fn erase_rect(screen: &mut Screen, csi: &Csi, spare: Spare) {
    let Some(area) = screen.margins.rectangle(csi, 0) else {
        return;
    };
    for row in area.top..=area.bottom {
        screen.erase_cells(row, area.left, area.right + 1, spare);
    }
}

/// DECFRA.
fn fill_rect(screen: &mut Screen, csi: &Csi) {
    let Some(c) = char::from_u32(u32::from(csi.raw(0))) else {
        return;
    };
    let Some(area) = screen.margins.rectangle(csi, 1) else {
        return;
    };
    if c.is_control() || width::width(c) != 1 {
        return;
    }
    let cell = Cell::narrow(c, screen.look());
    let cols = screen.margins.cols();
    screen.canvas.dirty.rows(area.top, area.bottom);
    for row in area.top..=area.bottom {
        let (left, right) = (usize::from(area.left), usize::from(area.right) + 1);
        screen
            .canvas
            .written_row(row)
            .erase(left, right, cell, cols);
    }
}

/// DECCRA.
fn copy_rect(screen: &mut Screen, csi: &Csi) {
    let Some(area) = screen.margins.rectangle(csi, 0) else {
        return;
    };
    let (top, left) = (
        screen.margins.program_row(csi.raw(5)),
        screen.margins.program_col(csi.raw(6)),
    );
    let height = (area.bottom - area.top).min(screen.margins.last_row() - top) + 1;
    let width = usize::from((area.right - area.left).min(screen.margins.last_col() - left)) + 1;
    let source: Vec<Vec<Cell>> = (area.top..area.top + height)
        .map(|row| {
            screen
                .canvas
                .grid
                .row(row)
                .part(usize::from(area.left), width)
        })
        .collect();
    let cols = screen.margins.cols();
    screen.canvas.dirty.rows(top, top + height - 1);
    for (row, cells) in (top..).zip(source) {
        screen
            .canvas
            .written_row(row)
            .paste(usize::from(left), &cells, cols);
    }
}

/// DECCARA and DECRARA: over a rectangle, or over the text from its first to its last corner.
fn restyle(screen: &mut Screen, csi: &Csi, is_rectangular: bool, change: fn(&mut Style, u16)) {
    let Some(area) = screen.margins.rectangle(csi, 0) else {
        return;
    };
    let all = [0];
    let numbers = match csi.params().get(4..) {
        Some(numbers) if !numbers.is_empty() => numbers,
        _ => &all[..],
    };
    if screen.canvas.tables.is_full() {
        screen.collect();
    }
    screen.canvas.dirty.rows(area.top, area.bottom);
    let mut known = (0, None);
    for row in area.top..=area.bottom {
        let stream = !is_rectangular;
        let left = if stream && row > area.top {
            0
        } else {
            area.left
        };
        let right = if stream && row < area.bottom {
            screen.margins.last_col()
        } else {
            area.right
        };
        // Cells that were never written have no attributes.
        let used = screen.canvas.grid.row(row).trimmed().len() as u16;
        for col in left..used.min(right + 1) {
            let mut cell = screen.canvas.grid.cell(row, col);
            if cell.is_empty() && cell.look == 0 {
                continue;
            }
            // Adjacent cells mostly have the same look.
            cell.look = match known {
                (look, Some(changed)) if look == cell.look => changed,
                _ => {
                    let changed = restyled(&mut screen.canvas.tables, cell.look, numbers, change);
                    known = (cell.look, Some(changed));
                    changed
                }
            };
            let cols = screen.margins.cols();
            screen
                .canvas
                .grid
                .row_mut(row)
                .set(usize::from(col), cell, cols);
        }
    }
}

/// The number of a look with its style changed.
fn restyled(tables: &mut Tables, look: u32, numbers: &[u16], change: fn(&mut Style, u16)) -> u32 {
    let look = tables.look(look);
    let mut style = look.style();
    for &number in numbers {
        change(&mut style, number);
    }
    let changed = Look::new(&style, look.link(), look.is_protected());
    tables.intern(changed)
}

/// The negated sum of the characters of an area, as xterm reports it.
fn sum(screen: &Screen, area: Area) -> u16 {
    let mut sum = 0u16;
    for row in area.top..=area.bottom {
        for col in area.left..=area.right {
            let cell = screen.canvas.grid.cell(row, col);
            let first = match cell.cluster() {
                Some(number) => screen.canvas.tables.cluster(number).chars().next(),
                None => cell.char(),
            };
            // Blank cells count as spaces, because a program cannot see the difference.
            let value = if cell.is_spacer() {
                0
            } else {
                first.map_or(0x20, |c| c as u32)
            };
            sum = sum.wrapping_add(value as u16);
            let style = screen.canvas.tables.look(cell.look).style();
            for (attr, weight) in [
                (Attrs::HIDDEN, 0x08),
                (Attrs::REVERSE, 0x20),
                (Attrs::BLINK, 0x40),
                (Attrs::BOLD, 0x80),
            ] {
                if style.attrs.contains(attr) {
                    sum = sum.wrapping_add(weight);
                }
            }
            if style.underline != Underline::None {
                sum = sum.wrapping_add(0x10);
            }
        }
    }
    sum.wrapping_neg()
}
