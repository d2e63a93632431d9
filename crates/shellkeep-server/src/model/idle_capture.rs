//! What is known of the state that a pane's shell tells while it runs.

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
const SLOW: Duration = Duration::from_millis(100);

/// It is left alone for so many times as long as it took: captures then cost at most a fiftieth of its time.
const PAUSE_FACTOR: u32 = 50;

/// The copy of a shell that has answered ends within this time. Until then it would be taken for a job in the background.
const COPY_ENDS: Duration = Duration::from_millis(50);

/// What is known of a pane's captures.
#[derive(Default)]
pub(crate) struct IdleCapture {
    /// A command ran since the shell last told its state.
    pub(crate) is_due: bool,
    /// Runs until the pane may have been quiet for long enough, or until the shell has had its time to answer; when that is.
    pub(crate) timer: Option<(Timer, Instant)>,
    pub(crate) question: Option<CaptureQuestion>,
    pub(crate) answered: Option<Instant>,
    pub(crate) paused_until: Option<Instant>,
    /// The shell whose end was seen: what it told then is kept.
    pub(crate) ended: Option<ProcessId>,
    pub(crate) captured: Arc<Captured>,
}

/// A shell that was asked.
pub(crate) struct CaptureQuestion {
    pub(crate) request: Option<Request>,
    pub(crate) shell: Shell,
    pub(crate) pid: i32,
    pub(crate) attempt: Ticket,
    /// As they are at the prompt: by the time of the answer a program may have changed them.
    pub(crate) terminal: Option<Termios>,
    pub(crate) began: Instant,
    /// In milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) signals: usize,
    pub(crate) watch: Option<Watch>,
}

impl Drop for CaptureQuestion {
    fn drop(&mut self) {
        // The watch first: the next question of this pane has the same directory.
        self.watch = None;
        if let Some(request) = self.request.take() {
            request.withdraw();
        }
    }
}

impl IdleCapture {
    /// A command runs: what the shell told before is no longer all, nor is what it is about to tell.
    pub(crate) fn command_began(&mut self) {
        self.is_due = true;
        if self.question.take().is_some() {
            // The copy of the shell that answers may live on for a moment.
            self.answered = Some(Instant::now());
        }
    }

    /// Whether a command ran since the shell last told its state.
    pub(crate) fn is_due(&self) -> bool {
        self.is_due || self.captured.has_failed()
    }

    /// How long ago the shell was asked that has not answered yet.
    pub(crate) fn asked_for(&self) -> Option<Duration> {
        self.question.as_ref().map(|it| it.began.elapsed())
    }

    /// Takes the question back that the shell has not answered.
    pub(crate) fn withdraw(&mut self) {
        (self.question, self.timer) = (None, None);
    }

    /// Something was typed. Fish reads no key while it tells its state; the others answer from a copy.
    pub(crate) fn typed(&mut self) {
        if self
            .question
            .as_ref()
            .is_some_and(|it| it.shell == Shell::Fish)
        {
            self.question = None;
        }
    }

    /// Whether a copy of the shell may still be there that is no job of the user's.
    pub(crate) fn is_under_way(&self) -> bool {
        let is_ending = |at: Instant| at.elapsed() < COPY_ENDS;
        self.question.is_some() || self.answered.is_some_and(is_ending)
    }

    /// When the shell was asked for the state that is kept, in milliseconds since 1970.
    pub(crate) fn kept_at(&self) -> Option<u64> {
        self.captured.at()
    }

    /// The state that its shell told last, for the recorder.
    pub(crate) fn captured(&self) -> Arc<Captured> {
        self.captured.clone()
    }

    /// Notes how long the shell took to answer.
    pub(crate) fn took(&mut self, took: Duration) {
        let is_slow = took > SLOW;
        self.paused_until = is_slow.then(|| Instant::now() + took * PAUSE_FACTOR);
    }

    pub(crate) fn pause_left(&self) -> Duration {
        let until = self.paused_until;
        until.map_or(Duration::ZERO, |until| {
            until.saturating_duration_since(Instant::now())
        })
    }
}
