//! Keys for a program without an extended protocol, as tmux 3.3a writes them.

use std::io::Write as _;

use shellkeep_core::key::{Key, KeyCode, KeypadKey, Modifiers};

use super::codes::{Sequence, keypad_final, parameter, sequence, upper};
use crate::mode::Modes;

const ESC: u8 = 0x1b;

/// Writes the key in the legacy encoding.
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
        // No legacy sequence has these modifiers, and Super-q must not type a q.
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

/// The control character that Control makes of a character. Digits and `/` are as on a VT220, `-` as in tmux.
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

fn keypad(key: KeypadKey, mods: Modifiers, modes: &Modes, out: &mut Vec<u8>) {
    if modes.application_keypad {
        prefixed(mods, &[ESC, b'O', keypad_final(key)], out);
    } else if let Some(c) = key.text() {
        // The keypad has no control characters: tmux and xterm ignore the other modifiers.
        prefixed(mods, c.encode_utf8(&mut [0; 4]).as_bytes(), out);
    }
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
        // The terminfo entries of tmux and screen have these sequences, and tmux sends them in both modes.
        Sequence::Letter(b'H') => write!(out, "\x1b[1~"),
        Sequence::Letter(b'F') => write!(out, "\x1b[4~"),
        Sequence::Letter(letter) => write!(out, "\x1b[{}", char::from(letter)),
        Sequence::Number(number) if mods.is_empty() => write!(out, "\x1b[{number}~"),
        Sequence::Number(number) => write!(out, "\x1b[{number};{value}~"),
    };
}
