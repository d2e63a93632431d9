//! The table of commands against what else there is of each: a page of the manual, and a test.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::path::{Path, PathBuf};

use shellkeep_command::TABLE;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every test's source: files in folders called `tests`, and files called so.
fn test_sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.components().any(|part| {
            let part = Path::new(part.as_os_str());
            part.file_stem().is_some_and(|stem| stem == "tests")
        });
        if path.is_dir() {
            test_sources(&path, found);
        } else if is_test && path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Whether some text runs a command: its name begins a string, a line or what follows a semicolon or a brace.
fn runs(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].trim_end_matches(' ').chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        let begins = matches!(before, Some('"' | ';' | '{' | '\n' | '\''));
        begins && matches!(behind, Some(' ' | '"' | '\n' | '\\' | '\''))
    })
}

#[test]
fn every_command_is_run_by_a_test() {
    let mut files = Vec::new();
    for dir in ["tests", "crates"] {
        test_sources(&root().join(dir), &mut files);
    }
    let texts: Vec<String> = files
        .iter()
        .filter(|path| !path.ends_with("tests/table.rs"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let is_tested = |name: &str| texts.iter().any(|text| runs(text, name));
    assert!(!is_tested("no-such-command-anywhere"));
    let untested: Vec<&str> = TABLE
        .iter()
        .filter(|spec| {
            let mut names = std::iter::once(&spec.name).chain(spec.aliases);
            !names.any(|name| is_tested(name))
        })
        .map(|spec| spec.name)
        .collect();
    assert_eq!(untested, [""; 0], "no test runs these");
}

#[test]
fn every_command_has_a_page_of_the_manual_that_says_how_it_is_used() {
    let main = std::fs::read_to_string(root().join("man/shellkeep.1")).unwrap();
    for spec in TABLE {
        let page = root().join(format!("man/shellkeep-{}.1", spec.name));
        let page = std::fs::read_to_string(&page).unwrap_or_default();
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"] {
            assert!(page.contains(section), "{}: no {section}", spec.name);
        }
        let name = spec.name.replace('-', "\\-");
        assert!(main.contains(&name), "{}: not in the main page", spec.name);
    }
}
