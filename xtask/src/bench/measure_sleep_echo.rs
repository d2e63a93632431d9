//! The time of a key's echo while many other sessions are hibernated.

use std::process::{Child, Stdio};

use anyhow::{Context as _, Result, ensure};

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::measure_echo::{ECHOING, TYPING, attach_typing, echo_and_erase};
use super::measure_sleep::{shell_with_history, wait_for_prompt};
use super::subject::Subject;

/// A client types while `hibernate -a` hibernates all other sessions.
pub(super) struct SleepAllEcho {
    name: &'static str,
    /// Of the same readings.
    figures: [&'static str; 2],
    has_history: bool,
}

impl SleepAllEcho {
    pub(super) const FULL: Self = SleepAllEcho {
        name: "sleep-all-echo",
        figures: ["sleep-all-echo", "sleep-all-echo-worst"],
        has_history: true,
    };

    pub(super) const EMPTY: Self = SleepAllEcho {
        name: "sleep-empty-echo",
        figures: ["sleep-empty-echo", "sleep-empty-echo-worst"],
        has_history: false,
    };

    fn make_sessions(&self, subject: &Subject, count: usize) -> Result<()> {
        // Without this, sessions would be hibernated by the limit meanwhile.
        subject.call(&["start-server", ";", "set-option", "-g", "max-active", "0"])?;
        let names: Vec<String> = (0..count).map(|number| format!("shell-{number}")).collect();
        for name in &names {
            if self.has_history {
                shell_with_history(subject, name)?;
            } else {
                subject.call(&["new-session", "-d", "-s", name])?;
            }
        }
        for name in &names {
            wait_for_prompt(subject, name)?;
        }
        subject.new_session(TYPING, ECHOING)?;
        subject.settle()
    }
}

impl Measure for SleepAllEcho {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(1, 3)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        subject.reset()?;
        let count = effort.choose(50, 200);
        self.make_sessions(subject, count)?;
        let mut terminal = attach_typing(subject)?;
        let hibernate = subject
            .command(&["hibernate", "-a"])
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the command")?;
        let mut hibernate = Running(hibernate);
        let mut samples = Vec::new();
        while hibernate.is_running()? {
            for took in echo_and_erase(&mut terminal, 'x')? {
                let took = took.as_secs_f64();
                samples.extend(self.figures.map(|figure| Sample::new(figure, took)));
            }
        }
        terminal.detach()?;
        let listed = subject.call(&["list-sessions", "-F", "#{session_state}"])?;
        let asleep = listed.lines().filter(|line| *line == "hibernated").count();
        ensure!(asleep == count, "only {asleep} of {count} fell asleep");
        subject.reset()?;
        Ok(samples)
    }
}

/// A command that is ended with the measure, even if that fails.
struct Running(Child);

impl Running {
    fn is_running(&mut self) -> Result<bool> {
        let status = self.0.try_wait().context("cannot wait for the command")?;
        ensure!(
            status.is_none_or(|status| status.success()),
            "hibernate -a failed"
        );
        Ok(status.is_none())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
