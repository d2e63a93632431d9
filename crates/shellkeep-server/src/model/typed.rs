//! Input as it was typed. What it is to a program depends on the modes which that program has set, so it is encoded when the program
//! gets it, and not before.

use shellkeep_term::Modes;
use shellkeep_term::key::{KeyEvent, PasteEncoder, encode_key_event};

/// A piece of input for a program.
#[derive(Clone, Debug)]
pub(crate) enum Typed {
    Key(KeyEvent),
    PasteStart,
    PasteText(Vec<u8>),
    PasteEnd,
    /// The same for every program.
    Bytes(Vec<u8>),
}

impl Typed {
    /// Writes it for a program with these modes. `paste` is the paste that this program is in the middle of.
    pub(crate) fn encode(
        &self,
        modes: &Modes,
        paste: &mut Option<PasteEncoder>,
        out: &mut Vec<u8>,
    ) {
        match (self, paste.as_mut()) {
            (Self::Key(event), _) => encode_key_event(event, modes, out),
            (Self::PasteStart, _) => *paste = Some(PasteEncoder::start(modes, out)),
            (Self::PasteText(text), Some(paste)) => paste.chunk(text, out),
            (Self::PasteText(bytes), None) | (Self::Bytes(bytes), _) => {
                out.extend_from_slice(bytes);
            }
            (Self::PasteEnd, _) => {
                if let Some(paste) = paste.take() {
                    paste.finish(out);
                }
            }
        }
    }
}

impl From<&[u8]> for Typed {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}
