//! Replies of the outer terminal to our queries.

use super::csi::Csi;

/// Which of the two sets of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModeKind {
    /// Set by `CSI … h`.
    Ansi,
    /// Set by `CSI ? … h`.
    Private,
}

/// The state of a mode according to DECRPM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModeStatus {
    /// The terminal does not know the mode.
    Unknown,
    Set,
    Reset,
    /// Set permanently.
    AlwaysSet,
    /// Reset permanently.
    AlwaysReset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorSlot {
    /// A palette colour (OSC 4).
    Palette(u8),
    /// The foreground (OSC 10).
    Foreground,
    /// The background (OSC 11).
    Background,
    /// The cursor (OSC 12).
    Cursor,
}

/// The user's preference on the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorScheme {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// A reply, or a report that was switched on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalReply {
    /// DA1: the terminal's class and its extensions.
    PrimaryAttributes(Vec<u16>),
    /// DA2: terminal type, version, and a number that was once the ROM's.
    SecondaryAttributes {
        terminal: u16,
        /// Firmware version.
        version: u32,
        /// Keyboard or ROM.
        rom: u16,
    },
    /// DA3: the unit's id, as sent.
    TertiaryAttributes(String),
    /// XTVERSION: name and version.
    Version(String),
    /// DECRPM.
    Mode {
        kind: ModeKind,
        mode: u16,
        status: ModeStatus,
    },
    /// CPR, from 0.
    CursorPosition { row: u16, col: u16 },
    /// DSR 0: the terminal works.
    Ready,
    /// A colour, as red, green and blue.
    Color { slot: ColorSlot, rgb: (u8, u8, u8) },
    /// OSC 52: the content of the clipboard.
    Clipboard {
        /// The selections from which it was read, as the letters of OSC 52.
        selection: String,
        data: Vec<u8>,
    },
    /// The kitty keyboard flags in effect.
    KeyboardFlags(u8),
    /// The level of modifyOtherKeys.
    ModifyOtherKeys(u8),
    /// XTGETTCAP: a capability; `None` if the terminal does not have it.
    Capability {
        name: String,
        /// Its value; empty for a flag.
        value: Option<Vec<u8>>,
    },
    /// DECRQSS: a setting; `None` if the request was not understood.
    Setting(Option<Vec<u8>>),
    /// Mode 2031 or DSR 996: the colour scheme.
    ColorScheme(ColorScheme),
    /// Rows and columns (`CSI 8 t`).
    Cells { rows: u16, cols: u16 },
    /// The text area in pixels (`CSI 4 t`).
    Pixels { height: u16, width: u16 },
    /// One cell in pixels (`CSI 6 t`).
    CellPixels { height: u16, width: u16 },
    /// Mode 2048: the terminal was resized.
    Resized {
        rows: u16,
        cols: u16,
        /// Height in pixels, 0 if unknown.
        height: u16,
        /// Width in pixels, 0 if unknown.
        width: u16,
    },
}

/// Decodes replies that are control sequences.
pub(super) fn from_csi(csi: &Csi<'_>) -> Option<TerminalReply> {
    let reply = match (csi.private, csi.intermediates, csi.last) {
        (Some(b'?'), b"", b'c') => {
            let params = (0..csi.len()).map(|i| csi.short(i)).collect();
            TerminalReply::PrimaryAttributes(params)
        }
        (Some(b'>'), b"", b'c') => TerminalReply::SecondaryAttributes {
            terminal: csi.short(0),
            version: csi.number(1).unwrap_or(0),
            rom: csi.short(2),
        },
        (None, b"$", b'y') => mode(ModeKind::Ansi, csi)?,
        (Some(b'?'), b"$", b'y') => mode(ModeKind::Private, csi)?,
        (Some(b'?'), b"", b'u') => TerminalReply::KeyboardFlags(u8::try_from(csi.number(0)?).ok()?),
        (Some(b'>'), b"", b'm') if csi.number(0) == Some(4) => {
            TerminalReply::ModifyOtherKeys(u8::try_from(csi.number(1).unwrap_or(0)).ok()?)
        }
        (None | Some(b'?'), b"", b'R') if csi.len() >= 2 => TerminalReply::CursorPosition {
            row: csi.short(0).saturating_sub(1),
            col: csi.short(1).saturating_sub(1),
        },
        (None, b"", b'n') if csi.number(0) == Some(0) => TerminalReply::Ready,
        (Some(b'?'), b"", b'n') if csi.number(0) == Some(997) => {
            TerminalReply::ColorScheme(match csi.number(1)? {
                1 => ColorScheme::Dark,
                2 => ColorScheme::Light,
                _ => return None,
            })
        }
        (None, b"", b't') => window(csi)?,
        _ => return None,
    };
    Some(reply)
}

