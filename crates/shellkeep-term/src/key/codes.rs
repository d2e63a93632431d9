//! Key codes that several encodings share.

use shellkeep_core::key::{KeyCode, KeypadKey, Modifiers};

use super::event::KeyEvent;

/// The code (character or control code) of a key in the extended protocols, and all its modifiers, including those that
/// are part of its name.
pub(super) fn exact(event: &KeyEvent) -> Option<(char, Modifiers)> {
    if let Some(detail) = event.detail {
        // xterm sends the shifted letter and kitty the unshifted one. The unshifted one is the base of both.
        let code = lower(detail.code).unwrap_or(detail.code);
        return Some((code, detail.mods));
    }
    let mods = event.key.mods();
    Some(match event.key.code() {
        KeyCode::Char(c) => match lower(c) {
            Some(lower) => (lower, mods | Modifiers::SHIFT),
            None => (c, mods),
        },
        KeyCode::Enter => ('\r', mods),
        KeyCode::Tab => ('\t', mods),
        KeyCode::BTab => ('\t', mods | Modifiers::SHIFT),
        KeyCode::Escape => ('\x1b', mods),
        KeyCode::BSpace => ('\x7f', mods),
        _ => return None,
    })
}

/// The lower case of a single upper-case letter, if its upper case is that letter again.
fn lower(c: char) -> Option<char> {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if one != c && upper(one) == Some(c) => Some(one),
        _ => None,
    }
}

/// The upper case, if it is a single letter.
pub(super) fn upper(c: char) -> Option<char> {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) if c.is_alphabetic() => Some(one),
        _ => None,
    }
}

/// The modifiers in xterm's encoding.
pub(super) fn parameter(mods: Modifiers) -> u8 {
    mods.bits() + 1
}

/// The final byte of a keypad key's application sequence.
pub(super) const fn keypad_final(key: KeypadKey) -> u8 {
    match key {
        KeypadKey::N0 => b'p',
        KeypadKey::N1 => b'q',
        KeypadKey::N2 => b'r',
        KeypadKey::N3 => b's',
        KeypadKey::N4 => b't',
        KeypadKey::N5 => b'u',
        KeypadKey::N6 => b'v',
        KeypadKey::N7 => b'w',
        KeypadKey::N8 => b'x',
        KeypadKey::N9 => b'y',
        KeypadKey::Slash => b'o',
        KeypadKey::Star => b'j',
        KeypadKey::Minus => b'm',
        KeypadKey::Plus => b'k',
        KeypadKey::Period => b'n',
        KeypadKey::Enter => b'M',
        KeypadKey::Equal => b'X',
        KeypadKey::Comma => b'l',
        KeypadKey::Begin => b'E',
    }
}

/// A key encoded as a control sequence with a letter or a number.
pub(super) enum Sequence {
    /// `CSI A`, `CSI 1;5A`.
    Letter(u8),
    /// `CSI 5~`, `CSI 5;5~`.
    Number(u16),
}

/// The sequence of a key that has no text.
pub(super) fn sequence(code: KeyCode) -> Option<Sequence> {
    Some(match code {
        KeyCode::Up => Sequence::Letter(b'A'),
        KeyCode::Down => Sequence::Letter(b'B'),
        KeyCode::Right => Sequence::Letter(b'C'),
        KeyCode::Left => Sequence::Letter(b'D'),
        KeyCode::Home => Sequence::Letter(b'H'),
        KeyCode::End => Sequence::Letter(b'F'),
        KeyCode::Keypad(KeypadKey::Begin) => Sequence::Letter(b'E'),
        KeyCode::F(n @ 1..=4) => Sequence::Letter(b'P' + n - 1),
        KeyCode::Insert => Sequence::Number(2),
        KeyCode::Delete => Sequence::Number(3),
        KeyCode::PageUp => Sequence::Number(5),
        KeyCode::PageDown => Sequence::Number(6),
        KeyCode::F(5) => Sequence::Number(15),
        KeyCode::F(n @ 6..=10) => Sequence::Number(u16::from(n) + 11),
        KeyCode::F(n @ 11..=14) => Sequence::Number(u16::from(n) + 12),
        KeyCode::F(n @ 15..=16) => Sequence::Number(u16::from(n) + 13),
        KeyCode::F(n @ 17..=20) => Sequence::Number(u16::from(n) + 14),
        _ => return None,
    })
}
