//! Reads facts about processes from /proc.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::{Context, Result};
use nix::unistd::Pid;

/// The cost of a process so far, all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    /// Time on a CPU, in nanoseconds.
    pub(super) cpu_nanos: u64,
    /// How often it waited voluntarily, and so was woken.
    pub(super) wakeups: u64,
}

/// The living processes except this one whose environment contains `folder`.
pub(super) fn processes_naming(folder: &Path) -> Vec<Pid> {
    let folder = folder.as_os_str().as_bytes();
    all_processes()
        .filter(|pid| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            contains(&environment, folder) && is_alive(*pid)
        })
        .collect()
}

/// The processes with this name whose environment contains `folder`.
pub(super) fn processes_called(folder: &Path, name: &str) -> Vec<Pid> {
    let mut found = processes_naming(folder);
    found.retain(|pid| {
        let called = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        called.trim_end() == name
    });
    found
}

/// Whether the process is running. A zombie is not.
pub(super) fn is_alive(pid: Pid) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    // "PID (NAME) STATE ...", where NAME may contain anything, even brackets.
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.as_bytes()[0]);
    !matches!(state, None | Some(b'Z' | b'X'))
}

/// The memory of a process in bytes: its own pages, and its share of the shared ones.
pub(super) fn memory(pid: Pid) -> Result<u64> {
    let path = format!("/proc/{pid}/smaps_rollup");
    let rollup = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let kilobytes = field(&rollup, "Pss:").with_context(|| format!("no Pss in {path}"))?;
    Ok(kilobytes * 1024)
}

/// The memory of a process in bytes, shared pages included.
pub(super) fn resident(pid: Pid) -> Result<u64> {
    let path = format!("/proc/{pid}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let kilobytes = field(&status, "VmRSS:").with_context(|| format!("no VmRSS in {path}"))?;
    Ok(kilobytes * 1024)
}

/// The cost of a process so far.
pub(super) fn cost(pid: Pid) -> Result<Cost> {
    let tasks = format!("/proc/{pid}/task");
    let mut cost = Cost::default();
    for task in fs::read_dir(&tasks).with_context(|| format!("cannot read {tasks}"))? {
        let task = task?.path();
        // A thread may end at this moment.
        let Ok(status) = fs::read_to_string(task.join("status")) else {
            continue;
        };
        let Ok(schedstat) = fs::read_to_string(task.join("schedstat")) else {
            continue;
        };
        cost.wakeups += field(&status, "voluntary_ctxt_switches:").unwrap_or(0);
        let nanos = schedstat
            .split_whitespace()
            .next()
            .and_then(|nanos| nanos.parse().ok());
        cost.cpu_nanos += nanos.unwrap_or(0);
    }
    Ok(cost)
}

/// The average number of processes that wanted a CPU in the last minute.
pub(super) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg")
        .ok()?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

fn all_processes() -> impl Iterator<Item = Pid> {
    let me = Pid::this();
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .map(Pid::from_raw)
        .filter(move |pid| *pid != me)
}

/// The number after `name` at the start of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack
        .windows(needle.len())
        .any(|window| window == needle)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_at_line_starts_only() {
        let text = "nonvoluntary_ctxt_switches: 7\nvoluntary_ctxt_switches:\t12\nPss:  34 kB\n";
        assert_eq!(field(text, "voluntary_ctxt_switches:"), Some(12));
        assert_eq!(field(text, "Pss:"), Some(34));
        assert_eq!(field(text, "Rss:"), None);
    }

    #[test]
    fn a_process_has_memory_and_cost() {
        let me = Pid::this();
        assert!(is_alive(me));
        assert!(memory(me).unwrap() > 100_000);
        assert!(cost(me).unwrap().cpu_nanos > 0);
        assert!(!is_alive(Pid::from_raw(i32::MAX)));
    }
}
