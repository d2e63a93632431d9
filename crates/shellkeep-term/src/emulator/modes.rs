//! Setting, resetting, saving and reporting modes.

use super::screen::Screen;
use crate::mode::{MouseEncoding, MouseProtocol};
use crate::op::{Erase, Spare};

/// What DECRQM answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeState {
    Unknown = 0,
    Set = 1,
    Reset = 2,
    AlwaysSet = 3,
    AlwaysReset = 4,
}

impl From<bool> for ModeState {
    fn from(on: bool) -> Self {
        if on { Self::Set } else { Self::Reset }
    }
}

/// The most modes XTSAVE remembers: more than there are.
const MAX_SAVED: usize = 64;

impl Screen {
    /// SM and RM.
    pub(crate) fn set_ansi_mode(&mut self, mode: u16, on: bool) {
        match mode {
            2 => self.flags.keyboard_locked = on,
            4 => self.flags.insert = on,
            12 => self.flags.local_echo_off = on,
            20 => self.modes.newline = on,
            _ => {}
        }
    }

    pub(crate) fn ansi_mode(&self, mode: u16) -> ModeState {
        match mode {
            2 => self.flags.keyboard_locked.into(),
            4 => self.flags.insert.into(),
            12 => self.flags.local_echo_off.into(),
            20 => self.modes.newline.into(),
            // Modes of ECMA-48 that no terminal of this kind can switch.
            1 | 3 | 5 | 7 | 10 | 11 | 13..=19 => ModeState::AlwaysReset,
            _ => ModeState::Unknown,
        }
    }

    /// DECSET and DECRST.
    pub(crate) fn set_private_mode(&mut self, mode: u16, on: bool) {
        self.dirty.cursor();
        match mode {
            1 => self.modes.application_cursor = on,
            3 => self.switch_columns(on),
            5 => {
                self.modes.reverse_screen = on;
                self.dirty.all();
            }
            6 => {
                self.flags.origin = on;
                self.home();
            }
            7 => self.flags.autowrap = on,
            9 => self.set_mouse(MouseProtocol::X10, on),
            12 => self.flags.cursor_blink = on,
            25 => self.flags.cursor_visible = on,
            40 => self.flags.column_switch = on,
            45 => self.flags.reverse_wrap = on,
            47 => self.switch_screen(on),
            66 => self.modes.application_keypad = on,
            67 => self.modes.backarrow_sends_backspace = on,
            69 => {
                self.flags.side_margins = on;
                self.margins.left = 0;
                self.margins.right = self.last_col();
            }
            95 => self.flags.keep_on_column_switch = on,
            1000 => self.set_mouse(MouseProtocol::Buttons, on),
            1002 => self.set_mouse(MouseProtocol::Drag, on),
            1003 => self.set_mouse(MouseProtocol::Motion, on),
            1004 => self.modes.focus_events = on,
            1005 => self.set_encoding(MouseEncoding::Utf8, on),
            1006 => self.set_encoding(MouseEncoding::Sgr, on),
            1007 => self.modes.alternate_scroll = on,
            1015 => self.set_encoding(MouseEncoding::Urxvt, on),
            1016 => self.set_encoding(MouseEncoding::SgrPixels, on),
            1045 => self.flags.extended_reverse_wrap = on,
            1047 => {
                if !on && self.alternate {
                    self.erase_display(Erase::All, Spare::Nothing);
                }
                self.switch_screen(on);
            }
            1048 if on => self.save_cursor(),
            1048 => self.restore_cursor(),
            1049 => self.switch_screen_and_cursor(on),
            2004 => {
                if on {
                    self.line_begins();
                } else {
                    self.line_ends();
                }
                self.modes.bracketed_paste = on;
            }
            2026 => self.modes.synchronized_output = on,
            2027 => self.flags.clusters = on,
            2031 => self.modes.color_scheme_events = on,
            2048 => self.modes.in_band_resize = on,
            _ => {}
        }
    }

    pub(crate) fn private_mode(&self, mode: u16) -> ModeState {
        let (flags, modes) = (&self.flags, &self.modes);
        let state = match mode {
            1 => modes.application_cursor,
            3 => flags.wide_columns,
            5 => modes.reverse_screen,
            6 => flags.origin,
            7 => flags.autowrap,
            9 => modes.mouse == MouseProtocol::X10,
            12 => flags.cursor_blink,
            25 => flags.cursor_visible,
            40 => flags.column_switch,
            45 => flags.reverse_wrap,
            47 | 1047 | 1049 => self.alternate,
            66 => modes.application_keypad,
            67 => modes.backarrow_sends_backspace,
            69 => flags.side_margins,
            95 => flags.keep_on_column_switch,
            1000 => modes.mouse == MouseProtocol::Buttons,
            1002 => modes.mouse == MouseProtocol::Drag,
            1003 => modes.mouse == MouseProtocol::Motion,
            1004 => modes.focus_events,
            1005 => modes.mouse_encoding == MouseEncoding::Utf8,
            1006 => modes.mouse_encoding == MouseEncoding::Sgr,
            1007 => modes.alternate_scroll,
            1015 => modes.mouse_encoding == MouseEncoding::Urxvt,
            1016 => modes.mouse_encoding == MouseEncoding::SgrPixels,
            1045 => flags.extended_reverse_wrap,
            1048 => true,
            2004 => modes.bracketed_paste,
            2026 => modes.synchronized_output,
            2027 => flags.clusters,
            2031 => modes.color_scheme_events,
            2048 => modes.in_band_resize,
            // ANSI (not VT52).
            2 => return ModeState::AlwaysSet,
            // Smooth scrolling, key repeat, printing, national sets, highlight tracking.
            4 | 8 | 18 | 19 | 42 | 1001 => return ModeState::AlwaysReset,
            _ => return ModeState::Unknown,
        };
        state.into()
    }

