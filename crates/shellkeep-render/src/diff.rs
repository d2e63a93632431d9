//! Computes the bytes from one frame to the next, as few as is safe.
//!
//! Between two calls the terminal is in a known state: it shows the frame, its cursor is where the frame says, its pen
//! is plain, its charset is that of letters, no link is open, and its scroll region is the whole screen. Nothing
//! depends on where the cursor goes after the last column, on erasing with a colour where that may not work, or on the
//! width of a cluster in the terminal.

use crate::caps::{Caps, Features};
use crate::frame::Frame;
use crate::outer::write_modes;
use crate::paint::{Painter, Shown};
use crate::scroll::{self, Scroll};
use crate::sgr::number;

/// Up to this many bytes in one row, a frame is painted without hiding the cursor and without synchronized output, so
/// that a key's echo does not need thirty bytes more.
const TRIFLE: usize = 64;

const SYNC_START: &[u8] = b"\x1b[?2026h";
const SYNC_END: &[u8] = b"\x1b[?2026l";
const HIDE: &[u8] = b"\x1b[?25l";
const SHOW: &[u8] = b"\x1b[?25h";

/// Writes what brings a terminal from an unknown state to `next`.
pub fn repaint(next: &Frame, caps: &Caps, out: &mut Vec<u8>) {
    if !caps.is_usable() {
        return;
    }
    let sync = caps.has(Features::SYNC);
    if sync {
        out.extend_from_slice(SYNC_START);
    }
    out.extend_from_slice(HIDE);
    if caps.has(Features::LINKS) {
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }
    // Charset, region and pen may be anything, so reset them and clear the screen.
    out.extend_from_slice(b"\x0f\x1b(B\x1b[r\x1b[m\x1b[H\x1b[2J");
    write_modes(None, next.modes, caps, out);
    write_title("", next.title(), caps, out);
    if caps.has(Features::CURSOR_SHAPE) {
        write_shape(next, out);
    }
    let mut painter = Painter::new(out, caps, next.size(), Some((0, 0)));
    for row in 0..next.size().rows() {
        painter.paint_row(Shown::Blank, next, row);
    }
    painter.put_down(next);
    painter.move_to(next.cursor().row, next.cursor().col);
    if next.cursor().visible {
        out.extend_from_slice(SHOW);
    }
    if sync {
        out.extend_from_slice(SYNC_END);
    }
}

/// Writes what brings a terminal from `prev` to `next`; nothing if they are equal.
pub fn diff(prev: &Frame, next: &Frame, caps: &Caps, out: &mut Vec<u8>) {
    diff_by(prev, next, caps, out, |painter| {
        paint_changes(painter, prev, next, caps);
    });
}

/// As [`diff`], for frames that differ at most in these rows. The rest of the frames is not read: after some
/// milliseconds of quiet a frame is no longer in the CPU's caches, and fetching two of them takes longer than
/// everything else in a key's echo.
pub fn diff_rows(prev: &Frame, next: &Frame, rows: &[u16], caps: &Caps, out: &mut Vec<u8>) {
    diff_by(prev, next, caps, out, |painter| {
        for row in rows.iter().copied().filter(|row| *row < next.size().rows()) {
            painter.paint_row(Shown::Row(prev, row), next, row);
        }
    });
}

fn diff_by(
    prev: &Frame,
    next: &Frame,
    caps: &Caps,
    out: &mut Vec<u8>,
    paint: impl FnOnce(&mut Painter<'_>),
) {
    if prev.size() != next.size() {
        return repaint(next, caps, out);
    }
    if !caps.is_usable() {
        return;
    }
    let (was, is) = (prev.cursor(), next.cursor());
    let sync = caps.has(Features::SYNC);
    let start = out.len();
    // Written first and removed if too little follows, so that the body is written only once.
    if sync {
        out.extend_from_slice(SYNC_START);
    } else if was.visible {
        out.extend_from_slice(HIDE);
    }
    let body = out.len();
    write_modes(Some(prev.modes), next.modes, caps, out);
    write_title(prev.title(), next.title(), caps, out);
    if was.shape != is.shape && caps.has(Features::CURSOR_SHAPE) {
        write_shape(next, out);
    }
    let mut painter = Painter::new(out, caps, next.size(), Some((was.row, was.col)));
    paint(&mut painter);
    painter.put_down(next);
    painter.move_to(is.row, is.col);
    let trifle = painter.rows_painted <= 1 && out.len() - body <= TRIFLE;
    let mut shown = was.visible;
    if trifle {
        out.drain(start..body);
    } else if !sync {
        shown = false;
    }
    if shown != is.visible {
        out.extend_from_slice(if is.visible { SHOW } else { HIDE });
    }
    if sync && !trifle {
        out.extend_from_slice(SYNC_END);
    }
}

fn paint_changes(painter: &mut Painter<'_>, prev: &Frame, next: &Frame, caps: &Caps) {
    let scroll = scroll::find(prev, next);
    if let Some(scroll) = scroll {
        painter.scroll(scroll.top, scroll.bottom, scroll.lines);
    } else if caps.has(Features::MARGINS | Features::SCROLL)
        && let Some((scroll, columns)) = scroll::find_in_columns(prev, next)
    {
        painter.scroll_columns(scroll, columns);
        let mut moved = prev.clone();
        moved.scroll_columns(scroll, columns);
        return paint_rows(painter, &moved, next, None);
    }
    paint_rows(painter, prev, next, scroll);
}

/// Paints the remaining differences, after rows of `prev` were scrolled.
fn paint_rows(painter: &mut Painter<'_>, prev: &Frame, next: &Frame, scroll: Option<Scroll>) {
    let rows = next.size().rows();
    let shown = |row: u16| match scroll {
        None => Shown::Row(prev, row),
        Some(scroll) => scroll
            .source(row)
            .map_or(Shown::Blank, |source| Shown::Row(prev, source)),
    };
    // Blank rows at the bottom are erased together if that saves erasing at least one row.
    let is_blank = |row: &u16| next.is_blank_row(*row);
    let mut end = (0..rows).rev().take_while(is_blank).last().unwrap_or(rows);
    let changed = |row: &u16| !shown(*row).shows_row(next, *row);
    match (end..rows).find(changed) {
        Some(first) if (first + 1..rows).any(|row| changed(&row)) => end = first,
        _ => end = rows,
    }
    for row in 0..end {
        painter.paint_row(shown(row), next, row);
    }
    if end < rows {
        painter.erase_below(end);
    }
}

fn write_title(prev: &str, next: &str, caps: &Caps, out: &mut Vec<u8>) {
    if prev != next && caps.has(Features::TITLE) {
        out.extend_from_slice(b"\x1b]2;");
        out.extend_from_slice(next.as_bytes());
        out.push(7);
    }
}

fn write_shape(next: &Frame, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[");
    number(out, next.cursor().shape as u16);
    out.extend_from_slice(b" q");
}
