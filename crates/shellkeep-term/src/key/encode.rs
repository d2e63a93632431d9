//! Keys as the program in a pane asked to be sent them.
//!
//! Without an extended protocol this writes what tmux 3.3a writes, since that is what the `TERM`
//! our programs see describes. Where tmux sends nothing (`C-1`, `C-Enter`) or the key's name
//! (`S-Tab`), this sends what xterm does.

use std::io::Write as _;

use shellkeep_core::key::{Key, KeyCode, KeypadKey, Modifiers};

use super::csi::upper;
use super::{KeyEvent, KeyKind, kitty};
use crate::mode::Modes;

const ESC: u8 = 0x1b;

/// Writes a press of the key.
pub fn encode_key(key: &Key, modes: &Modes, out: &mut Vec<u8>) {
    encode_key_event(&KeyEvent::press(*key), modes, out);
}

/// Writes the event, with all that is known of it, as far as the program asked to know.
pub fn encode_key_event(event: &KeyEvent, modes: &Modes, out: &mut Vec<u8>) {
    let start = out.len();
    if modes.kitty_keyboard & kitty::ALL_FLAGS != 0 {
        kitty::encode(event, modes, out);
    } else if event.kind != KeyKind::Release && !encode_other(event, modes, out) {
        encode_legacy(event.key, modes, out);
    }
    // Two bytes are a key with Meta, no sequence.
    if modes.eight_bit_controls && out.len() > start + 2 {
        use_eight_bit_controls(out, start);
    }
}

/// Writes the controls from `start` on in their 8-bit form: `ESC [` becomes 0x9b and so on.
pub(crate) fn use_eight_bit_controls(bytes: &mut Vec<u8>, start: usize) {
    let mut kept = start;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        (bytes[kept], at) = match (byte, next) {
            (ESC, Some(last @ 0x40..=0x5f)) => (last + 0x40, at + 2),
            _ => (byte, at + 1),
        };
        kept += 1;
    }
    bytes.truncate(kept);
}

/// Whether the pane has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    /// It got it.
    In,
    /// It lost it.
    Out,
}

/// Writes a change of focus; `false` and nothing written if the program did not ask for it.
pub fn encode_focus(focus: Focus, modes: &Modes, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    if modes.focus_events {
        out.extend_from_slice(match focus {
            Focus::In => b"\x1b[I",
            Focus::Out => b"\x1b[O",
        });
    }
    if modes.eight_bit_controls {
        use_eight_bit_controls(out, start);
    }
    modes.focus_events
}

