//! What keeping costs the one who prints and the one who types: the same in a session that is kept and in a private one, in turn.

use anyhow::Result;

use super::figure::Sample;
use super::measure_echo::Echo;
use super::measure_flow::Flow;
use super::subject::Subject;
use super::{Effort, Measure};

/// What a private session is made with.
const PRIVATE: &[&str] = &["--private"];

/// A pane that prints as fast as it can.
pub(super) struct Flood;

impl Measure for Flood {
    fn name(&self) -> &'static str {
        "journal"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(3, 7)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        let megabytes = effort.choose(16, 64);
        let flow = Flow::mixed();
        let payload = flow.some(megabytes * 1_000_000);
        let seconds = |flags: &[&str]| -> Result<f64> {
            let took = flow.print(subject, flags, &payload)?;
            Ok(took.as_secs_f64() / megabytes as f64)
        };
        Ok(vec![
            Sample::new("journal", seconds(&[])?),
            Sample::other("journal", seconds(PRIVATE)?),
        ])
    }
}

/// Somebody types.
pub(super) struct Typing;

impl Measure for Typing {
    fn name(&self) -> &'static str {
        "journal-echo"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(2, 8)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        let mut samples = Echo::kept(&[]).round(subject, effort)?;
        let private = Echo::kept(PRIVATE).round(subject, effort)?;
        let private = private.iter();
        samples.extend(private.map(|sample| Sample::other(sample.figure, sample.value)));
        Ok(samples)
    }
}
