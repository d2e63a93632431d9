//! Any bytes from a peer: the hello, then frames, split into two pieces anywhere.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shellkeep_proto::{FrameDecoder, FromClient, FromServer, Hello};

fuzz_target!(|input: (Vec<u8>, usize)| {
    let (bytes, cut) = input;
    let cut = cut.min(bytes.len());
    let whole = understand(&[&bytes]);
    let in_two = understand(&[&bytes[..cut], &bytes[cut..]]);
    assert_eq!(whole, in_two, "how the bytes arrive makes no difference");
});

/// Everything that was decoded, encoded again: a message that was read must be one that can be written.
fn understand(pieces: &[&[u8]]) -> Vec<String> {
    let mut heard = Vec::new();
    let mut decoder = FrameDecoder::default();
    let mut has_hello = false;
    for piece in pieces {
        decoder.feed(piece);
        if !has_hello {
            match Hello::decode(decoder.unread()) {
                Ok(Some((hello, length))) => {
                    assert_eq!(hello.encode(), decoder.unread()[..length]);
                    decoder.skip(length);
                    has_hello = true;
                }
                Ok(None) => continue,
                // It is not a hello, so read it as frames, which a hostile peer might send first.
                Err(_) => has_hello = true,
            }
        }
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => {
                    let client = FromClient::decode(frame.clone());
                    if let Ok(Some(message)) = &client {
                        let _ = message.encode(&mut Vec::new());
                    }
                    let server = FromServer::decode(frame);
                    if let Ok(Some(message)) = &server {
                        message.encode(&mut Vec::new());
                    }
                    heard.push(format!("{client:?} {server:?}"));
                }
                Ok(None) => break,
                Err(error) => {
                    heard.push(error.to_string());
                    return heard;
                }
            }
        }
    }
    heard
}
