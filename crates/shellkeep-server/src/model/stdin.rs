//! A client's standard input, as a command reads it.

use shellkeep_shell::user_file;

/// What has come of it, and what becomes of it.
pub(crate) struct Stdin {
    bytes: Vec<u8>,
    limit: u64,
}

impl Stdin {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            bytes: Vec::new(),
            limit,
        }
    }

    /// Some more has come.
    ///
    /// # Errors
    /// One sentence, if it is too much.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        if (self.bytes.len() + bytes.len()) as u64 > self.limit {
            return Err(format!("-: {}", user_file::too_large(self.limit)));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// All of it has come.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
