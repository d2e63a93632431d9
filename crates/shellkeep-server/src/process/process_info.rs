//! What `/proc` tells about a process. Linux only; elsewhere nothing is known.

use std::fs;
use std::os::unix::ffi::OsStrExt;

use nix::unistd::Pid;

/// The name of a process's program as it was called, without directories and without the dash of a login shell.
pub(crate) fn command_of(pid: Pid) -> Option<String> {
    let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let first = words.split(|byte| *byte == 0).next()?;
    let name = String::from_utf8_lossy(first);
    let name = name.trim_start_matches('-');
    let name = name.split(' ').next().unwrap_or(name);
    let name = name.rsplit('/').next().unwrap_or(name);
    (!name.is_empty()).then(|| name.to_owned())
}

pub(crate) fn directory_of(pid: Pid) -> Option<String> {
    let path = fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
    Some(String::from_utf8_lossy(path.as_os_str().as_bytes()).into_owned())
}

pub(crate) fn umask_of(pid: Pid) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(mask.trim(), 8).ok()
}

pub(crate) fn argv_of(pid: Pid) -> Vec<String> {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = words.strip_suffix(b"\0").unwrap_or(&words);
    if words.is_empty() {
        return Vec::new();
    }
    let words = words.split(|byte| *byte == 0);
    words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}

/// Whether a process exists, and is not being ended by SIGKILL.
pub(crate) fn is_alive(pid: Pid) -> bool {
    // A process that has ended, or is ending, has no command line.
    if argv_of(pid).is_empty() {
        return false;
    }
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let sets = status.lines().filter_map(|line| {
        let set = line
            .strip_prefix("SigPnd:")
            .or_else(|| line.strip_prefix("ShdPnd:"))?;
        u64::from_str_radix(set.trim(), 16).ok()
    });
    let killed = 1 << (nix::sys::signal::Signal::SIGKILL as u32 - 1);
    sets.fold(0, |all, set| all | set) & killed == 0
}
