//! The half-typed line of a shell.

/// A line that was typed but not entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What was typed.
    pub text: Vec<u8>,
    /// The position of the cursor, in the units of its shell.
    pub point: usize,
}

impl Line {
    /// Parses the position of the cursor, a newline, and the text.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let point = std::str::from_utf8(&bytes[..end])
            .ok()?
            .trim()
            .parse()
            .ok()?;
        Some(Self {
            text: bytes[end + 1..].to_vec(),
            point,
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = format!("{}\n", self.point).into_bytes();
        bytes.extend_from_slice(&self.text);
        bytes
    }
}