    fn set_mouse(&mut self, protocol: MouseProtocol, on: bool) {
        // One protocol at a time; switching off a protocol that is not on still means "no mouse", as
        // in xterm, since programs switch off all they know.
        self.modes.mouse = if on { protocol } else { MouseProtocol::Off };
    }

    fn set_encoding(&mut self, encoding: MouseEncoding, on: bool) {
        if on {
            self.modes.mouse_encoding = encoding;
        } else if self.modes.mouse_encoding == encoding {
            self.modes.mouse_encoding = MouseEncoding::Legacy;
        }
    }

    /// XTSAVE.
    pub(crate) fn save_mode(&mut self, mode: u16) {
        let on = match self.private_mode(mode) {
            ModeState::Set => true,
            ModeState::Reset => false,
            _ => return,
        };
        if let Some(known) = self.saved_modes.iter_mut().find(|known| known.0 == mode) {
            known.1 = on;
        } else if self.saved_modes.len() < MAX_SAVED {
            self.saved_modes.push((mode, on));
        }
    }

    /// XTRESTORE.
    pub(crate) fn restore_mode(&mut self, mode: u16) {
        if let Some(&(_, on)) = self.saved_modes.iter().find(|known| known.0 == mode) {
            self.set_private_mode(mode, on);
        }
    }

    /// DECCOLM: a multiplexer cannot change the window, but programs count on the rest of it.
    fn switch_columns(&mut self, on: bool) {
        if !self.flags.column_switch {
            return;
        }
        self.flags.wide_columns = on;
        self.reset_margins();
        self.flags.side_margins = false;
        if !self.flags.keep_on_column_switch {
            self.erase_display(Erase::All, Spare::Nothing);
        }
        self.go(0, 0);
    }

    /// Shows the alternate or the main screen.
    pub(crate) fn switch_screen(&mut self, alternate: bool) {
        if self.alternate == alternate {
            return;
        }
        self.expect_no_redraw();
        let size = self.size;
        let other = self
            .other
            .take()
            .unwrap_or_else(|| crate::grid::Grid::new(size));
        self.other = Some(std::mem::replace(&mut self.grid, other));
        self.alternate = alternate;
        self.modes.kitty_keyboard = self.kitty[self.side()].last().copied().unwrap_or(0);
        self.dirty.all();
    }

    /// 1049.
    fn switch_screen_and_cursor(&mut self, on: bool) {
        if on {
            if !self.alternate {
                self.save_cursor();
                self.switch_screen(true);
            }
            self.erase_display(Erase::All, Spare::Nothing);
        } else {
            if self.alternate {
                self.erase_display(Erase::All, Spare::Nothing);
                self.switch_screen(false);
                // A screen that was cleared need not be kept.
                self.other = None;
            }
            self.restore_cursor();
        }
    }

    /// DECSTR.
    pub(crate) fn soft_reset(&mut self) {
        self.flags.cursor_visible = true;
        self.flags.origin = false;
        self.flags.insert = false;
        self.flags.autowrap = true;
        self.flags.reverse_wrap = false;
        self.flags.extended_reverse_wrap = false;
        self.flags.keyboard_locked = false;
        self.flags.side_margins = false;
        self.modes.application_cursor = false;
        self.modes.application_keypad = false;
        self.modes.modify_other_keys = 0;
        self.modes.format_other_keys_csi_u = false;
        self.protection = super::screen::Protection::Off;
        self.reset_margins();
        self.set_pen(super::screen::Pen::default());
        self.saved[self.side()] = super::screen::Saved::default();
        self.shape = shellkeep_core::CursorShape::Default;
        self.dirty.cursor();
    }

    /// The top of the active screen's stack of kitty keyboard flags changed.
    pub(crate) fn set_kitty(&mut self, flags: u8) {
        let stack = &mut self.kitty[usize::from(self.alternate)];
        match stack.last_mut() {
            Some(top) => *top = flags,
            None => stack.push(flags),
        }
        self.modes.kitty_keyboard = flags;
    }
}
