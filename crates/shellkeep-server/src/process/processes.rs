//! All processes of the system, as one scan of `/proc` finds them.

use std::fs;
use std::path::Path;
use std::time::Instant;

use nix::unistd::Pid;
use shellkeep_hibernation::ProcessFact;

#[derive(Clone, Debug)]
struct Process {
    pid: i32,
    parent: i32,
    group: i32,
    session: i32,
    terminal: i32,
    state: char,
    name: String,
}

/// A scan of all processes, by which many panes can be judged.
#[derive(Debug)]
pub(crate) struct Processes {
    all: Vec<Process>,
    began: Instant,
}

impl Processes {
    pub(crate) fn scan() -> Self {
        let began = Instant::now();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let all = pids.filter_map(process).collect();
        Self { all, began }
    }

    /// When the scan began. A process that was started later may be missing.
    pub(crate) fn began(&self) -> Instant {
        self.began
    }

    /// Whether a process runs that was started after the scan, so that its children are not known either.
    pub(crate) fn misses(&self, pid: i32) -> bool {
        let is_known = self.all.iter().any(|process| process.pid == pid);
        !is_known && !crate::process::process_info::argv_of(Pid::from_raw(pid)).is_empty()
    }

    /// The first running process of a process group.
    pub(crate) fn in_group(&self, group: Pid) -> Option<Pid> {
        let group = group.as_raw();
        let mut all = self.all.iter();
        let found = all.find(|process| process.group == group && process.state != 'Z');
        found.map(|process| Pid::from_raw(process.pid))
    }

    /// The running processes that belong to a shell. They are read again, because the scan may be older than other
    /// facts, and a process that has ended since is no reason to stay awake.
    pub(crate) fn of_shell(&self, shell: i32) -> Vec<ProcessFact> {
        let Some(own) = self.all.iter().find(|process| process.pid == shell) else {
            return Vec::new();
        };
        let others = self.belonging_to(own);
        let others = others.filter_map(|found| process(found.pid));
        let others = others.filter(|process| process.state != 'Z');
        let argv_of = |pid| crate::process::process_info::argv_of(Pid::from_raw(pid));
        let own_argv = argv_of(shell);
        let fact = |process: Process| {
            let argv = argv_of(process.pid);
            ProcessFact {
                pid: process.pid,
                group: process.group,
                parent: process.parent,
                name: process.name.clone(),
                is_fork: process.name == own.name && argv == own_argv,
                argv,
                same_session: process.session == own.session,
                same_tty: process.session == own.session
                    && process.terminal == own.terminal
                    && own.terminal != 0,
                is_stopped: process.state == 'T',
            }
        };
        others.map(fact).collect()
    }

    /// The processes of a shell's session, and its children.
    fn belonging_to<'a>(&'a self, own: &'a Process) -> impl Iterator<Item = &'a Process> {
        // The terminal is not compared: a process of another session with the same terminal number is in a container
        // with terminals of its own.
        self.all.iter().filter(|process| {
            let is_same = process.session == own.session;
            process.pid != own.pid && process.state != 'Z' && (is_same || process.parent == own.pid)
        })
    }
}

/// Reads `/proc/PID/stat`. The name is in parentheses and may contain any character.
fn process(pid: i32) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (before, after) = stat.rsplit_once(')')?;
    let name = before.split_once('(')?.1.to_owned();
    let mut fields = after.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let mut number = || fields.next()?.parse::<i32>().ok();
    Some(Process {
        pid,
        parent: number()?,
        group: number()?,
        session: number()?,
        terminal: number()?,
        state,
        name,
    })
}

/// Files that a shell has open, apart from its terminal and those that shells open for themselves.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenFiles {
    /// Descriptions for users.
    pub(crate) extra: Vec<String>,
    /// A file that the server has given the shell to read is among them.
    pub(crate) has_ours: bool,
}

