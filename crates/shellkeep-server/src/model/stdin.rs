//! A client's standard input, as a command reads it.

use shellkeep_shell::user_file;

/// The bytes read so far, and how many more are allowed.
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

    /// Adds bytes.
    ///
    /// # Errors
    /// One sentence, if there are more than the limit.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        if (self.bytes.len() + bytes.len()) as u64 > self.limit {
            return Err(format!("-: {}", user_file::too_large(self.limit)));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// The whole input.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
