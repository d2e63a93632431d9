//! What one pane costs the server, and what it costs another pane: storing output, and echoing keys during a flood.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::measure_echo::Echo;
use super::measure_flow::{Flow, Printing};
use super::subject::Subject;

/// The flags of a private session.
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

/// Typing in one pane, and its cost to the server.
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

/// A pane that prints as fast as it can while keys are typed in another session, compared to the same without keys.
pub(super) struct FloodBesideTyping;

/// Twenty keys a second: faster than users type for long.
const BETWEEN_KEYS: Duration = Duration::from_millis(50);

impl Measure for FloodBesideTyping {
    fn name(&self) -> &'static str {
        "flood-typing"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(3, 7)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        let megabytes = effort.choose(32, 64);
        let payload = Flow::mixed().some(megabytes * 1_000_000);
        let seconds = |keys: &str| -> Result<f64> {
            let took = flood_beside(subject, &payload, keys)?;
            Ok(took.as_secs_f64() / megabytes as f64)
        };
        Ok(vec![
            Sample::new("flood-typing", seconds("k")?),
            Sample::other("flood-typing", seconds("")?),
        ])
    }
}

/// How long a pane prints `payload` while these keys are pressed repeatedly in another session.
fn flood_beside(subject: &Subject, payload: &[u8], keys: &str) -> Result<Duration> {
    subject.reset()?;
    subject.new_session("typing", "printf 'here: '; exec cat")?;
    let mut printing = Printing::prepare(subject, &[], payload)?;
    let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "typing"])?;
    terminal.wait_for_screen("the screen is painted", |screen| {
        screen.contents().starts_with("here:")
    })?;
    let begun = Instant::now();
    printing.begin()?;
    while !printing.is_done_within(BETWEEN_KEYS)? {
        ensure!(
            begun.elapsed() < Duration::from_secs(60),
            "waited in vain until the payload was printed"
        );
        terminal.press(keys)?;
    }
    let took = begun.elapsed();
    subject.reset()?;
    Ok(took)
}
