//! The limits of processes leave room for panes and for what is kept of them.

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, rlim_t};

use crate::Setup;
use crate::finding::Finding;

const NAME: &str = "limits";

/// A pane needs its terminal, its sluice, its journal, and some for a while.
const FILES_OF_A_PANE: rlim_t = 6;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let hard = |resource| getrlimit(resource).map_or(RLIM_INFINITY, |(_, hard)| hard);
    // The server raises its own limit on files as far as it may, but leaves that on sizes as it is.
    let size = getrlimit(Resource::RLIMIT_FSIZE).map_or(RLIM_INFINITY, |(soft, _)| soft);
    let end = setup.typed("kill-server --keep");
    judge(hard(Resource::RLIMIT_NOFILE), size, &end)
}

fn judge(files: rlim_t, size: rlim_t, end: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let panes = files / FILES_OF_A_PANE;
    if files < 4096 {
        let sentence = format!(
            "a process may have {files} files open, which is enough for some {panes} panes"
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            "raise «hard nofile» in /etc/security/limits.conf, and log in again",
        ));
    }
    if size != RLIM_INFINITY {
        let sentence = format!(
            "a file may have {} MiB at most, and what is kept of a pane may need more",
            size >> 20
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            // A process keeps its limits for life, whatever program it runs.
            format!("{end}, then any command in a shell whose ulimit -f is unlimited"),
        ));
    }
    if findings.is_empty() {
        let files = match files {
            RLIM_INFINITY => "any number of".to_owned(),
            files => files.to_string(),
        };
        findings.push(Finding::ok(
            NAME,
            format!("{files} files may be open, of any size"),
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Status;

    #[test]
    fn limits_that_are_low_are_warnings() {
        let judged = |files, size| {
            judge(files, size, "kill-server --keep")
                .iter()
                .map(|finding| finding.status)
                .collect::<Vec<_>>()
        };
        assert_eq!(judged(65_536, RLIM_INFINITY), [Status::Ok]);
        assert_eq!(judged(RLIM_INFINITY, RLIM_INFINITY), [Status::Ok]);
        assert_eq!(judged(1024, RLIM_INFINITY), [Status::Warning]);
        assert_eq!(judged(256, 1 << 20), [Status::Warning, Status::Warning]);
    }
}
