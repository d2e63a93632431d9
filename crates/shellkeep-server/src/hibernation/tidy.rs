//! Prepares the screen of a sleeping pane for a new program.

use shellkeep_core::PaneId;

use crate::model::Model;
use crate::panes::server_output;
use crate::persistence::record::dim_line;

/// Ends whatever the last program had begun: an escape sequence, margins, character sets, mouse, paste and key modes, a
/// hidden or reshaped cursor. The cursor is in the corner afterwards.
const END_SEQUENCES: &str = "\x18\x1b[?6l\x1b[?69l\x1b[r\x0f\x1b(B\x1b[m\x1b[4l\x1b[20l\
    \x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\
    \x1b[?2004l\x1b[?2026l\x1b[?2048l\x1b[?2031l\x1b[?1l\x1b>\x1b[?7h\x1b[?45l\x1b[?25h\x1b[0 q\x1b[>4;0m\x1b[<99u";

/// Resets what the last program has set and a new shell would not: the look of the whole screen, colours, links, tab
/// stops, keys. A revived shell keeps all of it, since it may have set it itself.
const RESET_LOOKS: &str = "\x1b[!p\x1b[?5l\x1b[?12l\x1b[?40l\x1b[?67l\x1b[?95l\x1b[?1007l\x1b[?2027l\x1b F\x1b[>4;0f\x1b[0*x\x1b[?5W\
    \x1b]8;;\x1b\\\x1b]104\x1b\\\x1b]105\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\\x1b]113\x1b\\\x1b]114\x1b\\\
    \x1b]115\x1b\\\x1b]116\x1b\\\x1b]117\x1b\\\x1b]118\x1b\\\x1b]119\x1b\\";

/// Where the new shell's prompt goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// Below the contents: it is another shell.
    Below,
    /// In the place of the old prompt: it is the same shell.
    InPlace,
}

/// Prepares a screen for a new program, and prints what did not come back.
pub(crate) fn tidy_up(model: &mut Model, id: PaneId, missing: &[String], prompt: Prompt) {
    server_output::write_server_output(model, id, |screen| {
        // The main and the alternate screen have key modes of their own.
        let end = "\x18\x1b[<99u\x1b[?1049l";
        let end = if screen.is_alternate() { end } else { "" };
        end.to_owned()
    });
    server_output::write_server_output(model, id, |screen| {
        let cursor = screen.cursor();
        let (mut row, mut col) = (cursor.row, cursor.col);
        if prompt == Prompt::Below {
            // A program may have written below its cursor.
            let is_blank = |row: u16| screen.row(row).text().trim().is_empty();
            let last = (cursor.row + 1..screen.size().rows()).rfind(|row| !is_blank(*row));
            if let Some(last) = last {
                (row, col) = (last, 1);
            }
        }
        let forget = match prompt {
            Prompt::Below => RESET_LOOKS,
            Prompt::InPlace => "",
        };
        let mut bytes = format!("{END_SEQUENCES}{forget}\x1b[{};{}H", row + 1, col + 1);
        if col > 0 && prompt == Prompt::Below {
            bytes.push_str("\r\n");
        }
        if !missing.is_empty() {
            bytes.push_str(&dim_line(&missing.join("; ")));
        }
        bytes
    });
    if prompt == Prompt::InPlace {
        server_output::erase_prompt(model, id);
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;
    use shellkeep_term::{Config, Effect, Emulator};

    use super::*;

    /// Everything a screen shows apart from text: modes, colours, cursor, and its replies to queries of modes and tab
    /// stops.
    fn looks(screen: &mut Emulator) -> String {
        let mut effects = Vec::new();
        for mode in (0..100).chain(1000..1050).chain(2000..2050) {
            screen.feed(
                format!("\x1b[?{mode}$p\x1b[{mode}$p").as_bytes(),
                &mut effects,
            );
        }
        for request in ["m", " q", "\"q", "r", "s", "*x"] {
            screen.feed(format!("\x1bP$q{request}\x1b\\").as_bytes(), &mut effects);
        }
        screen.feed(b"\x1b[H\x1b[2$w\x1b[?u", &mut effects);
        let replies = effects.iter().filter_map(|effect| match effect {
            Effect::Reply(reply) => Some(String::from_utf8_lossy(reply).into_owned()),
            _ => None,
        });
        let colors: Vec<_> = (0..=255).map(|at| screen.palette_override(at)).collect();
        format!(
            "{:?} {:?} {:?} {colors:?} {:?}",
            screen.modes(),
            screen.cursor(),
            screen.dynamic_colors(),
            replies.collect::<Vec<_>>()
        )
    }

    #[test]
    fn screen_of_a_program_that_was_ended_looks_like_a_new_one() {
        let new = || Emulator::new(Size::new(10, 40), Config::default());
        let expected = looks(&mut new());
        let mut screen = new();
        let mut set = String::new();
        for mode in [
            1, 5, 6, 7, 9, 12, 25, 40, 45, 66, 67, 69, 95, 1000, 1002, 1003, 1004, 1005, 1006,
            1007, 1015, 1016, 1045, 2004, 2026, 2027, 2031, 2048,
        ] {
            let on = if matches!(mode, 7 | 25) { 'l' } else { 'h' };
            set.push_str(&format!("\x1b[?{mode}{on}"));
        }
        set.push_str(
            "\x1b[4h\x1b[20h\x1b[2h\x1b[3;5r\x1b[1;31;44m\x1b[5 q\x1b[>4;2m\x1b[>4;1f\x1b[>5u\x1b=",
        );
        set.push_str("\x1b G\x1b[1\"q\x1b[2*x\x1b[3g\x1b(0\x1b]8;;http://x\x07");
        set.push_str(
            "\x1b]4;1;#123456\x07\x1b]10;#111111\x07\x1b]11;#222222\x07\x1b]12;#333333\x07",
        );
        screen.feed(set.as_bytes(), &mut Vec::new());
        assert_ne!(looks(&mut screen), expected);
        screen.feed(
            format!("{END_SEQUENCES}{RESET_LOOKS}").as_bytes(),
            &mut Vec::new(),
        );
        assert_eq!(looks(&mut screen), expected);
    }
}
