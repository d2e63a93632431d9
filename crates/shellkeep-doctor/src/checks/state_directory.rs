//! The state directory is there, is the user's own, and can be written.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;

use nix::errno::Errno;
use nix::unistd::{AccessFlags, access, getuid};

use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

const NAME: &str = "state-directory";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    vec![look(setup)]
}

fn look(setup: &Setup<'_>) -> Finding {
    let dir = &setup.state_dir;
    let shown = dir.display();
    let metadata = match std::fs::metadata(dir) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Finding::ok(
                NAME,
                format!("{shown} is not there yet; the first session makes it"),
            );
        }
        Err(error) => {
            // The nearest that can be looked at is the one that does not let anybody in.
            let mut above = dir.ancestors().skip(1);
            let shut = above.find(|path| std::fs::metadata(path).is_ok());
            let fix = match (error.kind(), shut) {
                (ErrorKind::PermissionDenied, Some(shut)) => {
                    format!("chmod u+rwx {}", quoted(shut))
                }
                _ => format!("ls -ld {}", quoted(dir)),
            };
            return Finding::problem(NAME, format!("{shown} cannot be looked at: {error}"), fix);
        }
    };
    if !metadata.is_dir() {
        let fix = format!("mv {} {}.aside", quoted(dir), quoted(dir));
        return Finding::problem(
            NAME,
            format!("{shown} is no directory, so nothing is kept"),
            fix,
        );
    }
    if metadata.uid() != getuid().as_raw() {
        let sentence = format!("{shown} belongs to user {}, not to you", metadata.uid());
        let fix = format!("sudo chown -R {} {}", getuid(), quoted(dir));
        return Finding::problem(NAME, sentence, fix);
    }
    let wanted = AccessFlags::R_OK | AccessFlags::W_OK | AccessFlags::X_OK;
    let can_be_used = access(dir, wanted);
    if can_be_used == Err(Errno::EROFS) {
        let sentence = format!("{shown} cannot be written, so nothing is kept: read-only");
        return Finding::problem(NAME, sentence, "see what is said of room below");
    }
    if metadata.mode() & 0o700 != 0o700 || can_be_used.is_err() {
        let sentence = format!("{shown} cannot be written, so nothing is kept");
        return Finding::problem(NAME, sentence, format!("chmod 700 {}", quoted(dir)));
    }
    if metadata.mode() & 0o077 != 0 {
        let sentence = format!(
            "{shown} can be read by others (mode {:o}), and what is in it was on your screen",
            metadata.mode() & 0o777
        );
        return Finding::problem(NAME, sentence, format!("chmod 700 {}", quoted(dir)));
    }
    Finding::ok(NAME, format!("{shown} is private to you"))
}
