//! From what the parser found to what the screen does: the one dispatch.

use shellkeep_core::CursorShape;

use super::modes::ModeState;
use super::screen::{Protection, Screen};
use crate::charset::Charset;
use crate::effects::{Effect, Effects};
use crate::op::{Erase, Op};
use crate::parser::{Csi, Perform, StringEnd};

/// The most kitty keyboard flags on a stack; the oldest goes when there are more.
const MAX_KITTY: usize = 16;

/// A screen and the list its effects go to.
pub(crate) struct Performer<'a> {
    pub(crate) screen: &'a mut Screen,
    pub(crate) effects: &'a mut Effects,
}

impl Performer<'_> {
    pub(crate) fn reply(&mut self, bytes: impl Into<Vec<u8>>) {
        let mut bytes = bytes.into();
        if self.screen.modes.eight_bit_controls {
            crate::key::use_eight_bit_controls(&mut bytes, 0);
        }
        self.effects.push(Effect::Reply(bytes));
    }
}

impl Perform for Performer<'_> {
    #[inline]
    fn ascii(&mut self, run: &[u8]) {
        self.screen.print_ascii(run);
    }

    #[inline]
    fn plain(&mut self, bytes: &[u8]) -> usize {
        self.screen.print_plain(bytes)
    }

    fn char(&mut self, c: char) {
        self.screen.pen.charsets.single = None;
        self.screen.print(c);
    }

    #[inline]
    fn control(&mut self, byte: u8) {
        let screen = &mut *self.screen;
        screen.last_char = None;
        match byte {
            0x05 if !screen.config.answerback.is_empty() => {
                let answer = screen.config.answerback.clone();
                self.reply(answer);
            }
            0x07 => self.effects.push(Effect::Bell),
            0x08 => screen.back(1),
            0x09 => screen.tab(1),
            0x0a..=0x0c => screen.line_feed(),
            0x0d => screen.carriage_return(),
            0x0e => screen.pen.charsets.left = 1,
            0x0f => screen.pen.charsets.left = 0,
            0x84 => screen.index(),
            0x85 => {
                screen.index();
                screen.carriage_return();
            }
            0x88 => screen.tabs.set(screen.place.col),
            0x8d => screen.reverse_index(),
            0x8e => screen.pen.charsets.single = Some(2),
            0x8f => screen.pen.charsets.single = Some(3),
            0x96 => screen.protect(true, Protection::Iso),
            0x97 => screen.protect(false, Protection::Iso),
            0x9a => self.primary_attributes(),
            _ => {}
        }
    }

    fn esc(&mut self, intermediates: &[u8], last: u8) {
        let screen = &mut *self.screen;
        screen.last_char = None;
        match (intermediates, last) {
            ([], b'6') => screen.back_index(),
            ([], b'7') => screen.save_cursor(),
            ([], b'8') => screen.restore_cursor(),
            ([], b'9') => screen.forward_index(),
            ([], b'=') => screen.modes.application_keypad = true,
            ([], b'>') => screen.modes.application_keypad = false,
            ([], b'c') => {
                screen.keep_erased();
                screen.reset();
                self.effects.push(Effect::Reset);
            }
            ([], b'n') => screen.pen.charsets.left = 2,
            ([], b'o') => screen.pen.charsets.left = 3,
            // The 7-bit forms of the 8-bit controls.
            ([], 0x40..=0x5f) => self.control(last + 0x40),
            // S7C1T and S8C1T.
            ([b' '], b'F') => screen.modes.eight_bit_controls = false,
            ([b' '], b'G') => screen.modes.eight_bit_controls = true,
            ([b'#'], b'8') => screen.alignment_test(),
            ([set @ (b'(' | b')' | b'*' | b'+')], _) => {
                screen.pen.charsets.sets[usize::from(set - b'(')] = Charset::from_designator(last);
            }
            ([set @ (b'-' | b'.' | b'/')], _) => {
                let charset = Charset::from_long_designator(last);
                screen.pen.charsets.sets[usize::from(set - b'-') + 1] = charset;
            }
            _ => {}
        }
    }

    fn csi(&mut self, csi: &Csi) {
        // Most sequences are colours: they skip the table.
        if csi.last == b'm' && csi.prefix == 0 && csi.intermediate_len == 0 {
            super::sgr::apply(&mut self.screen.pen.style, csi);
            self.screen.pen_stale = true;
        } else if let Some(op) = Op::read(csi) {
            self.run(op, csi);
        }
        // REP repeats what came just before it, and nothing older.
        self.screen.last_char = None;
    }

    fn osc(&mut self, payload: &[u8], end: StringEnd) {
        self.screen.last_char = None;
        self.operating_system_command(payload, end);
    }

    fn wants_dcs(&self, header: &Csi) -> bool {
        super::report::DeviceControl::read(header).is_some()
    }

    fn dcs(&mut self, header: &Csi, payload: &[u8]) {
        self.screen.last_char = None;
        self.device_control(header, payload);
    }
}

