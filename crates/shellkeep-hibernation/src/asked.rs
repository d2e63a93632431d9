//! Commands that only start a shell: `zsh -l`, `exec bash`, `${SHELL}`. That shell counts as the pane's shell, not as a
//! program that the pane runs, so the pane can sleep like one with the default shell.

/// A shell that a command names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its name or path, as given.
    pub program: String,
    /// Whether it is started as a login shell.
    pub is_login: bool,
}

/// The shell that a command line starts, if it does nothing else. `usual` is the value of `$SHELL`.
#[must_use]
pub fn shell_of_line(line: &str, usual: &str) -> Option<Asked> {
    let words: Option<Vec<String>> = line
        .split([' ', '\t'])
        .filter(|word| !word.is_empty())
        .map(|word| plain_word(word, usual))
        .collect();
    let words = words?;
    match words.split_first() {
        Some((exec, rest)) if exec == "exec" => shell_of_words(rest),
        _ => shell_of_words(&words),
    }
}

/// The shell that the words of a command start, if they ask for nothing but a login shell. `-i` is accepted: in a
/// terminal a shell is interactive anyway.
#[must_use]
pub fn shell_of_words(words: &[String]) -> Option<Asked> {
    let (program, flags) = words.split_first()?;
    // A relative path depends on the directory of the shell.
    let is_named = !program.contains('/') || program.starts_with('/');
    let name = program.rsplit('/').next().unwrap_or_default();
    if !is_named || !matches!(name, "bash" | "zsh" | "fish") {
        return None;
    }
    let mut is_login = false;
    for flag in flags {
        is_login |= says_login(flag)?;
    }
    Some(Asked {
        program: program.clone(),
        is_login,
    })
}

/// Whether a flag makes a shell a login shell; `None` if it makes it anything else.
fn says_login(flag: &str) -> Option<bool> {
    if flag == "--login" {
        return Some(true);
    }
    let letters = flag.strip_prefix('-').filter(|it| !it.is_empty())?;
    let is_known = letters.chars().all(|letter| matches!(letter, 'l' | 'i'));
    is_known.then(|| letters.contains('l'))
}

/// A plain word, or `$SHELL`.
fn plain_word(word: &str, usual: &str) -> Option<String> {
    let inner = word.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let inner = inner.unwrap_or(word);
    if matches!(inner, "$SHELL" | "${SHELL}") {
        // Unquoted, the value would be split into words.
        let is_one = inner != word || !usual.contains(char::is_whitespace);
        return is_one.then(|| usual.to_owned());
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./+-".contains(c);
    let is_word = !inner.is_empty() && inner.chars().all(is_plain);
    is_word.then(|| inner.to_owned())
}

#[cfg(test)]
mod tests;
