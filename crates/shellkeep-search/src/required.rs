//! Finds texts that every line matched by a regular expression must contain.

use regex_syntax::hir::{Hir, HirKind};

/// Deeper groups are not searched for texts. Patterns that a user types are hardly nested.
const MAX_DEPTH: usize = 50;

/// Texts that every matching line contains. An empty list is always correct.
pub(crate) fn texts(pattern: &Hir) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut run = Vec::new();
    collect(pattern, 0, &mut run, &mut found);
    end(&mut run, &mut found);
    found
}

/// `run` is the text directly before what comes next.
fn collect(hir: &Hir, depth: usize, run: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    if depth > MAX_DEPTH {
        return end(run, found);
    }
    match hir.kind() {
        HirKind::Literal(literal) => run.extend_from_slice(&literal.0),
        HirKind::Capture(capture) => collect(&capture.sub, depth + 1, run, found),
        HirKind::Concat(parts) => {
            for part in parts {
                collect(part, depth + 1, run, found);
            }
        }
        HirKind::Repetition(repetition) if repetition.min >= 1 => {
            // The repeated text is there, and what follows the last copy follows it; but what precedes the first copy
            // need not precede the last.
            collect(&repetition.sub, depth + 1, run, found);
            end(run, found);
        }
        // These match no characters.
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Class(_) | HirKind::Repetition(_) | HirKind::Alternation(_) => end(run, found),
    }
}

fn end(run: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    if !run.is_empty() {
        found.push(std::mem::take(run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, expected: &[&str]) {
        let found = texts(&regex_syntax::parse(pattern).unwrap());
        let found: Vec<String> = found
            .into_iter()
            .map(|text| String::from_utf8(text).unwrap())
            .collect();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn texts_are_those_that_must_be_there() {
        check("error", &["error"]);
        check(r"error: \d+ files", &["error: ", " files"]);
        check("^ab(cd)e$", &["abcde"]);
        check("ab(cd)?ef", &["ab", "ef"]);
        check("ab(cd)+ef", &["abcd", "ef"]);
        check("foo|bar", &[]);
        check("x(foo|bar)y", &["x", "y"]);
        check("(?i)foo", &[]);
        check("a.*b", &["a", "b"]);
        check("", &[]);
    }
}
