//! The header of every binary file, and the errors of a file.
//!
//! Every file begins with the same 16 bytes: four of magic, the version, flags, and a checksum of those twelve. The
//! version is under this checksum so that one flipped bit is not mistaken for a file of a later version.

/// The length of the header.
pub(crate) const HEADER: usize = 16;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// It is another kind of file, or not ours.
    #[error("it is not the kind of file it should be")]
    Kind,
    /// It is not a regular file, but a pipe, directory or device.
    #[error("it is not a plain file")]
    NotPlain,
    /// It was written by a later version.
    #[error("it has format {found}, and {known} is the latest known")]
    Newer {
        /// The version in the file.
        found: u32,
        /// The latest version known.
        known: u32,
    },
    /// It ends too early.
    #[error("it ends in the middle")]
    Short,
    /// It is longer than such a file can be.
    #[error("it is too long")]
    TooLong,
    /// A checksum is wrong.
    #[error("its checksum is wrong")]
    Check,
    /// A value in it is impossible.
    #[error("it holds an impossible {0}")]
    Value(&'static str),
}

/// A checksum over several parts.
pub(crate) fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// Writes a header.
pub(crate) fn put_header(out: &mut Vec<u8>, magic: [u8; 4], version: u32, flags: u32) {
    let start = out.len();
    out.extend_from_slice(&magic);
    out.extend_from_slice(&version.to_le_bytes());
    out.extend_from_slice(&flags.to_le_bytes());
    let check = checksum(&[&out[start..]]);
    out.extend_from_slice(&check.to_le_bytes());
}

/// Checks the header, and returns its flags and the rest.
pub(crate) fn split_header(
    bytes: &[u8],
    magic: [u8; 4],
    known: u32,
) -> Result<(u32, &[u8]), FormatError> {
    let mut fields = Fields(bytes);
    let found_magic = fields.take(4)?;
    let version = fields.u32()?;
    let flags = fields.u32()?;
    let check = fields.u32()?;
    if found_magic != magic {
        return Err(FormatError::Kind);
    }
    if check != checksum(&[&bytes[..HEADER - 4]]) {
        return Err(FormatError::Check);
    }
    match version {
        0 => Err(FormatError::Value("version")),
        found if found > known => Err(FormatError::Newer { found, known }),
        _ => Ok((flags, fields.0)),
    }
}

/// Numbers, read one after another.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(FormatError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(FormatError::Short)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, FormatError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, FormatError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, FormatError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, FormatError> {
        self.array().map(u64::from_le_bytes)
    }
}