/// Reads which files a shell has open. Files below `ours` are those through which it communicates with the server.
pub(crate) fn open_files(shell: i32, ours: &Path) -> OpenFiles {
    let entries = fs::read_dir(format!("/proc/{shell}/fd"));
    let entries = entries.into_iter().flatten().flatten();
    let extra = entries.filter_map(|entry| {
        let number: i32 = entry.file_name().to_str()?.parse().ok()?;
        let target = fs::read_link(entry.path()).ok()?;
        let target = target.to_string_lossy().into_owned();
        let is_own = number <= 2
            || [
                "/dev/pts/",
                "/dev/tty",
                "/dev/null",
                "anon_inode:",
                "/memfd:",
            ]
            .iter()
            .any(|own| target.starts_with(own))
            || target.contains("/fish")
            // zsh keeps compiled functions open once it has read one of them.
            || target.trim_end_matches(" (deleted)").ends_with(".zwc")
            // fish keeps its working directory open.
            || Path::new(&target).is_dir();
        (!is_own).then_some((number, target))
    });
    // fish has pipes to itself; bash and zsh have pipes only for coprocesses.
    let is_fish = crate::process::process_info::command_of(Pid::from_raw(shell));
    let is_fish = is_fish.is_some_and(|name| name == "fish");
    let extra = extra
        .filter(|(_, target)| !(is_fish && target.starts_with("pipe:")))
        .map(|(_, target)| target);
    let (ours, extra): (Vec<String>, Vec<String>) =
        extra.partition(|target| Path::new(target).starts_with(ours));
    OpenFiles {
        extra,
        has_ours: !ours.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_of_the_same_number_in_a_container_is_another() {
        let process = |pid, parent, session, terminal| Process {
            pid,
            parent,
            group: session,
            session,
            terminal,
            state: 'S',
            name: String::new(),
        };
        let all = vec![
            process(10, 1, 10, 34816),
            process(11, 10, 10, 34816),
            process(12, 1, 10, 0),
            process(13, 10, 13, 0),
            process(20, 1, 20, 34816),
            process(21, 20, 20, 34816),
        ];
        let began = Instant::now();
        let processes = Processes { all, began };
        let found = processes.belonging_to(&processes.all[0]);
        let found: Vec<i32> = found.map(|process| process.pid).collect();
        assert_eq!(found, [11, 12, 13]);
    }

    #[test]
    fn files_we_gave_a_shell_to_read_are_not_its_own() {
        let temp = tempfile::tempdir().unwrap();
        let (ours, other) = (temp.path().join("shells/2"), temp.path().join("shells/22"));
        for dir in [&ours, &other] {
            fs::create_dir_all(dir).unwrap();
            fs::write(dir.join("later"), "x").unwrap();
        }
        let own = std::process::id().cast_signed();
        let _first = fs::File::open(ours.join("later")).unwrap();
        let found = open_files(own, &ours);
        assert!(found.has_ours);
        let name = |path: &Path| path.join("later").to_string_lossy().into_owned();
        assert!(!found.extra.contains(&name(&ours)), "{found:?}");
        let found = open_files(own, &other);
        assert!(!found.has_ours);
        assert!(found.extra.contains(&name(&ours)), "{found:?}");
    }

    #[test]
    fn process_that_started_after_the_look_is_missed() {
        let processes = Processes {
            all: Vec::new(),
            began: Instant::now(),
        };
        assert!(processes.misses(std::process::id().cast_signed()));
        assert!(!processes.misses(i32::MAX), "there is no such process");
        let own = std::process::id().cast_signed();
        assert!(!Processes::scan().misses(own));
    }

    #[test]
    fn own_process_is_found_and_its_child_belongs_to_it() {
        let mut child = std::process::Command::new("sleep")
            .arg("100")
            .spawn()
            .unwrap();
        let processes = Processes::scan();
        let own = std::process::id().cast_signed();
        let found = processes.of_shell(own);
        let found = found
            .iter()
            .find(|fact| fact.pid == child.id().cast_signed());
        assert_eq!(found.map(|fact| fact.parent), Some(own));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = processes.of_shell(own);
        let is_gone = found.iter().all(|it| it.pid != child.id().cast_signed());
        assert!(is_gone, "it has ended since the look");
    }
}
