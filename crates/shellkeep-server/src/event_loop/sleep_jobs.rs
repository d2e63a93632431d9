//! Commands that wait for panes to fall asleep or to wake up, and what they say in the end.

use std::collections::{BTreeMap, BTreeSet};

use shellkeep_core::PaneId;

use super::{Report, Server};
use crate::exec::Reply;
use crate::queue::QueueId;

/// A command that waits for panes to fall asleep or to wake up.
pub(crate) struct SleepJob {
    pub(crate) queue: QueueId,
    pub(crate) waiting: BTreeSet<PaneId>,
    pub(crate) told: Vec<Told>,
    pub(crate) is_json: bool,
    /// It only wants to know how they would wake.
    pub(crate) is_dry: bool,
    /// Whether a refusal is an error: something was named.
    pub(crate) is_strict: bool,
}

/// What became of one pane.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) pane: PaneId,
    /// `session:window.pane`.
    pub(crate) place: String,
    pub(crate) outcome: Result<String, String>,
    /// What came back, if it is awake again.
    pub(crate) report: Option<Report>,
}

/// The jobs that wait, by number.
pub(crate) type SleepJobs = BTreeMap<u64, SleepJob>;

impl Server {
    /// A pane sleeps, is awake, or could not: whoever waits for it is told.
    pub(super) fn sleep_told(&mut self, id: PaneId, outcome: Result<String, String>) {
        self.sleep_reported(id, outcome, None);
    }

    /// The same, with all that came back.
    pub(super) fn sleep_reported(
        &mut self,
        id: PaneId,
        outcome: Result<String, String>,
        report: Option<Report>,
    ) {
        self.tell_jobs(id, outcome, report, |job| !job.is_dry);
    }

    /// Tells the jobs of a kind that wait for a pane what became of it.
    pub(super) fn tell_jobs(
        &mut self,
        id: PaneId,
        outcome: Result<String, String>,
        report: Option<Report>,
        is_meant: impl Fn(&SleepJob) -> bool,
    ) {
        let place = self.pane_place(id);
        let mut done = Vec::new();
        for (number, job) in &mut self.hibernation.jobs {
            if is_meant(job) && job.waiting.remove(&id) {
                job.told.push(Told {
                    pane: id,
                    place: place.clone(),
                    outcome: outcome.clone(),
                    report: report.clone(),
                });
                if job.waiting.is_empty() {
                    done.push(*number);
                }
            }
        }
        for number in done {
            if let Some(job) = self.hibernation.jobs.remove(&number) {
                let queue = job.queue;
                self.resume(queue, job.reply());
            }
        }
    }

    /// `session:window.pane`.
    pub(crate) fn pane_place(&self, id: PaneId) -> String {
        match self.state.place_of(id) {
            Some(place) => {
                let place = self.scope().found(place);
                place.expand("#{session_name}:#{window_index}.#{pane_index}")
            }
            None => id.to_string(),
        }
    }
}

impl SleepJob {
    /// What the command says in the end.
    pub(crate) fn reply(mut self) -> Result<Reply, String> {
        self.told.sort_by(|a, b| a.place.cmp(&b.place));
        let failed: Vec<&Told> = self
            .told
            .iter()
            .filter(|one| one.outcome.is_err())
            .collect();
        if self.is_strict && !failed.is_empty() && failed.len() == self.told.len() && !self.is_json
        {
            let lines: Vec<String> = failed.iter().map(|one| one.line()).collect();
            return Err(lines.join("\n"));
        }
        let text = if self.is_json {
            let told = self.told.iter().map(|one| {
                let (is_done, text) = match &one.outcome {
                    Ok(text) => (true, text),
                    Err(text) => (false, text),
                };
                let mut fields = one.report.as_ref().map(Report::fields).unwrap_or_default();
                fields.insert("pane".to_owned(), one.pane.to_string().into());
                fields.insert("place".to_owned(), one.place.clone().into());
                fields.insert("done".to_owned(), is_done.into());
                fields.insert("text".to_owned(), text.clone().into());
                serde_json::Value::Object(fields)
            });
            format!("{:#}\n", serde_json::Value::Array(told.collect()))
        } else {
            let lines = self.told.iter().map(|one| one.line() + "\n");
            lines.collect()
        };
        Ok(Reply {
            stdout: text.into_bytes(),
            ..Reply::default()
        })
    }
}

impl Told {
    fn line(&self) -> String {
        match &self.outcome {
            Ok(text) => format!("{}: {text}", self.place),
            Err(reason) => format!("{}: stays as it is: {reason}", self.place),
        }
    }
}
