//! How long a key takes to show that is typed while an idle shell is asked for its state, against the same without captures.

use std::cell::Cell;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::subject::{PROMPT, Subject};
use super::terminal::Terminal;

/// What `capture-after` is set to: the shell is asked so long after its prompt has come.
const CAPTURE_AFTER: Duration = Duration::from_secs(1);

/// The first key of a round comes this long before the capture at the earliest, and this long after it at the latest.
const BEFORE: Duration = Duration::from_millis(10);
const AFTER: Duration = Duration::from_millis(60);

/// Keys that follow the first, and the time between them: a capture takes some milliseconds.
const KEYS: usize = 8;
const BETWEEN_KEYS: Duration = Duration::from_millis(6);

pub(super) struct CaptureEcho {
    name: &'static str,
    program: &'static str,
    /// Median, tail and maximum of the same readings.
    figures: [&'static str; 3],
}

impl CaptureEcho {
    pub(super) const BASH: Self = CaptureEcho {
        name: "capture-bash",
        program: "/bin/bash",
        figures: ["capture-bash", "capture-bash-p99", "capture-bash-max"],
    };

    pub(super) const ZSH: Self = CaptureEcho {
        name: "capture-zsh",
        program: "/bin/zsh",
        figures: ["capture-zsh", "capture-zsh-p99", "capture-zsh-max"],
    };

    pub(super) const FISH: Self = CaptureEcho {
        name: "capture-fish",
        program: "/usr/bin/fish",
        figures: ["capture-fish", "capture-fish-p99", "capture-fish-max"],
    };

    /// Types around captures, if there are any, and tells what each key took.
    fn type_keys(&self, subject: &Subject, capture_after: &str, rounds: usize) -> Result<Vec<f64>> {
        subject.reset()?;
        let set = |name, value| ["set-option", "-g", name, value, ";"];
        let shell = set("default-shell", self.program);
        let capture = set("capture-after", capture_after);
        let new = ["new-session", "-d", "-s", "typing", "-x", "80", "-y", "24"];
        subject.call(&[&["start-server", ";"][..], &shell, &capture, &new].concat())?;
        let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "typing"])?;
        wait_for_prompt(&mut terminal)?;
        let mut took = Vec::new();
        for round in 0..rounds {
            // Something to capture.
            terminal.press("true\r")?;
            terminal.idle(Duration::from_millis(50));
            let prompted = wait_for_prompt(&mut terminal)?;
            // Spread evenly over the time in question, in no order.
            let spread = (BEFORE + AFTER).mul_f64((round as f64 * 0.618).fract());
            let first_key = CAPTURE_AFTER - BEFORE + spread;
            terminal.idle(first_key.saturating_sub(prompted.elapsed()));
            for _ in 0..KEYS {
                took.push(echo(&mut terminal)?.as_secs_f64());
                terminal.idle(BETWEEN_KEYS);
            }
            // Nothing of it is run.
            terminal.press("\x15")?;
            wait_for_prompt(&mut terminal)?;
        }
        terminal.detach()?;
        subject.reset()?;
        Ok(took)
    }
}

impl Measure for CaptureEcho {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, _effort: Effort) -> usize {
        1
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        let rounds = effort.choose(30, 100);
        let with = self.type_keys(subject, "1s", rounds)?;
        let without = self.type_keys(subject, "0", rounds)?;
        let figures = self.figures;
        let with = with
            .into_iter()
            .flat_map(|took| figures.map(|it| Sample::new(it, took)));
        let without = without.into_iter();
        let without = without.flat_map(|took| figures.map(|it| Sample::other(it, took)));
        Ok(with.chain(without).collect())
    }
}

/// Waits for a prompt with nothing behind it; when it was painted.
fn wait_for_prompt(terminal: &mut Terminal) -> Result<Instant> {
    terminal.wait_for_screen("an empty line behind the prompt", |screen| {
        let (row, _) = screen.cursor_position();
        let mut rows = screen.rows(0, 80).skip(usize::from(row));
        rows.next()
            .is_some_and(|row| row.trim_end().ends_with(PROMPT))
    })
}

/// Types one key and waits for it.
fn echo(terminal: &mut Terminal) -> Result<Duration> {
    let column = Cell::new(0);
    terminal.wait_for_screen("a screen", |screen| {
        column.set(screen.cursor_position().1);
        true
    })?;
    let pressed = Instant::now();
    terminal.press("k")?;
    let arrived = terminal.wait_for_screen("the key is echoed", |screen| {
        screen.cursor_position().1 == column.get() + 1
    })?;
    Ok(arrived.saturating_duration_since(pressed))
}
