//! Options: the table of all options with type, scope, default and description, and the values that are set.
//!
//! The tables (`server`, `session`, `window`, `hooks`) are in tmux's order, in which `show-options` prints them. Names,
//! defaults, errors and quoting are those of tmux 3.3a; where a default differs on purpose, the entry gives the reason.

mod duration;
mod environ;
mod error;
mod hooks;
mod name;
mod quote;
mod server;
mod session;
mod set;
mod show;
mod spec;
mod value;
mod view;
mod window;

#[cfg(test)]
mod tests;

pub use duration::{parse as parse_duration, print as print_duration};
pub use environ::{Assignment, assignments};
pub use error::OptionError;
pub use name::{OptionName, all, find, known};
pub use quote::quote;
pub use set::{Change, Level, Options};
pub use show::{Form, Hooks, Inherited, Show, show_all, show_one};
pub use spec::{Array, Family, Kind, OptionSpec, Origin, Scope};
pub use value::{StyleValue, Value};
pub use view::{Scopes, View};
