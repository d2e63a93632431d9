//! The time in which a shell is hibernated and woken, compared to the start of a plain shell and to attaching in tmux.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::measure_flow::build_log;
use super::subject::{PROMPT, Subject};
use super::wait::wait_until;

/// Lines of history in a hibernated pane.
const LINES: usize = 10_000;

/// A shell that sleeps and wakes.
struct Shell {
    program: &'static str,
    /// Its arguments for a start without the user's files.
    plain: &'static [&'static str],
}

const BASH: Shell = Shell {
    program: "/bin/bash",
    plain: &["--norc", "--noprofile", "-i"],
};

const ZSH: Shell = Shell {
    program: "/bin/zsh",
    plain: &["-f", "-i"],
};

const FISH: Shell = Shell {
    program: "/usr/bin/fish",
    // Its prompt is not a variable that could be passed.
    plain: &[
        "--no-config",
        "-C",
        "function fish_prompt; echo -n \"$PS1\"; end",
    ],
};

impl Shell {
    /// Makes new panes run this shell.
    fn make_default(&self, subject: &Subject) -> Result<()> {
        let set = ["start-server", ";", "set-option", "-g"];
        let call = [&set[..], &["default-shell", self.program]].concat();
        subject.call(&call).map(drop)
    }

    /// The seconds until its prompt without a multiplexer and without the user's files, in the same environment.
    fn plain_start(&self, subject: &Subject) -> Result<f64> {
        let args: Vec<&str> = [self.program].iter().chain(self.plain).copied().collect();
        let mut terminal = subject.plain_in_terminal(&args)?;
        let prompted = terminal.wait_for_bytes(PROMPT.as_bytes())?;
        let took = prompted - terminal.born();
        terminal.press("exit\n")?;
        Ok(took.as_secs_f64())
    }
}

/// The user's shell, with so much output that hibernating it is worthwhile.
pub(super) fn shell_with_history(subject: &Subject, session: &str) -> Result<()> {
    let log = subject.scratch("log")?;
    if !log.exists() {
        fs::write(&log, build_log(LINES))?;
    }
    subject.call(&["new-session", "-d", "-s", session, "-x", "80", "-y", "24"])?;
    wait_for_text(subject, session, PROMPT)?;
    // The output at the end differs from what was typed.
    let typed = format!("cat {}; echo al''l-42", log.display());
    subject.call(&["send-keys", "-t", session, &typed, "Enter"])?;
    wait_for_text(subject, session, "all-42")?;
    wait_for_prompt(subject, session)
}

pub(super) fn wait_for_prompt(subject: &Subject, session: &str) -> Result<()> {
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

/// One shell is hibernated and woken.
pub(super) struct SleepAndWake {
    name: &'static str,
    shell: Shell,
    /// Hibernating; waking, from the command to its output; waking, from the server's decision to the prompt.
    figures: [&'static str; 3],
}

impl SleepAndWake {
    pub(super) const BASH: Self = SleepAndWake {
        name: "sleep",
        shell: BASH,
        figures: ["sleep", "wake", "wake-inside"],
    };

    /// With as many settings as oh-my-zsh makes.
    pub(super) const ZSH: Self = SleepAndWake {
        name: "sleep-zsh",
        shell: ZSH,
        figures: ["sleep-zsh", "wake-zsh", "wake-zsh-inside"],
    };

    pub(super) const FISH: Self = SleepAndWake {
        name: "sleep-fish",
        shell: FISH,
        figures: ["sleep-fish", "wake-fish", "wake-fish-inside"],
    };
}

impl Measure for SleepAndWake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(4, 21)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        self.shell.make_default(subject)?;
        shell_with_history(subject, "shell")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let begun = Instant::now();
        subject.call(&["hibernate", "-t", "shell"])?;
        let asleep = begun.elapsed().as_secs_f64();
        // In practice a user comes back later than a moment after the hibernation.
        subject.settle()?;
        let begun = Instant::now();
        subject.call(&["restore", "-t", "shell"])?;
        let awake = begun.elapsed().as_secs_f64();
        let inside = inside(subject)?;
        let plain = self.shell.plain_start(subject)?;
        // The part of the state that the prompt does not need is read after it.
        subject.settle()?;
        let [sleep, wake, wake_inside] = self.figures;
        Ok(vec![
            Sample::new(sleep, asleep),
            Sample::new(wake, awake),
            Sample::other(wake, plain),
            Sample::new(wake_inside, inside),
            Sample::other(wake_inside, plain),
        ])
    }
}

/// The duration of revivals according to the server, from its own decision to the prompt.
fn inside(subject: &Subject) -> Result<f64> {
    let stats: Value = serde_json::from_str(&subject.call(&["stats", "--json"])?)?;
    let inside = stats["revivals"]["median_us"].as_f64();
    Ok(inside.context("no median of revivals in stats")? / 1e6)
}

