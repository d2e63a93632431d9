//! Executes on the terminal what the parser has recognised.

use super::modes::ModeState;
use super::screen::Protection;
use super::terminal::Terminal;
use crate::charset::Charset;
use crate::effects::{Effect, Effects};
use crate::op::{Erase, Op};
use crate::parser::{Csi, Perform, StringEnd};

/// A terminal, and the list for its effects.
pub(crate) struct Performer<'a> {
    pub(crate) terminal: &'a mut Terminal,
    pub(crate) effects: &'a mut Effects,
}

impl Performer<'_> {
    pub(crate) fn reply(&mut self, bytes: impl Into<Vec<u8>>) {
        let mut bytes = bytes.into();
        if self.terminal.modes.eight_bit_controls {
            crate::key::use_eight_bit_controls(&mut bytes, 0);
        }
        self.effects.push(Effect::Reply(bytes));
    }
}

impl Perform for Performer<'_> {
    #[inline]
    fn ascii(&mut self, run: &[u8]) {
        self.terminal.screen.print_ascii(run);
    }

    #[inline]
    fn plain(&mut self, bytes: &[u8]) -> usize {
        self.terminal.screen.print_plain(bytes)
    }

    fn char(&mut self, c: char) {
        self.terminal.screen.pen.charsets.single = None;
        self.terminal.screen.print(c);
    }

    #[inline]
    fn control(&mut self, byte: u8) {
        let terminal = &mut *self.terminal;
        let screen = &mut terminal.screen;
        screen.last_char = None;
        match byte {
            0x05 if !terminal.config.answerback.is_empty() => {
                let answer = terminal.config.answerback.clone();
                self.reply(answer);
            }
            0x07 => self.effects.push(Effect::Bell),
            0x08 => screen.back(1),
            0x09 => screen.tab(1),
            0x0a..=0x0c => terminal.line_feed(),
            0x0d => screen.carriage_return(),
            0x0e => screen.pen.charsets.left = 1,
            0x0f => screen.pen.charsets.left = 0,
            0x84 => screen.index(),
            0x85 => {
                screen.index();
                screen.carriage_return();
            }
            0x88 => screen.tabs.set(screen.cursor.col),
            0x8d => terminal.reverse_index(),
            0x8e => screen.pen.charsets.single = Some(2),
            0x8f => screen.pen.charsets.single = Some(3),
            0x96 => terminal.protect(true, Protection::Iso),
            0x97 => terminal.protect(false, Protection::Iso),
            0x9a => self.primary_attributes(),
            _ => {}
        }
    }

    fn esc(&mut self, intermediates: &[u8], last: u8) {
        let terminal = &mut *self.terminal;
        let screen = &mut terminal.screen;
        screen.last_char = None;
        match (intermediates, last) {
            ([], b'6') => screen.back_index(),
            ([], b'7') => screen.save_cursor(),
            ([], b'8') => screen.restore_cursor(),
            ([], b'9') => screen.forward_index(),
            ([], b'=') => terminal.modes.application_keypad = true,
            ([], b'>') => terminal.modes.application_keypad = false,
            ([], b'c') => {
                screen.canvas.keep_erased();
                terminal.reset();
                self.effects.push(Effect::Reset);
            }
            ([], b'n') => screen.pen.charsets.left = 2,
            ([], b'o') => screen.pen.charsets.left = 3,
            // The 7-bit forms of the 8-bit controls.
            ([], 0x40..=0x5f) => self.control(last + 0x40),
            // S7C1T and S8C1T.
            ([b' '], b'F') => terminal.modes.eight_bit_controls = false,
            ([b' '], b'G') => terminal.modes.eight_bit_controls = true,
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
        // Most sequences are colours, so they skip the table.
        if csi.last == b'm' && csi.prefix == 0 && csi.intermediate_len == 0 {
            super::sgr::apply(&mut self.terminal.screen.pen.style, csi);
            self.terminal.screen.pen_stale = true;
        } else if let Some(op) = Op::read(csi) {
            self.run(op, csi);
        }
        // REP repeats only a character that came directly before it.
        self.terminal.screen.last_char = None;
    }

    fn osc(&mut self, payload: &[u8], end: StringEnd) {
        self.terminal.screen.last_char = None;
        self.operating_system_command(payload, end);
    }

    fn wants_dcs(&self, header: &Csi) -> bool {
        super::report::DeviceControl::read(header).is_some()
    }

    fn dcs(&mut self, header: &Csi, payload: &[u8]) {
        self.terminal.screen.last_char = None;
        self.device_control(header, payload);
    }
}

