//! How zsh prints the declaration of a variable, and which of these declarations it cannot read again.

/// `typeset -g -aU list=( a b )`, `export -i16 number=255`.
pub(super) struct Declaration<'a> {
    begin: &'a [u8],
    flags: Vec<Vec<u8>>,
    /// The name and the value.
    rest: &'a [u8],
}

impl<'a> Declaration<'a> {
    pub(super) fn of(whole: &'a [u8]) -> Self {
        let (begin, mut rest) = cut(whole);
        let mut flags = Vec::new();
        while rest.starts_with(b"-") {
            let (flag, after) = cut(rest);
            flags.push(flag.to_vec());
            rest = after;
        }
        Self { begin, flags, rest }
    }

    fn has(&self, letter: u8) -> bool {
        self.flags.iter().any(|flag| flag.contains(&letter))
    }

    /// Removes the read-only attribute, because zsh assigns no value to tied variables that are declared with it.
    /// Returns the name of the variable to make read-only when all are declared.
    pub(super) fn thaw(&mut self) -> Option<&'a [u8]> {
        if !self.has(b'r') {
            return None;
        }
        self.drop_letter(b'r');
        // `-aT NAME list=( ... )` declares the array of the pair, and `-T NAME list=( ... )` the scalar.
        match self.has(b'a') {
            true => self.names().last().copied(),
            false => self.names().first().copied(),
        }
    }

    /// The variable, or both variables of a tied pair.
    pub(super) fn names(&self) -> Vec<&'a [u8]> {
        let count = if self.has(b'T') { 2 } else { 1 };
        let words = self.rest.split(|byte| b" =".contains(byte));
        words.take(count).collect()
    }

    /// Sets the number of digits, and the exact value: zsh prints a rounded value, and not to how many digits.
    pub(super) fn set_float(&mut self, digits: &[u8], value: &'a [u8]) {
        let Some(kind) = [b'E', b'F'].into_iter().find(|kind| self.has(*kind)) else {
            return;
        };
        self.drop_letter(kind);
        self.flags.push([&[b'-', kind], digits].concat());
        self.rest = value;
    }

    fn drop_letter(&mut self, letter: u8) {
        for flag in &mut self.flags {
            flag.retain(|byte| *byte != letter);
        }
        self.flags.retain(|flag| flag.len() > 1);
    }

    /// The declaration with `-g`: the pieces may be read inside a function, where a plain `typeset` would be local.
    pub(super) fn text(&self) -> Vec<u8> {
        let is_global = self.begin != b"typeset" || self.flags.iter().any(|flag| flag == b"-g");
        let global = (!is_global).then_some(&b"-g"[..]);
        let flags = self.flags.iter().map(Vec::as_slice);
        let words = [self.begin].into_iter().chain(global).chain(flags);
        words.chain([self.rest]).collect::<Vec<_>>().join(&b' ')
    }
}

/// The first word, and the text after it.
fn cut(text: &[u8]) -> (&[u8], &[u8]) {
    let at = text.iter().position(|byte| *byte == b' ');
    match at {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(declaration: &Declaration<'_>) -> String {
        String::from_utf8(declaration.text()).unwrap()
    }

    #[test]
    fn declaration_is_a_global_one() {
        for (whole, expected) in [
            ("typeset x='a -g b'", "typeset -g x='a -g b'"),
            ("typeset -g -aU x=( a )", "typeset -g -aU x=( a )"),
            ("export -i16 x=255", "export -i16 x=255"),
            ("typeset -A x", "typeset -g -A x"),
        ] {
            assert_eq!(text(&Declaration::of(whole.as_bytes())), expected);
        }
    }

    #[test]
    fn thawed_declaration_returns_the_read_only_name() {
        for (whole, name, expected) in [
            ("typeset -g -r x=r", Some("x"), "typeset -g x=r"),
            ("export -ir x=5", Some("x"), "export -i x=5"),
            (
                "typeset -rT X x=( a )",
                Some("X"),
                "typeset -g -T X x=( a )",
            ),
            (
                "typeset -arT X x=( a )",
                Some("x"),
                "typeset -g -aT X x=( a )",
            ),
            ("typeset -R5 x=-r", None, "typeset -g -R5 x=-r"),
        ] {
            let mut declaration = Declaration::of(whole.as_bytes());
            assert_eq!(declaration.thaw(), name.map(str::as_bytes), "{whole}");
            assert_eq!(text(&declaration), expected);
        }
    }

    #[test]
    fn float_gets_its_digits_and_its_value() {
        for (whole, expected) in [
            ("typeset -F x=1.235", "typeset -g -F3 x=1.23456"),
            ("typeset -g -Fr x=1.235", "typeset -g -r -F3 x=1.23456"),
            ("export -E x=1.23e+00", "export -E3 x=1.23456"),
            ("typeset -i x=1", "typeset -g -i x=1"),
        ] {
            let mut declaration = Declaration::of(whole.as_bytes());
            declaration.set_float(b"3", b"x=1.23456");
            assert_eq!(text(&declaration), expected);
        }
    }
}