/// Waking as a user sees it: a sleeping pane is on the screen and wakes at a key (`revive-on key`), until that key is
/// shown at its prompt.
pub(super) struct WakeByKey {
    name: &'static str,
    shell: Shell,
    /// Until the key is shown; and until the prompt is, according to the server.
    figures: [&'static str; 2],
}

impl WakeByKey {
    pub(super) const BASH: Self = WakeByKey {
        name: "wake-key",
        shell: BASH,
        figures: ["wake-key", "wake-key-inside"],
    };

    pub(super) const ZSH: Self = WakeByKey {
        name: "wake-key-zsh",
        shell: ZSH,
        figures: ["wake-key-zsh", "wake-key-zsh-inside"],
    };

    pub(super) const FISH: Self = WakeByKey {
        name: "wake-key-fish",
        shell: FISH,
        figures: ["wake-key-fish", "wake-key-fish-inside"],
    };
}

impl Measure for WakeByKey {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(4, 21)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        self.shell.make_default(subject)?;
        subject.call(&["set-option", "-g", "revive-on", "key"])?;
        shell_with_history(subject, "shell")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        subject.call(&["hibernate", "-t", "shell"])?;
        let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "shell"])?;
        terminal.wait_for_screen("the screen is painted", |screen| {
            screen.contents().contains("all-42")
        })?;
        subject.settle()?;
        let pressed = Instant::now();
        terminal.press("x")?;
        let typed = format!("{PROMPT} x");
        let echoed = terminal.wait_for_screen("the key stands at the prompt", |screen| {
            screen.contents().contains(&typed)
        })?;
        let took = (echoed - pressed).as_secs_f64();
        terminal.press("\x15")?;
        wait_for_prompt(subject, "shell")?;
        terminal.detach()?;
        let (inside, plain) = (inside(subject)?, self.shell.plain_start(subject)?);
        subject.settle()?;
        let [by_key, to_prompt] = self.figures;
        Ok(vec![
            Sample::new(by_key, took),
            Sample::other(by_key, plain),
            Sample::new(to_prompt, inside),
            Sample::other(to_prompt, plain),
        ])
    }
}

/// A new session on a running server, with a shell that reads no files, until its prompt is on the terminal. Compare
/// `wake` with this: it is what a multiplexer adds to the start of a shell.
pub(super) struct NewPrompt;

impl Measure for NewPrompt {
    fn name(&self) -> &'static str {
        "new-prompt"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(4, 21)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        subject.new_session("first", "exec cat")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let prompt = format!("PS1={PROMPT} ");
        let new = ["new-session", "-s", "new", "-e", &prompt, BASH.program];
        let mut terminal = subject.call_in_terminal(&[&new[..], BASH.plain].concat())?;
        let painted = terminal.wait_for_screen("the prompt is painted", |screen| {
            screen.contents().contains(PROMPT)
        })?;
        let took = painted - terminal.born();
        subject.call(&["kill-session", "-t", "new"])?;
        Ok(vec![Sample::new("new-prompt", took.as_secs_f64())])
    }
}

/// Attaching to a sleeping session until its screen is shown; in tmux, to a running one.
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
            subject.settle()?;
        }
        let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "shell"])?;
        let painted = terminal.wait_for_screen("the screen is painted", |screen| {
            screen.contents().contains("all-42")
        })?;
        let took = painted - terminal.born();
        if !subject.is_tmux() {
            // Typed ahead; the revived shell answers. The number differs each time, because a screen of equal lines
            // looks the same after scrolling.
            let number = WOKEN.fetch_add(1, Ordering::Relaxed);
            terminal.press(&format!("echo all-42 woke-$(({number}+0))\r"))?;
            let answer = format!("woke-{number}");
            terminal.wait_for_screen("the revived shell has answered", |screen| {
                screen.contents().contains(&answer)
            })?;
            wait_for_prompt(subject, "shell")?;
        }
        terminal.detach()?;
        Ok(vec![Sample::new("attach-asleep", took.as_secs_f64())])
    }
}

/// Numbers the answers of revived shells.
static WOKEN: AtomicU32 = AtomicU32::new(1000);

/// Very many shells are hibernated at once, and woken one by one with their complete state.
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
        // Without this, sessions would be hibernated by the limit meanwhile.
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
        let output = subject.call(&["hibernate", "-a"])?;
        let asleep = output
            .lines()
            .filter(|line| line.contains(": asleep after "));
        ensure!(
            asleep.count() == names.len(),
            "not all fell asleep:\n{output}"
        );
        let took = begun.elapsed().as_secs_f64() * 200.0 / names.len() as f64;
        for (name, before) in names.iter().zip(before) {
            subject.call(&["restore", "-t", name])?;
            // Its prompt is drawn again when all of its state is restored.
            wait_until(&format!("{name} is as it was"), || {
                Ok(everything(name)?.trim_end() == before.trim_end())
            })?;
        }
        Ok(vec![Sample::new("sleep-all", took)])
    }
}
