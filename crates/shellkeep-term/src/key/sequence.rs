//! Maps a control sequence of an outer terminal to a key, mouse event or reply.

use shellkeep_core::key::{FUNCTIONAL, Key, KeyCode, KeypadKey, Modifiers};

use super::codes::{keypad_final, upper};
use super::csi::{Csi, parse_number};
use super::event::{KeyDetail, KeyEvent, KeyKind};
use super::input::Input;
use super::mouse::{MouseEvent, ReleaseMark};
use super::reply;

/// The modifiers of an xterm or kitty parameter. Lock keys are ignored.
fn modifiers(value: u32) -> Modifiers {
    /// kitty distinguishes Meta from Alt; key names do not.
    const KITTY_META: u32 = 32;
    let bits = value.saturating_sub(1);
    let mut mods = Modifiers::from_bits_truncate((bits & 0x1f) as u8);
    mods.set(Modifiers::META, bits & (2 | KITTY_META) != 0);
    mods
}

/// The meaning of a sequence.
pub(super) enum Parsed {
    /// Keys, mostly one.
    Keys(Vec<KeyEvent>),
    Other(Input),
}

impl Parsed {
    fn key(key: Key) -> Self {
        Self::Keys(vec![KeyEvent::press(key)])
    }
}

/// The keys or other input of a control sequence; `None` if it is unknown.
pub(super) fn parse(csi: &Csi<'_>) -> Option<Parsed> {
    match (csi.private, csi.intermediates, csi.last) {
        (Some(b'<'), b"", b'M') => mouse_sgr(csi, ReleaseMark::Pressed),
        (Some(b'<'), b"", b'm') => mouse_sgr(csi, ReleaseMark::Released),
        (None, b"", b'M') if csi.len() == 3 => mouse_urxvt(csi),
        (None, b"", b'I') if csi.len() == 0 => Some(Parsed::Other(Input::FocusIn)),
        (None, b"", b'O') if csi.len() == 0 => Some(Parsed::Other(Input::FocusOut)),
        (None, b"", b'R') if !is_function_three(csi) => reply(csi),
        (None, b"", b'a'..=b'd') if csi.len() == 0 => {
            let code = cursor_code(csi.last.to_ascii_uppercase())?;
            Some(Parsed::key(Key::new(code, Modifiers::SHIFT)))
        }
        (None, b"", b'~') => tilde(csi),
        (None, b"", b'^') => rxvt(csi, Modifiers::CTRL),
        (None, b"", b'@') => rxvt(csi, Modifiers::CTRL | Modifiers::SHIFT),
        // rxvt's Shift. `$` is not a final byte by the standard, so the decoder ends the sequence here.
        (None, b"", b'$') => rxvt(csi, Modifiers::SHIFT),
        (None, b"", b'u') => unicode(csi),
        (None, b"", last) => match cursor_code(last) {
            Some(code) => Some(cursor(csi, code)),
            None => reply(csi),
        },
        _ => reply(csi),
    }
}

fn reply(csi: &Csi<'_>) -> Option<Parsed> {
    reply::from_csi(csi).map(|reply| Parsed::Other(Input::Reply(reply)))
}

/// `CSI 1;5R` is Ctrl-F3, and also row 1, column 5. Only we query this terminal for its cursor, and only when the
/// cursor is elsewhere (or with `CSI ? 6 n`, whose reply is unambiguous).
fn is_function_three(csi: &Csi<'_>) -> bool {
    match csi.len() {
        0 => true,
        2 => csi.number(0) == Some(1) && matches!(csi.number(1), Some(2..=8)),
        _ => false,
    }
}

fn mouse_sgr(csi: &Csi<'_>, mark: ReleaseMark) -> Option<Parsed> {
    let event = MouseEvent::from_wire(csi.number(0)?, csi.number(1)?, csi.number(2)?, mark)?;
    Some(Parsed::Other(Input::Mouse(event)))
}

