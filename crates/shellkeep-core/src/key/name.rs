//! Key names, parsed and printed as in tmux 3.3a.
//!
//! - Modifiers are `C-`, `M-` and `S-` in any case and order, or a leading `^` for `C-`.
//! - Names of keys are read in any case (`ppage`, `PageUp`), `User0` only as written.
//! - `0x41` is the key of a code point.
//! - Keys that are control characters are printed with the `C-` next to the letter (`M-C-a`), all others with it in
//!   front (`C-M-Up`): tmux lists them so, and users grep for these names.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::mouse::strip_prefix;
use super::{FUNCTIONAL, Key, KeyCode, KeypadKey, MAX_FUNCTION, Modifiers, MouseKey, USER_KEYS};

/// Why a text is not the name of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseKeyError {
    /// The text is empty, or ends after the modifiers.
    Empty,
    /// A letter before a `-` that is not a modifier.
    UnknownModifier(String),
    /// No key has this name.
    UnknownKey(String),
    /// `0x…` is not the code of a character.
    BadCodePoint(String),
}

impl fmt::Display for ParseKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("missing key name"),
            Self::UnknownModifier(name) => write!(f, "unknown modifier in key: {name}"),
            Self::UnknownKey(name) => write!(f, "unknown key: {name}"),
            Self::BadCodePoint(name) => write!(f, "not a character: {name}"),
        }
    }
}

impl Error for ParseKeyError {}

/// Names and keys. The first name of a key is the one that is printed.
const NAMES: [(&str, KeyCode); 44] = [
    ("Enter", KeyCode::Enter),
    ("Tab", KeyCode::Tab),
    ("BTab", KeyCode::BTab),
    ("Escape", KeyCode::Escape),
    ("BSpace", KeyCode::BSpace),
    ("Space", KeyCode::Char(' ')),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PPage", KeyCode::PageUp),
    ("PageUp", KeyCode::PageUp),
    ("PgUp", KeyCode::PageUp),
    ("NPage", KeyCode::PageDown),
    ("PageDown", KeyCode::PageDown),
    ("PgDn", KeyCode::PageDown),
    ("IC", KeyCode::Insert),
    ("Insert", KeyCode::Insert),
    ("DC", KeyCode::Delete),
    ("Delete", KeyCode::Delete),
    ("KP0", KeyCode::Keypad(KeypadKey::N0)),
    ("KP1", KeyCode::Keypad(KeypadKey::N1)),
    ("KP2", KeyCode::Keypad(KeypadKey::N2)),
    ("KP3", KeyCode::Keypad(KeypadKey::N3)),
    ("KP4", KeyCode::Keypad(KeypadKey::N4)),
    ("KP5", KeyCode::Keypad(KeypadKey::N5)),
    ("KP6", KeyCode::Keypad(KeypadKey::N6)),
    ("KP7", KeyCode::Keypad(KeypadKey::N7)),
    ("KP8", KeyCode::Keypad(KeypadKey::N8)),
    ("KP9", KeyCode::Keypad(KeypadKey::N9)),
    ("KP/", KeyCode::Keypad(KeypadKey::Slash)),
    ("KP*", KeyCode::Keypad(KeypadKey::Star)),
    ("KP-", KeyCode::Keypad(KeypadKey::Minus)),
    ("KP+", KeyCode::Keypad(KeypadKey::Plus)),
    ("KP.", KeyCode::Keypad(KeypadKey::Period)),
    ("KPEnter", KeyCode::Keypad(KeypadKey::Enter)),
    // tmux does not have the rest, because its terminals cannot send them.
    ("KP=", KeyCode::Keypad(KeypadKey::Equal)),
    ("KP,", KeyCode::Keypad(KeypadKey::Comma)),
    ("KPBegin", KeyCode::Keypad(KeypadKey::Begin)),
    ("PrintScreen", KeyCode::Functional(57361)),
    ("Pause", KeyCode::Functional(57362)),
    ("Menu", KeyCode::Functional(57363)),
];

/// The stem of the numbered names for keys that only the kitty protocol has.
const FUNCTIONAL_STEM: &str = "Key";

impl FromStr for Key {
    type Err = ParseKeyError;

    fn from_str(name: &str) -> Result<Self, ParseKeyError> {
        if name.eq_ignore_ascii_case("None") {
            return Ok(Self::NONE);
        }
        if name.eq_ignore_ascii_case("Any") {
            return Ok(Self::ANY);
        }
        if let Some(digits) = name.strip_prefix("0x") {
            return parse_code_point(digits)
                .map(Self::from)
                .ok_or_else(|| ParseKeyError::BadCodePoint(name.to_owned()));
        }
        let (mods, rest) = parse_modifiers(name)?;
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (None, _) => return Err(ParseKeyError::Empty),
            (Some(c), None) if c >= ' ' && !is_c1(c) => KeyCode::Char(c),
            _ => parse_named(rest).ok_or_else(|| ParseKeyError::UnknownKey(name.to_owned()))?,
        };
        Ok(Self::new(code, mods))
    }
}