impl Performer<'_> {
    #[expect(clippy::too_many_lines, reason = "the one dispatch")]
    fn run(&mut self, op: Op, csi: &Csi) {
        let terminal = &mut *self.terminal;
        let screen = &mut terminal.screen;
        match op {
            Op::Up(n) => terminal.up(n),
            Op::Down(n) => screen.down(n),
            Op::Right(n) => screen.forward(n),
            Op::Left(n) => screen.back(n),
            Op::NextLine(n) => {
                screen.down(n);
                screen.carriage_return();
            }
            Op::PreviousLine(n) => {
                terminal.up(n);
                terminal.screen.carriage_return();
            }
            Op::Column(n) => screen.go(screen.cursor.row, screen.margins.program_col(n)),
            Op::Row(n) => screen.go(screen.margins.program_row(n), screen.cursor.col),
            Op::Position { row, col } => terminal.position(row, col),
            Op::RowForward(n) => screen.row_forward(n),
            Op::ColumnForward(n) => screen.column_forward(n),
            Op::TabForward(n) => screen.tab(n),
            Op::TabBack(n) => screen.tab_back(n),
            Op::EraseDisplay(Erase::History, _) => {
                screen.canvas.history.clear();
                self.effects.push(Effect::HistoryCleared);
            }
            Op::EraseDisplay(part, spare) => terminal.erase_display(part, spare),
            Op::EraseLine(part, spare) => terminal.erase_line(part, spare),
            Op::InsertChars(n) => screen.insert_chars(n),
            Op::DeleteChars(n) => screen.delete_chars(n),
            Op::EraseChars(n) => screen.erase_chars(n),
            Op::InsertLines(n) => screen.insert_lines(n),
            Op::DeleteLines(n) => screen.delete_lines(n),
            Op::ScrollUp(n) => screen.scroll_up(screen.margins.region(), n),
            Op::ScrollDown(n) => screen.scroll_down(screen.margins.region(), n),
            Op::ScrollLeft(n) if screen.margins.contains(screen.cursor) => {
                screen.shift_left(screen.margins.left(), n);
            }
            Op::ScrollRight(n) if screen.margins.contains(screen.cursor) => {
                screen.shift_right(screen.margins.left(), n);
            }
            Op::InsertColumns(n) if screen.margins.contains(screen.cursor) => {
                screen.shift_right(screen.cursor.col, n)
            }
            Op::DeleteColumns(n) if screen.margins.contains(screen.cursor) => {
                screen.shift_left(screen.cursor.col, n)
            }
            Op::Repeat(n) => screen.repeat(n),
            Op::ClearTabs(0) => screen.tabs.clear(screen.cursor.col),
            Op::ClearTabs(3) => screen.tabs.clear_all(),
            Op::ResetTabs => screen.tabs = Default::default(),
            Op::Modes { private, on } => self.set_modes(private, on, csi),
            Op::SaveModes => csi
                .params()
                .iter()
                .for_each(|&mode| terminal.save_mode(mode)),
            Op::RestoreModes => csi
                .params()
                .iter()
                .for_each(|&mode| terminal.restore_mode(mode)),
            Op::RequestMode { private } => self.report_mode(private, csi.raw(0)),
            Op::PushSgr => terminal.sgr_stack.push(&screen.pen.style, csi),
            Op::PopSgr => {
                terminal.sgr_stack.pop(&mut screen.pen.style);
                screen.pen_stale = true;
            }
            Op::Margins { top, bottom } => terminal.set_margins(top, bottom),
            Op::SideMargins { left, right } if screen.margins.has_sides => {
                terminal.set_side_margins(left, right);
            }
            // Without side margins `CSI s` saves the cursor, whatever its parameters.
            Op::SideMargins { .. } => screen.save_cursor(),
            Op::RestoreCursor => screen.restore_cursor(),
            Op::SoftReset => terminal.soft_reset(),
            Op::CursorShape(n) => terminal.set_cursor_shape(n),
            Op::Conformance => terminal.set_conformance(csi),
            Op::Protect(n) => terminal.protect(n == 1, Protection::Dec),
            Op::PrimaryAttributes => self.primary_attributes(),
            Op::SecondaryAttributes => self.reply("\x1b[>41;380;0c"),
            Op::TertiaryAttributes => self.reply("\x1bP!|00000000\x1b\\"),
            Op::Version => {
                let version = format!("\x1bP>|{}\x1b\\", terminal.config.name);
                self.reply(version);
            }
            Op::Status { private, kind } => self.report_status(private, kind, csi.raw(1)),
            Op::Parameters(kind @ 0..=1) => {
                self.reply(format!("\x1b[{};1;1;128;128;1;0x", kind + 2))
            }
            Op::Presentation(kind) => self.report_presentation(kind),
            Op::Window => self.window(csi),
            // DECSCPP knows two widths: 80 (also as 0) and 132.
            Op::Columns(0 | 80) => self.ask_for_size(0, 80),
            Op::Columns(132) => self.ask_for_size(0, 132),
            Op::Lines(n) => self.ask_for_size(n, 0),
            Op::KeyModifiers => terminal.modes.set_key_modifiers(csi),
            Op::KeyModifiersOff if matches!(csi.params(), [] | [4, ..]) => {
                terminal.modes.modify_other_keys = 0;
            }
            Op::QueryKeyModifiers if csi.raw(0) == 4 => {
                let level = terminal.modes.modify_other_keys;
                self.reply(format!("\x1b[>4;{level}m"));
            }
            Op::KeyFormat if matches!(csi.params(), [] | [4, ..]) => {
                terminal.modes.format_other_keys_csi_u = csi.raw(1) == 1;
            }
            Op::KittyQuery => {
                let flags = terminal.modes.kitty_keyboard;
                self.reply(format!("\x1b[?{flags}u"));
            }
            Op::KittyPush(flags) => terminal.with_kitty(|kitty, side| kitty.push(side, flags)),
            Op::KittyPop(n) => terminal.with_kitty(|kitty, side| kitty.pop(side, n)),
            Op::KittySet { flags, how } => {
                terminal.with_kitty(|kitty, side| kitty.change(side, flags, how))
            }
            Op::Rect(op) => self.rectangle(op, csi),
            Op::RectExtent(n @ 0..=2) => terminal.flags.rectangular = n == 2,
            _ => {}
        }
    }

    fn set_modes(&mut self, private: bool, on: bool, csi: &Csi) {
        for &mode in csi.params() {
            if private {
                let was = self.terminal.modes.in_band_resize;
                self.terminal.set_private_mode(mode, on);
                if self.terminal.modes.in_band_resize && !was {
                    self.effects.push(Effect::SizeReport(self.terminal.size()));
                }
            } else {
                self.terminal.set_ansi_mode(mode, on);
            }
        }
    }

    fn report_mode(&mut self, private: bool, mode: u16) {
        let (mark, state) = if private {
            ("?", self.terminal.private_mode(mode))
        } else {
            ("", self.terminal.ansi_mode(mode))
        };
        let state = state as u8;
        debug_assert!(state <= ModeState::AlwaysReset as u8);
        self.reply(format!("\x1b[{mark}{mode};{state}$y"));
    }
}
