//! The first bytes on a connection, in both directions. **Frozen**: after a change here, no client could even ask a
//! running server for its version.
//!
//! ```text
//! 0   8  magic  "SHELLKP\n"
//! 8   2  protocol version spoken            (little-endian, as all numbers)
//! 10  2  oldest protocol version understood
//! 12  4  feature bits, none given out yet
//! 16  1  length of the build text
//! 17  n  build text, UTF-8, e.g. "shellkeep 0.1.0"
//! ```

/// The protocol this build speaks.
pub const VERSION: u16 = 1;
/// The oldest protocol this build still understands.
pub const OLDEST: u16 = 1;
pub const BUILD: &str = concat!("shellkeep ", env!("CARGO_PKG_VERSION"));

const MAGIC: [u8; 8] = *b"SHELLKP\n";
const FIXED: usize = 17;

/// The first message of either side: which versions it speaks, and its build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Protocol version spoken.
    pub version: u16,
    /// Oldest protocol version understood.
    pub oldest: u16,
    /// Feature bits. Unknown ones are ignored.
    pub features: u32,
    /// Name and version of the program, for error messages.
    pub build: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    Speak(u16),
    /// Only the frozen core is common to both sides; the peer is older.
    TheyAreOlder,
    /// Only the frozen core is common to both sides; the peer is newer.
    TheyAreNewer,
}

/// Why the first bytes are not a hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HelloError {
    /// The peer speaks another protocol.
    #[error("the peer does not speak shellkeep's protocol")]
    BadMagic,
    /// The build text is not UTF-8.
    #[error("the peer's hello carries a build text that is not UTF-8")]
    BadText,
}

impl Hello {
    #[must_use]
    pub fn ours() -> Self {
        Self {
            version: VERSION,
            oldest: OLDEST,
            features: 0,
            build: BUILD.to_owned(),
        }
    }

    /// The bytes to send. A build text of more than 255 bytes is cut at a character boundary.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut cut = self.build.len().min(255);
        while !self.build.is_char_boundary(cut) {
            cut -= 1;
        }
        let mut out = Vec::with_capacity(FIXED + cut);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&self.oldest.to_le_bytes());
        out.extend_from_slice(&self.features.to_le_bytes());
        out.push(u8::try_from(cut).unwrap_or(u8::MAX));
        out.extend_from_slice(&self.build.as_bytes()[..cut]);
        out
    }

    /// Reads a hello at the start of `bytes`: the hello and its length, or `None` while more bytes are needed. Wrong
    /// magic is reported at the first byte that differs, so that garbage is refused without waiting for the rest.
    ///
    /// # Errors
    /// When the bytes cannot become a hello.
    pub fn decode(bytes: &[u8]) -> Result<Option<(Self, usize)>, HelloError> {
        let seen = bytes.len().min(MAGIC.len());
        if bytes[..seen] != MAGIC[..seen] {
            return Err(HelloError::BadMagic);
        }
        let Some(fixed) = bytes.first_chunk::<FIXED>() else {
            return Ok(None);
        };
        let end = FIXED + usize::from(fixed[16]);
        let Some(text) = bytes.get(FIXED..end) else {
            return Ok(None);
        };
        let build = std::str::from_utf8(text).map_err(|_| HelloError::BadText)?;
        let hello = Self {
            version: u16::from_le_bytes([fixed[8], fixed[9]]),
            oldest: u16::from_le_bytes([fixed[10], fixed[11]]),
            features: u32::from_le_bytes([fixed[12], fixed[13], fixed[14], fixed[15]]),
            build: build.to_owned(),
        };
        Ok(Some((hello, end)))
    }

    /// What this side and `theirs` have in common.
    #[must_use]
    pub fn agree(&self, theirs: &Self) -> Agreement {
        let common = self.version.min(theirs.version);
        if common >= self.oldest.max(theirs.oldest) {
            Agreement::Speak(common)
        } else if theirs.version < self.version {
            Agreement::TheyAreOlder
        } else {
            Agreement::TheyAreNewer
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(version: u16, oldest: u16) -> Hello {
        Hello {
            version,
            oldest,
            features: 0,
            build: "shellkeep 9.9.9".into(),
        }
    }

    #[test]
    fn hello_bytes_are_frozen() {
        let golden = b"SHELLKP\n\x02\x01\x01\x00\x04\x00\x00\x00\x0fshellkeep 9.9.9";
        let hello = Hello {
            version: 0x0102,
            oldest: 1,
            features: 4,
            ..hello(0, 0)
        };
        assert_eq!(hello.encode(), golden);
        assert_eq!(Hello::decode(golden), Ok(Some((hello, golden.len()))));
    }

    #[test]
    fn hello_cut_anywhere_waits_for_more() {
        let bytes = hello(1, 1).encode();
        for cut in 0..bytes.len() {
            assert_eq!(Hello::decode(&bytes[..cut]), Ok(None), "cut at {cut}");
        }
    }

    #[test]
    fn hello_garbage_is_refused_at_its_first_byte() {
        assert_eq!(Hello::decode(b"G"), Err(HelloError::BadMagic));
        assert_eq!(Hello::decode(b"SHELLKP\r"), Err(HelloError::BadMagic));
    }

    #[test]
    fn hello_overlong_build_is_cut_at_a_character() {
        let long = Hello {
            build: "é".repeat(200),
            ..hello(1, 1)
        };
        let (back, _) = Hello::decode(&long.encode()).unwrap().unwrap();
        assert_eq!(back.build, "é".repeat(127));
    }

    #[test]
    fn versions_agree_on_the_highest_common_one() {
        assert_eq!(hello(3, 2).agree(&hello(5, 3)), Agreement::Speak(3));
        assert_eq!(hello(5, 3).agree(&hello(3, 2)), Agreement::Speak(3));
        assert_eq!(hello(5, 4).agree(&hello(3, 1)), Agreement::TheyAreOlder);
        assert_eq!(hello(3, 1).agree(&hello(5, 4)), Agreement::TheyAreNewer);
    }
}
