//! No file and no commit may name a path of the machine on which it was written.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::findings::Findings;
use super::source::tracked_files;

/// Directories of our machines, in two pieces so that this file does not violate the rule.
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/home/", "runner/")];

pub(super) fn check(root: &Path, findings: &mut Findings) -> Result<()> {
    let mut places: Vec<String> = MACHINE_PATHS
        .iter()
        .map(|place| place.to_string())
        .collect();
    places.push(format!("{}/", root.display()));
    if let Some(home) = std::env::home_dir().filter(|home| home.components().count() > 1) {
        places.push(format!("{}/", home.display()));
    }
    for path in tracked_files(root)? {
        // Not text, or deleted.
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else {
            continue;
        };
        for (line, place) in mentions(&text, &places) {
            findings.faults.push(format!(
                "{path}:{line}: names a place on a machine: {place}"
            ));
        }
    }
    let mut log = Command::new("git");
    log.current_dir(root).args(["log", "--format=%h%n%B%x00"]);
    for entry in crate::cargo::output_of(&mut log)?.split('\0') {
        let (commit, message) = entry.trim_start().split_once('\n').unwrap_or_default();
        for (_, place) in mentions(message, &places) {
            findings.faults.push(format!(
                "commit {commit} names a place on a machine: {place}"
            ));
        }
    }
    Ok(())
}

/// The lines in which `text` names one of `places`.
fn mentions<'a>(text: &str, places: &'a [String]) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let named = |place: &&String| {
            line.match_indices(place.as_str()).any(|(at, _)| {
                // Otherwise it is part of a longer path or address.
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "._-/~}$".contains(c))
            })
        };
        found.extend(
            places
                .iter()
                .find(named)
                .map(|place| (index + 1, place.as_str())),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_but_not_inside_longer_paths() {
        let places = ["/elsewhere/".to_string(), "/somebody/".to_string()];
        let text = "see /elsewhere/x\ndocs/elsewhere/x\n`/somebody/.bashrc`\n~/somebody/\nhttps://x/somebody/";
        assert_eq!(
            mentions(text, &places),
            [(1, "/elsewhere/"), (3, "/somebody/")]
        );
    }
}
