//! Words for a shell's command line: quoted so that the shell reads the same words, in one line and without
//! a character that a line editor would take for a key.

/// A family of shells with the same quoting rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// bash and shells that quote like it.
    Bash,
    /// zsh.
    Zsh,
    /// fish.
    Fish,
    /// Any other shell: POSIX quoting only.
    Posix,
}

impl Shell {
    /// The family by a shell's path or name.
    #[must_use]
    pub fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.trim_start_matches('-') {
            "bash" | "ksh" | "ksh93" | "mksh" => Self::Bash,
            "zsh" => Self::Zsh,
            "fish" => Self::Fish,
            _ => Self::Posix,
        }
    }

    /// A word, quoted if it has to be.
    #[must_use]
    pub fn quote(self, word: &str) -> String {
        if is_plain(word) {
            return word.to_owned();
        }
        match self {
            Self::Fish => quote_fish(word),
            Self::Posix => quote_single(word),
            Self::Bash | Self::Zsh => {
                // History is expanded before anything is read, and older line editors lose count of
                // quotes that are closed and opened again; a number is never an exclamation mark.
                let is_odd = word.contains('!') && word.contains('\'');
                if is_odd || word.contains(char::is_control) {
                    quote_with_numbers(word)
                } else {
                    quote_single(word)
                }
            }
        }
    }

    /// Words as a command line.
    #[must_use]
    pub fn join(self, words: &[String]) -> String {
        let each = words.iter().enumerate().map(|(at, word)| match at {
            // Bare it would be an assignment, and the next word the command.
            0 if is_plain(word) && word.contains('=') => quote_single(word),
            _ => self.quote(word),
        });
        each.collect::<Vec<_>>().join(" ")
    }
}

/// Whether every shell reads the text as one plain word.
fn is_plain(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:,@+-=".contains(c);
    !word.is_empty() && !word.starts_with('=') && word.chars().all(plain)
}

/// `it's` as `'it'\''s'`.
fn quote_single(word: &str) -> String {
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::with_capacity(word.len() + 2);
    let mut parts = word.split('\'').peekable();
    while let Some(part) = parts.next() {
        if !part.is_empty() {
            out.push('\'');
            out.push_str(part);
            out.push('\'');
        }
        if parts.peek().is_some() {
            out.push_str("\\'");
        }
    }
    out
}

/// `$'…'`, with everything that is special anywhere as a number.
fn quote_with_numbers(word: &str) -> String {
    let mut out = String::from("$'");
    for c in word.chars() {
        if c.is_control() || matches!(c, '\'' | '\\' | '!') {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(&format!("\\{byte:03o}"));
            }
        } else {
            out.push(c);
        }
    }
    out.push('\'');
    out
}

/// fish knows two escapes between single quotes, and numbers only outside of them.
fn quote_fish(word: &str) -> String {
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::with_capacity(word.len() + 2);
    let mut is_open = false;
    for c in word.chars() {
        if c.is_control() {
            if is_open {
                out.push('\'');
                is_open = false;
            }
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
            continue;
        }
        if !is_open {
            out.push('\'');
            is_open = true;
        }
        if matches!(c, '\'' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    if is_open {
        out.push('\'');
    }
    out
}

#[cfg(test)]
mod tests;
