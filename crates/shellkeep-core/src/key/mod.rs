//! Keys as values, for bindings, for the input of outer terminals and for the input of panes.
//!
//! A [`Key`] is always in a canonical form, so that all spellings of a key are equal: `C-A` is `C-a`, `C-i` is `Tab`,
//! `C-[` is `Escape` and `C-@` is `C-Space`, as in tmux. Names are parsed and printed as in tmux 3.3a. The few keys
//! without a name in tmux (F13 and up, `C-{`, Super) have names that tmux refuses, so no name means another key here.

mod mouse;
mod name;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

pub use mouse::{MouseAction, MouseKey, MousePlace};
pub use name::ParseKeyError;

bitflags! {
    /// The modifiers held with a key. The bits are those of the xterm and kitty modifier parameter.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Modifiers: u8 {
        /// Shift (`S-`).
        const SHIFT = 1 << 0;
        /// Alt or Meta (`M-`).
        const META = 1 << 1;
        /// Control (`C-`).
        const CTRL = 1 << 2;
        /// Super, the logo key (`Super-`); only terminals with the kitty protocol report it.
        const SUPER = 1 << 3;
        /// Hyper (`Hyper-`), as rare as Super.
        const HYPER = 1 << 4;
    }
}

/// A key of the numeric keypad, where the terminal distinguishes it from the main keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeypadKey {
    N0,
    N1,
    N2,
    N3,
    N4,
    N5,
    N6,
    N7,
    N8,
    N9,
    Slash,
    Star,
    Minus,
    Plus,
    Period,
    Enter,
    Equal,
    Comma,
    /// The middle key with Num Lock off.
    Begin,
}

impl KeypadKey {
    pub const ALL: [Self; 19] = [
        Self::N0,
        Self::N1,
        Self::N2,
        Self::N3,
        Self::N4,
        Self::N5,
        Self::N6,
        Self::N7,
        Self::N8,
        Self::N9,
        Self::Slash,
        Self::Star,
        Self::Minus,
        Self::Plus,
        Self::Period,
        Self::Enter,
        Self::Equal,
        Self::Comma,
        Self::Begin,
    ];

    /// The character the key types with Num Lock on; Enter types a carriage return, Begin nothing.
    #[must_use]
    pub const fn text(self) -> Option<char> {
        Some(match self {
            Self::N0 => '0',
            Self::N1 => '1',
            Self::N2 => '2',
            Self::N3 => '3',
            Self::N4 => '4',
            Self::N5 => '5',
            Self::N6 => '6',
            Self::N7 => '7',
            Self::N8 => '8',
            Self::N9 => '9',
            Self::Slash => '/',
            Self::Star => '*',
            Self::Minus => '-',
            Self::Plus => '+',
            Self::Period => '.',
            Self::Enter => '\r',
            Self::Equal => '=',
            Self::Comma => ',',
            Self::Begin => return None,
        })
    }
}

/// Which key, modifiers aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyCode {
    /// A key that types a character; the space bar is `Char(' ')`.
    Char(char),
    /// Return.
    Enter,
    Tab,
    /// Shift-Tab, which terminals send as a key of its own.
    BTab,
    Escape,
    /// Backspace.
    BSpace,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    /// Page up (`PPage`).
    PageUp,
    /// Page down (`NPage`).
    PageDown,
    /// Insert (`IC`).
    Insert,
    /// Delete (`DC`).
    Delete,
    /// F1 to F63.
    F(u8),
    Keypad(KeypadKey),
    /// A key with a number in the kitty protocol and no name of ours: media keys, lock keys,
    /// modifiers pressed by themselves.
    Functional(u16),
    /// `User0` to `User999`: sequences the user named with `user-keys`.
    User(u16),
    /// A mouse event as a binding names it.
    Mouse(MouseKey),
    /// Stands in a key table for every key that has no binding of its own.
    Any,
    /// No key, as in `set prefix2 None`.
    None,
}

/// The highest function key.
pub const MAX_FUNCTION: u8 = 63;
pub const USER_KEYS: u16 = 1000;
/// The private-use numbers the kitty protocol gives to keys without a character.
pub const FUNCTIONAL: std::ops::RangeInclusive<u16> = 0xE000..=0xF8FF;

/// A key with its modifiers, in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    code: KeyCode,
    mods: Modifiers,
}

impl Key {
    pub const NONE: Self = Self {
        code: KeyCode::None,
        mods: Modifiers::empty(),
    };
    /// The wildcard of a key table.
    pub const ANY: Self = Self {
        code: KeyCode::Any,
        mods: Modifiers::empty(),
    };

