//! The time of commands: start-up, `new -d`, attach, `ls`.

use std::time::Instant;

use anyhow::{Context as _, Result};

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::subject::{PROMPT, Subject};

/// From no server to something on the screen.
pub(super) struct StartUp {
    name: &'static str,
    /// The program in the pane; empty for the user's shell.
    program: &'static [&'static str],
    before: Before,
}

/// What a start finds on disk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The directories of an earlier server, as in everyday use.
    Used,
    /// Nothing.
    New,
}

impl StartUp {
    /// Until the shell's prompt. Both programs' times include the shell's own.
    pub(super) fn to_prompt() -> Self {
        StartUp {
            name: "start-up",
            program: &[],
            before: Before::Used,
        }
    }

    /// Until the output of a program that starts at once.
    pub(super) fn to_output() -> Self {
        StartUp {
            name: "start-up-bare",
            program: &["/bin/sh", "-c", "echo 'ready>'; exec cat"],
            before: Before::Used,
        }
    }

    /// Until the shell's prompt, where no server was ever started before.
    pub(super) fn first_ever() -> Self {
        StartUp {
            name: "start-up-first",
            before: Before::New,
            ..Self::to_prompt()
        }
    }

    /// Ends the server, and removes what the next one must not find.
    fn clear(&self, subject: &Subject) -> Result<()> {
        match self.before {
            Before::Used => subject.end(),
            Before::New => subject.reset(),
        }
    }
}

impl Measure for StartUp {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(5, 21)
    }

    /// The first start makes what the others find.
    fn prepare(&self, subject: &Subject) -> Result<()> {
        self.round(subject, Effort::Quick).map(drop)
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        self.clear(subject)?;
        let args: Vec<&str> = ["new-session"]
            .iter()
            .chain(self.program)
            .copied()
            .collect();
        let mut terminal = subject.call_in_terminal(&args)?;
        let painted = terminal.wait_for_screen("the program is ready", |screen| {
            screen.contents().contains(PROMPT)
        })?;
        let took = painted - terminal.born();
        self.clear(subject)?;
        Ok(vec![Sample::new(self.name, took.as_secs_f64())])
    }
}

/// `new -d` on a running server.
pub(super) struct NewDetached;

impl Measure for NewDetached {
    fn name(&self) -> &'static str {
        "new"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(8, 41)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        subject.new_session("first", "exec cat")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let new = [
            "new-session",
            "-d",
            "-s",
            "second",
            "-x",
            "80",
            "-y",
            "24",
            "/bin/cat",
            "-",
        ];
        let begun = Instant::now();
        subject.call(&new)?;
        let took = begun.elapsed();
        subject.call(&["kill-session", "-t", "second"])?;
        Ok(vec![Sample::new("new", took.as_secs_f64())])
    }
}

/// From the command to a full screen.
pub(super) struct Attach;

impl Measure for Attach {
    fn name(&self) -> &'static str {
        "attach"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(6, 31)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        subject.new_session(
            "kept",
            "i=1; while [ $i -le 20 ]; do echo line $i.; i=$((i+1)); done; exec cat",
        )
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "kept"])?;
        let painted = terminal.wait_for_screen("the screen is painted", |screen| {
            let text = screen.contents();
            text.contains("line 1.") && text.contains("line 20.")
        })?;
        let took = painted - terminal.born();
        terminal.detach()?;
        Ok(vec![Sample::new("attach", took.as_secs_f64())])
    }
}

/// `ls` of ten sessions.
pub(super) struct List;

impl Measure for List {
    fn name(&self) -> &'static str {
        "ls"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(8, 41)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        (0..10).try_for_each(|number| subject.new_session(&format!("s{number}"), "exec cat"))
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let begun = Instant::now();
        let list = subject.call(&["list-sessions"])?;
        let took = begun.elapsed();
        anyhow::ensure!(
            list.lines().count() == 10,
            "ls does not show ten sessions:\n{list}"
        );
        Ok(vec![Sample::new("ls", took.as_secs_f64())])
    }
}

/// A thousand commands: through one client in control mode for shellkeep, and one call each for tmux.
pub(super) struct Thousand;

impl Thousand {
    const COUNT: usize = 1000;

    fn by_lines(subject: &Subject) -> Result<()> {
        use std::io::{Read as _, Write as _};
        use std::process::Stdio;
        let mut command = subject.command(&["-C", "attach-session", "-t", "kept"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().context("a pipe was asked for")?;
        let mut stdout = child.stdout.take().context("a pipe was asked for")?;
        let writer = std::thread::spawn(move || -> std::io::Result<()> {
            for number in 0..Self::COUNT {
                writeln!(stdin, "display-message -p answer-{number}")?;
            }
            Ok(())
        });
        let mut heard = String::new();
        stdout.read_to_string(&mut heard)?;
        child.wait()?;
        if !matches!(writer.join(), Ok(Ok(()))) {
            anyhow::bail!("the commands could not be sent");
        }
        let answers = heard.lines().filter(|line| line.starts_with("answer-"));
        let answers = answers.count();
        anyhow::ensure!(answers == Self::COUNT, "only {answers} answers came");
        Ok(())
    }

    fn by_calls(subject: &Subject) -> Result<()> {
        for number in 0..Self::COUNT {
            let answer = format!("answer-{number}");
            let output = subject.call(&["display-message", "-p", &answer])?;
            anyhow::ensure!(output.trim_end() == answer, "it said {output}");
        }
        Ok(())
    }
}

impl Measure for Thousand {
    fn name(&self) -> &'static str {
        "thousand"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(1, 5)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        subject.new_session("kept", "exec cat")
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let begun = Instant::now();
        if subject.is_tmux() {
            Self::by_calls(subject)?;
        } else {
            Self::by_lines(subject)?;
        }
        Ok(vec![Sample::new("thousand", begun.elapsed().as_secs_f64())])
    }
}