fn mode(kind: ModeKind, csi: &Csi<'_>) -> Option<TerminalReply> {
    let status = match csi.number(1)? {
        0 => ModeStatus::Unknown,
        1 => ModeStatus::Set,
        2 => ModeStatus::Reset,
        3 => ModeStatus::AlwaysSet,
        4 => ModeStatus::AlwaysReset,
        _ => return None,
    };
    let mode = u16::try_from(csi.number(0)?).ok()?;
    Some(TerminalReply::Mode { kind, mode, status })
}

fn window(csi: &Csi<'_>) -> Option<TerminalReply> {
    let (first, second) = (csi.short(1), csi.short(2));
    Some(match (csi.number(0)?, csi.len()) {
        (4, 3) => TerminalReply::Pixels {
            height: first,
            width: second,
        },
        (6, 3) => TerminalReply::CellPixels {
            height: first,
            width: second,
        },
        (8, 3) => TerminalReply::Cells {
            rows: first,
            cols: second,
        },
        (48, 3..) => TerminalReply::Resized {
            rows: first,
            cols: second,
            height: csi.short(3),
            width: csi.short(4),
        },
        _ => return None,
    })
}

pub(super) fn from_osc(content: &[u8]) -> Option<TerminalReply> {
    let text = std::str::from_utf8(content).ok()?;
    let (number, rest) = text.split_once(';')?;
    let color = |slot, text| {
        let rgb = parse_color(text)?;
        Some(TerminalReply::Color { slot, rgb })
    };
    match number {
        "4" => {
            let (index, value) = rest.split_once(';')?;
            color(ColorSlot::Palette(index.parse().ok()?), value)
        }
        "10" => color(ColorSlot::Foreground, rest),
        "11" => color(ColorSlot::Background, rest),
        "12" => color(ColorSlot::Cursor, rest),
        "52" => {
            let (selection, data) = rest.split_once(';')?;
            Some(TerminalReply::Clipboard {
                selection: selection.to_owned(),
                data: shellkeep_core::base64::decode(data.as_bytes())?,
            })
        }
        _ => None,
    }
}

/// Decodes the content of a DCS. One reply may hold several capabilities.
pub(super) fn from_dcs(content: &[u8]) -> Vec<TerminalReply> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if let Some(version) = content.strip_prefix(b">|") {
        return vec![TerminalReply::Version(text(version))];
    }
    if let Some(unit) = content.strip_prefix(b"!|") {
        return vec![TerminalReply::TertiaryAttributes(text(unit))];
    }
    if let Some(setting) = content.strip_prefix(b"1$r") {
        return vec![TerminalReply::Setting(Some(setting.to_vec()))];
    }
    if content.starts_with(b"0$r") {
        return vec![TerminalReply::Setting(None)];
    }
    if let Some(list) = content.strip_prefix(b"1+r") {
        return list
            .split(|&b| b == b';')
            .filter_map(|item| {
                let mut parts = item.splitn(2, |&b| b == b'=');
                let name = decode_hex(parts.next()?).filter(|name| !name.is_empty())?;
                let value = decode_hex(parts.next().unwrap_or(b""))?;
                Some(TerminalReply::Capability {
                    name: text(&name),
                    value: Some(value),
                })
            })
            .collect();
    }
    if let Some(list) = content.strip_prefix(b"0+r") {
        return list
            .split(|&b| b == b';')
            .filter_map(decode_hex)
            .map(|name| TerminalReply::Capability {
                name: text(&name),
                value: None,
            })
            .collect();
    }
    Vec::new()
}

/// Parses `rgb:r/g/b`, `rgba:r/g/b/a` or `#rgb`, with one to four digits a part.
fn parse_color(text: &str) -> Option<(u8, u8, u8)> {
    let part = |digits: &str| {
        if !(1..=4).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        let most = (1 << (4 * digits.len())) - 1;
        u8::try_from((value * 255 + most / 2) / most).ok()
    };
    if let Some(digits) = text.strip_prefix('#') {
        if !digits.is_ascii() || digits.len() % 3 != 0 {
            return None;
        }
        let size = digits.len() / 3;
        return Some((
            part(&digits[..size])?,
            part(&digits[size..2 * size])?,
            part(&digits[2 * size..])?,
        ));
    }
    let parts = text
        .strip_prefix("rgb:")
        .or_else(|| text.strip_prefix("rgba:"))?;
    let mut parts = parts.split('/');
    Some((
        part(parts.next()?)?,
        part(parts.next()?)?,
        part(parts.next()?)?,
    ))
}

fn decode_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let (pairs, []) = digits.as_chunks::<2>() else {
        return None;
    };
    pairs
        .iter()
        .map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?))
        .collect()
}
