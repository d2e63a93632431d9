//! Everything that an outer terminal can send.

use super::event::KeyEvent;
use super::mouse::MouseEvent;
use super::reply::TerminalReply;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key. Mind its `kind`: terminals with the kitty protocol report releases too.
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// The terminal's window got the focus.
    FocusIn,
    /// The terminal's window lost the focus.
    FocusOut,
    PasteStart,
    /// A piece of the paste, as it came: a paste is never held whole.
    Paste(Vec<u8>),
    PasteEnd,
    /// An answer to a question of ours.
    Reply(TerminalReply),
    /// Something that is none of these, whole or cut at a cap. Not for a pane.
    Unknown(Vec<u8>),
}
