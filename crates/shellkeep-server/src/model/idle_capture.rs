//! The state of a pane's captures: when the shell was last asked for its state while idle, and what it answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::termios::Termios;
use shellkeep_keeper::ProcessId;
use shellkeep_shell::{Request, Shell};

use crate::alarm::Timer;
use crate::hibernation::shell_answers::Watch;
use crate::model::ticket::Ticket;
use crate::persistence::recorder::Captured;

/// A shell that took longer than this to answer is asked less often.
const SLOW_ANSWER: Duration = Duration::from_millis(100);

/// A slow shell is left alone for its answer time multiplied by this: captures cost it at most a fiftieth of its time.
const PAUSE_FACTOR: u32 = 50;

/// The copy of a shell that has answered ends within this time. Until then it would be taken for a background job.
const COPY_LIFETIME: Duration = Duration::from_millis(50);

#[derive(Default)]
pub(crate) struct IdleCapture {
    /// A command ran since the shell was last captured.
    pub(crate) is_due: bool,
    /// Runs until the pane has been quiet for long enough, or until the shell's time to answer is over; and when it
    /// fires.
    pub(crate) timer: Option<(Timer, Instant)>,
    pub(crate) question: Option<CaptureQuestion>,
    pub(crate) answered: Option<Instant>,
    pub(crate) paused_until: Option<Instant>,
    /// The shell that has reported its state at its end. That state is kept.
    pub(crate) ended: Option<ProcessId>,
    pub(crate) captured: Arc<Captured>,
}

/// A shell that was asked for its state and has not answered yet.
pub(crate) struct CaptureQuestion {
    pub(crate) request: Option<Request>,
    pub(crate) shell: Shell,
    pub(crate) pid: i32,
    pub(crate) attempt: Ticket,
    /// The settings of the terminal at the prompt. A program may have changed them by the time of the answer.
    pub(crate) terminal: Option<Termios>,
    pub(crate) began: Instant,
    /// When the shell was asked, in milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) signals: usize,
    pub(crate) watch: Option<Watch>,
}

impl Drop for CaptureQuestion {
    fn drop(&mut self) {
        // Drop the watch first: the next question of this pane has the same directory.
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}

impl IdleCapture {
    /// Notes that a command runs: the last capture is out of date, and so is an answer that is under way.
    pub(crate) fn command_began(&mut self) {
        self.is_due = true;
        if self.question.take().is_some() {
            // The copy of the shell that answers may live on for a moment.
            self.answered = Some(Instant::now());
        }
    }

    /// Whether a new capture is needed.
    pub(crate) fn is_due(&self) -> bool {
        self.is_due || self.captured.has_failed()
    }

    /// How long ago the shell was asked, if its answer is outstanding.
    pub(crate) fn asked_for(&self) -> Option<Duration> {
        self.question.as_ref().map(|it| it.began.elapsed())
    }

    pub(crate) fn withdraw(&mut self) {
        (self.question, self.timer) = (None, None);
    }

    /// Notes that a key was typed. Fish reads no key while it answers, so its question is withdrawn; the other shells
    /// answer from a copy.
    pub(crate) fn typed(&mut self) {
        if self
            .question
            .as_ref()
            .is_some_and(|it| it.shell == Shell::Fish)
        {
            self.question = None;
        }
    }

    /// Whether a copy of the shell may still run, which is not a job of the user's.
    pub(crate) fn is_under_way(&self) -> bool {
        let is_ending = |at: Instant| at.elapsed() < COPY_LIFETIME;
        self.question.is_some() || self.answered.is_some_and(is_ending)
    }

    /// When the shell was asked for the state that is kept, in milliseconds since 1970.
    pub(crate) fn kept_at(&self) -> Option<u64> {
        self.captured.at()
    }

    /// The last captured state, for the recorder.
    pub(crate) fn captured(&self) -> Arc<Captured> {
        self.captured.clone()
    }

    /// Sets the pause until the next question from the time the shell took to answer.
    pub(crate) fn took(&mut self, took: Duration) {
        let is_slow = took > SLOW_ANSWER;
        self.paused_until = is_slow.then(|| Instant::now() + took * PAUSE_FACTOR);
    }

    pub(crate) fn pause_left(&self) -> Duration {
        let until = self.paused_until;
        until.map_or(Duration::ZERO, |until| {
            until.saturating_duration_since(Instant::now())
        })
    }
}
