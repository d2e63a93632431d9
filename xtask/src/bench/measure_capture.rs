//! The time of a key's echo while the state of an idle shell is captured, compared to the same without captures.

use std::cell::Cell;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::subject::{PROMPT, Subject};
use super::terminal::Terminal;

/// The value of `capture-after`: the time between a prompt and the capture of the shell's state.
const CAPTURE_AFTER: Duration = Duration::from_secs(1);

/// The first key of a round comes at most this long before the capture.
const BEFORE: Duration = Duration::from_millis(10);
const AFTER: Duration = Duration::from_millis(60);

/// The keys that follow the first, and the time between them. A capture takes some milliseconds.
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

    /// Types keys around captures, if there are any, and returns the time of each key.
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
            // Gives the shell something to capture.
            terminal.press("true\r")?;
            terminal.idle(Duration::from_millis(50));
            let prompted = wait_for_prompt(&mut terminal)?;
            // Spread evenly over the time, in no order.
            let spread = (BEFORE + AFTER).mul_f64((round as f64 * 0.618).fract());
            let first_key = CAPTURE_AFTER - BEFORE + spread;
            terminal.idle(first_key.saturating_sub(prompted.elapsed()));
            for _ in 0..KEYS {
                took.push(echo(&mut terminal)?.as_secs_f64());
                terminal.idle(BETWEEN_KEYS);
            }
            // Clears the line, so that nothing is run.
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

/// Waits for an empty prompt, and returns when it was painted.
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
