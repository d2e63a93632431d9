//! Copy mode: motions, search and selection over a pane's text.
//!
//! A [`Frozen`] is the pane as it was when copy mode was entered; a [`CopyMode`] is the state of copy mode in it.
//! Commands come in as [`CopyCommand`], requests to the server leave as [`CopyEffect`], and [`CopyMode::view`] returns
//! what to draw. The behaviour is that of tmux 3.3a; `docs/TMUX.md` lists the differences. Pure: nothing here does I/O
//! or reads a clock.
//!
//! ```
//! use shellkeep_copy::{CopyCommand, CopyEffect, CopyMode, CopyOptions, EnterOptions, Frozen};
//! use shellkeep_term::{Config, Emulator};
//!
//! let mut emulator = Emulator::new(shellkeep_core::Size::new(2, 20), Config::default());
//! emulator.feed(b"one two", &mut Vec::new());
//! let frozen = Frozen::new(&emulator);
//! let text = frozen.text(&emulator);
//! let options = CopyOptions::default();
//! let mut mode = CopyMode::enter(frozen.cursor(), &text, EnterOptions::default());
//! for name in ["previous-word", "begin-selection", "end-of-line"] {
//!     mode.run(&CopyCommand::parse(&[name]).unwrap(), 1, &text, &options);
//! }
//! let copy = CopyCommand::parse(&["copy-selection-and-cancel"]).unwrap();
//! let effects = mode.run(&copy, 1, &text, &options);
//! assert!(matches!(&effects[0], CopyEffect::Copy { text, .. } if text == "two"));
//! assert_eq!(effects[1], CopyEffect::Cancel);
//! ```

mod brackets;
mod command;
mod effect;
mod finder;
mod follow;
mod frozen;
mod mode;
mod motion;
mod mouse;
mod options;
mod paragraphs;
mod pattern;
mod prompts;
mod run;
mod search;
mod search_commands;
mod select;
mod selected_text;
mod selection;
mod text;
mod view;
mod walker;

pub use command::{
    Action, After, CopyCommand, CopyCommandError, Direction, Extent, Land, Pattern, Sink,
};
pub use effect::CopyEffect;
pub use frozen::{Frozen, FrozenRow, FrozenText, Spot};
pub use mode::CopyMode;
pub use mouse::AutoScroll;
pub use options::{CopyOptions, EnterOptions, ModeKeys, Remembered};
pub use selection::SelectionState;
pub use text::{Pos, Text};
pub use view::{Highlight, Span, View, ViewRow};
