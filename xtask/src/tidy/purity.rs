//! Pure crates convert bytes to values: they use no file, socket, clock, thread, environment or runtime, and depend on
//! no crate that does.

use anyhow::Result;

use super::findings::Findings;
use super::source::{Source, bare_code, words};
use crate::cargo::{cargo, output_of, workspace_root};

/// The crates without files, sockets, clock, threads, environment or runtime.
const PURE_CRATES: &[&str] = &[
    "shellkeep-core",
    "shellkeep-term",
    "shellkeep-render",
    "shellkeep-command",
    "shellkeep-copy",
    "shellkeep-proto",
    "shellkeep-search",
    "shellkeep-hibernation",
];

/// Modules of the standard library that are not pure.
const OUTSIDE_MODULES: &[&str] = &["env", "fs", "net", "process", "thread"];

/// Names that are not pure in any module.
const OUTSIDE_NAMES: &[&str] = &["Instant", "SystemTime", "tokio"];

/// Crates that are not pure.
const OUTSIDE_CRATES: &[&str] = &[
    "async-io",
    "async-std",
    "mio",
    "nix",
    "polling",
    "portable-pty",
    "rusqlite",
    "rustix",
    "smol",
    "tokio",
];

pub(super) fn check_sources(sources: &[Source], findings: &mut Findings) {
    for source in sources {
        let pure = PURE_CRATES
            .iter()
            .any(|name| source.path.starts_with(&format!("crates/{name}/src/")));
        if !pure || source.is_test_file() {
            continue;
        }
        let (code, _) = source.split_tests();
        for (line, name) in names_of_the_outside(&bare_code(&code.join("\n"))) {
            findings.faults.push(format!(
                "{}:{line}: names {name} in a pure crate",
                source.path
            ));
        }
    }
}

/// The impure names in `code`, with line numbers.
fn names_of_the_outside(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let banned = words(line)
            .filter(|word| OUTSIDE_NAMES.contains(word))
            .map(String::from);
        found.extend(banned.map(|name| (index + 1, name)));
    }
    for (at, _) in code.match_indices("std::") {
        let line = code[..at].matches('\n').count() + 1;
        let named = first_segments(&code[at + "std::".len()..]);
        let banned = named
            .into_iter()
            .filter(|name| OUTSIDE_MODULES.contains(name));
        found.extend(banned.map(|name| (line, format!("std::{name}"))));
    }
    found.sort();
    found
}

/// The modules named after `std::`: one, or all in the braces of an import.
fn first_segments(path: &str) -> Vec<&str> {
    let Some(group) = path.strip_prefix('{') else {
        return words(path).take(1).collect();
    };
    let mut depth = 0;
    let mut begin = 0;
    let mut items = Vec::new();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[begin..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    items
        .into_iter()
        .filter_map(|item| words(item).next())
        .collect()
}

pub(super) fn check_dependencies(findings: &mut Findings) -> Result<()> {
    let there = |name: &&&str| {
        workspace_root()
            .join("crates")
            .join(name)
            .join("Cargo.toml")
            .exists()
    };
    for name in PURE_CRATES.iter().filter(there) {
        let tree = [
            "tree",
            "--package",
            name,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ];
        let tree = output_of(cargo().args(tree))?;
        let needs = |unwanted: &&&str| {
            tree.lines()
                .any(|line| line.split(' ').next() == Some(unwanted))
        };
        for unwanted in OUTSIDE_CRATES.iter().filter(needs) {
            findings.faults.push(format!(
                "{name} is pure and depends on {unwanted}; see `cargo tree -p {name} -e normal -i {unwanted}`"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outside_is_seen_however_it_is_named() {
        let check = |code: &str, expected: &[(usize, &str)]| {
            let found = names_of_the_outside(code);
            let found: Vec<_> = found
                .iter()
                .map(|(line, name)| (*line, name.as_str()))
                .collect();
            assert_eq!(found, expected, "{code}");
        };
        check("use std::fmt;\nuse std::fs::File;", &[(2, "std::fs")]);
        check(
            "use std::{collections::{BTreeMap, env}, env, io};",
            &[(1, "std::env")],
        );
        check("let t = Instant::now();", &[(1, "Instant")]);
        check("let instant = environment::fs();", &[]);
        check(
            "use std::{fmt,\n    thread};\nasync fn f() { tokio::spawn(g()) }",
            &[(1, "std::thread"), (3, "tokio")],
        );
        check("env!(x)", &[]);
    }

    #[test]
    fn tests_and_other_crates_may_name_it() {
        let source = |path: &str, text: &str| Source {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source(
                "crates/shellkeep-term/src/a.rs",
                "// std::fs\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n",
            ),
            source("crates/shellkeep-term/tests/rec.rs", "use std::fs;"),
            source("crates/shellkeep-server/src/a.rs", "use std::fs;"),
            source("crates/shellkeep-core/src/a.rs", "use std::net;"),
        ];
        let mut findings = Findings::default();
        check_sources(&sources, &mut findings);
        assert_eq!(
            findings.faults,
            ["crates/shellkeep-core/src/a.rs:1: names std::net in a pure crate"]
        );
    }
}