fn mouse_urxvt(csi: &Csi<'_>) -> Option<Parsed> {
    let bits = csi.number(0)?.checked_sub(32)?;
    let mark = ReleaseMark::Unsaid;
    let event = MouseEvent::from_wire(bits, csi.number(1)?, csi.number(2)?, mark)?;
    Some(Parsed::Other(Input::Mouse(event)))
}

/// Keys that their final byte identifies, in `CSI` as in `SS3`.
pub(super) fn cursor_code(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'E' => KeyCode::Keypad(KeypadKey::Begin),
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P' => KeyCode::F(1),
        b'Q' => KeyCode::F(2),
        b'R' => KeyCode::F(3),
        b'S' => KeyCode::F(4),
        b'Z' => KeyCode::BTab,
        _ => return None,
    })
}

fn cursor(csi: &Csi<'_>, code: KeyCode) -> Parsed {
    let value = match csi.len() {
        0 => 1,
        // Old xterms and konsoles send `CSI 5 A`.
        1 => csi.number(0).unwrap_or(1),
        _ => csi.number(1).unwrap_or(1),
    };
    Parsed::Keys(vec![KeyEvent {
        key: Key::new(code, legacy_modifiers(csi, value)),
        kind: csi.kind(),
        detail: None,
    }])
}

/// 9 is Meta to xterm and iTerm2, and tmux reads it so too. With a kind of event it is kitty's Super.
fn legacy_modifiers(csi: &Csi<'_>, value: u32) -> Modifiers {
    if value == 9 && csi.part(1, 1).is_none() {
        return Modifiers::META;
    }
    modifiers(value)
}

fn tilde_code(number: u32) -> Option<KeyCode> {
    let function = |n: u32| Some(KeyCode::F(n as u8));
    match number {
        1 | 7 => Some(KeyCode::Home),
        2 => Some(KeyCode::Insert),
        3 => Some(KeyCode::Delete),
        4 | 8 => Some(KeyCode::End),
        5 => Some(KeyCode::PageUp),
        6 => Some(KeyCode::PageDown),
        // The VT220 has these gaps.
        11..=15 => function(number - 10),
        17..=21 => function(number - 11),
        23..=26 => function(number - 12),
        28..=29 => function(number - 13),
        31..=34 => function(number - 14),
        57427 => Some(KeyCode::Keypad(KeypadKey::Begin)),
        _ => None,
    }
}

fn tilde(csi: &Csi<'_>) -> Option<Parsed> {
    match csi.number(0)? {
        200 if csi.len() == 1 => Some(Parsed::Other(Input::PasteStart)),
        27 if csi.len() == 3 => {
            // modifyOtherKeys.
            let mods = modifiers(csi.number(1)?);
            let code = char::from_u32(csi.number(2)?)?;
            Some(Parsed::Keys(vec![extended(Extended {
                code,
                mods,
                shifted: None,
                layout: None,
                text: None,
                kind: KeyKind::Press,
            })?]))
        }
        number => {
            let code = tilde_code(number)?;
            let mods = legacy_modifiers(csi, csi.number(1).unwrap_or(1));
            Some(Parsed::Keys(vec![KeyEvent {
                key: Key::new(code, mods),
                kind: csi.kind(),
                detail: None,
            }]))
        }
    }
}

/// Whether `CSI number $` can be rxvt's Shift and a key.
pub(super) fn is_rxvt_shift(body: &[u8]) -> bool {
    parse_number(body).and_then(tilde_code).is_some()
}

fn rxvt(csi: &Csi<'_>, mods: Modifiers) -> Option<Parsed> {
    if csi.len() != 1 {
        return None;
    }
    let code = tilde_code(csi.number(0)?)?;
    Some(Parsed::key(Key::new(code, mods)))
}

