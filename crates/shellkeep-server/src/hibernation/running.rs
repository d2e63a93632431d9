//! What is known of a running program, for the resume rule that brings it back.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use nix::unistd::Pid;
use shellkeep_hibernation::{Millis, Program, Rival, Shell, VARIABLES};

use crate::process::process_info;

/// What is known of a program besides its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its directory; empty if it is not known.
    pub(crate) directory: String,
    /// The command line it was started with, if its shell has reported it.
    pub(crate) typed: Option<String>,
    /// The variables of its environment that rules use.
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) started: Millis,
    /// When its pane last printed something, once the pane is asleep.
    pub(crate) last_output: Millis,
    /// When other panes with the same program in the same directory last printed something. Recorded when this pane
    /// fell asleep, since later their conversations could not be told apart. `None` if not recorded yet.
    pub(crate) rivals: Option<Vec<Millis>>,
}

impl Run {
    /// Reads them from a process.
    pub(crate) fn of(pid: Pid) -> Self {
        let environ = environ_of(pid);
        let variables = environ.iter().filter_map(|entry| {
            let (name, value) = std::str::from_utf8(entry).ok()?.split_once('=')?;
            let is_wanted = VARIABLES.contains(&name);
            is_wanted.then(|| (name.to_owned(), value.to_owned()))
        });
        Self {
            directory: process_info::directory_of(pid).unwrap_or_default(),
            variables: variables.collect(),
            started: started(pid).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Calls `look` with the program as rules see it.
    pub(crate) fn with<T>(
        &self,
        argv: &[String],
        shell: Shell,
        look: impl FnOnce(&Program<'_>) -> T,
    ) -> T {
        let rivals = self.rivals.iter().flatten();
        let rivals: Vec<Rival> = rivals
            .map(|last_output| Rival {
                last_output: *last_output,
            })
            .collect();
        // A pane's start command of a single word is a shell command line.
        let is_line = argv.len() == 1 && argv.first() == self.typed.as_ref();
        look(&Program {
            argv: if is_line { &[] } else { argv },
            cwd: &self.directory,
            typed: self.typed.as_deref(),
            environment: &self.variables,
            shell,
            started: self.started,
            last_output: self.last_output,
            rivals: &rivals,
        })
    }
}

/// The initial environment of a process, as `NAME=value`.
fn environ_of(pid: Pid) -> Vec<Vec<u8>> {
    let all = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let entries = all
        .split(|byte| *byte == 0)
        .filter(|entry| !entry.is_empty());
    entries.map(<[u8]>::to_vec).collect()
}

/// A shell's exported variables, as the environment with which its child was started. None if the program is not its
/// child, or is another user's.
pub(crate) fn exported(shell: i32, pid: i32, typed: Option<&str>) -> Option<Vec<Vec<u8>>> {
    let pid = Pid::from_raw(pid);
    let is_own = fs::metadata(format!("/proc/{pid}"))
        .is_ok_and(|found| found.uid() == nix::unistd::getuid().as_raw());
    if !is_own || stat_field(pid, 1)? != u64::from(shell.unsigned_abs()) {
        return None;
    }
    // `A=1 program` sets A for the program alone, so such variables are left out.
    let line = typed.unwrap_or_default();
    let words = line.split([' ', ';', '&']);
    let own: Vec<&str> = words
        .filter_map(|word| Some(word.split_once('=')?.0))
        .collect();
    let entries = environ_of(pid).into_iter().filter(|entry| {
        let name = entry.split(|byte| *byte == b'=').next().unwrap_or_default();
        let name = String::from_utf8_lossy(name);
        !own.contains(&&*name) && !matches!(&*name, "_" | "SHLVL" | "SHELLKEEP_SHELL_DIR")
    });
    let entries: Vec<Vec<u8>> = entries.collect();
    (!entries.is_empty()).then_some(entries)
}

/// A number of `/proc/PID/stat`, counted from the state, which follows the name.
fn stat_field(pid: Pid, at: usize) -> Option<u64> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(at)?.parse().ok()
}

/// The start time of a process. Rather a second too early than too late, since the boot time is known to the second.
fn started(pid: Pid) -> Option<Millis> {
    let ticks = stat_field(pid, 19)?;
    let per_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK)
        .ok()
        .flatten();
    let per_second = u64::try_from(per_second?).ok().filter(|count| *count > 0)?;
    let system = fs::read_to_string("/proc/stat").ok()?;
    let boot = system
        .lines()
        .find_map(|line| line.strip_prefix("btime "))?;
    let boot: u64 = boot.trim().parse().ok()?;
    Some((boot * 1000 + ticks * 1000 / per_second).saturating_sub(1000))
}

/// The private memory of a process, in bytes.
pub(crate) fn memory_of(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let own = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kibibytes = own.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_process_is_known() {
        let own = Pid::this();
        let run = Run::of(own);
        assert_eq!(
            run.directory,
            std::env::current_dir().unwrap().to_string_lossy()
        );
        let now = crate::persistence::record::now();
        assert!(run.started <= now, "{} is later than {now}", run.started);
        assert!(memory_of(std::process::id()) > 0);
        let parent = nix::unistd::getppid().as_raw();
        assert!(exported(parent, own.as_raw(), None).is_some());
        assert!(exported(own.as_raw(), own.as_raw(), None).is_none());
    }

    #[test]
    fn command_that_a_pane_was_started_with_is_read_as_a_line() {
        let line = vec!["htop -d 5".to_owned()];
        let run = Run {
            typed: line.first().cloned(),
            ..Run::default()
        };
        let name = run.with(&line, Shell::Bash, shellkeep_hibernation::name);
        assert_eq!(name, "htop");
    }
}
