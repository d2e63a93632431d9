//! Sessions that cannot sleep because of a background process. No prompt shows the end of such a process, so the kernel
//! is asked to report it (pidfd) instead of polling.

use std::collections::BTreeMap;

use nix::unistd::Pid;
use shellkeep_core::SessionId;
use shellkeep_hibernation::{Candidate, Life, Reason, Verdict};
use shellkeep_keeper::process;
use tokio::io::Interest;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use crate::event::Event;
use crate::hibernation::policy_round::PolicyRound;
use crate::model::Pane;
use crate::process::processes::Processes;

/// How many processes are waited for: each takes a file descriptor.
const MAX_WATCHED_PROCESSES: usize = 200;

/// The processes that are waited for.
#[derive(Default)]
pub(crate) struct WakeBlockers(BTreeMap<i32, Watch>);

/// Whether all wanted processes could be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watching {
    All,
    OneIsGone,
}

impl WakeBlockers {
    /// Waits for the end of the processes that keep sessions awake, and of no others.
    pub(crate) fn watch(
        &mut self,
        candidates: &[Candidate<SessionId>],
        round: &PolicyRound,
        events: &mpsc::Sender<Event>,
    ) -> Watching {
        let awake = candidates.iter().filter(|one| {
            one.life == Life::Active && !one.is_idle && !one.is_visible && !one.is_held
        });
        let mut wanted: Vec<i32> = awake
            .filter_map(|one| round.judged.get(&one.key))
            .flat_map(|judged| judged.wake_blockers.iter().copied())
            .collect();
        wanted.truncate(MAX_WATCHED_PROCESSES);
        self.0.retain(|pid, _| wanted.contains(pid));
        let mut watching = Watching::All;
        for pid in wanted {
            if self.0.contains_key(&pid) {
                continue;
            }
            match watch_end(pid, events.clone()) {
                Ok(watch) => drop(self.0.insert(pid, watch)),
                Err(_) => watching = Watching::OneIsGone,
            }
        }
        watching
    }
}

/// A wait for one process, cancelled on drop.
struct Watch(AbortHandle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn watch_end(pid: i32, events: mpsc::Sender<Event>) -> std::io::Result<Watch> {
    let end = process::end_of(Pid::from_raw(pid))?;
    let end = process::watch(end, Interest::READABLE)?;
    let task = tokio::spawn(async move {
        if end.readable().await.is_ok() {
            let _ = events.send(Event::WakeBlockerEnded).await;
        }
    });
    Ok(Watch(task.abort_handle()))
}

/// The process to wait for, if background processes are all that keeps a pane awake. When it has ended, there may be
/// another one, which is found in the next round.
pub(crate) fn wake_blocker(pane: &Pane, verdict: &Verdict, processes: &Processes) -> Option<i32> {
    match verdict {
        Verdict::Refused {
            reason:
                Reason::BackgroundJob(_)
                | Reason::BackgroundCopy(_)
                | Reason::StoppedJob(_)
                | Reason::LeftBehind(_)
                | Reason::DrawingPrompt,
        } => {
            let others = processes.of_shell(pane.pid()?.cast_signed());
            others.first().map(|process| process.pid)
        }
        _ => None,
    }
}
