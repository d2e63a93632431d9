//! Rust files for the rules: with tests separated from other code, and without comments and strings.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

pub(super) struct Source {
    /// Relative to the root of the workspace, with `/` as separator.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// Whether the whole file is a test.
    pub(super) fn is_test_file(&self) -> bool {
        let mut parts = self.path.rsplit('/');
        let file = parts.next().unwrap_or_default();
        file == "tests.rs" || parts.any(|folder| folder == "tests")
    }

    /// The file with its tests blanked, and with everything else blanked. Line numbers do not change.
    pub(super) fn split_tests(&self) -> (Vec<&str>, Vec<&str>) {
        let keep = |wanted: bool| {
            let lines = self.lines().into_iter();
            lines
                .map(|(is_test, line)| if is_test == wanted { line } else { "" })
                .collect()
        };
        (keep(false), keep(true))
    }

    /// The number of lines outside tests.
    pub(super) fn lines_of_code(&self) -> usize {
        self.lines().iter().filter(|(is_test, _)| !is_test).count()
    }

    /// The lines, and whether each belongs to a test.
    fn lines(&self) -> Vec<(bool, &str)> {
        let whole = self.is_test_file();
        let mut inside = whole;
        let mut flagged = Vec::new();
        let mut lines = self.text.lines().peekable();
        while let Some(line) = lines.next() {
            // rustfmt puts the braces of a module where its attributes are: in the first column.
            let guarded = line == "#[cfg(test)]" || line.starts_with("#[cfg(all(test");
            let module = |next: &&str| next.starts_with("mod ") && next.ends_with('{');
            inside |= guarded && lines.peek().is_some_and(module);
            flagged.push((inside, line));
            inside &= whole || line != "}";
        }
        flagged
    }
}

/// All Rust files that git tracks or would add.
pub(super) fn rust_files(root: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in tracked_files(root)?
        .into_iter()
        .filter(|path| path.ends_with(".rs"))
    {
        let file = root.join(&path);
        // A file may be deleted in the work tree and still be in the index.
        if file.exists() {
            let text =
                std::fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}

/// The paths of all files that git tracks or would add.
pub(super) fn tracked_files(root: &Path) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root)
        .args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let mut paths: Vec<String> = crate::cargo::output_of(&mut git)?
        .lines()
        .map(String::from)
        .collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// `text` with comments, strings and characters blanked. Everything else keeps its position.
pub(super) fn bare_code(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped_length(rest, bare.chars().next_back());
        let (taken, left) = rest.split_at(length.unwrap_or(first.len_utf8()));
        match length {
            // Newlines stay, to preserve line numbers.
            Some(_) => bare.extend(taken.chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
            None => bare.push(first),
        }
        rest = left;
    }
    bare
}

/// The length of the comment, string or character at the start of `rest`; `None` if there is none.
fn skipped_length(rest: &str, before: Option<char>) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_length(rest));
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !in_word && let Some(length) = raw_string_length(rest) {
        return Some(length);
    }
    if rest.starts_with('"') {
        return Some(quoted_length(rest, '"'));
    }
    // 'a' is a character, 'a alone a lifetime.
    let mut chars = rest.strip_prefix('\'')?.chars();
    match (chars.next()?, chars.next()) {
        ('\\', _) | (_, Some('\'')) => Some(quoted_length(rest, '\'')),
        _ => None,
    }
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        match (here.starts_with(b"/*"), here.starts_with(b"*/")) {
            (true, _) => (depth, at) = (depth + 1, at + 2),
            (_, true) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    // Never inside a character: the loop ends after an ASCII one or at the end.
    at
}

fn raw_string_length(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let body_length = body.find(&close).map_or(body.len(), |at| at + close.len());
    Some(rest.len() - body.len() + body_length)
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The words (identifiers and numbers) of one line of bare code.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_are_blanked() {
        let check = |text: &str, bare: &str| assert_eq!(bare_code(text), bare);
        check("a // tokio\nb", "a         \nb");
        check("a /* x /* y */\n z */ b", "a             \n      b");
        check(r#"f("to\"kio", 'x', '\'')"#, "f(         ,    ,     )");
        check(r##"f(r#"a "b" c"#)"##, "f(            )");
        check("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)");
        check("/* never closed é", "                 ");
        check("bar\"s\"", "bar   ");
    }

    #[test]
    fn tests_are_told_from_code() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n";
        let source = Source {
            path: "src/a.rs".into(),
            text: text.into(),
        };
        let (code, tests) = source.split_tests();
        assert_eq!(code, ["fn a() {}", "", "", "", "", "fn c() {}"]);
        assert_eq!(
            tests,
            ["", "#[cfg(test)]", "mod tests {", "    fn b() {}", "}", ""]
        );
    }

    #[test]
    fn a_test_module_in_a_file_of_its_own_is_code_until_the_next_line() {
        let text = "#[cfg(test)]\nmod tests;\nfn a() {}\n";
        let source = Source {
            path: "src/a.rs".into(),
            text: text.into(),
        };
        assert_eq!(
            source.split_tests().0,
            ["#[cfg(test)]", "mod tests;", "fn a() {}"]
        );
        for (path, is_test) in [
            ("tests/it/main.rs", true),
            ("src/lex/tests.rs", true),
            ("src/test.rs", false),
        ] {
            assert_eq!(
                Source {
                    path: path.into(),
                    text: String::new()
                }
                .is_test_file(),
                is_test,
                "{path}"
            );
        }
    }
}
