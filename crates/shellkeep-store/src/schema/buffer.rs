//! The content of a paste buffer's file inside its seal: the length of the head (`u32`), the head as JSON, the data.

use serde::{Deserialize, Serialize};

use super::header::{Fields, FormatError};

/// What is stored of a buffer besides its data.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct BufferHead {
    pub(crate) name: String,
    /// Seconds since 1970.
    pub(crate) created: u64,
    /// The server has chosen its name.
    pub(crate) automatic: bool,
    /// Greater than that of every buffer that was changed earlier.
    pub(crate) order: u64,
    /// The label of the server that it belongs to.
    pub(crate) label: String,
    /// The server that owns it, or owned it last.
    pub(crate) owner: String,
}

pub(crate) fn encode(head: &BufferHead, data: &[u8]) -> Vec<u8> {
    let head = serde_json::to_vec(head).unwrap_or_default();
    let mut plain = Vec::with_capacity(4 + head.len() + data.len());
    plain.extend_from_slice(&(head.len() as u32).to_le_bytes());
    plain.extend_from_slice(&head);
    plain.extend_from_slice(data);
    plain
}

pub(crate) fn decode(plain: &[u8]) -> Result<(BufferHead, Vec<u8>), FormatError> {
    let mut fields = Fields(plain);
    let length = fields.u32()? as usize;
    let head = fields.take(length)?;
    let head = serde_json::from_slice(head).map_err(|_| FormatError::Value("head"))?;
    Ok((head, fields.0.to_vec()))
}