impl Performer<'_> {
    #[expect(clippy::too_many_lines, reason = "the one dispatch")]
    fn run(&mut self, op: Op, csi: &Csi) {
        let screen = &mut *self.screen;
        match op {
            Op::Up(n) => screen.up(n),
            Op::Down(n) => screen.down(n),
            Op::Right(n) => screen.forward(n),
            Op::Left(n) => screen.back(n),
            Op::NextLine(n) => {
                screen.down(n);
                screen.carriage_return();
            }
            Op::PreviousLine(n) => {
                screen.up(n);
                screen.carriage_return();
            }
            Op::Column(n) => screen.go(screen.place.row, screen.program_col(n)),
            Op::Row(n) => screen.go(screen.program_row(n), screen.place.col),
            Op::Position { row, col } => screen.position(row, col),
            Op::RowForward(n) => screen.row_forward(n),
            Op::ColumnForward(n) => screen.column_forward(n),
            Op::TabForward(n) => screen.tab(n),
            Op::TabBack(n) => screen.tab_back(n),
            Op::EraseDisplay(Erase::History, _) => {
                screen.history.clear();
                self.effects.push(Effect::HistoryCleared);
            }
            Op::EraseDisplay(part, spare) => screen.erase_display(part, spare),
            Op::EraseLine(part, spare) => screen.erase_line(part, spare),
            Op::InsertChars(n) => screen.insert_chars(n),
            Op::DeleteChars(n) => screen.delete_chars(n),
            Op::EraseChars(n) => screen.erase_chars(n),
            Op::InsertLines(n) => screen.insert_lines(n),
            Op::DeleteLines(n) => screen.delete_lines(n),
            Op::ScrollUp(n) => screen.scroll_up(screen.region(), n),
            Op::ScrollDown(n) => screen.scroll_down(screen.region(), n),
            Op::ScrollLeft(n) => screen.shift_left_in_margins(n),
            Op::ScrollRight(n) => screen.shift_right_in_margins(n),
            Op::InsertColumns(n) if screen.in_margins() => screen.shift_right(screen.place.col, n),
            Op::DeleteColumns(n) if screen.in_margins() => screen.shift_left(screen.place.col, n),
            Op::Repeat(n) => screen.repeat(n),
            Op::ClearTabs(0) => screen.tabs.clear(screen.place.col),
            Op::ClearTabs(3) => screen.tabs.clear_all(),
            Op::ResetTabs => screen.tabs = Default::default(),
            Op::Modes { private, on } => self.set_modes(private, on, csi),
            Op::SaveModes => csi.params().iter().for_each(|&mode| screen.save_mode(mode)),
            Op::RestoreModes => csi
                .params()
                .iter()
                .for_each(|&mode| screen.restore_mode(mode)),
            Op::RequestMode { private } => self.report_mode(private, csi.raw(0)),
            Op::PushSgr => screen.sgr_stack.push(&screen.pen.style, csi),
            Op::PopSgr => {
                screen.sgr_stack.pop(&mut screen.pen.style);
                screen.pen_stale = true;
            }
            Op::Margins { top, bottom } => screen.set_margins(top, bottom),
            Op::SideMargins { left, right } if screen.flags.side_margins => {
                screen.set_side_margins(left, right);
            }
            // Without side margins `CSI s` saves the cursor, whatever its parameters.
            Op::SideMargins { .. } => screen.save_cursor(),
            Op::RestoreCursor => screen.restore_cursor(),
            Op::SoftReset => screen.soft_reset(),
            Op::CursorShape(n) => screen.set_cursor_shape(n),
            Op::Conformance => screen.set_conformance(csi),
            Op::Protect(n) => screen.protect(n == 1, Protection::Dec),
            Op::PrimaryAttributes => self.primary_attributes(),
            Op::SecondaryAttributes => self.reply("\x1b[>41;380;0c"),
            Op::TertiaryAttributes => self.reply("\x1bP!|00000000\x1b\\"),
            Op::Version => {
                let version = format!("\x1bP>|{}\x1b\\", screen.config.name);
                self.reply(version);
            }
            Op::Status { private, kind } => self.report_status(private, kind, csi.raw(1)),
            Op::Parameters(kind @ 0..=1) => {
                self.reply(format!("\x1b[{};1;1;128;128;1;0x", kind + 2))
            }
            Op::Presentation(kind) => self.report_presentation(kind),
            Op::Window => self.window(csi),
            // DECSCPP knows two widths.
            Op::Columns(0 | 80) => self.ask_for_size(0, 80),
            Op::Columns(132) => self.ask_for_size(0, 132),
            Op::Lines(n) => self.ask_for_size(n, 0),
            Op::KeyModifiers => screen.set_key_modifiers(csi),
            Op::KeyModifiersOff if matches!(csi.params(), [] | [4, ..]) => {
                screen.modes.modify_other_keys = 0;
            }
            Op::QueryKeyModifiers if csi.raw(0) == 4 => {
                let level = screen.modes.modify_other_keys;
                self.reply(format!("\x1b[>4;{level}m"));
            }
            Op::KeyFormat if matches!(csi.params(), [] | [4, ..]) => {
                screen.modes.format_other_keys_csi_u = csi.raw(1) == 1;
            }
            Op::KittyQuery => {
                let flags = screen.modes.kitty_keyboard;
                self.reply(format!("\x1b[?{flags}u"));
            }
            Op::KittyPush(flags) => screen.push_kitty(flags),
            Op::KittyPop(n) => screen.pop_kitty(n),
            Op::KittySet { flags, how } => screen.change_kitty(flags, how),
            Op::Rect(op) => self.rectangle(op, csi),
            Op::RectExtent(n @ 0..=2) => screen.flags.rectangular = n == 2,
            _ => {}
        }
    }

    fn set_modes(&mut self, private: bool, on: bool, csi: &Csi) {
        for &mode in csi.params() {
            if private {
                let was = self.screen.modes.in_band_resize;
                self.screen.set_private_mode(mode, on);
                if self.screen.modes.in_band_resize && !was {
                    self.effects.push(Effect::SizeReport(self.screen.size));
                }
            } else {
                self.screen.set_ansi_mode(mode, on);
            }
        }
    }

    fn report_mode(&mut self, private: bool, mode: u16) {
        let (mark, state) = if private {
            ("?", self.screen.private_mode(mode))
        } else {
            ("", self.screen.ansi_mode(mode))
        };
        let state = state as u8;
        debug_assert!(state <= ModeState::AlwaysReset as u8);
        self.reply(format!("\x1b[{mark}{mode};{state}$y"));
    }
}

