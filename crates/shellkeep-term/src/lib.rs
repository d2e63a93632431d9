//! The terminal engine: bytes to screen and history, keys to bytes and back.
//!
//! Pure: no I/O, no clock, no threads. Requests of a program that reach beyond the screen leave as effects.
//!
//! ```
//! use shellkeep_core::Size;
//! use shellkeep_term::{Config, Emulator};
//!
//! let mut emulator = Emulator::new(Size::new(24, 80), Config::default());
//! let mut effects = Vec::new();
//! emulator.feed(b"\x1b[1mhello\x1b[0m\x1b[6n", &mut effects);
//! assert_eq!(emulator.row(0).text(), "hello");
//! assert_eq!(effects, [shellkeep_term::Effect::Reply(b"\x1b[1;6R".to_vec())]);
//! ```

mod charset;
mod config;
mod dump;
mod effects;
mod emulator;
mod grid;
mod history;
pub mod key;
pub mod mode;
mod op;
mod parser;
mod tabstop;
pub mod view;
mod wire;

pub use config::{Config, DefaultColors, Keep};
pub use dump::RestoreError;
pub use effects::{ClipboardAction, Effect, Effects, Progress, PromptMark};
pub use emulator::{Emulator, InnerModes};
pub use history::read::{HistoryRows, PageMissing, PageSpan};
pub use history::store::{PageStore, SealedPage, TakenPage};
pub use history::text::{Printed, TextLines};
pub use mode::{Modes, MouseEncoding, MouseProtocol};
pub use view::{CellText, CellView, Cursor, Dirty, RowView};