/// A key with a code of its own in the extended protocols: character or control code, and all
/// modifiers, those in the key's name too.
pub(super) fn exact(event: &KeyEvent) -> Option<(char, Modifiers)> {
    if let Some(detail) = event.detail {
        // xterm says the shifted letter, kitty the unshifted one: kitty's is the base of both.
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

/// The letter's lower case, if it is one upper-case letter whose upper case is that letter again.
fn lower(c: char) -> Option<char> {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if one != c && upper(one) == Some(c) => Some(one),
        _ => None,
    }
}

/// modifyOtherKeys: writes keys the legacy encoding has no words for. `false` for all others.
fn encode_other(event: &KeyEvent, modes: &Modes, out: &mut Vec<u8>) -> bool {
    if modes.modify_other_keys == 0 {
        return false;
    }
    let Some((code, mods)) = exact(event) else {
        return false;
    };
    let shift_only = (mods - Modifiers::SHIFT).is_empty();
    let meta_only = (mods - Modifiers::SHIFT) == Modifiers::META;
    let level_two = modes.modify_other_keys >= 2;
    let wanted = match code {
        _ if mods.is_empty() => false,
        // Shift-Tab has a sequence everybody knows.
        '\t' if mods == Modifiers::SHIFT => false,
        '\x7f' | '\x08' => level_two && !shift_only,
        '\t' | '\r' | '\x1b' => level_two || !meta_only,
        // Shift is part of the character, only that of a space does not show.
        _ if shift_only => level_two && code == ' ',
        _ if level_two => true,
        _ if meta_only => false,
        // Control with these makes a control character, which is well known.
        _ => !matches!(code, ' ' | '/' | '2'..='8' | '@'..='~'),
    };
    if !wanted {
        return false;
    }
    let code = if mods.contains(Modifiers::SHIFT) {
        event
            .detail
            .and_then(|detail| detail.shifted)
            .or_else(|| upper(code))
            .unwrap_or(code)
    } else {
        code
    };
    let (code, value) = (u32::from(code), parameter(mods));
    // Writing to a Vec cannot fail.
    let _ = if modes.format_other_keys_csi_u {
        write!(out, "\x1b[{code};{value}u")
    } else {
        write!(out, "\x1b[27;{value};{code}~")
    };
    true
}

/// The modifiers as xterm counts them.
pub(super) fn parameter(mods: Modifiers) -> u8 {
    mods.bits() + 1
}

/// Writes the key for a program that asked for nothing special.
pub(super) fn encode_legacy(key: Key, modes: &Modes, out: &mut Vec<u8>) {
    let mods = key.mods();
    match key.code() {
        KeyCode::Char(c) => character(c, mods, out),
        KeyCode::Enter => {
            let text: &[u8] = if modes.newline { b"\r\n" } else { b"\r" };
            prefixed(mods, text, out);
        }
        KeyCode::Tab if !mods.contains(Modifiers::SHIFT) => prefixed(mods, b"\t", out),
        KeyCode::Tab | KeyCode::BTab => prefixed(mods, b"\x1b[Z", out),
        KeyCode::Escape => prefixed(mods, &[ESC], out),
        KeyCode::BSpace => {
            // Control sends the other of the two, as in xterm.
            let ctrl = mods.contains(Modifiers::CTRL);
            let backspace = modes.backarrow_sends_backspace != ctrl;
            prefixed(mods, if backspace { b"\x08" } else { b"\x7f" }, out);
        }
        KeyCode::Keypad(KeypadKey::Enter) if !modes.application_keypad => {
            encode_legacy(Key::new(KeyCode::Enter, mods), modes, out);
        }
        KeyCode::Keypad(key) if key != KeypadKey::Begin => keypad(key, mods, modes, out),
        code => function(code, mods, modes, out),
    }
}

/// Text, with an `ESC` in front for Meta.
fn prefixed(mods: Modifiers, text: &[u8], out: &mut Vec<u8>) {
    if mods.contains(Modifiers::META) {
        out.push(ESC);
    }
    out.extend_from_slice(text);
}

fn character(c: char, mods: Modifiers, out: &mut Vec<u8>) {
    if mods.intersects(Modifiers::SUPER | Modifiers::HYPER) {
        // There are no words for it, and Super-q must not type a q.
        return;
    }
    let c = if mods.contains(Modifiers::SHIFT) {
        upper(c).unwrap_or(c)
    } else {
        c
    };
    let control = mods.contains(Modifiers::CTRL).then(|| control(c)).flatten();
    let c = control.unwrap_or(c);
    prefixed(mods, c.encode_utf8(&mut [0; 4]).as_bytes(), out);
}

/// The control character that Control makes of this one. Digits and `/` are as on a VT220, `-` as in
/// tmux.
fn control(c: char) -> Option<char> {
    Some(match c {
        ' ' | '2' => '\0',
        '3'..='7' => char::from(c as u8 - b'3' + ESC),
        '-' | '/' => '\x1f',
        '8' | '?' => '\x7f',
        '@'..='~' => char::from(c as u8 & 0x1f),
        _ => return None,
    })
}

/// The last byte of a keypad key's application sequence.
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

fn keypad(key: KeypadKey, mods: Modifiers, modes: &Modes, out: &mut Vec<u8>) {
    if modes.application_keypad {
        prefixed(mods, &[ESC, b'O', keypad_final(key)], out);
    } else if let Some(c) = key.text() {
        // The keypad has no control characters: tmux and xterm drop what else is held.
        prefixed(mods, c.encode_utf8(&mut [0; 4]).as_bytes(), out);
    }
}

/// A key written as a control sequence with a letter or a number.
pub(super) enum Sequence {
    /// `CSI A`, `CSI 1;5A`.
    Letter(u8),
    /// `CSI 5~`, `CSI 5;5~`.
    Number(u16),
}

/// The sequence of a key that types nothing.
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

fn function(code: KeyCode, mods: Modifiers, modes: &Modes, out: &mut Vec<u8>) {
    let Some(sequence) = sequence(code) else {
        return;
    };
    let value = parameter(mods);
    let is_function = matches!(code, KeyCode::F(_));
    let is_cursor = !is_function && !matches!(code, KeyCode::Home | KeyCode::End);
    let _ = match sequence {
        Sequence::Letter(letter) if !mods.is_empty() => {
            write!(out, "\x1b[1;{value}{}", char::from(letter))
        }
        Sequence::Letter(letter) if is_function || (is_cursor && modes.application_cursor) => {
            write!(out, "\x1bO{}", char::from(letter))
        }
        // The terminfo entries of tmux and screen name these, and tmux sends them in both modes.
        Sequence::Letter(b'H') => write!(out, "\x1b[1~"),
        Sequence::Letter(b'F') => write!(out, "\x1b[4~"),
        Sequence::Letter(letter) => write!(out, "\x1b[{}", char::from(letter)),
        Sequence::Number(number) if mods.is_empty() => write!(out, "\x1b[{number}~"),
        Sequence::Number(number) => write!(out, "\x1b[{number};{value}~"),
    };
}
