//! Encodes pastes for a pane.

use crate::mode::Modes;

pub(super) const PASTE_START: &[u8] = b"\x1b[200~";
pub(super) const PASTE_END: &[u8] = b"\x1b[201~";
/// The end marker with the one-character form of `CSI`, as UTF-8.
const PASTE_END_C1: &[u8] = b"\xc2\x9b201~";

/// Writes a paste in pieces of any size, with markers if the program has requested them.
///
/// An end marker inside the text would end the paste early, and the rest would count as typed: a clipboard could run
/// commands. The introducer of such a marker is replaced by a space, as xterm does with controls in a paste. The marker
/// is not removed, because the text before and after it could form another one.
#[derive(Debug)]
pub struct PasteEncoder {
    brackets: bool,
    /// The start of a possible end marker, held back until it is known to be one or not.
    held: Vec<u8>,
}

impl PasteEncoder {
    #[must_use]
    pub fn start(modes: &Modes, out: &mut Vec<u8>) -> Self {
        if modes.bracketed_paste {
            out.extend_from_slice(PASTE_START);
        }
        Self {
            brackets: modes.bracketed_paste,
            held: Vec::new(),
        }
    }

    pub fn chunk(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if !self.brackets {
            out.extend_from_slice(bytes);
            return;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.held.is_empty() {
                let plain = rest
                    .iter()
                    .position(|&b| b == PASTE_END[0] || b == PASTE_END_C1[0])
                    .unwrap_or(rest.len());
                out.extend_from_slice(&rest[..plain]);
                rest = &rest[plain..];
            }
            let Some((&byte, after)) = rest.split_first() else {
                break;
            };
            rest = after;
            self.step(byte, out);
        }
    }

    fn step(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.held.push(byte);
        for (marker, introducer) in [(PASTE_END, 1), (PASTE_END_C1, 2)] {
            if self.held == marker {
                out.push(b' ');
                out.extend_from_slice(&self.held[introducer..]);
                self.held.clear();
                return;
            }
            if marker.starts_with(&self.held) {
                return;
            }
        }
        // It is no marker. Only the newest byte can begin another one, because the first byte of a marker does not
        // occur inside it again.
        self.held.pop();
        out.append(&mut self.held);
        if byte == PASTE_END[0] || byte == PASTE_END_C1[0] {
            self.held.push(byte);
        } else {
            out.push(byte);
        }
    }

    pub fn finish(mut self, out: &mut Vec<u8>) {
        out.append(&mut self.held);
        if self.brackets {
            out.extend_from_slice(PASTE_END);
        }
    }
}

pub fn encode_paste(text: &[u8], modes: &Modes, out: &mut Vec<u8>) {
    let mut encoder = PasteEncoder::start(modes, out);
    encoder.chunk(text, out);
    encoder.finish(out);
}
