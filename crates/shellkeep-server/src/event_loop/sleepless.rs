//! Sessions that cannot sleep since something runs in the background there. Its end shows in no prompt, so the kernel is asked to
//! tell it: nobody looks again and again.

use std::collections::BTreeMap;

use nix::unistd::Pid;
use shellkeep_core::SessionId;
use shellkeep_keeper::process;
use shellkeep_sleep::{Candidate, Life, Reason, Verdict};
use tokio::io::Interest;
use tokio::task::AbortHandle;

use super::Server;
use crate::event::Event;
use crate::processes::Processes;
use crate::state::Pane;

/// So many are waited for: each takes a descriptor.
const MOST: usize = 200;

/// The processes that are waited for.
#[derive(Default)]
pub(super) struct Sleepless(BTreeMap<i32, Watch>);

/// One that is waited for, as long as this lives.
struct Watch(AbortHandle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Server {
    /// Has the end of what keeps sessions awake told, and of nothing else.
    pub(super) fn watch_sleepless(
        &mut self,
        candidates: &[Candidate<SessionId>],
        processes: &Processes,
    ) {
        let sleepless = candidates.iter().filter(|one| {
            one.life == Life::Active && !one.is_idle && !one.is_visible && !one.is_held
        });
        let mut wanted: Vec<i32> = sleepless
            .flat_map(|one| self.wakeful_processes(one.key, processes))
            .collect();
        wanted.truncate(MOST);
        self.sleepless.0.retain(|pid, _| wanted.contains(pid));
        for pid in wanted {
            if self.sleepless.0.contains_key(&pid) {
                continue;
            }
            match self.tell_end(pid) {
                Ok(watch) => drop(self.sleepless.0.insert(pid, watch)),
                // It is gone already.
                Err(_) => self.sleepers_due(),
            }
        }
    }

    /// Of each pane of a session that could sleep otherwise, a process that speaks against it. When that has ended, there may be
    /// another: then it is that one's turn.
    fn wakeful_processes(&self, session: SessionId, processes: &Processes) -> Vec<i32> {
        let panes = self.panes_in(session).filter(|pane| !pane.is_asleep());
        let process = |pane: &Pane| match self.idle_verdict(pane, processes) {
            Verdict::Refused {
                reason:
                    Reason::BackgroundJob(_)
                    | Reason::StoppedJob(_)
                    | Reason::LeftBehind(_)
                    | Reason::DrawingPrompt,
            } => {
                let others = processes.of_shell(pane.pid()?.cast_signed());
                others.first().map(|process| process.pid)
            }
            _ => None,
        };
        panes.filter_map(process).collect()
    }

    fn tell_end(&self, pid: i32) -> std::io::Result<Watch> {
        let end = process::end_of(Pid::from_raw(pid))?;
        let end = process::watch(end, Interest::READABLE)?;
        let events = self.events.clone();
        let task = tokio::spawn(async move {
            if end.readable().await.is_ok() {
                let _ = events.send(Event::SleeplessEnded).await;
            }
        });
        Ok(Watch(task.abort_handle()))
    }
}
