//! The frozen core: what any two versions can ask of each other, coded by hand.
//!
//! ```text
//! 0  1  verb
//! 1  1  number of words
//! 2  …  each word: length (u16, little-endian), UTF-8 text
//! ```
//! Words beyond those a verb knows are ignored, so a later version may add some.

/// What is asked for. Numbers are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verb {
    /// List the sessions as text.
    List = 1,
    /// Attach to a session. Words: target, `TERM`, `COLORTERM`, `read-only` if so. The size
    /// was sent before.
    Attach = 2,
    /// Detach every client of a session. Words: target.
    Detach = 3,
    /// End a session. Words: target.
    Kill = 4,
    /// Put everything kept in memory into safe keeping.
    Checkpoint = 5,
    /// Hand over to another binary without ending any program. Words: path of the binary.
    Restart = 6,
}

impl Verb {
    fn from_number(number: u8) -> Option<Self> {
        [
            Self::List,
            Self::Attach,
            Self::Detach,
            Self::Kill,
            Self::Checkpoint,
            Self::Restart,
        ]
        .into_iter()
        .find(|verb| *verb as u8 == number)
    }
}

/// A request in the frozen core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// What is asked for.
    pub verb: Verb,
    /// Its arguments.
    pub words: Vec<String>,
}

impl Core {
    /// The payload. Words beyond 255, and bytes of a word beyond 65,535, are not sent: no verb has
    /// use for either.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let count = self.words.len().min(255);
        let mut out = vec![self.verb as u8, u8::try_from(count).unwrap_or(u8::MAX)];
        for word in &self.words[..count] {
            let mut cut = word.len().min(usize::from(u16::MAX));
            while !word.is_char_boundary(cut) {
                cut -= 1;
            }
            out.extend_from_slice(&u16::try_from(cut).unwrap_or(u16::MAX).to_le_bytes());
            out.extend_from_slice(&word.as_bytes()[..cut]);
        }
        out
    }

    /// Reads a payload; `None` when it is malformed or the verb unknown.
    #[must_use]
    pub fn decode(payload: &[u8]) -> Option<Self> {
        let (&[verb, count], mut rest) = payload.split_first_chunk::<2>()?;
        let verb = Verb::from_number(verb)?;
        let mut words = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let (&length, tail) = rest.split_first_chunk::<2>()?;
            let (word, tail) = tail.split_at_checked(usize::from(u16::from_le_bytes(length)))?;
            words.push(std::str::from_utf8(word).ok()?.to_owned());
            rest = tail;
        }
        Some(Self { verb, words })
    }

    /// The word at `index`, or the empty text.
    #[must_use]
    pub fn word(&self, index: usize) -> &str {
        self.words.get(index).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_bytes_are_frozen() {
        let core = Core {
            verb: Verb::Attach,
            words: vec!["$1".into(), "xterm".into()],
        };
        let golden = b"\x02\x02\x02\x00$1\x05\x00xterm";
        assert_eq!(core.encode(), golden);
        assert_eq!(Core::decode(golden), Some(core));
    }

    #[test]
    fn core_cut_anywhere_is_refused() {
        let bytes = Core {
            verb: Verb::Kill,
            words: vec!["work".into()],
        }
        .encode();
        for cut in 0..bytes.len() {
            assert_eq!(Core::decode(&bytes[..cut]), None, "cut at {cut}");
        }
        assert_eq!(Core::decode(&[99, 0]), None, "unknown verb");
    }

    #[test]
    fn core_with_more_words_than_known_is_read() {
        let core = Core {
            verb: Verb::List,
            words: vec!["later".into()],
        };
        assert_eq!(Core::decode(&core.encode()).unwrap().word(7), "");
    }
}
