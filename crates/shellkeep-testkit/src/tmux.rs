//! Helpers for comparisons with tmux.

/// Our error messages without the hints that follow tmux's text.
#[must_use]
pub fn without_hints(ours: &str, theirs: &str) -> String {
    let theirs = theirs.lines().chain(std::iter::repeat(""));
    let lines = ours.lines().zip(theirs).map(|(ours, theirs)| {
        let hint = ours.strip_prefix(theirs).unwrap_or_default();
        let is_hint =
            !theirs.is_empty() && hint.starts_with(" (") || hint.starts_with("; did you mean");
        let line = if is_hint { theirs } else { ours };
        format!("{line}\n")
    });
    lines.collect()
}

/// The words of a line; text between `'` is one word.
#[must_use]
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, piece) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}
