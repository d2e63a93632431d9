//! Base64, as OSC 52 carries it.

/// Decodes standard base64, padded or not; `None` if it is something else.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut have) = (0u32, 0u32);
    let end = text
        .iter()
        .rposition(|&byte| byte != b'=')
        .map_or(0, |at| at + 1);
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
    use super::decode;

    #[test]
    fn base64_is_decoded_padded_or_not() {
        for (text, bytes) in [
            ("", ""),
            ("QQ==", "A"),
            ("QUI=", "AB"),
            ("QUJD", "ABC"),
            ("QUI", "AB"),
        ] {
            assert_eq!(
                decode(text.as_bytes()).as_deref(),
                Some(bytes.as_bytes()),
                "{text}"
            );
        }
        assert_eq!(decode(b"a b"), None);
        assert_eq!(decode(b"?"), None);
    }
}
