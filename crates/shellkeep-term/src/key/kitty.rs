//! The kitty keyboard protocol, for programs in panes that have requested it.

use std::io::Write as _;

use shellkeep_core::key::{FUNCTIONAL, KeyCode, KeypadKey, Modifiers};

use super::codes::{Sequence, exact, parameter, sequence, upper};
use super::event::{KeyEvent, KeyKind};
use super::legacy::encode_legacy;
use crate::mode::Modes;

/// Keys that are ambiguous in legacy encodings get a code of their own.
const DISAMBIGUATE: u8 = 1;
/// Repeats and releases are reported.
const EVENTS: u8 = 2;
/// The shifted and the US-layout character are reported.
const ALTERNATES: u8 = 4;
/// Keys with text are reported as keys.
const ALL_KEYS: u8 = 8;
const TEXT: u8 = 16;
pub(super) const ALL_FLAGS: u8 = 31;

/// How a key is encoded.
enum KeyForm {
    /// `CSI code u`, with all modifiers.
    Code(u32, Modifiers),
    /// The legacy sequence with more parameters.
    Sequence(Sequence),
}

fn form(event: &KeyEvent) -> Option<KeyForm> {
    if let Some((code, mods)) = exact(event) {
        return Some(KeyForm::Code(u32::from(code), mods));
    }
    let code = event.key.code();
    let number = match code {
        // `CSI R` would be a cursor report.
        KeyCode::F(3) => return Some(KeyForm::Sequence(Sequence::Number(13))),
        KeyCode::F(n @ 13..=35) => 57376 + u16::from(n) - 13,
        KeyCode::Keypad(key) if key != KeypadKey::Begin => key.kitty_number(),
        KeyCode::Functional(n) if FUNCTIONAL.contains(&n) => n,
        _ => return sequence(code).map(KeyForm::Sequence),
    };
    Some(KeyForm::Code(u32::from(number), event.key.mods()))
}

/// Whether the key keeps its legacy encoding, because it has text, or is one of the three keys that must still work in
/// a shell after the program crashed.
fn stays_legacy(event: &KeyEvent, flags: u8, mods: Modifiers) -> bool {
    let shift_only = (mods - Modifiers::SHIFT).is_empty();
    match event.key.code() {
        _ if flags & ALL_KEYS != 0 => false,
        KeyCode::Char(_) if shift_only => true,
        KeyCode::Keypad(key) if key.text().is_some_and(|c| c != '\r') && mods.is_empty() => true,
        KeyCode::Enter | KeyCode::Tab | KeyCode::BSpace if mods.is_empty() => true,
        code => flags & DISAMBIGUATE == 0 && (exact(event).is_some() || is_keypad(code)),
    }
}

const fn is_keypad(code: KeyCode) -> bool {
    matches!(code, KeyCode::Keypad(_))
}

pub(super) fn encode(event: &KeyEvent, modes: &Modes, out: &mut Vec<u8>) {
    let flags = modes.kitty_keyboard & ALL_FLAGS;
    let kind = match event.kind {
        KeyKind::Release if flags & EVENTS == 0 => return,
        KeyKind::Repeat if flags & EVENTS == 0 => KeyKind::Press,
        kind => kind,
    };
    let Some(form) = form(event) else {
        return;
    };
    let mods = match form {
        KeyForm::Code(_, mods) => mods,
        KeyForm::Sequence(_) => event.key.mods(),
    };
    let is_plain = flags & (DISAMBIGUATE | EVENTS | ALL_KEYS) == 0;
    if is_plain || stays_legacy(event, flags, mods) {
        if kind != KeyKind::Release {
            encode_legacy(event.key, modes, out);
        }
        return;
    }
    match form {
        KeyForm::Code(code, mods) => write_code(event, kind, code, mods, flags, out),
        KeyForm::Sequence(sequence) => write_sequence(&sequence, kind, mods, out),
    }
}

/// The parameter with modifiers and kind; empty for the defaults.
fn middle(kind: KeyKind, mods: Modifiers) -> String {
    let value = parameter(mods);
    match kind {
        KeyKind::Press if mods.is_empty() => String::new(),
        KeyKind::Press => format!("{value}"),
        KeyKind::Repeat => format!("{value}:2"),
        KeyKind::Release => format!("{value}:3"),
    }
}

// Writing to a Vec cannot fail, so the results of `write!` are ignored.

fn write_sequence(sequence: &Sequence, kind: KeyKind, mods: Modifiers, out: &mut Vec<u8>) {
    let middle = middle(kind, mods);
    let _ = match sequence {
        Sequence::Letter(letter) if middle.is_empty() => {
            write!(out, "\x1b[{}", char::from(*letter))
        }
        Sequence::Letter(letter) => write!(out, "\x1b[1;{middle}{}", char::from(*letter)),
        Sequence::Number(number) if middle.is_empty() => write!(out, "\x1b[{number}~"),
        Sequence::Number(number) => write!(out, "\x1b[{number};{middle}~"),
    };
}

fn write_code(
    event: &KeyEvent,
    kind: KeyKind,
    code: u32,
    mods: Modifiers,
    flags: u8,
    out: &mut Vec<u8>,
) {
    let _ = write!(out, "\x1b[{code}");
    if flags & ALTERNATES != 0 {
        write_alternates(event, code, mods, out);
    }
    let middle = middle(kind, mods);
    let text = if flags & (TEXT | ALL_KEYS) == (TEXT | ALL_KEYS) && kind != KeyKind::Release {
        text(event, mods)
    } else {
        None
    };
    let _ = match text {
        Some(text) => write!(out, ";{middle};{}u", u32::from(text)),
        None if middle.is_empty() => write!(out, "u"),
        None => write!(out, ";{middle}u"),
    };
}

fn write_alternates(event: &KeyEvent, code: u32, mods: Modifiers, out: &mut Vec<u8>) {
    let known = |detail: Option<char>| detail.map(u32::from).filter(|&other| other != code);
    let shifted = event
        .detail
        .and_then(|detail| detail.shifted)
        .or_else(|| upper(char::from_u32(code)?))
        .filter(|_| mods.contains(Modifiers::SHIFT));
    let layout = event.detail.and_then(|detail| detail.layout);
    let _ = match (known(shifted), known(layout)) {
        (Some(shifted), Some(layout)) => write!(out, ":{shifted}:{layout}"),
        (Some(shifted), None) => write!(out, ":{shifted}"),
        (None, Some(layout)) => write!(out, "::{layout}"),
        (None, None) => Ok(()),
    };
}

/// The text of the key, if it has any.
fn text(event: &KeyEvent, mods: Modifiers) -> Option<char> {
    if let Some(text) = event.detail.and_then(|detail| detail.text) {
        return Some(text);
    }
    if !(mods - Modifiers::SHIFT).is_empty() {
        return None;
    }
    match event.key.code() {
        KeyCode::Char(c) if event.key.mods().contains(Modifiers::SHIFT) => upper(c).or(Some(c)),
        KeyCode::Char(c) => Some(c),
        KeyCode::Keypad(key) => key.text().filter(|&c| c != '\r'),
        _ => None,
    }
}
