//! The last output of the shell commands in formats.
//!
//! A format is evaluated on a shared reference to the model, so its commands are only noted here. The loop starts them
//! when the event is handled, and their output is shown at the next evaluation.

use std::cell::RefCell;
use std::collections::BTreeMap;

use shellkeep_core::SessionId;

use crate::model::Seconds;

/// The last output of each `#(…)`.
#[derive(Default)]
pub(crate) struct FormatJobs(RefCell<BTreeMap<String, FormatJob>>);

#[derive(Default)]
struct FormatJob {
    output: String,
    /// When it was last started.
    started: Option<Seconds>,
    is_wanted: bool,
    is_running: bool,
    session: Option<SessionId>,
}

/// How many commands are remembered. Beyond that the ones used least recently are dropped.
const MAX_FORMAT_JOBS: usize = 500;

impl FormatJobs {
    /// The last output of a format's command. Notes the command to be started, unless it was started within this
    /// second.
    pub(crate) fn printed(
        &self,
        command: &str,
        session: Option<SessionId>,
        now: Seconds,
    ) -> String {
        let mut jobs = self.0.borrow_mut();
        if jobs.len() >= MAX_FORMAT_JOBS && !jobs.contains_key(command) {
            let oldest = jobs.iter().filter(|(_, job)| !job.is_running);
            let oldest = oldest
                .min_by_key(|(_, job)| job.started)
                .map(|(name, _)| name.clone());
            if let Some(name) = oldest {
                jobs.remove(&name);
            }
        }
        let job = jobs.entry(command.to_owned()).or_default();
        job.session = session;
        job.is_wanted = !job.is_running && job.started.is_none_or(|started| started < now);
        job.output.clone()
    }

    /// Takes the commands that formats have asked for. They count as started now.
    pub(crate) fn take_wanted(&mut self, now: Seconds) -> Vec<(String, Option<SessionId>)> {
        let mut wanted = Vec::new();
        for (command, job) in self.0.get_mut() {
            if std::mem::take(&mut job.is_wanted) {
                (job.is_running, job.started) = (true, Some(now));
                wanted.push((command.clone(), job.session));
            }
        }
        wanted
    }

    /// Sets the output of a command that has ended. Returns whether it has changed.
    pub(crate) fn ended(&mut self, command: &str, line: String) -> bool {
        let Some(job) = self.0.get_mut().get_mut(command) else {
            return false;
        };
        let has_changed = job.output != line;
        job.output = line;
        job.is_running = false;
        has_changed
    }
}
