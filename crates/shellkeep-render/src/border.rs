//! The borders between panes, with titles.

use shellkeep_core::layout::{BorderCell, BorderStatus, Layout, Lines};
use shellkeep_core::{Attrs, PaneId, Rect, Style};

use crate::canvas::Canvas;
use crate::frame::Frame;
use crate::styled::draw_styled;

/// The characters of borders: the option `pane-border-lines`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BorderLines {
    #[default]
    Single,
    Double,
    /// Thick lines.
    Heavy,
    /// ASCII.
    Simple,
    Number,
}

/// How borders show which pane is active: the option `pane-border-indicators`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BorderIndicators {
    /// Only by the style of the active pane's border.
    Off,
    /// By the style; with two panes, each has half of the border.
    #[default]
    Colour,
    /// By arrows that point to it.
    Arrows,
    Both,
}

impl BorderIndicators {
    fn halves(self) -> bool {
        matches!(self, Self::Colour | Self::Both)
    }

    fn arrows(self) -> bool {
        matches!(self, Self::Arrows | Self::Both)
    }
}

#[derive(Clone, Copy)]
pub struct BorderLook<'a> {
    /// The characters.
    pub lines: BorderLines,
    /// How the active pane is shown.
    pub indicators: BorderIndicators,
    pub active: PaneId,
    /// The marked pane, if it is in this window. Its border is reversed.
    pub marked: Option<PaneId>,
    /// The number of the first pane (`pane-base-index`), for [`BorderLines::Number`].
    pub first_number: u32,
    /// The style of a pane's border: `pane-active-border-style` for the active pane, `pane-border-style` for others.
    pub style: &'a dyn Fn(PaneId) -> Style,
    /// A pane's title: `pane-border-format`, expanded. Called only if the layout has titles.
    pub title: &'a dyn Fn(PaneId) -> String,
}

/// The side of a pane on which a border cell lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

/// Draws the borders of a window at the top left corner of `area`.
pub fn draw_borders(frame: &mut Frame, area: Rect, layout: &Layout, look: &BorderLook<'_>) {
    let borders = Borders {
        layout,
        look,
        places: layout.places(),
    };
    let cells = layout.borders();
    let mut canvas = Canvas::new(frame, area);
    for cell in &cells {
        borders.draw_cell(&mut canvas, cell);
    }
    if layout.border_status() != BorderStatus::Off {
        for (pane, place) in &borders.places {
            borders.draw_title(frame, area, &cells, *pane, *place);
        }
    }
}

struct Borders<'a> {
    layout: &'a Layout,
    look: &'a BorderLook<'a>,
    places: Vec<(PaneId, Rect)>,
}

