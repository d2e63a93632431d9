//! Base64, as OSC 52 carries it.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes, with padding.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            let is_padding = at > group.len();
            text.push(if is_padding { '=' } else { letter as char });
        }
    }
    text
}

/// Decodes, padded or not, also the letters that are safe in addresses; `None` if it is something else.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|&byte| byte != b'=');
    let end = end.map_or(0, |at| at + 1);
    if text.len() - end > 2 || end % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(end / 4 * 3 + 3);
    let (mut bits, mut have) = (0u32, 0u32);
    for &byte in &text[..end] {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have) as u8);
        }
    }
    Some(out)
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
    fn anything_else_is_none() {
        for text in ["a b", "?", "Zg===", "Zm9vY", "Z=g="] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }
}
