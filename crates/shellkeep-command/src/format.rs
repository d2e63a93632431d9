//! Formats: the language of `#{…}` in which status lines, lists and conditions are written.
//!
//! The evaluator follows tmux 3.3a exactly, including its oddities, because scripts depend on them. It gets the values
//! of variables from a [`Source`], so that it does not depend on sessions and panes, and can be tested with a map.
//!
//! A template may come from anywhere, so an evaluation is limited in depth, length and steps. When it exceeds a limit,
//! the result is what was computed until then.
//!
//! Differences from tmux: times of more than 512 bytes and similar give nothing instead of garbage; after a match of
//! nothing, a substitution moves on by a character and not by a byte; regular expressions that refer back to a group
//! (`(a)\1`) do not match.

use std::borrow::Cow;

mod color;
mod color_names;
mod expand;
mod finish;
mod modifiers;
mod number;
mod pattern;
mod regex_syntax;
mod scan;
mod text;
mod time;
mod trace;

pub use expand::Expander;
pub use time::LocalTime;
pub(crate) use time::day_number;

/// The source of the values in a format: the state of the server, as seen from one client, session, window and pane.
pub trait Source {
    /// The value of an option (`status-left`, `@x`), a variable (`session_name`) or an environment variable, searched
    /// in this order; `None` if there is none of this name. A time is a number of seconds.
    fn value(&self, name: &str) -> Option<Cow<'_, str>>;

    /// Seconds since 1970.
    fn now(&self) -> i64;

    /// A time in the local time zone. [`LocalTime::new`] does everything but look the zone up.
    fn local_time(&self, seconds: i64) -> LocalTime;

    /// The last output of `#(command)`. The source runs the command, now and later.
    fn job(&self, command: &str) -> String;

    /// Calls `visit` once for each session, each window of this session, or each pane of this window.
    fn for_each(&self, what: Loop, visit: &mut dyn FnMut(&dyn Source, Position));

    /// The first line of the pane's screen for which `fits` is true, counted from 1; 0 if there is none. Lines are
    /// passed without trailing blanks.
    fn search_pane(&self, fits: &dyn Fn(&str) -> bool) -> usize;

    /// Whether there is a session of this name, or a window of this name in this session.
    fn has_name(&self, what: Named, name: &str) -> bool;
}

/// The items of the loops `S:`, `W:` and `P:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    Sessions,
    /// The windows of the session, by index.
    Windows,
    /// The panes of the window, in order.
    Panes,
}

/// Whether an item of a loop is the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The current window, or the active pane.
    Current,
    Other,
}

/// What `N:` searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Window,
    Session,
}

/// Expands a template. `#[…]` is left in place for the renderer.
#[must_use]
pub fn expand(template: &str, source: &dyn Source) -> String {
    Expander::new().expand(template, source)
}

/// Expands a template as status lines and `display-message` do: `%H` and other times are expanded first.
#[must_use]
pub fn expand_time(template: &str, source: &dyn Source) -> String {
    Expander::new().expand_time(template, source)
}

/// Whether a value is true: neither empty nor `0`.
#[must_use]
pub fn is_true(value: &str) -> bool {
    !matches!(value, "" | "0")
}

#[cfg(test)]
mod tests;