impl Borders<'_> {
    fn draw_cell(&self, canvas: &mut Canvas<'_>, cell: &BorderCell) {
        let (row, col) = (cell.row, cell.col);
        let owner = self.owner(row, col);
        let mut style = owner.map_or_else(Style::default, |(pane, _)| (self.look.style)(pane));
        if self.look.marked.is_some_and(|marked| {
            let place = self.layout.place_of(marked);
            place.is_some_and(|place| self.edge(place, row, col).is_some())
        }) {
            style.attrs.toggle(Attrs::REVERSE);
        }
        let pane = owner.map(|(pane, _)| pane);
        let arrow = owner.and_then(|(_, place)| self.arrow(cell, place));
        let text = arrow.unwrap_or_else(|| self.line(cell.lines, pane));
        canvas.put(row, col, text, 1, style, None);
    }

    /// The pane whose style a border cell has: the active one if it touches the cell, else the first after it that
    /// does.
    fn owner(&self, row: u16, col: u16) -> Option<(PaneId, Rect)> {
        let active = self.layout.index_of(self.look.active).unwrap_or(0);
        let (before, after) = self.places.split_at(active.min(self.places.len()));
        let mut panes = after.iter().chain(before);
        panes
            .find(|(_, place)| self.edge(*place, row, col).is_some())
            .copied()
    }

    /// Whether there are two panes, the second not at the window's left or top side.
    fn two_panes(&self) -> (bool, bool) {
        match self.places.as_slice() {
            [_, (_, second)] => (second.col != 0, second.row != 0),
            _ => (false, false),
        }
    }

    /// The side of a pane on which a border cell lies, if the cell belongs to the pane.
    fn edge(&self, place: Rect, row: u16, col: u16) -> Option<Edge> {
        let status = self.layout.border_status();
        let (beside, below) = match status {
            BorderStatus::Off if self.look.indicators.halves() => self.two_panes(),
            _ => (false, false),
        };
        let left = place.col.checked_sub(1);
        let above = place.row.checked_sub(1);
        let in_rows = row >= above.unwrap_or(0) && row <= place.bottom();
        let in_cols = col >= left.unwrap_or(0) && col <= place.right();
        if beside {
            // Each of two panes has half of the border.
            if left.is_none() && col == place.cols && row <= place.rows / 2 {
                return Some(Edge::Right);
            }
            if Some(col) == left && row > place.rows / 2 {
                return Some(Edge::Left);
            }
        } else if in_rows {
            if Some(col) == left {
                return Some(Edge::Left);
            }
            if col == place.right() {
                return Some(Edge::Right);
            }
        }
        if below {
            if above.is_none() && row == place.rows && col <= place.cols / 2 {
                return Some(Edge::Bottom);
            }
            if Some(row) == above && col > place.cols / 2 {
                return Some(Edge::Top);
            }
        } else if in_cols {
            if Some(row) == above && status != BorderStatus::Bottom {
                return Some(Edge::Top);
            }
            if row == place.bottom() && status != BorderStatus::Top {
                return Some(Edge::Bottom);
            }
        }
        None
    }

    /// The arrow in a border cell, which points to the active pane. Each side has one, near the corner of the pane to
    /// which the cell belongs.
    fn arrow(&self, cell: &BorderCell, owner: Rect) -> Option<&'static str> {
        if !self.look.indicators.arrows() {
            return None;
        }
        let active = self.layout.place_of(self.look.active)?;
        let edge = self.edge(active, cell.row, cell.col)?;
        let beside = cell.row == owner.row + 1
            && (cell.lines == Lines::UP | Lines::DOWN
                || cell.lines == Lines::all() - Lines::LEFT && edge == Edge::Right
                || cell.lines == Lines::all() - Lines::RIGHT && edge == Edge::Left);
        let below = cell.col == owner.col + 1
            && (cell.lines == Lines::LEFT | Lines::RIGHT
                || cell.lines == Lines::all() - Lines::UP && edge == Edge::Bottom
                || cell.lines == Lines::all() - Lines::DOWN && edge == Edge::Top);
        (beside || below).then_some(match edge {
            Edge::Left => "→",
            Edge::Right => "←",
            Edge::Top => "↓",
            Edge::Bottom => "↑",
        })
    }

    fn line(&self, lines: Lines, pane: Option<PaneId>) -> &'static str {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        if self.look.lines == BorderLines::Number && shape(lines).is_some() {
            let index = pane.and_then(|pane| self.layout.index_of(pane));
            return index.map_or("*", |index| {
                DIGITS[(index + self.look.first_number as usize) % 10]
            });
        }
        let Some(shape) = shape(lines) else {
            return match self.look.lines {
                BorderLines::Simple => ".",
                _ => "·",
            };
        };
        match self.look.lines {
            BorderLines::Single | BorderLines::Number => SINGLE[shape],
            BorderLines::Double => DOUBLE[shape],
            BorderLines::Heavy => HEAVY[shape],
            BorderLines::Simple => SIMPLE[shape],
        }
    }

    /// Writes a pane's title over its border.
    fn draw_title(
        &self,
        frame: &mut Frame,
        area: Rect,
        cells: &[BorderCell],
        pane: PaneId,
        place: Rect,
    ) {
        let row = match self.layout.border_status() {
            BorderStatus::Bottom => Some(place.bottom()),
            _ => place.row.checked_sub(1),
        };
        let (Some(row), Some(cols)) = (row, place.cols.checked_sub(4)) else {
            return;
        };
        let style = (self.look.style)(pane);
        let first = place.col + 2;
        let start = cells.partition_point(|cell| (cell.row, cell.col) < (row, first));
        let mut canvas = Canvas::new(frame, area);
        for cell in &cells[start..] {
            if cell.row != row || cell.col >= first + cols {
                break;
            }
            let text = self.line(cell.lines, Some(pane));
            canvas.put(row, cell.col, text, 1, style, None);
        }
        let room = Rect {
            row: area.row.saturating_add(row),
            col: area.col.saturating_add(first),
            rows: 1,
            cols,
        };
        let title = (self.look.title)(pane);
        let mut canvas = Canvas::new(frame, room.intersection(area));
        draw_styled(&mut canvas, 0, &title, style);
    }
}

const SINGLE: [&str; 11] = ["│", "─", "┌", "┐", "└", "┘", "┬", "┴", "├", "┤", "┼"];
const DOUBLE: [&str; 11] = ["║", "═", "╔", "╗", "╚", "╝", "╦", "╩", "╠", "╣", "╬"];
const HEAVY: [&str; 11] = ["┃", "━", "┏", "┓", "┗", "┛", "┳", "┻", "┣", "┫", "╋"];
const SIMPLE: [&str; 11] = ["|", "-", "+", "+", "+", "+", "+", "+", "+", "+", "+"];

/// The index in the tables above; `None` for a line with a single end.
fn shape(lines: Lines) -> Option<usize> {
    let (up, down) = (Lines::UP, Lines::DOWN);
    let (left, right) = (Lines::LEFT, Lines::RIGHT);
    let all = Lines::all();
    [
        up | down,
        left | right,
        right | down,
        left | down,
        right | up,
        left | up,
        all - up,
        all - down,
        all - left,
        all - right,
        all,
    ]
    .iter()
    .position(|shape| *shape == lines)
}

#[cfg(test)]
mod tests;