/// `CSI code:shifted:layout ; modifiers:kind ; text u`.
fn unicode(csi: &Csi<'_>) -> Option<Parsed> {
    let code = char::from_u32(csi.number(0)?)?;
    let kind = csi.kind();
    let mut text = csi
        .field(2)
        .split(|&b| b == b':')
        .filter_map(|digits| char::from_u32(parse_number(digits)?));
    let (first, second) = (text.next(), text.next());
    if code == '\0' || second.is_some() {
        // Text without a key: from an input method, or a dead key before a key that it does not combine with.
        let keys: Vec<_> = first
            .into_iter()
            .chain(second)
            .chain(text)
            .map(|c| KeyEvent {
                key: Key::from(c),
                kind,
                detail: None,
            })
            .collect();
        return (!keys.is_empty()).then_some(Parsed::Keys(keys));
    }
    let event = extended(Extended {
        code,
        mods: modifiers(csi.number(1).unwrap_or(1)),
        shifted: csi.part(0, 1).and_then(char::from_u32),
        layout: csi.part(0, 2).and_then(char::from_u32),
        text: first,
        kind,
    })?;
    Some(Parsed::Keys(vec![event]))
}

struct Extended {
    code: char,
    mods: Modifiers,
    shifted: Option<char>,
    layout: Option<char>,
    text: Option<char>,
    kind: KeyKind,
}

fn extended(key: Extended) -> Option<KeyEvent> {
    let Extended {
        code,
        mods,
        shifted,
        layout,
        text,
        kind,
    } = key;
    let number = u16::try_from(u32::from(code)).unwrap_or(0);
    if FUNCTIONAL.contains(&number) {
        let key = Key::new(KeyCode::Functional(number), mods);
        let detail = None;
        return Some(KeyEvent { key, kind, detail });
    }
    let key = match code {
        '\t' if mods == Modifiers::SHIFT => Key::plain(KeyCode::BTab),
        '\t' => Key::new(KeyCode::Tab, mods),
        '\r' => Key::new(KeyCode::Enter, mods),
        '\x1b' => Key::new(KeyCode::Escape, mods),
        '\x08' | '\x7f' => Key::new(KeyCode::BSpace, mods),
        '\0'..='\x1f' | '\u{80}'..='\u{9f}' => return None,
        _ => character(code, mods, shifted, text),
    };
    Some(KeyEvent {
        key,
        kind,
        detail: Some(KeyDetail {
            code,
            mods,
            shifted,
            layout,
            text,
        }),
    })
}

/// The key as a legacy terminal would have sent it: Shift is part of the character, except with Control, where it makes
/// another key (`S-C-a`).
fn character(code: char, mods: Modifiers, shifted: Option<char>, text: Option<char>) -> Key {
    let unshifted = mods - Modifiers::SHIFT;
    if let Some(text) = text.filter(|_| unshifted.is_empty()) {
        return Key::from(text);
    }
    if mods == unshifted {
        return Key::from_char(code, mods);
    }
    let is_letter = code.is_alphabetic();
    let ctrl = mods.contains(Modifiers::CTRL);
    match shifted.or_else(|| upper(code)) {
        Some(c) if !(ctrl && is_letter) => Key::from_char(c, unshifted),
        // The layout is unknown, so assume a US keyboard, where these are typed with Shift.
        None if "~!@#$%^&*()_+{}|:\"<>?".contains(code) => Key::from_char(code, unshifted),
        _ => Key::from_char(code, mods),
    }
}

/// Keys after `ESC O`.
pub(super) fn ss3_code(last: u8) -> Option<(KeyCode, Modifiers)> {
    let plain = |code| Some((code, Modifiers::empty()));
    match last {
        b'A'..=b'F' | b'H' | b'P'..=b'S' => plain(cursor_code(last)?),
        // rxvt's Control.
        b'a'..=b'd' => Some((cursor_code(last.to_ascii_uppercase())?, Modifiers::CTRL)),
        b'I' => plain(KeyCode::Tab),
        b' ' => plain(KeyCode::Char(' ')),
        _ => KeypadKey::ALL
            .into_iter()
            .find(|&key| keypad_final(key) == last)
            .and_then(|key| plain(KeyCode::Keypad(key))),
    }
}
