//! Encodes keys as the program in a pane has requested.
//!
//! Without an extended protocol this writes what tmux 3.3a writes, because that is what the programs' `TERM` describes.
//! Where tmux sends nothing (`C-1`, `C-Enter`) or the key's name (`S-Tab`), this sends what xterm does.

use std::io::Write as _;

use shellkeep_core::key::{Key, Modifiers};

use super::codes::{exact, parameter, upper};
use super::controls::use_eight_bit_controls;
use super::event::{KeyEvent, KeyKind};
use super::kitty;
use super::legacy::encode_legacy;
use crate::mode::Modes;

/// Writes a press of the key.
pub fn encode_key(key: &Key, modes: &Modes, out: &mut Vec<u8>) {
    encode_key_event(&KeyEvent::press(*key), modes, out);
}

/// Writes the event in as much detail as the program has requested.
pub fn encode_key_event(event: &KeyEvent, modes: &Modes, out: &mut Vec<u8>) {
    let start = out.len();
    if modes.kitty_keyboard & kitty::ALL_FLAGS != 0 {
        kitty::encode(event, modes, out);
    } else if event.kind != KeyKind::Release && !encode_other(event, modes, out) {
        encode_legacy(event.key, modes, out);
    }
    // Two bytes are a key with Meta and not a sequence.
    if modes.eight_bit_controls && out.len() > start + 2 {
        use_eight_bit_controls(out, start);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    In,
    Out,
}

/// Writes a change of focus. Returns `false`, and writes nothing, if the program did not request it.
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

/// modifyOtherKeys: writes keys that the legacy encoding cannot express. Returns `false` for all others.
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
        // Shift-Tab has a legacy sequence that programs know: `CSI Z`.
        '\t' if mods == Modifiers::SHIFT => false,
        '\x7f' | '\x08' => level_two && !shift_only,
        '\t' | '\r' | '\x1b' => level_two || !meta_only,
        // Shift is part of the character, except for a space.
        _ if shift_only => level_two && code == ' ',
        _ if level_two => true,
        _ if meta_only => false,
        // With one of these, Control makes a well-known control character.
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
