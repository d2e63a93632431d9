//! Keys that only insert themselves. Input that was typed while a shell was starting is sent as far as it consists of
//! such keys, so that it is echoed before the shell reads the rest of its state.

/// The characters that only insert themselves in a shell that is being revived.
#[derive(Debug, Default)]
pub(crate) struct PlainKeys(Vec<u8>);

impl FromIterator<u8> for PlainKeys {
    fn from_iter<T: IntoIterator<Item = u8>>(bytes: T) -> Self {
        Self(bytes.into_iter().collect())
    }
}

impl PlainKeys {
    /// How many of the typed bytes, from the start, only insert themselves.
    pub(crate) fn leading(&self, typed: &[u8]) -> usize {
        let plain = typed.iter().take_while(|byte| self.0.contains(byte));
        plain.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_leading_plain_keys_are_counted() {
        let plain: PlainKeys = b"abc".iter().copied().collect();
        assert_eq!(plain.leading(b"ab\x1bc"), 2);
        assert_eq!(plain.leading(b"xab"), 0);
        assert_eq!(PlainKeys::default().leading(b"a"), 0);
    }
}
