//! Keys to bytes and back.
//!
//! [`InputDecoder`] reads what an outer terminal sends: keys in every encoding there is, mouse,
//! focus, pastes, and the answers to our own questions. [`encode_key`] and its kin write what a
//! program in a pane asked to be sent. Between the two stands a [`KeyEvent`], whose `key` is what
//! bindings are looked up by.

mod csi;
pub mod decode;
pub mod encode;
mod kitty;
pub mod mouse;
pub mod paste;
pub mod reply;
#[cfg(test)]
mod tests;

use shellkeep_core::key::{Key, Modifiers};

pub use decode::InputDecoder;
pub(crate) use encode::use_eight_bit_controls;
pub use encode::{Focus, encode_focus, encode_key, encode_key_event};
pub use mouse::{MouseButton, MouseEvent, MouseKind, encode_mouse};
pub use paste::{PasteEncoder, encode_paste};
pub use reply::{ColorScheme, ColorSlot, ModeKind, ModeStatus, TerminalReply};

/// What an outer terminal said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key. Mind its `kind`: terminals with the kitty protocol report releases too.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// The terminal's window got the focus.
    FocusIn,
    /// The terminal's window lost the focus.
    FocusOut,
    /// A bracketed paste begins.
    PasteStart,
    /// A piece of the paste, as it came: a paste is never held whole.
    Paste(Vec<u8>),
    /// The paste is over.
    PasteEnd,
    /// An answer to a question of ours.
    Reply(TerminalReply),
    /// Something that is none of these, whole or cut at a cap. Not for a pane.
    Unknown(Vec<u8>),
}

/// Whether the key went down, repeats, or came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// It went down. Without the kitty protocol everything is a press.
    #[default]
    Press,
    /// It is held.
    Repeat,
    /// It came up.
    Release,
}

/// A key as it was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyEvent {
    /// The key as bindings know it.
    pub key: Key,
    /// What happened to it.
    pub kind: KeyKind,
    /// What the terminal said beyond that, where it said more.
    pub detail: Option<KeyDetail>,
}

/// What extended protocols tell of a key and its name does not. A program that asked for the same
/// protocol gets it passed on: only so can it tell Ctrl-i from Tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyDetail {
    /// The character or control code of the key itself, unshifted where the terminal is kitty-like.
    pub code: char,
    /// All modifiers held, those folded into the key's name too.
    pub mods: Modifiers,
    /// The character with Shift.
    pub shifted: Option<char>,
    /// The character at this place of a US keyboard.
    pub layout: Option<char>,
    /// The text the key types.
    pub text: Option<char>,
}

impl KeyEvent {
    /// A press of the key, with nothing more known.
    #[must_use]
    pub const fn press(key: Key) -> Self {
        Self {
            key,
            kind: KeyKind::Press,
            detail: None,
        }
    }
}

impl From<Key> for KeyEvent {
    fn from(key: Key) -> Self {
        Self::press(key)
    }
}