/// The controls above ASCII, which no key types.
const fn is_c1(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}')
}

/// As `sscanf("%x")` in tmux: text after the digits is ignored.
fn parse_code_point(text: &str) -> Option<char> {
    let digits = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    u32::from_str_radix(&text[..digits], 16)
        .ok()
        .and_then(char::from_u32)
        .filter(|&c| !is_c1(c))
}

/// Splits the modifiers off the front.
fn parse_modifiers(name: &str) -> Result<(Modifiers, &str), ParseKeyError> {
    let mut mods = Modifiers::empty();
    let mut rest = name;
    if let Some(after) = rest.strip_prefix('^').filter(|after| !after.is_empty()) {
        mods |= Modifiers::CTRL;
        rest = after;
    }
    loop {
        if let Some(after) = strip_prefix(rest, "Super-") {
            mods |= Modifiers::SUPER;
            rest = after;
        } else if let Some(after) = strip_prefix(rest, "Hyper-") {
            mods |= Modifiers::HYPER;
            rest = after;
        } else if let Some((letter, after)) = split_letter(rest) {
            mods |= match letter.to_ascii_uppercase() {
                'C' => Modifiers::CTRL,
                'M' => Modifiers::META,
                'S' => Modifiers::SHIFT,
                _ => return Err(ParseKeyError::UnknownModifier(name.to_owned())),
            };
            rest = after;
        } else {
            return Ok((mods, rest));
        }
    }
}

/// A character, the `-` after it, and the rest.
fn split_letter(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let letter = chars.next()?;
    let rest = chars.as_str().strip_prefix('-')?;
    Some((letter, rest))
}

fn parse_named(name: &str) -> Option<KeyCode> {
    if let Some((_, code)) = NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
        return Some(*code);
    }
    if let Some(mouse) = MouseKey::parse(name) {
        return Some(KeyCode::Mouse(mouse));
    }
    if let Some(digits) = strip_prefix(name, "F").filter(|digits| is_number(digits)) {
        let number = digits.parse().ok()?;
        return (1..=MAX_FUNCTION)
            .contains(&number)
            .then_some(KeyCode::F(number));
    }
    if let Some(text) = name.strip_prefix("User") {
        // As in tmux's `sscanf`, leading zeros and trailing text are ignored.
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let number: u16 = text[..digits].parse().ok()?;
        return (number < USER_KEYS).then_some(KeyCode::User(number));
    }
    let digits = strip_prefix(name, FUNCTIONAL_STEM).filter(|digits| is_number(digits))?;
    let number = digits.parse().ok()?;
    FUNCTIONAL
        .contains(&number)
        .then_some(KeyCode::Functional(number))
}

/// Digits without a leading zero, so that each key has only one number.
fn is_number(digits: &str) -> bool {
    !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether `C-` and this character make a control character, which decides where `C-` is printed.
const fn makes_control(c: char) -> bool {
    matches!(c, 'a'..='z' | ' ' | '\\' | ']' | '^' | '_' | '?')
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bit, prefix) in [(Modifiers::SUPER, "Super-"), (Modifiers::HYPER, "Hyper-")] {
            if self.mods.contains(bit) {
                f.write_str(prefix)?;
            }
        }
        let ctrl = self.mods.contains(Modifiers::CTRL);
        let others = self.mods.intersects(Modifiers::META | Modifiers::SHIFT);
        let ctrl_last = match self.code {
            KeyCode::Char(c) => ctrl && makes_control(c) && (c != ' ' || others),
            _ => false,
        };
        if ctrl && !ctrl_last {
            f.write_str("C-")?;
        }
        if self.mods.contains(Modifiers::META) {
            f.write_str("M-")?;
        }
        if self.mods.contains(Modifiers::SHIFT) {
            f.write_str("S-")?;
        }
        if ctrl_last {
            f.write_str("C-")?;
        }
        match self.code {
            KeyCode::Char(' ') if ctrl_last => f.write_str("@"),
            code => code.fmt(f),
        }
    }
}

impl fmt::Display for KeyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| code == self) {
            return f.write_str(name);
        }
        match self {
            Self::Char(c) => write!(f, "{c}"),
            Self::F(n) => write!(f, "F{n}"),
            Self::Functional(n) => write!(f, "{FUNCTIONAL_STEM}{n}"),
            Self::User(n) => write!(f, "User{n}"),
            Self::Mouse(mouse) => mouse.fmt(f),
            Self::Any => f.write_str("Any"),
            // All other codes are in the table.
            _ => f.write_str("None"),
        }
    }
}
