//! Base64 as used in OSC 52.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Programs omit the padding, or leave bits in the last letter, in many ways.
const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::RequireNone);

const ENGINE: GeneralPurpose = GeneralPurpose::new(&STANDARD, CONFIG);

#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    ENGINE.encode(bytes)
}

/// Decodes text with or without padding, also in the URL-safe alphabet; `None` if it is something else.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|&byte| byte != b'=');
    let end = end.map_or(0, |at| at + 1);
    if text.len() - end > 2 {
        return None;
    }
    let letters = text[..end].iter().map(|&byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    });
    ENGINE.decode(letters.collect::<Vec<u8>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_any_length_is_padded_and_read_back() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(encode(plain.as_bytes()), encoded);
            let bare = encoded.trim_end_matches('=');
            for text in [encoded, bare] {
                assert_eq!(decode(text.as_bytes()).as_deref(), Some(plain.as_bytes()));
            }
        }
    }

    #[test]
    fn letters_of_addresses_loose_padding_and_trailing_bits_are_read() {
        for (text, plain) in [
            ("-_-_", &b"\xfb\xff\xbf"[..]),
            ("+/-_", b"\xfb\xff\xbf"),
            ("Zg=", b"f"),
            ("Zm9v==", b"foo"),
            ("Zh==", b"f"),
            ("==", b""),
        ] {
            assert_eq!(decode(text.as_bytes()).as_deref(), Some(plain), "{text}");
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["a b", "?", "Zg===", "Zm9vY", "Z=g="] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
