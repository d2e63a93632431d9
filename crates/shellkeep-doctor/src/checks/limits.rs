//! Checks that the limits of the processes leave room for panes and their files.

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, rlim_t};
use shellkeep_keeper::SPARE_FILES;
use shellkeep_keeper::process::Role;

use crate::Setup;
use crate::finding::Finding;
use crate::probe::{self, Answer, Lock};

const NAME: &str = "limits";

/// A pane needs its terminal, its transit pipe and its journal, and more for short times.
const FILES_OF_A_PANE: rlim_t = 6;

/// A limit that is always enough.
const ENOUGH_FILES: rlim_t = 65_536;

/// A lower limit is soon reached.
const FEW_FILES: rlim_t = 4096;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let end = setup.typed("kill-server --keep");
    let running = running(setup);
    if let Some(full) = running.iter().find(|process| process.is_full()) {
        let sentence = format!(
            "{} has {} of {} files open, so no more panes can be",
            full.name(),
            full.open,
            full.files
        );
        return vec![Finding::problem(NAME, sentence, raise_files(setup))];
    }
    let Some(least) = running.iter().min_by_key(|process| process.files) else {
        // A server that is started now raises its own soft limit on open files as far as the hard limit, but not the
        // limit on file sizes.
        let (_, files) = getrlimit(Resource::RLIMIT_NOFILE).unwrap_or((0, RLIM_INFINITY));
        let size = getrlimit(Resource::RLIMIT_FSIZE).map_or(RLIM_INFINITY, |(soft, _)| soft);
        let fix = "raise «hard nofile» in /etc/security/limits.conf, and log in again".to_owned();
        return judge("a process", (files, fix), size, &end);
    };
    // Only the server: the keeper writes almost nothing.
    let mut sizes = running
        .iter()
        .filter(|process| process.role == Role::Server);
    let size = sizes.next().map_or(RLIM_INFINITY, |server| server.size);
    judge(least.name(), (least.files, raise_files(setup)), size, &end)
}

/// A running server or keeper, and its limits.
struct Running {
    role: Role,
    pid: i32,
    /// Open descriptors, and the limit.
    open: rlim_t,
    files: rlim_t,
    size: rlim_t,
}

impl Running {
    /// The limits of a process of ours, if it can be found.
    fn find(role: Role, pid: i32) -> Option<Self> {
        let limits = std::fs::read_to_string(format!("/proc/{pid}/limits"));
        let limits = limits.ok().filter(|_| probe::is_ours(pid, role))?;
        // Our background processes are not dumpable, so only root can list their descriptors; for others the count is
        // 0.
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
        Some(Self {
            role,
            pid,
            open: open as rlim_t,
            files: soft_limit(&limits, "Max open files")?,
            size: soft_limit(&limits, "Max file size")?,
        })
    }

    /// Whether the process refuses more panes.
    const fn is_full(&self) -> bool {
        self.files.saturating_sub(self.open) <= SPARE_FILES as rlim_t
    }

    const fn name(&self) -> &'static str {
        match self.role {
            Role::Server => "the server",
            Role::Keeper => "the keeper",
        }
    }
}

/// The running server and keeper: the limits of the doctor's own process do not apply to them.
fn running(setup: &Setup<'_>) -> Vec<Running> {
    let server = match probe::lock(&setup.beside(".lock")) {
        Lock::Held { by: Some(pid) } => Running::find(Role::Server, pid),
        _ => None,
    };
    let keeper = match probe::keeper(&setup.beside(".keeper")) {
        Answer::Here(pid) => Running::find(Role::Keeper, pid),
        _ => None,
    };
    server.into_iter().chain(keeper).collect()
}

/// A soft limit from `/proc/PID/limits`.
fn soft_limit(limits: &str, name: &str) -> Option<rlim_t> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(RLIM_INFINITY),
        number => number.parse().ok(),
    }
}

/// Commands that let running processes open more files. Their soft limit is already at the hard limit, which the user
/// cannot raise.
pub(super) fn raise_files(setup: &Setup<'_>) -> String {
    let running = running(setup).into_iter();
    let low = running.filter(|process| process.files < FEW_FILES || process.is_full());
    let raise = low.map(|process| {
        let pid = process.pid;
        format!("sudo prlimit --pid {pid} --nofile={ENOUGH_FILES}:{ENOUGH_FILES}")
    });
    let raise: Vec<String> = raise.collect();
    match raise.is_empty() {
        true => setup.typed("ls: close some, or let them sleep"),
        false => raise.join(" && "),
    }
}

fn judge(who: &str, (files, raise): (rlim_t, String), size: rlim_t, end: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let panes = files / FILES_OF_A_PANE;
    if files < FEW_FILES {
        let sentence =
            format!("{who} may have {files} files open, which is enough for some {panes} panes");
        findings.push(Finding::warning(NAME, sentence, raise));
    }
    if size != RLIM_INFINITY {
        let sentence = format!(
            "a file may have {} MiB at most, and what is kept of a pane may need more",
            size >> 20
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            // A process keeps its limits for life, even across `exec`.
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
            judge(
                "it",
                (files, "raise it".to_owned()),
                size,
                "kill-server --keep",
            )
            .iter()
            .map(|finding| finding.status)
            .collect::<Vec<_>>()
        };
        assert_eq!(judged(65_536, RLIM_INFINITY), [Status::Ok]);
        assert_eq!(judged(RLIM_INFINITY, RLIM_INFINITY), [Status::Ok]);
        assert_eq!(judged(1024, RLIM_INFINITY), [Status::Warning]);
        assert_eq!(judged(256, 1 << 20), [Status::Warning, Status::Warning]);
    }

    #[test]
    fn limits_of_a_process_are_found_in_the_kernels_list() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max file size             65536                unlimited            bytes     \n\
                      Max core file size        unlimited            unlimited            bytes     \n\
                      Max open files            64                   128                  files     \n";
        assert_eq!(soft_limit(limits, "Max file size"), Some(65_536));
        assert_eq!(soft_limit(limits, "Max open files"), Some(64));
        let core = soft_limit(limits, "Max core file size");
        assert_eq!(core, Some(RLIM_INFINITY));
        assert_eq!(soft_limit(limits, "Max of something"), None);
    }
}
