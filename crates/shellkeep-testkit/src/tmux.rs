//! What comparisons with tmux have in common.

/// Our errors without what they say behind tmux's own words: what to type instead.
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

/// The words of a line; what stands between `'` is one.
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
