//! No file under `tests/it` may be forgotten: a file that no `mod` names is never compiled.

use super::findings::Findings;
use super::source::{Source, bare_code};

pub(super) fn check(sources: &[Source], findings: &mut Findings) {
    for source in sources {
        let Some((before, inner)) = source.path.rsplit_once("tests/it/") else {
            continue;
        };
        if inner == "main.rs" || !(before.is_empty() || before.ends_with('/')) {
            continue;
        }
        let (parents, module) = declared_in(&source.path);
        let declares = |parent: &Source| {
            let wanted = format!("mod {module};");
            bare_code(&parent.text)
                .lines()
                .any(|line| line.trim().ends_with(&wanted))
        };
        if !sources
            .iter()
            .any(|parent| parents.contains(&parent.path) && declares(parent))
        {
            findings
                .faults
                .push(format!("{}: no `mod {module};` names it", source.path));
        }
    }
}

/// The files that may declare the module in `path`, and the name with which they have to.
fn declared_in(path: &str) -> (Vec<String>, &str) {
    let stem = path
        .strip_suffix("/mod.rs")
        .or_else(|| path.strip_suffix(".rs"))
        .unwrap_or(path);
    let (folder, module) = stem.rsplit_once('/').unwrap_or(("", stem));
    let beside = ["main.rs", "mod.rs"].map(|file| format!("{folder}/{file}"));
    (
        beside.into_iter().chain([format!("{folder}.rs")]).collect(),
        module,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgotten_files_are_named() {
        let source = |path: &str, text: &str| Source {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source(
                "tests/it/main.rs",
                "mod attach;\nmod keeper;\n// mod forgotten;\n",
            ),
            source("tests/it/attach.rs", ""),
            source("tests/it/forgotten.rs", ""),
            source("tests/it/keeper/mod.rs", "mod kill;"),
            source("tests/it/keeper/kill.rs", ""),
            source("tests/it/keeper/lost.rs", ""),
            source("crates/x/tests/it/main.rs", "pub(crate) mod rig;"),
            source("crates/x/tests/it/rig.rs", ""),
            source("src/unrelated.rs", ""),
        ];
        let mut findings = Findings::default();
        check(&sources, &mut findings);
        assert_eq!(
            findings.faults,
            [
                "tests/it/forgotten.rs: no `mod forgotten;` names it",
                "tests/it/keeper/lost.rs: no `mod lost;` names it",
            ]
        );
    }
}
