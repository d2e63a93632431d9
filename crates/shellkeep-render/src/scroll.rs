//! Detects that a part of the screen has moved up or down, so that it can be scrolled instead of painted.

use std::ops::Range;

use crate::cell::Cell;
use crate::frame::Frame;

/// With fewer changed rows, painting is as good.
const MIN_ROWS: usize = 3;
/// No screen has more rows, and comparing all pairs of rows would take long.
const MAX_ROWS: usize = 512;
/// The least number of cells that scrolling must save.
const MIN_GAIN: i64 = 24;

/// Rows `top` to `bottom` move up by `lines`, or down if it is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scroll {
    pub(crate) top: u16,
    pub(crate) bottom: u16,
    pub(crate) lines: i32,
}

impl Scroll {
    /// The row of the old screen that is at `row` after scrolling; `None` for a new row.
    pub(crate) fn source(self, row: u16) -> Option<u16> {
        if row < self.top || row > self.bottom {
            return Some(row);
        }
        u16::try_from(i32::from(row) + self.lines)
            .ok()
            .filter(|source| (self.top..=self.bottom).contains(source))
    }
}

/// The scroll that saves most, if it saves enough. The frames have the same size.
pub(crate) fn find(prev: &Frame, next: &Frame) -> Option<Scroll> {
    let cols = usize::from(next.size().cols());
    find_within(prev, next, changed_rows(prev, next)?, 0..cols)
}

/// As [`find`] within the columns that have changed, if other columns have not, as with panes side by side. Also
/// returns the first and the last column.
pub(crate) fn find_in_columns(prev: &Frame, next: &Frame) -> Option<(Scroll, (u16, u16))> {
    let (first, last) = changed_rows(prev, next)?;
    let (mut left, mut right) = (usize::from(next.size().cols()), 0);
    for row in first..=last {
        let pairs = prev.row(row).iter().zip(next.row(row)).enumerate();
        let mut differing = pairs.filter(|(_, (a, b))| !prev.same(a, next, b));
        if let Some((col, _)) = differing.next() {
            left = left.min(col);
            right = right.max(differing.next_back().map_or(col, |(col, _)| col));
        }
    }
    let rows = || (first..=last).map(|row| prev.row(row));
    // No character may be cut in two, or be wider in the terminal than here.
    if rows().any(|row| row[left].width() == 0) {
        left = left.checked_sub(1)?;
    }
    if rows().any(|row| row.get(right + 1).is_some_and(|cell| cell.width() == 0)) {
        right += 1;
    }
    if rows().any(|row| row[left].width() == 0 || row.iter().any(|cell| cell.is_risky())) {
        return None;
    }
    // Margins around a single column are invalid in a terminal: it would scroll the whole row.
    if left == right {
        return None;
    }
    let scroll = find_within(prev, next, (first, last), left..right + 1)?;
    Some((scroll, (left as u16, right as u16)))
}

/// The first and the last row that differ.
fn changed_rows(prev: &Frame, next: &Frame) -> Option<(u16, u16)> {
    let rows = next.size().rows();
    let changed = |row: &u16| !prev.same_row(*row, next, *row);
    Some(((0..rows).find(changed)?, (0..rows).rfind(changed)?))
}

fn find_within(
    prev: &Frame,
    next: &Frame,
    (first, last): (u16, u16),
    cols: Range<usize>,
) -> Option<Scroll> {
    let span = usize::from(last - first) + 1;
    if !(MIN_ROWS..=MAX_ROWS).contains(&span) {
        return None;
    }
    let hash = |frame: &Frame, row: u16| hash_cells(frame, &frame.row(row)[cols.clone()]);
    let before: Vec<u64> = (first..=last).map(|row| hash(prev, row)).collect();
    let after: Vec<u64> = (first..=last).map(|row| hash(next, row)).collect();
    let lines = most_voted(&before, &after)?;
    let cost = |from: usize, to: usize| {
        if before[from] == after[to] {
            return 0;
        }
        let before = &prev.row(first + from as u16)[cols.clone()];
        let after = &next.row(first + to as u16)[cols.clone()];
        let pairs = before.iter().zip(after);
        pairs.filter(|(a, b)| !prev.same(a, next, b)).count() as i64
    };
    let ink = |row: usize| {
        let cells = next.row(first + row as u16)[cols.clone()].iter();
        cells.filter(|cell| **cell != Cell::BLANK).count() as i64
    };
    best_region(&after, lines, cost).and_then(|(top, bottom, gain)| {
        // New rows are painted on blank rows instead of the old content.
        let incoming = match lines > 0 {
            true => bottom + 1 - lines.unsigned_abs() as usize..bottom + 1,
            false => top..top + lines.unsigned_abs() as usize,
        };
        let loss: i64 = incoming.map(|row| ink(row) - cost(row, row)).sum();
        (gain - loss >= MIN_GAIN).then_some(Scroll {
            top: first + top as u16,
            bottom: first + bottom as u16,
            lines,
        })
    })
}

/// The distance by which most rows seem to have moved. Blank rows do not count, because they match everywhere.
fn most_voted(before: &[u64], after: &[u64]) -> Option<i32> {
    let span = before.len();
    let mut votes = vec![0u16; 2 * span];
    for (to, hash) in after.iter().enumerate() {
        if *hash == BLANK_HASH || before[to] == *hash {
            continue;
        }
        for (from, other) in before.iter().enumerate() {
            if hash == other {
                votes[span + from - to] += 1;
            }
        }
    }
    let distance = |slot: usize| slot as i32 - span as i32;
    let best = (0..votes.len()).max_by_key(|&slot| (votes[slot], -distance(slot).abs()))?;
    (votes[best] > 0).then_some(distance(best))
}

/// The region to scroll by `lines`, and what that saves: the rows with the greatest sum of savings, together with the
/// rows across which they move.
fn best_region(
    after: &[u64],
    lines: i32,
    cost: impl Fn(usize, usize) -> i64,
) -> Option<(usize, usize, i64)> {
    let distance = lines.unsigned_abs() as usize;
    let targets = match lines > 0 {
        true => 0..after.len().saturating_sub(distance),
        false => distance.min(after.len())..after.len(),
    };
    let (mut best, mut sum, mut start) = (None, 0, targets.start);
    for to in targets {
        let from = (to as i64 + i64::from(lines)) as usize;
        sum += cost(to, to) - cost(from, to);
        if sum <= 0 {
            (sum, start) = (0, to + 1);
        } else if best.is_none_or(|(_, _, most)| sum > most) {
            best = Some((start, to, sum));
        }
    }
    best.map(|(start, end, sum)| match lines > 0 {
        true => (start, end + distance, sum),
        false => (start - distance, end, sum),
    })
}

const BLANK_HASH: u64 = 0;

/// A hash of a row. A collision costs bytes but not correctness, because rows are painted by comparing cells. Blanks at
/// the end do not count, so a blank row has [`BLANK_HASH`].
fn hash_cells(frame: &Frame, cells: &[Cell]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let end = cells
        .iter()
        .rposition(|cell| *cell != Cell::BLANK)
        .map_or(0, |at| at + 1);
    cells[..end].iter().fold(BLANK_HASH, |hash, cell| {
        let mut hash = hash.rotate_left(5) ^ K;
        if cell.is_indirect() {
            for byte in frame.text_of(cell).bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(K);
            }
            return (hash ^ cell.bits()[1]).wrapping_mul(K);
        }
        let [text, colors, rest] = cell.bits();
        (hash ^ text ^ colors.rotate_left(21) ^ rest.rotate_left(43)).wrapping_mul(K)
    })
}
