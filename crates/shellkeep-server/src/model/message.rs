//! A line that is shown for a while in place of the status line.

use crate::alarm::Timer;

/// A message that is shown.
#[derive(Debug)]
pub(crate) struct Message {
    /// May have `#[…]` in it, which is obeyed.
    pub(crate) text: String,
    /// What keys do to it.
    pub(crate) keys: MessageKeys,
    pub(crate) timer: Option<Timer>,
}

/// What keys do to a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MessageKeys {
    /// Any key takes it away, and is a key like any other.
    #[default]
    End,
    /// Keys do nothing while it is shown.
    Ignored,
}
