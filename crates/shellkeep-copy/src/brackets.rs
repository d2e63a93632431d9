//! Jumps to the matching bracket.

use crate::run::Run;
use crate::selection::Reset;
use crate::text::{Pos, Text};
use crate::walker::Stay;

const OPEN: &[u8] = b"{[(";
const CLOSE: &[u8] = b"}])";

fn partner(of: u8, from: &[u8], to: &[u8]) -> Option<u8> {
    let at = from.iter().position(|byte| *byte == of)?;
    to.get(at).copied()
}

impl Run<'_> {
    pub(crate) fn previous_bracket(&mut self, repeat: u32) {
        let mut bytes = Vec::new();
        for _ in 0..repeat {
            let Pos { row, col } = self.motion.at();
            if self.motion.text.length(row) == 0 {
                return;
            }
            self.motion.text.ascii(row, &mut bytes);
            let here = |col: usize| bytes.get(col).copied().unwrap_or(b' ');
            let mut start = col;
            if partner(here(col), CLOSE, OPEN).is_none() && !self.motion.is_vi() && col > 0 {
                start = col - 1;
            }
            let Some(open) = partner(here(start), CLOSE, OPEN) else {
                if !self.motion.is_vi() {
                    self.motion.previous_word("}])", Stay::Leave);
                }
                continue;
            };
            if let Some(at) = opening(self.motion.text, Pos::new(row, start), here(start), open) {
                self.motion.show(at);
            }
        }
    }

    pub(crate) fn next_bracket(&mut self, repeat: u32) {
        for _ in 0..repeat {
            if self.motion.text.length(self.motion.at_row()) == 0 {
                return;
            }
            let Some((at, byte)) =
                bracket_ahead(self.motion.text, self.motion.at(), self.motion.is_vi())
            else {
                if !self.motion.is_vi() {
                    self.motion.next_word_end("{[(", Reset::Yes);
                }
                continue;
            };
            if self.motion.is_vi() && partner(byte, CLOSE, OPEN).is_some() {
                // In vi the same key jumps in both directions.
                let before = self.motion.at();
                self.motion.show(at);
                self.previous_bracket(1);
                let mut bytes = Vec::new();
                self.motion.text.ascii(self.motion.at_row(), &mut bytes);
                if bytes
                    .get(self.motion.mode.col)
                    .is_some_and(|b| CLOSE.contains(b))
                {
                    self.motion.show(before);
                }
                return;
            }
            let close = partner(byte, OPEN, CLOSE).unwrap_or(byte);
            if let Some(at) = closing(self.motion.text, at, byte, close) {
                self.motion.show(at);
            }
        }
    }
}

/// The bracket that opens the closing one at `from`.
fn opening(text: &dyn Text, from: Pos, close: u8, open: u8) -> Option<Pos> {
    let mut bytes = Vec::new();
    let mut depth = 1;
    let mut row = from.row;
    text.ascii(row, &mut bytes);
    let mut end = from.col;
    loop {
        for col in (0..end.min(bytes.len())).rev() {
            depth += i64::from(bytes[col] == close) - i64::from(bytes[col] == open);
            if depth == 0 {
                return Some(Pos::new(row, col));
            }
        }
        if row <= text.top() {
            return None;
        }
        row -= 1;
        text.ascii(row, &mut bytes);
        end = text.length(row);
    }
}

/// The bracket that closes the opening one at `from`.
fn closing(text: &dyn Text, from: Pos, open: u8, close: u8) -> Option<Pos> {
    let mut bytes = Vec::new();
    let mut depth = 1;
    let mut row = from.row;
    let mut first = from.col + 1;
    loop {
        text.ascii(row, &mut bytes);
        for (col, byte) in bytes.iter().enumerate().skip(first) {
            depth += i64::from(*byte == open) - i64::from(*byte == close);
            if depth == 0 {
                return Some(Pos::new(row, col));
            }
        }
        if row >= text.bottom() {
            return None;
        }
        row += 1;
        first = 0;
    }
}

/// The bracket at which a jump begins: at the cursor or after it; in vi anywhere on the line.
fn bracket_ahead(text: &dyn Text, mut at: Pos, is_vi: bool) -> Option<(Pos, u8)> {
    let mut bytes = Vec::new();
    text.ascii(at.row, &mut bytes);
    let wanted = |byte: u8| OPEN.contains(&byte) || (is_vi && CLOSE.contains(&byte));
    if !is_vi {
        let found = (at.col..at.col + 2).find(|col| bytes.get(*col).is_some_and(|b| wanted(*b)));
        return found.map(|col| (Pos::new(at.row, col), bytes[col]));
    }
    loop {
        let found = bytes
            .iter()
            .enumerate()
            .skip(at.col)
            .find(|(_, b)| wanted(**b));
        if let Some((col, byte)) = found {
            return Some((Pos::new(at.row, col), *byte));
        }
        if at.row >= text.bottom() || !text.is_wrapped(at.row) {
            return None;
        }
        at = Pos::new(at.row + 1, 0);
        text.ascii(at.row, &mut bytes);
    }
}
