//! Everything that an outer terminal can send.

use super::event::KeyEvent;
use super::mouse::MouseEvent;
use super::reply::TerminalReply;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key. Check its `kind`: terminals with the kitty protocol report releases as well.
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// The terminal's window got the focus.
    FocusIn,
    /// The terminal's window lost the focus.
    FocusOut,
    PasteStart,
    /// A piece of a paste, as it came. A paste is never held as a whole.
    Paste(Vec<u8>),
    PasteEnd,
    /// A reply to one of our queries.
    Reply(TerminalReply),
    /// Any other sequence, complete or cut at a limit. It must not reach a pane.
    Unknown(Vec<u8>),
}
