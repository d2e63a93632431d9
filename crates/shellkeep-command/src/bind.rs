//! The default key bindings, in the command language itself.

/// What each key does after the prefix: key, command text.
pub static DEFAULT_PREFIX_TABLE: &[(&str, &str)] = &[
    ("C-b", "send-prefix"),
    ("C-z", "suspend-client"),
    ("d", "detach-client"),
    ("r", "refresh-client"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_bindings_parse() {
        for (key, text) in DEFAULT_PREFIX_TABLE {
            assert!(key.parse::<shellkeep_core::key::Key>().is_ok(), "{key}");
            for line in crate::lex::lex(text) {
                for argv in line.commands.unwrap() {
                    crate::parse(&argv).unwrap();
                }
            }
        }
    }
}
