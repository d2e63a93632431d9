//! XTPUSHSGR and XTPOPSGR: a stack of attributes, each entry all or some of them.

use shellkeep_core::{Attrs, Style, Underline};

use crate::parser::Csi;

/// The depth of the stack, as in xterm.
pub(crate) const MAX_SGR: usize = 10;

const DOUBLE_UNDERLINE: u16 = 1 << 10;
const FOREGROUND: u16 = 1 << 11;
const BACKGROUND: u16 = 1 << 12;
const UNDERLINE: u16 = 1 << 4;
/// All attributes, including those without a number.
const ALL: u16 = u16::MAX;

/// Saved attributes, and which of them a pop restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedSgr {
    pub(crate) style: Style,
    pub(crate) mask: u16,
}

/// The saved styles, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SgrStack {
    pub(crate) saved: Vec<SavedSgr>,
    /// How many pushes exceeded the depth. As many pops have no effect.
    pub(crate) lost: u16,
}

impl SgrStack {
    pub(crate) fn push(&mut self, style: &Style, csi: &Csi) {
        if self.saved.len() == MAX_SGR {
            self.lost = self.lost.saturating_add(1);
            return;
        }
        let mask = match csi.params() {
            [] => ALL,
            params => params.iter().fold(0, |mask, param| mask | bit(*param)),
        };
        self.saved.push(SavedSgr {
            style: *style,
            mask,
        });
    }

    pub(crate) fn pop(&mut self, style: &mut Style) {
        if self.lost > 0 {
            self.lost -= 1;
        } else if let Some(saved) = self.saved.pop() {
            saved.restore(style);
        }
    }
}

/// The bit of an attribute as XTPUSHSGR numbers them.
fn bit(number: u16) -> u16 {
    match number {
        1..=5 | 7..=9 => 1 << number,
        21 => DOUBLE_UNDERLINE,
        10 | 30 => FOREGROUND,
        11 | 31 => BACKGROUND,
        _ => 0,
    }
}

impl SavedSgr {
    fn restore(self, style: &mut Style) {
        let saved = self.style;
        if self.mask == ALL {
            *style = saved;
            return;
        }
        let attributes = [
            (1, Attrs::BOLD),
            (2, Attrs::DIM),
            (3, Attrs::ITALIC),
            (5, Attrs::BLINK),
            (7, Attrs::REVERSE),
            (8, Attrs::HIDDEN),
            (9, Attrs::STRIKE),
        ];
        for (number, attribute) in attributes {
            if self.mask & bit(number) != 0 {
                style.attrs.set(attribute, saved.attrs.contains(attribute));
            }
        }
        self.restore_underline(style);
        if self.mask & FOREGROUND != 0 {
            style.fg = saved.fg;
        }
        if self.mask & BACKGROUND != 0 {
            style.bg = saved.bg;
        }
    }

    /// The double underline has a number of its own; all other kinds share one.
    fn restore_underline(self, style: &mut Style) {
        let kind = |underline| match underline {
            Underline::None => 0,
            Underline::Double => DOUBLE_UNDERLINE,
            _ => UNDERLINE,
        };
        if self.mask & kind(self.style.underline) != 0 {
            style.underline = self.style.underline;
        } else if self.mask & kind(style.underline) != 0 {
            style.underline = Underline::None;
        }
        if self.mask & UNDERLINE != 0 {
            style.underline_color = self.style.underline_color;
        }
    }
}
