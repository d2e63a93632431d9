//! Commands that wait for panes to fall asleep or wake, and their output.

use std::collections::{BTreeMap, BTreeSet};

use shellkeep_core::PaneId;

use crate::action::Action;
use crate::commands::queue::QueueId;
use crate::commands::reply::Reply;
use crate::hibernation::report::{PaneOutcome, Report};
use crate::model::Model;

/// A command that waits for panes to fall asleep or wake.
pub(crate) struct SleepJob {
    pub(crate) queue: QueueId,
    pub(crate) waiting: BTreeSet<PaneId>,
    pub(crate) outcomes: Vec<PaneOutcome>,
    pub(crate) is_json: bool,
    /// It only asks how they would wake.
    pub(crate) is_dry: bool,
    /// A refusal is an error, because the user has named the pane.
    pub(crate) is_strict: bool,
}

/// The waiting commands by number.
pub(crate) type SleepJobs = BTreeMap<u64, SleepJob>;

/// Passes a pane's outcome to the waiting commands of a kind.
pub(crate) fn pass_outcome(
    model: &mut Model,
    jobs: &mut SleepJobs,
    outcome: &PaneOutcome,
    is_dry: bool,
) {
    let mut done = Vec::new();
    for (number, job) in &mut *jobs {
        if job.is_dry == is_dry && job.waiting.remove(&outcome.pane) {
            job.outcomes.push(outcome.clone());
            if job.waiting.is_empty() {
                done.push(*number);
            }
        }
    }
    for number in done {
        if let Some(job) = jobs.remove(&number) {
            model.act(Action::Resume(job.queue, job.reply()));
        }
    }
}

impl SleepJob {
    /// The command's reply, when all panes are done.
    pub(crate) fn reply(mut self) -> Result<Reply, String> {
        self.outcomes.sort_by(|a, b| a.place.cmp(&b.place));
        let failed: Vec<&PaneOutcome> = self
            .outcomes
            .iter()
            .filter(|one| one.outcome.is_err())
            .collect();
        if self.is_strict
            && !failed.is_empty()
            && failed.len() == self.outcomes.len()
            && !self.is_json
        {
            let lines: Vec<String> = failed.iter().map(|one| one.line()).collect();
            return Err(lines.join("\n"));
        }
        let text = if self.is_json {
            let outcomes = self.outcomes.iter().map(|one| {
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
            format!("{:#}\n", serde_json::Value::Array(outcomes.collect()))
        } else {
            let lines = self.outcomes.iter().map(|one| one.line() + "\n");
            lines.collect()
        };
        Ok(Reply {
            stdout: text.into_bytes(),
            ..Reply::default()
        })
    }
}
