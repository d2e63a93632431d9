//! Checks that the directory of the sockets belongs to the user.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::unistd::getuid;

use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

const NAME: &str = "runtime-directory";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    vec![look(setup.socket.parent().unwrap_or(Path::new("/")))]
}

fn look(dir: &Path) -> Finding {
    let shown = dir.display();
    let metadata = match std::fs::metadata(dir) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Finding::ok(
                NAME,
                format!("{shown} is not there yet; the first server makes it"),
            );
        }
        Err(error) => {
            let sentence = format!("{shown} cannot be looked at: {error}");
            return Finding::problem(NAME, sentence, format!("ls -ld {}", quoted(dir)));
        }
    };
    if !metadata.is_dir() {
        let fix = format!("rm {}", quoted(dir));
        return Finding::problem(
            NAME,
            format!("{shown} is no directory, so no server can start"),
            fix,
        );
    }
    let (is_ours, mode) = (metadata.uid() == getuid().as_raw(), metadata.mode());
    if !is_ours && metadata.uid() != 0 {
        let sentence = format!(
            "{shown} belongs to user {}, so no server can start; another user made it first",
            metadata.uid()
        );
        return Finding::problem(
            NAME,
            sentence,
            "use another: shellkeep -S ~/shellkeep.socket",
        );
    }
    // The client refuses such a directory, because another user could put a socket there.
    if mode & 0o022 != 0 && mode & 0o1000 == 0 {
        let sentence = format!(
            "others can write to {shown} (mode {:o}), so no server can start",
            mode & 0o777
        );
        return Finding::problem(NAME, sentence, format!("chmod 700 {}", quoted(dir)));
    }
    if is_ours && mode & 0o077 != 0 && dir.ends_with("shellkeep") {
        let sentence = format!("others can look into {shown} (mode {:o})", mode & 0o777);
        return Finding::warning(NAME, sentence, format!("chmod 700 {}", quoted(dir)));
    }
    Finding::ok(NAME, format!("{shown} is in order"))
}
