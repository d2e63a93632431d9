//! Dependencies that are in a manifest and not used in code: each would be built and trusted without need.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::findings::Findings;
use super::source::{Source, bare_code, words};
use crate::cargo::{cargo, output_of, workspace_root};

pub(super) fn check(sources: &[Source], findings: &mut Findings) -> Result<()> {
    let root = workspace_root();
    let asked = ["metadata", "--no-deps", "--format-version", "1"];
    let metadata: Value = serde_json::from_str(&output_of(cargo().args(asked))?)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo names no packages")?;
    let mut named = BTreeSet::new();
    for package in packages {
        let manifest = package["manifest_path"].as_str().unwrap_or_default();
        let dir = Path::new(manifest).parent().unwrap_or(root);
        let dir = dir.strip_prefix(root).unwrap_or(dir).join("");
        let code = Code::of(sources, &dir.to_string_lossy());
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let name = dependency["name"].as_str().unwrap_or_default();
            named.insert(name);
            let word = dependency["rename"].as_str().unwrap_or(name);
            let (table, used) = match dependency["kind"].as_str() {
                Some("dev") => ("dev-dependencies", &code.anywhere),
                Some("build") => ("build-dependencies", &code.anywhere),
                _ => ("dependencies", &code.outside_tests),
            };
            if !used.contains(word.replace('-', "_").as_str()) {
                let fault = format!("{}Cargo.toml: {word} in [{table}] is unused", dir.display());
                findings.faults.push(fault);
            }
        }
    }
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))?;
    for name in offered(&manifest).filter(|name| !named.contains(name)) {
        let fault = format!("Cargo.toml: no crate asks for {name} of [workspace.dependencies]");
        findings.faults.push(fault);
    }
    Ok(())
}

/// The words in a crate's code.
struct Code {
    /// The words in the crate itself.
    outside_tests: BTreeSet<String>,
    /// The same with tests, benches, examples and the build script.
    anywhere: BTreeSet<String>,
}

impl Code {
    /// The crate in this directory, which ends with a slash unless it is the root.
    fn of(sources: &[Source], dir: &str) -> Self {
        let mut code = Self {
            outside_tests: BTreeSet::new(),
            anywhere: BTreeSet::new(),
        };
        for source in sources {
            let Some(path) = source.path.strip_prefix(dir) else {
                continue;
            };
            let top = path.split('/').next().unwrap_or_default();
            if !["src", "tests", "benches", "examples", "build.rs"].contains(&top) {
                continue;
            }
            let all = bare_code(&source.text);
            code.anywhere.extend(words(&all).map(str::to_owned));
            if top == "src" && !source.is_test_file() {
                let (lines, _) = source.split_tests();
                let bare = bare_code(&lines.join("\n"));
                code.outside_tests.extend(words(&bare).map(str::to_owned));
            }
        }
        code
    }
}

/// The dependencies that the workspace offers to its crates.
fn offered(manifest: &str) -> impl Iterator<Item = &str> {
    let lines = manifest.lines();
    let lines = lines.skip_while(|line| *line != "[workspace.dependencies]");
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once(" =")?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn names_in_tests_and_other_crates_do_not_count_for_a_crate() {
        let sources = [
            source(
                "crates/a/src/lib.rs",
                "use one::X;\n#[cfg(test)]\nmod tests {\n    use two::Y;\n}\n",
            ),
            source("crates/a/src/it/tests.rs", "use three::Z;"),
            source("crates/b/src/lib.rs", "use four::A;"),
        ];
        let code = Code::of(&sources, "crates/a/");
        assert!(code.outside_tests.contains("one"));
        assert!(!code.outside_tests.contains("two") && code.anywhere.contains("two"));
        assert!(!code.outside_tests.contains("three") && code.anywhere.contains("three"));
        assert!(!code.anywhere.contains("four"));
    }

    #[test]
    fn workspace_offers_what_stands_in_its_table() {
        let manifest = "[workspace]\n[workspace.dependencies]\n# why\none = \"1\"\n\ntwo = { version = \"2\" }\n[x]\nthree = 1\n";
        assert_eq!(offered(manifest).collect::<Vec<_>>(), ["one", "two"]);
    }
}