    /// The key, brought into canonical form. What cannot be a key (F0, User1000, MouseDown4) is
    /// [`Key::NONE`], so every value there is has a name.
    #[must_use]
    pub fn new(code: KeyCode, mods: Modifiers) -> Self {
        match code {
            KeyCode::Char(c) => Self::from_char(c, mods),
            KeyCode::F(n) if n == 0 || n > MAX_FUNCTION => Self::NONE,
            KeyCode::User(n) if n >= USER_KEYS => Self::NONE,
            KeyCode::Mouse(mouse) if !mouse.is_valid() => Self::NONE,
            KeyCode::Functional(n) => match functional(n) {
                KeyCode::None => Self::NONE,
                code => Self { code, mods },
            },
            KeyCode::Any => Self::ANY,
            KeyCode::None => Self::NONE,
            code => Self { code, mods },
        }
    }

    /// The key without modifiers.
    #[must_use]
    pub fn plain(code: KeyCode) -> Self {
        Self::new(code, Modifiers::empty())
    }

    /// The key that types this character. Control characters are the keys that send them: `\r` is
    /// Enter, `\x01` is `C-a`. No key types the controls above ASCII.
    #[must_use]
    pub fn from_char(c: char, mods: Modifiers) -> Self {
        let named = |code| Self { code, mods };
        let ctrl = |c: u8| Self::from_char(char::from(c), mods | Modifiers::CTRL);
        match c {
            '\t' => named(KeyCode::Tab),
            '\r' => named(KeyCode::Enter),
            '\x1b' => named(KeyCode::Escape),
            '\x7f' => ctrl(b'?'),
            '\0' => ctrl(b' '),
            '\x01'..='\x1a' => ctrl(c as u8 + 0x60),
            '\x1c'..='\x1f' => ctrl(c as u8 + 0x40),
            '\u{80}'..='\u{9f}' => Self::NONE,
            _ if mods.contains(Modifiers::CTRL) => {
                let rest = mods - Modifiers::CTRL;
                let (code, mods) = match c.to_ascii_lowercase() {
                    'i' => (KeyCode::Tab, rest),
                    'm' => (KeyCode::Enter, rest),
                    '[' => (KeyCode::Escape, rest),
                    '@' => (KeyCode::Char(' '), mods),
                    c => (KeyCode::Char(c), mods),
                };
                Self { code, mods }
            }
            c => named(KeyCode::Char(c)),
        }
    }

    #[must_use]
    pub const fn code(self) -> KeyCode {
        self.code
    }

    /// What is held with it.
    #[must_use]
    pub const fn mods(self) -> Modifiers {
        self.mods
    }

    /// The same key with these modifiers too.
    #[must_use]
    pub fn with(self, mods: Modifiers) -> Self {
        Self::new(self.code, self.mods | mods)
    }

    /// The same key without these modifiers.
    #[must_use]
    pub fn without(self, mods: Modifiers) -> Self {
        Self::new(self.code, self.mods - mods)
    }

    /// Whether this is a mouse event and not a key.
    #[must_use]
    pub const fn is_mouse(self) -> bool {
        matches!(self.code, KeyCode::Mouse(_))
    }
}

impl From<char> for Key {
    fn from(c: char) -> Self {
        Self::from_char(c, Modifiers::empty())
    }
}

impl From<KeyCode> for Key {
    fn from(code: KeyCode) -> Self {
        Self::plain(code)
    }
}

/// The code for a kitty key number: a code of our own where there is one. The keypad's cursor keys
/// are the cursor keys, as they are in every legacy encoding.
fn functional(n: u16) -> KeyCode {
    const CURSOR: [KeyCode; 10] = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Insert,
        KeyCode::Delete,
    ];
    match n {
        57376..=57398 => KeyCode::F((n - 57376) as u8 + 13),
        57417..=57426 => CURSOR[usize::from(n - 57417)],
        n if !FUNCTIONAL.contains(&n) => KeyCode::None,
        n => KeypadKey::ALL
            .into_iter()
            .find(|key| key.kitty_number() == n)
            .map_or(KeyCode::Functional(n), KeyCode::Keypad),
    }
}

impl KeypadKey {
    /// The key's number in the kitty protocol.
    #[must_use]
    pub const fn kitty_number(self) -> u16 {
        match self {
            Self::N0 => 57399,
            Self::N1 => 57400,
            Self::N2 => 57401,
            Self::N3 => 57402,
            Self::N4 => 57403,
            Self::N5 => 57404,
            Self::N6 => 57405,
            Self::N7 => 57406,
            Self::N8 => 57407,
            Self::N9 => 57408,
            Self::Period => 57409,
            Self::Slash => 57410,
            Self::Star => 57411,
            Self::Minus => 57412,
            Self::Plus => 57413,
            Self::Enter => 57414,
            Self::Equal => 57415,
            Self::Comma => 57416,
            Self::Begin => 57427,
        }
    }
}
