//! A pane on its way to sleep.

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
    /// The shell that was asked; none if it was not.
    pub(crate) shell: Option<Shell>,
    /// The process that is ended in the end; none other is.
    pub(crate) process: ProcessId,
    /// Answers to an earlier attempt say nothing of this one.
    pub(crate) attempt: Ticket,
    /// The program that is ended with it, by force, and what is known of it.
    pub(crate) program: Vec<String>,
    pub(crate) run: Run,
    pub(crate) stage: FallingStage,
    /// What is written of its sleep, before it sleeps.
    pub(crate) note: Option<Sleep>,
    pub(crate) began: Instant,
    /// How often it was asked.
    pub(crate) asked: usize,
    pub(crate) timer: Option<Timer>,
    pub(crate) watch: Option<Watch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FallingStage {
    /// Something has just been typed.
    Settling,
    /// The shell was asked.
    State,
    /// The half-typed line is still to come.
    Line,
    /// It is being written down.
    Writing,
    /// That it sleeps is being written down.
    Noting,
}

impl Falling {
    /// What is written of its sleep, before it sleeps.
    pub(crate) fn note(&self) -> Option<&Sleep> {
        self.note.as_ref()
    }

    /// Whether its shell has still to tell something.
    pub(crate) fn is_asked(&self) -> bool {
        matches!(self.stage, FallingStage::State | FallingStage::Line)
    }

    /// How long ago its shell was asked that has still to tell something.
    pub(crate) fn asked_for(&self) -> Option<Duration> {
        self.is_asked().then(|| self.began.elapsed())
    }

    /// Whether a program is ended with it, or a shell that cannot be asked.
    pub(crate) fn is_forced(&self) -> bool {
        self.shell.is_none()
    }

    /// Why the pane sleeps then.
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

    /// All is known that can be: nobody is asked any more.
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
