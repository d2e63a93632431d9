//! Read-only access to state of the engine that nothing outside it depends on, for formats and scripts.

use shellkeep_core::Style;

use crate::emulator::Emulator;
use crate::parser::{Csi, Parser, ParserState};
use crate::view::RowView;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerModes {
    /// IRM: text is inserted instead of replaced.
    pub insert: bool,
    /// DECOM: rows are counted from the first row of the scroll region.
    pub origin: bool,
    /// DECAWM: text wraps at the margin.
    pub autowrap: bool,
    /// The first and last row of the scroll region.
    pub region: (u16, u16),
}

impl Emulator {
    #[must_use]
    pub fn inner_modes(&self) -> InnerModes {
        let (writing, margins) = (&self.terminal.screen.writing, &self.terminal.screen.margins);
        InnerModes {
            insert: writing.insert,
            origin: margins.origin,
            autowrap: writing.autowrap,
            region: (margins.area.top, margins.area.bottom),
        }
    }

    /// The style of text that is printed next.
    #[must_use]
    pub fn pen(&self) -> Style {
        self.terminal.screen.pen.style
    }

    /// The column in which the shell's last prompt began. The columns before it hold the end of a command's output
    /// without a newline. If that output fills the row, this is the number of columns.
    #[must_use]
    pub fn prompt_col(&self) -> u16 {
        self.terminal.shell.position.col
    }

    /// The columns at which a tab stops, but for the first.
    pub fn tab_stops(&self) -> impl Iterator<Item = u16> {
        let tabs = &self.terminal.screen.tabs;
        (1..self.size().cols()).filter(|col| tabs.is_stop(*col))
    }

    /// While the alternate screen is shown: where the cursor was on the main one, row and column.
    #[must_use]
    pub fn cursor_under_alternate(&self) -> Option<(u16, u16)> {
        let main = self.terminal.screen.saved[0].position;
        self.is_alternate().then_some((main.row, main.col))
    }

    /// While the alternate screen is shown: the rows of the main one, top first.
    pub fn rows_under_alternate(&self) -> Option<impl Iterator<Item = RowView<'_>>> {
        let canvas = &self.terminal.screen.canvas;
        let main = canvas.other.as_ref().filter(|_| canvas.alternate)?;
        let (cols, tables) = (self.size().cols(), &canvas.tables);
        Some((0..main.height()).map(move |row| RowView::new(main.row(row), cols, tables)))
    }

    /// The bytes of an incomplete sequence. Numbers are formatted again, so leading zeros are lost. Of a string that is
    /// ignored, only the introducer is kept.
    #[must_use]
    pub fn unfinished(&self) -> Vec<u8> {
        unfinished(&self.parser)
    }
}

fn unfinished(parser: &Parser) -> Vec<u8> {
    let mut out = Vec::new();
    match parser.state {
        ParserState::Ground => {
            out.extend_from_slice(&parser.partial[..usize::from(parser.partial_len)])
        }
        ParserState::Escape | ParserState::EscapeIntermediate => {
            out.push(0x1b);
            push_intermediates(&parser.csi, &mut out);
        }
        ParserState::CsiEntry
        | ParserState::CsiParam
        | ParserState::CsiOverflow
        | ParserState::CsiIntermediate
        | ParserState::CsiIgnore => {
            out.extend_from_slice(b"\x1b[");
            push_header(&parser.csi, &mut out);
        }
        ParserState::DcsEntry
        | ParserState::DcsParam
        | ParserState::DcsOverflow
        | ParserState::DcsIntermediate => {
            out.extend_from_slice(b"\x1bP");
            push_header(&parser.csi, &mut out);
        }
        ParserState::Dcs | ParserState::DcsIgnore | ParserState::DcsEscape => {
            out.extend_from_slice(b"\x1bP");
            push_header(&parser.csi, &mut out);
            out.extend((parser.csi.last != 0).then_some(parser.csi.last));
            out.extend_from_slice(&parser.string);
        }
        ParserState::Osc | ParserState::OscEscape => {
            out.extend_from_slice(b"\x1b]");
            out.extend_from_slice(&parser.string);
        }
        ParserState::Opaque | ParserState::OpaqueEscape => out.extend_from_slice(b"\x1b_"),
    }
    if matches!(
        parser.state,
        ParserState::DcsEscape | ParserState::OscEscape | ParserState::OpaqueEscape
    ) {
        out.push(0x1b);
    }
    out
}

fn push_header(csi: &Csi, out: &mut Vec<u8>) {
    out.extend((csi.prefix != 0).then_some(csi.prefix));
    for (at, param) in csi.params().iter().enumerate() {
        if at > 0 {
            out.push(if csi.is_sub(at) { b':' } else { b';' });
        }
        // An omitted parameter is stored as 0.
        if *param != 0 {
            out.extend_from_slice(param.to_string().as_bytes());
        }
    }
    push_intermediates(csi, out);
}

fn push_intermediates(csi: &Csi, out: &mut Vec<u8>) {
    let count = usize::from(csi.intermediate_len).min(csi.intermediates.len());
    out.extend_from_slice(&csi.intermediates[..count]);
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;

    use super::*;
    use crate::config::Config;
    use crate::effects::Effects;

    fn fed(text: &str) -> Emulator {
        let mut emulator = Emulator::new(Size::new(5, 20), Config::default());
        emulator.feed(text.as_bytes(), &mut Effects::new());
        emulator
    }

    #[test]
    fn sequence_unfinished_is_given_back() {
        for text in [
            "",
            "\x1b",
            "\x1b(",
            "\x1b[",
            "\x1b[?25",
            "\x1b[38:2;7",
            "\x1b]0;ti",
            "\x1b]0;ti\x1b",
        ] {
            assert_eq!(
                fed(&format!("abc{text}")).unfinished(),
                text.as_bytes(),
                "{text:?}"
            );
        }
        assert!(fed("\x1b[1m").unfinished().is_empty());
    }

    #[test]
    fn screen_under_the_alternate_is_to_be_seen() {
        let emulator = fed("main\x1b[?1049hother");
        let rows = emulator.rows_under_alternate().unwrap();
        assert_eq!(rows.map(|row| row.text()).next().as_deref(), Some("main"));
        assert_eq!(emulator.cursor_under_alternate(), Some((0, 4)));
        assert!(fed("main").rows_under_alternate().is_none());
    }

    #[test]
    fn modes_and_tabs_are_told() {
        let emulator = fed("\x1b[4h\x1b[2;4r\x1b[?7l\x1b[3g");
        let modes = emulator.inner_modes();
        assert!(modes.insert && !modes.origin && !modes.autowrap);
        assert_eq!(modes.region, (1, 3));
        assert_eq!(emulator.tab_stops().count(), 0);
        assert_eq!(fed("").tab_stops().collect::<Vec<_>>(), [8, 16]);
    }
}
