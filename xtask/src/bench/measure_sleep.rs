//! How long a shell takes to fall asleep and to wake, against a plain shell's start and an attach of tmux.

use std::fs;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use portable_pty::CommandBuilder;

use super::figure::Sample;
use super::measure_flow::build_log;
use super::subject::{PROMPT, Subject};
use super::terminal::Terminal;
use super::wait::wait_until;
use super::{Effort, Measure};

/// Lines in a pane that sleeps.
const LINES: usize = 10_000;

/// The user's shell, with so much printed that it is worth sleeping.
fn shell_with_history(subject: &Subject, session: &str) -> Result<()> {
    let log = subject.scratch("log")?;
    if !log.exists() {
        fs::write(&log, build_log(LINES))?;
    }
    subject.call(&["new-session", "-d", "-s", session, "-x", "80", "-y", "24"])?;
    wait_for_text(subject, session, PROMPT)?;
    // What it prints at the end is not what was typed.
    let typed = format!("cat {}; echo all-$((40+2))", log.display());
    subject.call(&["send-keys", "-t", session, &typed, "Enter"])?;
    wait_for_text(subject, session, "all-42")?;
    wait_for_prompt(subject, session)
}

fn wait_for_prompt(subject: &Subject, session: &str) -> Result<()> {
    wait_until("the prompt is back", || {
        let text = subject.call(&["capture-pane", "-p", "-t", session])?;
        Ok(text.trim_end().ends_with(PROMPT))
    })
}

fn wait_for_text(subject: &Subject, session: &str, wanted: &str) -> Result<()> {
    wait_until("the pane has printed", || {
        let text = subject.call(&["capture-pane", "-p", "-t", session])?;
        Ok(text.contains(wanted))
    })
}

/// One shell falls asleep and wakes.
pub(super) struct SleepAndWake;

impl Measure for SleepAndWake {
    fn name(&self) -> &'static str {
        "sleep"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(4, 21)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        shell_with_history(subject, "shell")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let begun = Instant::now();
        subject.call(&["hibernate", "-t", "shell"])?;
        let asleep = begun.elapsed();
        let begun = Instant::now();
        subject.call(&["restore", "-t", "shell"])?;
        let awake = begun.elapsed();
        Ok(vec![
            Sample::new("sleep", asleep.as_secs_f64()),
            Sample::new("wake", awake.as_secs_f64()),
            Sample::other("wake", plain_shell(subject)?),
        ])
    }
}

/// Seconds that the same shell needs for its prompt without a multiplexer, and without the user's files.
fn plain_shell(subject: &Subject) -> Result<f64> {
    let mut command = CommandBuilder::new("/bin/bash");
    command.args(["--norc", "--noprofile", "-i"]);
    command.env_clear();
    command.env("PS1", format!("{PROMPT} "));
    command.env("TERM", "xterm-256color");
    command.cwd(subject.scratch("")?);
    let mut terminal = Terminal::start(command)?;
    let prompted = terminal.wait_for_bytes(PROMPT.as_bytes())?;
    let took = prompted - terminal.born();
    terminal.press("exit\n")?;
    Ok(took.as_secs_f64())
}

/// Attaching to a session that sleeps, until its screen is there; and to one that lives, in tmux.
pub(super) struct AttachAsleep;

impl Measure for AttachAsleep {
    fn name(&self) -> &'static str {
        "attach-asleep"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(4, 21)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        shell_with_history(subject, "shell")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        if !subject.is_tmux() {
            subject.call(&["hibernate", "-t", "shell"])?;
        }
        let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "shell"])?;
        let painted = terminal.wait_for_screen("the screen is painted", |screen| {
            screen.contents().contains("all-42")
        })?;
        let took = painted - terminal.born();
        if !subject.is_tmux() {
            // Typed ahead; the answer comes from the revived shell.
            terminal.press("echo all-$((40+2))\r")?;
            terminal.wait_for_bytes(b"all-42")?;
            wait_for_prompt(subject, "shell")?;
        }
        terminal.detach()?;
        Ok(vec![Sample::new("attach-asleep", took.as_secs_f64())])
    }
}

/// Very many fall asleep at once, and come back one by one with all that they had.
pub(super) struct SleepAll;

impl Measure for SleepAll {
    fn name(&self) -> &'static str {
        "sleep-all"
    }

    fn rounds(&self, _effort: Effort) -> usize {
        1
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        let names: Vec<String> = (0..effort.choose(20, 200))
            .map(|number| format!("shell-{number}"))
            .collect();
        // They would fall asleep by themselves meanwhile.
        subject.call(&["start-server", ";", "set-option", "-g", "max-active", "0"])?;
        for name in &names {
            shell_with_history(subject, name)?;
        }
        let everything = |name: &str| subject.call(&["capture-pane", "-p", "-S", "-", "-t", name]);
        let before: Vec<String> = names
            .iter()
            .map(|name| everything(name))
            .collect::<Result<_>>()?;
        let begun = Instant::now();
        subject.call(&["hibernate", "-a"])?;
        let took = begun.elapsed().as_secs_f64() * 200.0 / names.len() as f64;
        for (name, before) in names.iter().zip(before) {
            subject.call(&["restore", "-t", name])?;
            let after = everything(name).with_context(|| format!("of {name}"))?;
            ensure!(
                after.trim_end() == before.trim_end(),
                "{name} did not come back as it was"
            );
        }
        Ok(vec![Sample::new("sleep-all", took)])
    }
}
