//! A message that replaces the status line for a while.

use crate::alarm::Timer;

#[derive(Debug)]
pub(crate) struct Message {
    /// The text, with `#[…]` interpreted as styles.
    pub(crate) text: String,
    pub(crate) keys: MessageKeys,
    pub(crate) timer: Option<Timer>,
}

/// What a key does while a message is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MessageKeys {
    /// Any key removes the message, and then acts as usual.
    #[default]
    End,
    /// Keys are ignored while the message is shown.
    Ignored,
}
