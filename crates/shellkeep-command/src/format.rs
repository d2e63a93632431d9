//! Formats: the little language of `#{…}` in which status lines, lists and conditions are written.
//!
//! The evaluator follows tmux 3.3a to the letter, its oddities too: scripts rely on them. What a variable
//! is worth it asks a [`Source`], so that it knows nothing of sessions and panes and can be tested with a map.
//!
//! A template may come from anywhere, so an evaluation is bounded: in depth, in length, and in the steps it
//! takes. One that is out of bounds gives what it had come to until then.
//!
//! Where we differ from tmux: times of more than 512 bytes and the like give nothing rather than garbage; a
//! substitution that matches nothing moves on by whole characters, not bytes; regular expressions that refer
//! back to a group (`(a)\1`) do not match.

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

/// Where the values in a format come from: the server's state, seen from one client, session, window and pane.
pub trait Source {
    /// What a name stands for, or `None` if nothing is called so: an option (`status-left`, `@x`), a variable
    /// (`session_name`), an environment variable, in this order. A time is its number of seconds.
    fn value(&self, name: &str) -> Option<Cow<'_, str>>;

    /// Seconds since 1970.
    fn now(&self) -> i64;

    /// A time as the clocks here show it; [`LocalTime::new`] does all but look the zone up.
    fn local_time(&self, seconds: i64) -> LocalTime;

    /// What `#(command)` printed last. To run it, and again later, is the source's work.
    fn job(&self, command: &str) -> String;

    /// Calls back once for each session, each window of this session, or each pane of this window.
    fn for_each(&self, what: Loop, visit: &mut dyn FnMut(&dyn Source, Position));

    /// The first line of the pane's screen that fits, counted from 1; 0 if none does. Lines come without
    /// the blanks at their ends.
    fn search_pane(&self, fits: &dyn Fn(&str) -> bool) -> usize;

    /// Whether a session is called so, or a window of this session.
    fn has_name(&self, what: Named, name: &str) -> bool;
}

/// What `S:`, `W:` and `P:` go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    Sessions,
    /// The windows of the session, by index.
    Windows,
    /// The panes of the window, in order.
    Panes,
}

/// Whether a loop is at the window or pane that the user is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The current window, the active pane.
    Current,
    Other,
}

/// What `N:` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Window,
    Session,
}

/// Fills a template in. `#[…]` is left in place for the renderer.
#[must_use]
pub fn expand(template: &str, source: &dyn Source) -> String {
    Expander::new().expand(template, source)
}

/// Fills a template in as status lines and `display-message` do: `%H` and the like are times, put in first.
#[must_use]
pub fn expand_time(template: &str, source: &dyn Source) -> String {
    Expander::new().expand_time(template, source)
}

/// Whether a value counts as true: it is neither empty nor `0`.
#[must_use]
pub fn is_true(value: &str) -> bool {
    !matches!(value, "" | "0")
}

#[cfg(test)]
mod tests;
