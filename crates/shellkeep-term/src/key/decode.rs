//! Decodes the bytes of an outer terminal into events.

use shellkeep_core::key::{Key, KeyCode, Modifiers};

use super::csi::Csi;
use super::event::KeyEvent;
use super::input::Input;
use super::mouse::{MouseEvent, ReleaseMark};
use super::paste::PASTE_END;
use super::reply;
use super::sequence::{self, Parsed};
use crate::mode::MouseEncoding;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;

/// The longest control sequence that is decoded. Terminals send no longer ones.
const MAX_CSI: usize = 256;
/// The longest OSC or DCS that is decoded. It holds a clipboard of three quarters of this.
const MAX_STRING: usize = 1 << 20;
/// The most bytes of an oversized sequence that are kept for the log.
const MAX_SHOWN: usize = 256;
/// The largest piece of a paste in one event.
const MAX_PASTE: usize = 1 << 16;
/// How often the timer may fire inside what looks like a reply. A slow connection may split one, and half of it must
/// not be typed into a pane. But a user must not have to wait long either.
const MAX_STALLS: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StringKind {
    Osc,
    Dcs,
    Apc,
}

impl StringKind {
    const fn introducer(self) -> u8 {
        match self {
            Self::Osc => b']',
            Self::Dcs => b'P',
            Self::Apc => b'_',
        }
    }

