//! Checks that kept files belong to the user, can be used by the user, and cannot be read by others.

use std::os::unix::fs::MetadataExt as _;

use nix::unistd::getuid;

use crate::Setup;
use crate::finding::Finding;
use crate::phrases::counted;
use crate::setup::quoted;
use crate::walk::Entry;

const NAME: &str = "permissions";

/// Whether its owner may not read or write it.
fn is_shut(entry: &Entry) -> bool {
    let needed = if entry.metadata.is_dir() {
        0o700
    } else {
        0o600
    };
    !entry.metadata.is_symlink() && entry.metadata.mode() & needed != needed
}

/// Reports symbolic links among the kept files, which the store never follows. Links inside the quarantine are ignored.
fn report_links(setup: &Setup<'_>) -> Option<Finding> {
    let aside = setup.state_dir.join("quarantine");
    let links = setup.entries().iter().filter(|entry| {
        entry.metadata.is_symlink() && (entry.path == aside || !entry.path.starts_with(&aside))
    });
    let links: Vec<_> = links.collect();
    let first = quoted(&links.first()?.path);
    let sentence = format!(
        "{} among the kept files, and nothing behind it is read or written, the first is {first}",
        match links.len() {
            1 => "a symbolic link is".to_owned(),
            count => format!("{count} symbolic links are"),
        }
    );
    let fix = format!("ls -l {first}, then put what it leads to in its place, or: rm {first}");
    Some(Finding::problem(NAME, sentence, fix))
}

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let dir = quoted(&setup.state_dir);
    let entries = setup.entries();
    let own = getuid().as_raw();
    let mut findings = Vec::new();
    let open: Vec<_> = entries
        .iter()
        // A link has no permissions of its own.
        .filter(|entry| !entry.metadata.is_symlink() && entry.metadata.mode() & 0o077 != 0)
        .collect();
    if let Some(first) = open.first() {
        let sentence = format!(
            "{} can be read or written by others, the first is {} (mode {:o})",
            counted(open.len(), "kept file"),
            first.path.display(),
            first.metadata.mode() & 0o777,
        );
        findings.push(Finding::problem(
            NAME,
            sentence,
            format!("chmod -R go= {dir}"),
        ));
    }
    let shut: Vec<_> = entries.iter().filter(|entry| is_shut(entry)).collect();
    if let Some(first) = shut.first() {
        let sentence = format!(
            "{} cannot be read or written by you, the first is {} (mode {:o})",
            counted(shut.len(), "kept file"),
            first.path.display(),
            first.metadata.mode() & 0o777,
        );
        findings.push(Finding::problem(NAME, sentence, setup.unlock()));
    }
    let foreign: Vec<_> = entries
        .iter()
        .filter(|entry| entry.metadata.uid() != own)
        .collect();
    if let Some(first) = foreign.first() {
        let sentence = format!(
            "{} not yours, the first is {} of user {}",
            match foreign.len() {
                1 => "1 kept file is".to_owned(),
                count => format!("{count} kept files are"),
            },
            first.path.display(),
            first.metadata.uid(),
        );
        let fix = format!("sudo chown -R {own} {dir}");
        findings.push(Finding::problem(NAME, sentence, fix));
    }
    findings.extend(report_links(setup));
    if findings.is_empty() {
        let sentence = match entries.len() {
            0 => "nothing is kept yet".to_owned(),
            count => format!(
                "{} private to you",
                match count {
                    1 => "the one kept file is".to_owned(),
                    count => format!("all {count} kept files are"),
                }
            ),
        };
        findings.push(Finding::ok(NAME, sentence));
    }
    findings
}
