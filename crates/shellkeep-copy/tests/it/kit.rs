//! A pane in copy mode.

use shellkeep_copy::{
    CopyCommand, CopyEffect, CopyMode, CopyOptions, EnterOptions, Frozen, ModeKeys, Text,
};
use shellkeep_core::Size;
use shellkeep_term::{Config, Emulator};

pub(crate) struct Kit {
    pub(crate) emulator: Emulator,
    pub(crate) frozen: Frozen,
    pub(crate) mode: CopyMode,
    pub(crate) options: CopyOptions,
}

impl Kit {
    /// A pane in copy mode with vi keys, after this output.
    pub(crate) fn new(rows: u16, cols: u16, bytes: &str) -> Self {
        Self::with_limit(rows, cols, bytes, usize::MAX)
    }

    pub(crate) fn with_limit(rows: u16, cols: u16, bytes: &str, history_limit: usize) -> Self {
        let config = Config {
            history_limit,
            ..Config::default()
        };
        let mut emulator = Emulator::new(Size::new(rows, cols), config);
        emulator.feed(bytes.as_bytes(), &mut Vec::new());
        let frozen = Frozen::new(&emulator);
        let mode = CopyMode::enter(
            frozen.cursor(),
            &frozen.text(&emulator),
            EnterOptions::default(),
        );
        let options = CopyOptions {
            mode_keys: ModeKeys::Vi,
            ..CopyOptions::default()
        };
        Self {
            emulator,
            frozen,
            mode,
            options,
        }
    }

    pub(crate) fn run(&mut self, words: &[&str]) -> Vec<CopyEffect> {
        let command = CopyCommand::parse(words).expect("a command");
        let text = self.frozen.text(&self.emulator);
        self.mode.run(&command, 1, &text, &self.options)
    }

    pub(crate) fn feed(&mut self, bytes: &str) {
        self.emulator.feed(bytes.as_bytes(), &mut Vec::new());
    }

    /// The text of the rows in the view.
    pub(crate) fn shown(&self) -> Vec<String> {
        let text = self.frozen.text(&self.emulator);
        let view = self.mode.view(&text, &self.options);
        let rows = view.rows.iter();
        rows.map(|row| {
            let mut line = String::new();
            text.with_row(row.row, &mut |view| line = view.text());
            line
        })
        .collect()
    }

    pub(crate) fn line(&self) -> String {
        self.mode.cursor_line(&self.frozen.text(&self.emulator))
    }

    /// The text that copying the selection returns.
    pub(crate) fn copied(&mut self) -> Option<String> {
        let effects = self.run(&["copy-selection-no-clear"]);
        effects.into_iter().find_map(|effect| match effect {
            CopyEffect::Copy { text, .. } => Some(text),
            _ => None,
        })
    }
}

/// `line 0`, `line 1` and so on.
pub(crate) fn lines(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\r\n")).collect()
}
