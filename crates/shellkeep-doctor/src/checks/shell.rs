//! Checks that the shell exists, and is new enough for the integration.

use std::path::Path;

use nix::unistd::{AccessFlags, access};

use crate::Setup;
use crate::ask;
use crate::finding::Finding;

const NAME: &str = "shell";

/// The shells whose state can be kept, and the first version of each that works.
const KNOWN: &[(&str, (u32, u32))] = &[("bash", (4, 4)), ("zsh", (5, 8)), ("fish", (3, 0))];

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let Some(shell) = setup.variable("SHELL") else {
        return vec![Finding::warning(
            NAME,
            "SHELL is not set, so /bin/sh is used",
            "export SHELL=/bin/bash",
        )];
    };
    let path = Path::new(&shell);
    if !path.is_absolute() || !path.is_file() || access(path, AccessFlags::X_OK).is_err() {
        let sentence = format!("SHELL={shell} is no program, so /bin/sh is used");
        return vec![Finding::problem(
            NAME,
            sentence,
            "chsh -s /bin/bash, and log in again",
        )];
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((name, oldest)) = KNOWN.iter().find(|(known, _)| *known == name) else {
        let sentence = format!(
            "{shell} has no integration: of its panes come back screen, directory and environment, not variables and history"
        );
        return vec![Finding::warning(
            NAME,
            sentence,
            "set -g default-shell to a bash, zsh or fish",
        )];
    };
    let output = ask::output(path, &["--version"]).unwrap_or_default();
    vec![judge(&shell, name, *oldest, version_in(&output))]
}

fn judge(shell: &str, name: &str, oldest: (u32, u32), found: Option<(u32, u32)>) -> Finding {
    match found {
        Some(found) if found >= oldest => Finding::ok(
            NAME,
            format!(
                "{shell} is {name} {}.{}, whose state can be kept",
                found.0, found.1
            ),
        ),
        Some(found) => Finding::warning(
            NAME,
            format!(
                "{shell} is {name} {}.{}: its state cannot be kept",
                found.0, found.1
            ),
            format!("install {name} {}.{} or later", oldest.0, oldest.1),
        ),
        None => Finding::warning(
            NAME,
            format!("{shell} does not say its version within a second"),
            format!("{shell} --version"),
        ),
    }
}

/// The first number with a point in a text.
fn version_in(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut parts = word.split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?;
        let end = minor
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(minor.len());
        Some((major, minor[..end].parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Status;

    #[test]
    fn versions_are_found_in_output_of_shells() {
        for (output, expected) in [
            (
                "GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\nCopyright (C) 2022",
                Some((5, 2)),
            ),
            ("zsh 5.9 (x86_64-debian-linux-gnu)", Some((5, 9))),
            ("fish, version 4.0b1", Some((4, 0))),
            ("fish, version 3.6.0", Some((3, 6))),
            ("no number here", None),
            ("", None),
        ] {
            assert_eq!(version_in(output), expected, "{output}");
        }
    }

    #[test]
    fn old_shell_is_a_warning() {
        assert_eq!(
            judge("/bin/bash", "bash", (4, 4), Some((4, 3))).status,
            Status::Warning
        );
        assert_eq!(
            judge("/bin/bash", "bash", (4, 4), Some((5, 0))).status,
            Status::Ok
        );
        assert_eq!(
            judge("/bin/bash", "bash", (4, 4), None).status,
            Status::Warning
        );
    }
}
