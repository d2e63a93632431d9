//! Limits the number of external crates in the program, because each of them has to be trusted.

use std::collections::BTreeSet;

use anyhow::Result;

use super::findings::Findings;
use crate::cargo::{cargo, output_of};

/// Raise it deliberately, with a reason in the commit.
const MAX_DEPENDENCIES: usize = 200;

pub(super) fn check(findings: &mut Findings) -> Result<()> {
    let tree = [
        "tree",
        "--package",
        "shellkeep",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let tree = output_of(cargo().args(tree))?;
    let count = foreign(&tree).len();
    findings.notes.push(format!(
        "the program has {count} dependencies of at most {MAX_DEPENDENCIES}"
    ));
    if count > MAX_DEPENDENCIES {
        findings.faults.push(format!(
            "{count} dependencies, the most is {MAX_DEPENDENCIES}"
        ));
    }
    Ok(())
}

/// The external crates of a tree. Crates of a workspace are listed with their directory.
fn foreign(tree: &str) -> BTreeSet<&str> {
    tree.lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .filter(|line| !line.is_empty() && !line.contains("(/"))
        .map(|line| line.trim_end_matches(" (proc-macro)"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_foreign_crate_counts_once() {
        let tree = "shellkeep v0.1.0 (/x)\nanyhow v1.0.1\nvte v0.15.0\nvte v0.15.0 (*)\n\
                    thiserror-impl v2.0.1 (proc-macro)\nthiserror-impl v2.0.1 (proc-macro) (*)\n";
        assert_eq!(foreign(tree).len(), 3);
    }
}
