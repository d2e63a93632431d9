//! Frames: payload length (u32), message number (u16), payload. Little-endian. Knows no message.

/// The longest payload of a frame. Longer texts travel as several frames. The limit keeps a forged length from making
/// the receiver allocate.
pub const MAX_PAYLOAD: usize = 1 << 20;

const HEADER: usize = 6;

/// A received message, not decoded yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub number: u16,
    pub payload: Vec<u8>,
}

/// The peer breaks the framing; the connection cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {0} bytes exceeds the limit of {MAX_PAYLOAD}")]
pub struct FrameError(pub u32);

/// Appends a frame to `out`.
///
/// # Panics
/// When the payload exceeds [`MAX_PAYLOAD`]: senders split long texts, see
/// [`FromServer::stdout`](crate::FromServer).
pub fn encode_frame(number: u16, payload: &[u8], out: &mut Vec<u8>) {
    assert!(payload.len() <= MAX_PAYLOAD, "senders split long payloads");
    let length = u32::try_from(payload.len()).expect("MAX_PAYLOAD fits");
    out.reserve(HEADER + payload.len());
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&number.to_le_bytes());
    out.extend_from_slice(payload);
}

/// Cuts a byte stream into frames, however the bytes arrive.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    start: usize,
}

impl FrameDecoder {
    /// Adds bytes as they were read from the socket, in pieces of any length.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
            // One large frame must not keep its buffer for the rest of the connection.
            self.buffer.shrink_to(1 << 16);
        } else if self.start > 1 << 16 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, or `None` while more bytes are needed.
    ///
    /// # Errors
    /// When the announced length is above the cap.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameError> {
        let bytes = &self.buffer[self.start..];
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let announced = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
        let length = announced as usize;
        if length > MAX_PAYLOAD {
            return Err(FrameError(announced));
        }
        let Some(payload) = bytes.get(HEADER..HEADER + length) else {
            return Ok(None);
        };
        let frame = Frame {
            number: u16::from_le_bytes([header[4], header[5]]),
            payload: payload.to_vec(),
        };
        self.start += HEADER + length;
        Ok(Some(frame))
    }

    /// The bytes of an incomplete frame.
    #[must_use]
    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Drops bytes that were decoded as something else, such as the hello.
    pub fn skip(&mut self, count: usize) {
        self.start = (self.start + count).min(self.buffer.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frame_bytes_are_frozen() {
        let mut out = Vec::new();
        encode_frame(0x0201, b"hi", &mut out);
        assert_eq!(out, b"\x02\x00\x00\x00\x01\x02hi");
    }

    #[test]
    fn frame_of_giant_length_is_refused_before_its_body_comes() {
        let mut decoder = FrameDecoder::default();
        decoder.feed(&[0xff, 0xff, 0xff, 0xff, 1, 0]);
        assert_eq!(decoder.next_frame(), Err(FrameError(u32::MAX)));
    }

    proptest! {
        #[test]
        fn frames_cut_anywhere_come_out_whole(
            messages in prop::collection::vec((any::<u16>(), prop::collection::vec(any::<u8>(), 0..40)), 0..8),
            step in 1usize..30,
        ) {
            let mut bytes = Vec::new();
            for (number, payload) in &messages {
                encode_frame(*number, payload, &mut bytes);
            }
            let mut decoder = FrameDecoder::default();
            let mut got = Vec::new();
            for piece in bytes.chunks(step) {
                decoder.feed(piece);
                while let Some(frame) = decoder.next_frame().unwrap() {
                    got.push((frame.number, frame.payload));
                }
            }
            prop_assert_eq!(got, messages);
            prop_assert!(decoder.unread().is_empty());
        }
    }
}