impl Screen {
    /// DECSCA, SPA and EPA.
    fn protect(&mut self, on: bool, protection: Protection) {
        self.pen.protected = on;
        self.pen_stale = true;
        if on {
            self.protection = protection;
        }
    }

    /// DECSCL: resets, and says how replies and keys are written. The levels differ in nothing else here.
    fn set_conformance(&mut self, csi: &Csi) {
        let level @ 61..=65 = csi.raw(0) else { return };
        self.soft_reset();
        self.conformance = level as u8;
        self.modes.eight_bit_controls = level > 61 && csi.raw(1) != 1;
    }

    fn set_cursor_shape(&mut self, number: u16) {
        if let Some(shape) = CursorShape::from_number(number) {
            self.shape = shape;
            self.flags.cursor_blink = number % 2 == 1;
            self.dirty.cursor();
        }
    }

    fn shift_left_in_margins(&mut self, count: u16) {
        if self.in_margins() {
            self.shift_left(self.left(), count);
        }
    }

    fn shift_right_in_margins(&mut self, count: u16) {
        if self.in_margins() {
            self.shift_right(self.left(), count);
        }
    }

    /// XTMODKEYS.
    fn set_key_modifiers(&mut self, csi: &Csi) {
        match csi.params() {
            [] => self.modes.modify_other_keys = 0,
            [4, level @ ..] => {
                self.modes.modify_other_keys = level.first().map_or(0, |n| (*n).min(2) as u8);
            }
            _ => {}
        }
    }

    fn push_kitty(&mut self, flags: u16) {
        let stack = &mut self.kitty[usize::from(self.alternate)];
        if stack.len() == MAX_KITTY {
            stack.remove(0);
        }
        stack.push((flags & 31) as u8);
        self.modes.kitty_keyboard = (flags & 31) as u8;
    }

    fn pop_kitty(&mut self, count: u16) {
        let stack = &mut self.kitty[usize::from(self.alternate)];
        stack.truncate(stack.len().saturating_sub(usize::from(count)));
        self.modes.kitty_keyboard = stack.last().copied().unwrap_or(0);
    }

    fn change_kitty(&mut self, flags: u16, how: u16) {
        let (now, flags) = (self.modes.kitty_keyboard, (flags & 31) as u8);
        match how {
            1 => self.set_kitty(flags),
            2 => self.set_kitty(now | flags),
            3 => self.set_kitty(now & !flags),
            _ => {}
        }
    }
}
