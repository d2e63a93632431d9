//! Processes, read from `/proc`.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::wait::look_for;

/// A process, identified by its pid and start time, because pids are reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pub pid: i32,
    born: u64,
}

impl Process {
    /// The process with this pid, if it exists and has not ended.
    #[must_use]
    pub fn find(pid: i32) -> Option<Self> {
        let stat = Stat::read(pid)?;
        (!stat.is_dead()).then_some(Self {
            pid,
            born: stat.born,
        })
    }

    /// A process that has ended.
    pub(crate) const fn gone(pid: i32) -> Self {
        Self { pid, born: 0 }
    }

    /// Every process with `word` anywhere in its initial environment.
    #[must_use]
    pub fn all_with_environment(word: &[u8]) -> Vec<Self> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let own = i32::try_from(std::process::id()).unwrap_or(i32::MAX);
        pids.filter(|pid| *pid != own)
            .filter(|pid| {
                let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environ.windows(word.len()).any(|window| window == word)
            })
            .filter_map(Self::find)
            .collect()
    }

    fn stat(&self) -> Option<Stat> {
        Stat::read(self.pid).filter(|stat| stat.born == self.born)
    }

    /// Whether it runs, sleeps or is stopped. A zombie is not alive.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.stat().is_some_and(|stat| !stat.is_dead())
    }

    /// Stopped by a signal.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stat().is_some_and(|stat| stat.state == 'T')
    }

    /// Sends a signal. Does nothing if the process has ended.
    pub fn signal(&self, signal: Signal) {
        if self.is_alive() {
            let _ = kill(Pid::from_raw(self.pid), signal);
        }
    }

    /// Kills it with SIGKILL, and waits until it is gone.
    pub fn kill_9(&self) {
        self.signal(Signal::SIGKILL);
        self.wait_gone();
    }

    /// Waits until it ends.
    ///
    /// # Panics
    /// When it does not end.
    pub fn wait_gone(&self) {
        let gone = look_for(|| (!self.is_alive()).then_some(()));
        assert!(gone.is_some(), "{self} does not end");
    }

    #[must_use]
    pub fn argv(&self) -> Vec<String> {
        let bytes = fs::read(self.path("cmdline")).unwrap_or_default();
        let words = bytes.split(|byte| *byte == 0);
        let mut argv: Vec<String> = words
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        argv.pop();
        argv
    }

    /// A line of `/proc/PID/status`, without its name.
    #[must_use]
    pub fn status(&self, field: &str) -> String {
        let text = fs::read_to_string(self.path("status")).unwrap_or_default();
        let value = text
            .lines()
            .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        value.unwrap_or_default().trim().to_owned()
    }

    /// The number in a line of `/proc/PID/status`, without its unit.
    #[must_use]
    pub fn status_number(&self, field: &str) -> u64 {
        let text = self.status(field);
        let number = text.split_whitespace().next().unwrap_or_default();
        number.parse().unwrap_or(0)
    }

    /// How often its threads have waited and were woken.
    #[must_use]
    pub fn wakeups(&self) -> u64 {
        let Ok(tasks) = fs::read_dir(self.path("task")) else {
            return 0;
        };
        let counts = tasks.filter_map(|task| {
            let text = fs::read_to_string(task.ok()?.path().join("status")).ok()?;
            let count = text
                .lines()
                .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
            count.trim().parse::<u64>().ok()
        });
        counts.sum()
    }

    /// The leader of its session, and the device number of its controlling terminal (0 for none).
    #[must_use]
    pub fn session_and_terminal(&self) -> (i32, i32) {
        self.stat().map_or((0, 0), |stat| (stat.session, stat.tty))
    }

    /// Its directory.
    #[must_use]
    pub fn cwd(&self) -> PathBuf {
        fs::read_link(self.path("cwd")).unwrap_or_default()
    }

    /// Its open descriptors and their targets.
    #[must_use]
    pub fn descriptors(&self) -> Vec<(i32, PathBuf)> {
        let Ok(entries) = fs::read_dir(self.path("fd")) else {
            return Vec::new();
        };
        let mut fds: Vec<(i32, PathBuf)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let number = entry.file_name().to_str()?.parse().ok()?;
                Some((number, fs::read_link(entry.path()).ok()?))
            })
            .collect();
        fds.sort();
        fds
    }

    /// A variable of its initial environment.
    #[must_use]
    pub fn env(&self, name: &str) -> Option<String> {
        let environ = fs::read(self.path("environ")).ok()?;
        let entries = environ.split(|byte| *byte == 0);
        entries
            .filter_map(|entry| std::str::from_utf8(entry).ok())
            .find_map(|entry| Some(entry.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    }

    fn path(&self, file: &str) -> PathBuf {
        Path::new("/proc").join(self.pid.to_string()).join(file)
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (state, parent) = self
            .stat()
            .map_or(('-', 0), |stat| (stat.state, stat.parent));
        let argv = self.argv().join(" ");
        write!(f, "process {} (parent {parent}, {state}) {argv}", self.pid)
    }
}

/// The fields of `/proc/PID/stat` that are used.
struct Stat {
    state: char,
    parent: i32,
    session: i32,
    tty: i32,
    threads: u32,
    born: u64,
}

impl Stat {
    fn read(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may contain anything.
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        Some(Self {
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            tty: fields.get(4)?.parse().ok()?,
            threads: fields.get(17)?.parse().ok()?,
            born: fields.get(19)?.parse().ok()?,
        })
    }

    /// Whether it has ended with all its threads. Files and sockets are open until the last one has ended.
    fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X') && self.threads <= 1
    }
}
