//! Decodes and encodes mouse events in every encoding.

use std::io::Write as _;

use shellkeep_core::key::Modifiers;

use super::controls::use_eight_bit_controls;
use crate::mode::{Modes, MouseEncoding, MouseProtocol};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MouseKind {
    /// A button press, or one step of a wheel.
    Press,
    Release,
    /// Motion, with or without a button held.
    Motion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MouseButton {
    /// No button, or a release in an encoding without the button.
    None,
    Left,
    Middle,
    Right,
    WheelUp,
    WheelDown,
    WheelLeft,
    WheelRight,
    /// Button 8 to 11.
    Extra(u8),
}

impl MouseButton {
    /// The button's number in X and in tmux's key names: the left one is 1.
    #[must_use]
    pub const fn number(self) -> Option<u8> {
        Some(match self {
            Self::None => return None,
            Self::Left => 1,
            Self::Middle => 2,
            Self::Right => 3,
            Self::WheelUp => 4,
            Self::WheelDown => 5,
            Self::WheelLeft => 6,
            Self::WheelRight => 7,
            Self::Extra(n) => n,
        })
    }

    /// Whether it is a wheel, which has no releases.
    #[must_use]
    pub const fn is_wheel(self) -> bool {
        matches!(
            self,
            Self::WheelUp | Self::WheelDown | Self::WheelLeft | Self::WheelRight
        )
    }

    /// The button bits of the protocols.
    fn bits(self) -> u16 {
        match self {
            Self::Left => 0,
            Self::Middle => 1,
            Self::Right => 2,
            Self::None => 3,
            Self::WheelUp => 64,
            Self::WheelDown => 65,
            Self::WheelLeft => 66,
            Self::WheelRight => 67,
            Self::Extra(n) => 128 + u16::from(n.clamp(8, 11) - 8),
        }
    }

    fn from_bits(bits: u32) -> Option<Self> {
        Some(match bits {
            0 => Self::Left,
            1 => Self::Middle,
            2 => Self::Right,
            3 => Self::None,
            64 => Self::WheelUp,
            65 => Self::WheelDown,
            66 => Self::WheelLeft,
            67 => Self::WheelRight,
            n @ 128..=131 => Self::Extra((n - 120) as u8),
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MouseEvent {
    pub kind: MouseKind,
    pub button: MouseButton,
    /// The modifiers held: Shift, Meta, Control.
    pub mods: Modifiers,
    /// The row, from 0.
    pub row: u16,
    /// The column, from 0.
    pub col: u16,
}

const SHIFT: u16 = 4;
const META: u16 = 8;
const CTRL: u16 = 16;
const MOTION: u16 = 32;

/// How an encoding marks a release.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReleaseMark {
    /// Not at all: a release has the code of button 3.
    Unsaid,
    /// SGR's `M`.
    Pressed,
    /// SGR's `m`.
    Released,
}

impl MouseEvent {
    /// Decodes button bits and a position counted from 1.
    pub(super) fn from_wire(bits: u32, col: u32, row: u32, mark: ReleaseMark) -> Option<Self> {
        let button = MouseButton::from_bits(bits & !u32::from(SHIFT | META | CTRL | MOTION))?;
        let has = |bit: u16| bits & u32::from(bit) != 0;
        let mut mods = Modifiers::empty();
        mods.set(Modifiers::SHIFT, has(SHIFT));
        mods.set(Modifiers::META, has(META));
        mods.set(Modifiers::CTRL, has(CTRL));
        let kind = if mark == ReleaseMark::Released {
            MouseKind::Release
        } else if has(MOTION) {
            MouseKind::Motion
        } else if mark == ReleaseMark::Unsaid && button == MouseButton::None {
            MouseKind::Release
        } else {
            MouseKind::Press
        };
        let place = |n: u32| u16::try_from(n.saturating_sub(1)).unwrap_or(u16::MAX);
        Some(Self {
            kind,
            button,
            mods,
            row: place(row),
            col: place(col),
        })
    }

    fn is_wanted(self, protocol: MouseProtocol) -> bool {
        match (protocol, self.kind) {
            (MouseProtocol::Off, _) => false,
            (_, MouseKind::Release) if self.button.is_wheel() => false,
            (MouseProtocol::X10, kind) => {
                // Mode 9 reports presses of three buttons and nothing else.
                kind == MouseKind::Press && matches!(self.button.bits(), 0..=2)
            }
            (_, MouseKind::Press) => self.button != MouseButton::None,
            (_, MouseKind::Release) => true,
            (MouseProtocol::Buttons, MouseKind::Motion) => false,
            (MouseProtocol::Drag, MouseKind::Motion) => self.button != MouseButton::None,
            (MouseProtocol::Motion, MouseKind::Motion) => true,
        }
    }

    fn modifier_bits(self) -> u16 {
        let bit = |modifier, bit| if self.mods.contains(modifier) { bit } else { 0 };
        bit(Modifiers::SHIFT, SHIFT) | bit(Modifiers::META, META) | bit(Modifiers::CTRL, CTRL)
    }
}

/// The cell size assumed for mode 1016, rows first. A server does not know pixels. A program divides by the size that
/// we report, so only the ratio matters to it.
const NOMINAL_CELL: (u32, u32) = (16, 8);

/// Writes the event as the program has requested. Returns `false`, and writes nothing, if it has not requested it. The
/// position is relative to the pane, from 0.
pub fn encode_mouse(event: &MouseEvent, modes: &Modes, out: &mut Vec<u8>) -> bool {
    if !event.is_wanted(modes.mouse) {
        return false;
    }
    let mut bits = event.button.bits();
    if modes.mouse != MouseProtocol::X10 {
        bits |= event.modifier_bits();
    }
    if event.kind == MouseKind::Motion {
        bits |= MOTION;
    }
    let (row, col) = (u32::from(event.row) + 1, u32::from(event.col) + 1);
    let start = out.len();
    match modes.mouse_encoding {
        MouseEncoding::Sgr => write_sgr(event, bits, (row, col), out),
        MouseEncoding::SgrPixels => {
            let (height, width) = NOMINAL_CELL;
            let middle = |n: u32, size: u32| (n - 1) * size + size / 2;
            write_sgr(event, bits, (middle(row, height), middle(col, width)), out);
        }
        MouseEncoding::Urxvt => {
            let bits = released(event, bits) + 32;
            // Writing to a Vec cannot fail.
            let _ = write!(out, "\x1b[{bits};{col};{row}M");
        }
        MouseEncoding::Utf8 => {
            out.extend_from_slice(b"\x1b[M");
            for value in [u32::from(released(event, bits)), col, row] {
                // The protocol has room for at most two bytes.
                let c = char::from_u32((value + 32).min(0x7ff)).unwrap_or(' ');
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        MouseEncoding::Legacy => {
            out.extend_from_slice(b"\x1b[M");
            for value in [u32::from(released(event, bits)), col, row] {
                // A position too far away is clamped, as tmux does: the wrong position is better than a lost release.
                out.push(u8::try_from(value + 32).unwrap_or(u8::MAX));
            }
        }
    }
    if modes.eight_bit_controls {
        use_eight_bit_controls(out, start);
    }
    true
}

/// The older encodings cannot express which button was released.
fn released(event: &MouseEvent, bits: u16) -> u16 {
    if event.kind == MouseKind::Release {
        3 | event.modifier_bits()
    } else {
        bits
    }
}

fn write_sgr(event: &MouseEvent, bits: u16, (row, col): (u32, u32), out: &mut Vec<u8>) {
    let (bits, end) = match (event.kind, event.button) {
        // The outer terminal's encoding did not report the button. The left one is the most likely.
        (MouseKind::Release, MouseButton::None) => (event.modifier_bits(), 'm'),
        (MouseKind::Release, _) => (bits, 'm'),
        _ => (bits, 'M'),
    };
    let _ = write!(out, "\x1b[<{bits};{col};{row}{end}");
}
