//! Commands that are nothing but a shell: `zsh -l`, `exec bash`, `${SHELL}`. What they start is no program that a pane runs, but the
//! shell of the pane, and can sleep as one that nobody asked for by name.

/// A shell that somebody asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its name or path, as given.
    pub program: String,
    /// It is to be a login shell.
    pub is_login: bool,
}

/// The shell that a shell's command line asks for, if it does nothing else. `usual` is what `$SHELL` stands for.
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

/// The shell that a program's words ask for, if they say nothing but whether it is a login shell. That it talks to somebody need not be
/// said in a terminal.
#[must_use]
pub fn shell_of_words(words: &[String]) -> Option<Asked> {
    let (program, flags) = words.split_first()?;
    // Another path than a whole one would be seen from a directory that only the shell knows.
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

/// A word in which a shell sees nothing but a word, or `$SHELL`.
fn plain_word(word: &str, usual: &str) -> Option<String> {
    let inner = word.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let inner = inner.unwrap_or(word);
    if matches!(inner, "$SHELL" | "${SHELL}") {
        // Without quotes it would be taken apart.
        let is_one = inner != word || !usual.contains(char::is_whitespace);
        return is_one.then(|| usual.to_owned());
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./+-".contains(c);
    let is_word = !inner.is_empty() && inner.chars().all(is_plain);
    is_word.then(|| inner.to_owned())
}

#[cfg(test)]
mod tests;
