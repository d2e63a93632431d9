//! Keys that only insert themselves. What the user typed while a shell was starting is echoed as far as it is such keys, before the
//! shell reads what its prompt could do without.

/// Characters that only insert themselves in a shell that is about to come back.
#[derive(Debug, Default)]
pub(crate) struct PlainKeys(Vec<u8>);

impl FromIterator<u8> for PlainKeys {
    fn from_iter<T: IntoIterator<Item = u8>>(bytes: T) -> Self {
        Self(bytes.into_iter().collect())
    }
}

impl PlainKeys {
    /// How many of the typed bytes, from the first one on, only insert themselves.
    pub(crate) fn leading(&self, typed: &[u8]) -> usize {
        let plain = typed.iter().take_while(|byte| self.0.contains(byte));
        plain.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_before_anything_else_goes_first() {
        let plain: PlainKeys = b"abc".iter().copied().collect();
        assert_eq!(plain.leading(b"ab\x1bc"), 2);
        assert_eq!(plain.leading(b"xab"), 0);
        assert_eq!(PlainKeys::default().leading(b"a"), 0);
    }
}
