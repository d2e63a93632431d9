//! Finds the ends of the parts of a format.

/// The position of the first of `ends` outside any `#{…}`. A `#` before one of `,#{}:` escapes it.
pub(super) fn skip(text: &str, ends: &[u8]) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0isize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'#' {
            match bytes.get(at + 1) {
                Some(b'{') => {
                    depth += 1;
                    at += 2;
                    continue;
                }
                Some(b',' | b'#' | b'}' | b':') => {
                    at += 2;
                    continue;
                }
                _ => {}
            }
        } else if byte == b'}' {
            depth -= 1;
        }
        if depth == 0 && ends.contains(&byte) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The two sides of the first comma that is not inside another format.
pub(super) fn split_pair(text: &str) -> Option<(&str, &str)> {
    let comma = skip(text, b",")?;
    Some((&text[..comma], &text[comma + 1..]))
}

/// The position of the `)` that closes a `#(`, whose content this text begins with.
pub(super) fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 1u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Removes the `#` before `,#{}:` outside `#{…}`, so that a time format is left.
pub(super) fn strip_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0isize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '#' {
            let next = chars.peek();
            if next == Some(&'{') {
                depth += 1;
            }
            if matches!(next, Some(',' | '#' | '{' | '}' | ':')) {
                if depth != 0 {
                    out.push(c);
                }
                continue;
            }
        }
        if c == '}' {
            depth -= 1;
        }
        out.push(c);
    }
    out
}
