//! A pane on its way to sleep: the running shell's process, and how far the capture is.

use std::time::{Duration, Instant};

use nix::unistd::Pid;
use shellkeep_keeper::ProcessId;
use shellkeep_shell::{Request, Shell};

use crate::alarm::Timer;
use crate::hibernation::running::Run;
use crate::hibernation::shell_answers::Watch;
use crate::model::pane_life::{Cause, Sleep};
use crate::model::ticket::Ticket;

/// A pane on its way to sleep.
pub(crate) struct Falling {
    pub(crate) request: Option<Request>,
    /// The shell that was asked for its state. None if the pane is put to sleep by force.
    pub(crate) shell: Option<Shell>,
    /// The process that is ended last. No other process is.
    pub(crate) process: ProcessId,
    /// Names this attempt. Answers that carry another ticket are ignored.
    pub(crate) attempt: Ticket,
    /// The words of the foreground program that is ended with the pane.
    pub(crate) program: Vec<String>,
    pub(crate) run: Run,
    pub(crate) stage: FallingStage,
    /// The sleep as it is written to the notes before the pane sleeps.
    pub(crate) note: Option<Sleep>,
    pub(crate) began: Instant,
    /// How often the shell was asked.
    pub(crate) asked: usize,
    pub(crate) timer: Option<Timer>,
    pub(crate) watch: Option<Watch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FallingStage {
    /// Input was typed just now; it is read before the shell is asked.
    Settling,
    /// The shell was asked for its state.
    State,
    /// The shell was asked for its half-typed line.
    Line,
    /// The recorder writes checkpoint and state.
    Writing,
    /// The recorder writes the session, in which the pane is asleep.
    Noting,
}

impl Falling {
    pub(crate) fn note(&self) -> Option<&Sleep> {
        self.note.as_ref()
    }

    /// Whether an answer of the shell is outstanding.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.stage, FallingStage::State | FallingStage::Line)
    }

    /// How long ago the attempt began, while an answer of the shell is outstanding.
    pub(crate) fn asked_for(&self) -> Option<Duration> {
        self.is_asked().then(|| self.began.elapsed())
    }

    /// Whether a program is ended with the pane, or a shell that cannot be asked.
    pub(crate) fn is_forced(&self) -> bool {
        self.shell.is_none()
    }

    /// The cause with which the pane will be asleep.
    pub(crate) fn cause(&self) -> Cause {
        match self.is_forced() && self.program.is_empty() {
            true => Cause::Ended,
            false => Cause::Hibernated,
        }
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(self.process.pid.cast_signed())
    }

    pub(crate) fn new(shell: Option<Shell>, process: ProcessId) -> Self {
        Self {
            request: None,
            shell,
            process,
            attempt: Ticket::new(),
            program: Vec::new(),
            run: Run::default(),
            stage: FallingStage::State,
            note: None,
            began: Instant::now(),
            asked: 1,
            timer: None,
            watch: None,
        }
    }

    /// Takes the answers as complete: the shell is not asked again.
    pub(crate) fn is_answered(&mut self) {
        self.stage = FallingStage::Writing;
        self.timer = None;
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}

impl Drop for Falling {
    fn drop(&mut self) {
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}
