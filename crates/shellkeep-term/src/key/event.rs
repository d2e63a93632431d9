//! A key that was pressed, held or released.

use shellkeep_core::key::{Key, Modifiers};

/// Whether the key went down, repeats, or came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// The key went down. Without the kitty protocol every event is a press.
    #[default]
    Press,
    Repeat,
    Release,
}

/// A key as it was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyEvent {
    /// The key as bindings know it.
    pub key: Key,
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
