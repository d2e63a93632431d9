//! Steps aside for a program that floods.
//!
//! A program that prints as fast as it can runs on one processor while we show what it printed on another: so it should be. But each read of
//! a terminal wakes the kernel's worker and then the program, the worker gets the processor that is idle, and the
//! program may be put where it can only wait: on ours. Once there it stays for thousands of turns, beside an idle processor, and
//! a flood takes half as long again. The scheduler is not to be told who belongs with whom; but we can go where the program is
//! not. We look where it is every few milliseconds, in a flood alone.
//!
//! Linux only: elsewhere, and where the kernel does not tell, everybody stays where they are.

use std::fs;
use std::time::{Duration, Instant};

/// So long after each other we look where the program is. A look takes some 10 microseconds.
const LOOK: Duration = Duration::from_millis(2);

/// So long after each other we look who it is that prints.
const FIND: Duration = Duration::from_millis(100);

/// Turns further apart are no flood.
const FLOOD: Duration = Duration::from_millis(20);

/// So many processes of a pane are looked at, and no more.
const MOST: usize = 32;

/// Where the program of one pane is, while it floods.
pub(crate) struct Aside {
    /// The pane's first process.
    root: i32,
    looked: Instant,
    found: Instant,
    /// The processes of the pane, and how long each had run when they were last looked at.
    known: Vec<(i32, u64)>,
    printer: Option<i32>,
}

impl Aside {
    pub(crate) fn new(root: u32) -> Self {
        Self {
            root: root.cast_signed(),
            looked: Instant::now(),
            found: Instant::now(),
            known: Vec::new(),
            printer: None,
        }
    }

    /// The pane has printed much, again.
    pub(crate) fn flooded(&mut self) {
        let now = Instant::now();
        let since = now - self.looked;
        if since < LOOK {
            return;
        }
        self.looked = now;
        if since > FLOOD {
            return;
        }
        if self.printer.is_none() || now - self.found >= FIND {
            self.found = now;
            self.find();
        }
        if let Some(program) = self.printer.and_then(Running::of) {
            step_aside(program.processor);
        }
    }

    /// Finds who prints.
    fn find(&mut self) {
        let mut seen = Vec::new();
        let mut waiting = vec![self.root];
        while seen.len() < MOST
            && let Some(pid) = waiting.pop()
        {
            if let Some(process) = Running::of(pid) {
                seen.push((pid, process));
                waiting.extend(children(pid));
            }
        }
        self.choose(&seen);
    }

    /// Of those in the foreground, the one that has worked most since the last time.
    fn choose(&mut self, seen: &[(i32, Running)]) {
        let worked = |(pid, process): &(i32, Running)| {
            let known = self.known.iter().find(|known| known.0 == *pid);
            process
                .ticks
                .saturating_sub(known.map_or(0, |known| known.1))
        };
        let foreground = seen.iter().filter(|(_, process)| process.is_in_foreground);
        let busiest = foreground.map(|each| (worked(each), each.0)).max();
        if let Some((1.., pid)) = busiest {
            self.printer = Some(pid);
        }
        let known = seen.iter().map(|(pid, process)| (*pid, process.ticks));
        self.known = known.collect();
    }
}

/// Goes to another processor, if this is the one.
#[cfg(target_os = "linux")]
fn step_aside(processor: usize) {
    use nix::sched::{sched_getaffinity, sched_getcpu, sched_setaffinity};
    if sched_getcpu() != Ok(processor) {
        return;
    }
    let this_thread = nix::unistd::Pid::from_raw(0);
    let Ok(allowed) = sched_getaffinity(this_thread) else {
        return;
    };
    let mut others = allowed;
    // Without another one this is refused, and nothing has changed.
    if others.unset(processor).is_ok() && sched_setaffinity(this_thread, &others).is_ok() {
        // From there on we are free to be moved again.
        let _ = sched_setaffinity(this_thread, &allowed);
    }
}

#[cfg(not(target_os = "linux"))]
fn step_aside(_processor: usize) {}

/// What the kernel tells of a process that may run.
#[derive(Debug, PartialEq, Eq)]
struct Running {
    /// Its group has the terminal.
    is_in_foreground: bool,
    /// How long it has run: in hundredths of a second, mostly.
    ticks: u64,
    /// Where it runs, or ran last.
    processor: usize,
}

impl Running {
    fn of(pid: i32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The fields are numbered as in proc(5). The second, the name, may have any sign in it.
    fn parse(stat: &[u8]) -> Option<Self> {
        let stat = String::from_utf8_lossy(stat);
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied();
        let ticks = |number| field(number)?.parse::<u64>().ok();
        let (group, foreground) = (field(5)?, field(8)?);
        Some(Self {
            is_in_foreground: group == foreground,
            ticks: ticks(14)? + ticks(15)?,
            processor: field(39)?.parse().ok()?,
        })
    }
}

/// The processes that a process has started, and that are still there.
fn children(pid: i32) -> Vec<i32> {
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let list = list.unwrap_or_default();
    list.split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_is_found_behind_any_name() {
        let stat = b"7 (a) (b 1) R 1 70 7 34816 70 4194304 120 0 0 0 31 4 9 9 20 0 1 0 5 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 17 3 0 0";
        let parsed = Running::parse(stat);
        let wanted = Running {
            is_in_foreground: true,
            ticks: 35,
            processor: 3,
        };
        assert_eq!(parsed, Some(wanted));
        assert_eq!(Running::parse(b"7 (cut) R 1 70"), None);
        assert_eq!(Running::parse(b""), None);
    }

    #[test]
    fn who_worked_most_since_the_last_look_is_who_prints() {
        let mut aside = Aside::new(1);
        let process = |pid, ticks, is_in_foreground| {
            let processor = 0;
            let running = Running {
                is_in_foreground,
                ticks,
                processor,
            };
            (pid, running)
        };
        let busy = |pid, ticks| process(pid, ticks, true);
        aside.choose(&[busy(1, 500), busy(2, 3)]);
        assert_eq!(aside.printer, Some(1), "nobody was known");
        aside.choose(&[busy(1, 500), busy(2, 8), process(3, 90, false)]);
        assert_eq!(aside.printer, Some(2), "the third is in the background");
        aside.choose(&[busy(1, 500), busy(2, 8)]);
        assert_eq!(aside.printer, Some(2), "nobody has worked");
        // A number that was given again.
        aside.choose(&[busy(1, 501), busy(2, 0)]);
        assert_eq!(aside.printer, Some(1));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn thread_leaves_a_processor_and_may_come_back() {
        use nix::sched::{sched_getaffinity, sched_getcpu};
        let this_thread = nix::unistd::Pid::from_raw(0);
        let before = sched_getaffinity(this_thread).expect("own affinity");
        let processor = sched_getcpu().expect("own processor");
        step_aside(processor);
        let after = sched_getaffinity(this_thread).expect("own affinity");
        assert_eq!(after, before);
    }
}
