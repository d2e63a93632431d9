//! Checks that the state directory exists, belongs to the user, is private and can be written.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::unistd::{AccessFlags, access, getuid};

use super::room;
use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

const NAME: &str = "state-directory";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    vec![look(setup)]
}

pub(super) fn look(setup: &Setup<'_>) -> Finding {
    let dir = &setup.state_dir;
    let shown = dir.display();
    let metadata = match std::fs::metadata(dir) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return look_above(dir),
        Err(error) => {
            let sentence = format!("{shown} cannot be looked at: {error}");
            return Finding::problem(NAME, sentence, way_in(dir, error.kind()));
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
        return Finding::problem(NAME, sentence, room::remount(dir));
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

/// Whether the directory, which is not there, can be made.
fn look_above(dir: &Path) -> Finding {
    let shown = dir.display();
    // `exists` follows links; a dangling link is in the way all the same.
    let mut above = dir.ancestors();
    let above = above.find(|path| std::fs::symlink_metadata(path).is_ok());
    let above = above.unwrap_or(Path::new("/"));
    if !above.exists() {
        let sentence = format!(
            "{} is a link to what is not there, so nothing can be kept",
            above.display()
        );
        return Finding::problem(
            NAME,
            sentence,
            format!("mkdir -p {}", quoted(&end_of(above))),
        );
    }
    let error = match access(above, AccessFlags::W_OK | AccessFlags::X_OK) {
        Ok(()) => {
            let sentence = format!("{shown} is not there yet; the first session makes it");
            return Finding::ok(NAME, sentence);
        }
        Err(error) => error,
    };
    let fix = match error {
        Errno::EROFS => room::remount(above),
        _ if is_own(above) => format!("chmod u+rwx {}", quoted(above)),
        _ => format!("sudo install -d -m 700 -o {} {}", getuid(), quoted(dir)),
    };
    let sentence = format!(
        "{shown} cannot be made, so nothing can be kept: {}: {}",
        above.display(),
        error.desc()
    );
    Finding::problem(NAME, sentence, fix)
}

/// The fix for an ancestor that keeps the directory from being reached.
fn way_in(dir: &Path, error: ErrorKind) -> String {
    let mut above = dir.ancestors().skip(1);
    // The nearest ancestor that `stat` reaches is the one that cannot be entered.
    let shut = above.find(|path| std::fs::metadata(path).is_ok());
    match (error, shut) {
        (ErrorKind::PermissionDenied, Some(shut)) if is_own(shut) => {
            format!("chmod u+rwx {}", quoted(shut))
        }
        (ErrorKind::PermissionDenied, Some(_)) => {
            "have XDG_STATE_HOME name a directory of your own".to_owned()
        }
        (ErrorKind::NotADirectory, Some(file)) => {
            format!("mv {} {}.aside", quoted(file), quoted(file))
        }
        _ => format!("ls -ld {}", quoted(dir)),
    }
}

fn is_own(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.uid() == getuid().as_raw())
}

/// The missing path at the end of a chain of dangling links.
fn end_of(link: &Path) -> PathBuf {
    let mut end = link.to_owned();
    // The kernel's own limit (`MAXSYMLINKS`).
    for _ in 0..40 {
        let Ok(next) = std::fs::read_link(&end) else {
            break;
        };
        end = end.parent().unwrap_or(Path::new("/")).join(next);
    }
    end
}