    /// Whether a reply of this kind can start with `byte`. All three introducers are also Meta keys (`M-]`, `M-P`,
    /// `M-_`), so the next byte decides.
    const fn may_begin_with(self, byte: u8) -> bool {
        match self {
            Self::Osc => matches!(byte, b'0'..=b'9' | b'l' | b'L'),
            Self::Dcs => matches!(byte, b'0' | b'1' | b'>' | b'!'),
            Self::Apc => byte == b'G',
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DecoderState {
    Ground,
    /// Inside a UTF-8 character of this many bytes.
    Utf8(usize),
    Escape,
    Ss3,
    Csi,
    /// After `CSI [`: a function key of the Linux console.
    Linux,
    /// After `CSI M`: three characters.
    Mouse,
    String(StringKind),
    /// After an `ESC` in a string, most likely the first half of its terminator.
    StringEscape(StringKind),
    /// In a paste, with this many bytes of the end marker read.
    Paste(usize),
}

/// Decodes what an outer terminal sends, in pieces of any size.
///
/// An escape byte alone is a key, but it also begins most sequences, and only time distinguishes the two. After each
/// [`feed`](Self::feed), check [`has_pending`](Self::has_pending). If it is true, call [`flush`](Self::flush) when the
/// escape time has passed without new bytes, and check again.
#[derive(Debug)]
pub struct InputDecoder {
    state: DecoderState,
    /// The incomplete sequence, without its introducer.
    held: Vec<u8>,
    /// Whether another `ESC` (Meta) stands before the incomplete sequence.
    meta: bool,
    /// Whether the incomplete sequence exceeded its limit.
    is_oversized: bool,
    stalls: u8,
    utf8_mouse: bool,
}

impl Default for InputDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl InputDecoder {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: DecoderState::Ground,
            held: Vec::new(),
            meta: false,
            is_oversized: false,
            stalls: 0,
            utf8_mouse: false,
        }
    }

    /// Sets the mouse encoding that was requested from the terminal. Only `CSI M` needs it: in mode 1005 its positions
    /// are UTF-8, otherwise bytes, and they do not show which.
    pub fn set_mouse_encoding(&mut self, encoding: MouseEncoding) {
        self.utf8_mouse = encoding == MouseEncoding::Utf8;
    }

    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        self.stalls = 0;
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if let DecoderState::Paste(seen) = self.state {
                rest = self.paste(seen, rest, out);
            } else {
                self.step(byte, out);
                rest = after;
            }
        }
    }

    /// Whether bytes are held back because more input decides what they mean.
    #[must_use]
    pub const fn has_pending(&self) -> bool {
        !matches!(self.state, DecoderState::Ground | DecoderState::Paste(0))
    }

    /// Whether a paste has begun and not ended.
    #[must_use]
    pub const fn is_pasting(&self) -> bool {
        matches!(self.state, DecoderState::Paste(_))
    }

    /// Ends a paste whose end marker was lost, so that keys are decoded again.
    pub fn end_paste(&mut self, out: &mut Vec<Input>) {
        if self.is_pasting() {
            self.flush(out);
            out.push(Input::PasteEnd);
            self.reset();
        }
    }

    /// Called when the escape time has passed: decodes the bytes held back as what they look like.
    pub fn flush(&mut self, out: &mut Vec<Input>) {
        match self.state {
            DecoderState::Ground => {}
            DecoderState::Paste(seen) => {
                if seen > 0 {
                    out.push(Input::Paste(PASTE_END[..seen].to_vec()));
                    self.state = DecoderState::Paste(0);
                }
            }
            DecoderState::Escape => self.escape_alone(out),
            DecoderState::Utf8(_) | DecoderState::Ss3 | DecoderState::Linux => self.give_up(out),
            DecoderState::Csi
            | DecoderState::Mouse
            | DecoderState::String(_)
            | DecoderState::StringEscape(_) => {
                self.stalls += 1;
                let looks_typed = self.held.is_empty() && self.state != DecoderState::Mouse;
                if looks_typed || self.stalls >= MAX_STALLS {
                    self.give_up(out);
                }
            }
        }
    }

    fn reset(&mut self) {
        self.state = DecoderState::Ground;
        self.meta = false;
        self.is_oversized = false;
        self.held.clear();
        // Frees the memory of a large clipboard.
        self.held.shrink_to(MAX_CSI);
    }

    fn step(&mut self, byte: u8, out: &mut Vec<Input>) {
        match self.state {
            DecoderState::Ground | DecoderState::Paste(_) => self.ground(byte, out),
            DecoderState::Utf8(size) => self.utf8(size, byte, out),
            DecoderState::Escape => self.escape(byte, out),
            DecoderState::Ss3 => self.ss3(byte, out),
            DecoderState::Csi => self.csi(byte, out),
            DecoderState::Linux => self.linux(byte, out),
            DecoderState::Mouse => self.mouse(byte, out),
            DecoderState::String(kind) => self.string(kind, byte, out),
            DecoderState::StringEscape(kind) => self.string_escape(kind, byte, out),
        }
    }

    /// A byte outside a sequence, with the `ESC` before it if there was one.
    fn ground(&mut self, byte: u8, out: &mut Vec<Input>) {
        let size = match byte {
            ESC => {
                self.state = DecoderState::Escape;
                return;
            }
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80.. => {
                self.held.push(byte);
                self.unknown(&[], out);
                return;
            }
            0x7f => return self.key(Key::plain(KeyCode::BSpace), out),
            _ => return self.key(Key::from(char::from(byte)), out),
        };
        self.held.push(byte);
        self.state = DecoderState::Utf8(size);
    }

    fn utf8(&mut self, size: usize, byte: u8, out: &mut Vec<Input>) {
        let valid = match (self.held.as_slice(), byte) {
            ([0xe0], 0xa0..=0xbf) | ([0xed], 0x80..=0x9f) => true,
            ([0xf0], 0x90..=0xbf) | ([0xf4], 0x80..=0x8f) => true,
            ([0xe0 | 0xed | 0xf0 | 0xf4], _) => false,
            (_, 0x80..=0xbf) => true,
            _ => false,
        };
        if !valid {
            self.give_up(out);
            self.step(byte, out);
            return;
        }
        self.held.push(byte);
        if self.held.len() < size {
            return;
        }
        let c = std::str::from_utf8(&self.held)
            .ok()
            .and_then(|text| text.chars().next());
        match c.map(Key::from) {
            Some(key) if key != Key::NONE => self.key(key, out),
            _ => self.unknown(&[], out),
        }
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<Input>) {
        let string = match byte {
            b'[' => {
                self.state = DecoderState::Csi;
                return;
            }
            b'O' => {
                self.state = DecoderState::Ss3;
                return;
            }
            b']' => StringKind::Osc,
            b'P' => StringKind::Dcs,
            b'_' => StringKind::Apc,
            ESC if !self.meta => {
                self.meta = true;
                return;
            }
            _ => {
                if self.meta {
                    // Two escapes without a sequence are a key, as in tmux.
                    self.escape_alone(out);
                } else {
                    self.state = DecoderState::Ground;
                    self.meta = true;
                }
                return self.ground(byte, out);
            }
        };
        self.state = DecoderState::String(string);
    }

    fn ss3(&mut self, byte: u8, out: &mut Vec<Input>) {
        if self.held.is_empty() && matches!(byte, b'2'..=b'8') {
            // konsole's `ESC O 5 P`.
            self.held.push(byte);
            return;
        }
        let Some((code, mods)) = sequence::ss3_code(byte) else {
            self.give_up(out);
            return self.step(byte, out);
        };
        let held = self.held.first().map_or(0, |digit| digit - b'1');
        self.key(
            Key::new(code, mods | Modifiers::from_bits_truncate(held)),
            out,
        );
    }

    fn csi(&mut self, byte: u8, out: &mut Vec<Input>) {
        match byte {
            b'[' if self.held.is_empty() => self.state = DecoderState::Linux,
            b'M' if self.held.is_empty() => self.state = DecoderState::Mouse,
            b'$' if sequence::is_rxvt_shift(&self.held) => self.csi_end(byte, out),
            b' '..=b'?' => self.hold(byte, MAX_CSI),
            b'@'..=b'~' => self.csi_end(byte, out),
            _ => {
                self.give_up_unknown(out);
                self.step(byte, out);
            }
        }
    }

    fn csi_end(&mut self, last: u8, out: &mut Vec<Input>) {
        let parsed = if self.is_oversized {
            None
        } else {
            sequence::parse(&Csi::new(&self.held, last))
        };
        match parsed {
            Some(Parsed::Keys(events)) => {
                let meta = self.meta;
                for mut event in events {
                    if meta {
                        event.key = event.key.with(Modifiers::META);
                        event.detail = None;
                    }
                    out.push(Input::Key(event));
                }
                self.reset();
            }
            Some(Parsed::Other(input)) => {
                let is_paste = input == Input::PasteStart;
                self.other(input, out);
                if is_paste {
                    self.state = DecoderState::Paste(0);
                }
            }
            None => {
                self.hold(last, MAX_CSI);
                self.unknown(b"\x1b[", out);
            }
        }
    }

    fn linux(&mut self, byte: u8, out: &mut Vec<Input>) {
        if let b'A'..=b'E' = byte {
            self.key(Key::plain(KeyCode::F(byte - b'A' + 1)), out);
        } else {
            self.give_up(out);
            self.step(byte, out);
        }
    }

    fn mouse(&mut self, byte: u8, out: &mut Vec<Input>) {
        if byte < b' ' {
            self.give_up(out);
            return self.step(byte, out);
        }
        self.held.push(byte);
        let values = if self.utf8_mouse {
            match std::str::from_utf8(&self.held) {
                Ok(text) => text.chars().map(u32::from).collect::<Vec<_>>(),
                Err(error) if error.error_len().is_none() => return,
                Err(_) => return self.unknown(b"\x1b[M", out),
            }
        } else {
            self.held.iter().map(|&b| u32::from(b)).collect()
        };
        let [bits, col, row] = values[..] else {
            return;
        };
        let event = (bits.checked_sub(32)).and_then(|bits| {
            let place = |n: u32| n.saturating_sub(32);
            MouseEvent::from_wire(bits, place(col), place(row), ReleaseMark::Unsaid)
        });
        match event {
            Some(event) => self.other(Input::Mouse(event), out),
            None => self.unknown(b"\x1b[M", out),
        }
    }

    fn string(&mut self, kind: StringKind, byte: u8, out: &mut Vec<Input>) {
        match byte {
            _ if self.held.is_empty() && !kind.may_begin_with(byte) => {
                self.give_up(out);
                self.step(byte, out);
            }
            ESC => self.state = DecoderState::StringEscape(kind),
            BEL if kind == StringKind::Osc => self.string_end(kind, out),
            CAN | SUB => self.give_up(out),
            _ => self.hold(byte, MAX_STRING),
        }
    }

    fn string_escape(&mut self, kind: StringKind, byte: u8, out: &mut Vec<Input>) {
        if byte == b'\\' {
            self.string_end(kind, out);
        } else {
            // The next sequence cut this one short.
            self.give_up(out);
            self.state = DecoderState::Escape;
            self.step(byte, out);
        }
    }

    fn string_end(&mut self, kind: StringKind, out: &mut Vec<Input>) {
        let replies = match kind {
            _ if self.is_oversized => Vec::new(),
            StringKind::Osc => reply::from_osc(&self.held).into_iter().collect(),
            StringKind::Dcs => reply::from_dcs(&self.held),
            StringKind::Apc => Vec::new(),
        };
        if replies.is_empty() {
            self.unknown(&[ESC, kind.introducer()], out);
            return;
        }
        for reply in replies {
            self.escape_before(out);
            out.push(Input::Reply(reply));
        }
        self.reset();
    }

    /// Consumes the bytes of the paste, and returns the rest.
    fn paste<'a>(&mut self, seen: usize, bytes: &'a [u8], out: &mut Vec<Input>) -> &'a [u8] {
        let mut seen = seen;
        let mut text = Vec::new();
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if byte == PASTE_END[seen] {
                seen += 1;
                rest = after;
                if seen == PASTE_END.len() {
                    break;
                }
                continue;
            }
            // It was not the end marker. The byte is decoded again, because it may begin one.
            text.extend_from_slice(&PASTE_END[..seen]);
            seen = 0;
            let size = rest.iter().position(|&b| b == ESC).unwrap_or(rest.len());
            let size = size.min(MAX_PASTE);
            text.extend_from_slice(&rest[..size]);
            rest = &rest[size..];
            if text.len() >= MAX_PASTE {
                out.push(Input::Paste(std::mem::take(&mut text)));
            }
        }
        if !text.is_empty() {
            out.push(Input::Paste(text));
        }
        if seen == PASTE_END.len() {
            out.push(Input::PasteEnd);
            self.reset();
        } else {
            self.state = DecoderState::Paste(seen);
        }
        rest
    }

    fn hold(&mut self, byte: u8, cap: usize) {
        if self.held.len() < cap {
            self.held.push(byte);
        } else {
            self.is_oversized = true;
        }
    }

    /// Ends the sequence with a key.
    fn key(&mut self, key: Key, out: &mut Vec<Input>) {
        let key = if self.meta {
            key.with(Modifiers::META)
        } else {
            key
        };
        out.push(Input::Key(KeyEvent::press(key)));
        self.reset();
    }

    /// Emits the Escape key that was pressed before an event that has no Meta.
    fn escape_before(&mut self, out: &mut Vec<Input>) {
        if std::mem::take(&mut self.meta) {
            out.push(Input::Key(KeyEvent::press(Key::plain(KeyCode::Escape))));
        }
    }

    /// Emits the one or two escapes read so far as a key.
    fn escape_alone(&mut self, out: &mut Vec<Input>) {
        self.key(Key::plain(KeyCode::Escape), out);
    }

    /// Ends the sequence with an event that is not a key.
    fn other(&mut self, input: Input, out: &mut Vec<Input>) {
        self.escape_before(out);
        out.push(input);
        self.reset();
    }

    /// Ends the sequence as unknown.
    fn unknown(&mut self, introducer: &[u8], out: &mut Vec<Input>) {
        if self.is_oversized {
            self.held.truncate(MAX_SHOWN);
        }
        let bytes = [introducer, &self.held].concat();
        self.other(Input::Unknown(bytes), out);
    }

    /// Ends an incomplete control sequence: as keys if only its introducer was read, otherwise as unknown.
    fn give_up_unknown(&mut self, out: &mut Vec<Input>) {
        if self.held.is_empty() {
            self.give_up(out);
        } else {
            self.unknown(b"\x1b[", out);
        }
    }

    /// Ends an incomplete sequence: as keys if it can have been typed, otherwise as unknown.
    fn give_up(&mut self, out: &mut Vec<Input>) {
        let state = self.state;
        let typed: &[u8] = match state {
            DecoderState::Ss3 => b"O",
            DecoderState::Csi
                if !self.is_oversized && !matches!(self.held.first(), Some(b'<'..=b'?')) =>
            {
                b"["
            }
            DecoderState::Linux => b"[[",
            DecoderState::String(kind) if self.held.is_empty() => &[kind.introducer()],
            DecoderState::Csi => return self.unknown(b"\x1b[", out),
            DecoderState::Mouse => return self.unknown(b"\x1b[M", out),
            DecoderState::String(kind) | DecoderState::StringEscape(kind) => {
                return self.unknown(&[ESC, kind.introducer()], out);
            }
            _ => return self.unknown(&[], out),
        };
        let typed = [typed, &self.held].concat();
        self.escape_before(out);
        self.meta = true;
        for byte in typed {
            // Meta belongs to the first key.
            self.key(Key::from(char::from(byte)), out);
        }
    }
}
