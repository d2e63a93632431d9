//! A key event: a press, repeat or release.

use shellkeep_core::key::{Key, Modifiers};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// The key went down. Without the kitty protocol every event is a press.
    #[default]
    Press,
    Repeat,
    Release,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyEvent {
    /// The key as bindings name it.
    pub key: Key,
    pub kind: KeyKind,
    /// What else the terminal reported, if it did.
    pub detail: Option<KeyDetail>,
}

/// What extended protocols report beyond the name of a key. It is passed on to a program that has requested the same
/// protocol, which can distinguish Ctrl-i from Tab only by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyDetail {
    /// The key's character or control code, unshifted where the terminal follows kitty.
    pub code: char,
    /// All modifiers held, including those that are part of the key's name.
    pub mods: Modifiers,
    pub shifted: Option<char>,
    /// The character at this position of a US keyboard.
    pub layout: Option<char>,
    /// The text the key types.
    pub text: Option<char>,
}

impl KeyEvent {
    /// A press of the key without details.
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
