//! The life of a pane. Only this module changes its stage, and each stage owns what belongs to it and nothing else, so
//! an impossible state cannot be written down.
//!
//! ```text
//! Starting ─► Running ◄─► FallingAsleep ─► Asleep ◄─► Waking ─► Running
//!                └─► Dead
//! ```

use std::time::Instant;

use shellkeep_hibernation::Resume;
use shellkeep_keeper::{Exit, Generation, ProcessId};
use shellkeep_shell::Revival;

use crate::alarm::Timer;
use crate::hibernation::report::Report;
use crate::hibernation::running::Run;
use crate::model::falling::Falling;
use crate::model::ticket::Ticket;
use crate::panes::pane_task::PaneTask;
use crate::process::wall::Seconds;

pub(crate) enum PaneLife {
    /// The first program is to be started. The generation is known once the keeper was asked, and names the one answer
    /// that counts.
    Starting(Option<Generation>),
    Running(Running),
    /// Input is held until the pane sleeps or stays awake.
    FallingAsleep(Running, Box<Falling>),
    Asleep(Asleep),
    Waking(Waking),
    /// The program has ended, or never started, and the pane stays open to show that.
    Dead(Dead),
}

/// A program on a pane's terminal. It may have ended, while its output is still read.
pub(crate) struct Running {
    pub(crate) process: ProcessId,
    pub(crate) task: PaneTask,
    /// How it has ended, once the keeper has reported it.
    pub(crate) exit: Option<Exit>,
    /// All its output was read before its end was reported.
    pub(crate) is_read_out: bool,
    /// Runs while a program that was ended by a signal may turn out to have ended with the whole system.
    pub(crate) end_grace: Option<Timer>,
    /// The pane was revived with it, and no command has run since.
    pub(crate) is_revived: bool,
}

/// A pane without processes, all of which is on disk.
pub(crate) struct Asleep {
    pub(crate) sleep: Sleep,
    /// How its program comes back.
    pub(crate) rule: Rule,
    /// The last start failed: a client that shows the pane does not wake it again.
    pub(crate) has_failed: bool,
    /// Commands have sent it input since.
    pub(crate) was_sent_input: bool,
}

pub(crate) struct Waking {
    /// What the pane goes back to if its shell does not start.
    pub(crate) asleep: Asleep,
    /// The whole session was asleep when this pane began to wake.
    pub(crate) wakes_session: bool,
    /// How its shell gets its state back. None if another program is started instead.
    pub(crate) reviving: Option<Box<Reviving>>,
    pub(crate) program: WakingProgram,
}

/// How far the program of a waking pane is.
pub(crate) enum WakingProgram {
    /// Its scripts are being written.
    Prepared,
    /// The keeper was asked to start it and has not answered.
    Asked(Generation),
    /// It runs, and its state is not restored yet.
    Runs(Running),
}

pub(crate) struct Dead {
    pub(crate) since: Seconds,
    pub(crate) exit: Option<Exit>,
    /// Its terminal, if it is still open.
    pub(crate) program: Option<Running>,
}

/// How a shell gets its state back.
pub(crate) struct Reviving {
    /// The restored state. None for a new shell.
    pub(crate) revival: Option<Revival>,
    /// The program that ran in the shell, and how it comes back.
    pub(crate) resume: Option<Resume>,
    pub(crate) report: Report,
    /// What is missing and was not printed in the pane yet.
    pub(crate) unsaid: Vec<String>,
    pub(crate) stage: RevivalStage,
    /// A key that is sent to the shell behind so many bytes of the held input.
    pub(crate) key_within: Option<(usize, &'static [u8])>,
    /// Names this attempt: scripts that were prepared for another are not used.
    pub(crate) attempt: Ticket,
    pub(crate) began: Instant,
    pub(crate) timer: Timer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RevivalStage {
    /// It has not shown its prompt yet.
    Prompt,
    /// It did not show its prompt in time. It is sent input, and may still show the prompt.
    Late,
    /// The resumed program was called and has to run before it is sent the input.
    Program,
}

/// How the program of a sleeping pane comes back. It has to be looked for on disk.
#[derive(Debug)]
pub(crate) enum Rule {
    Unasked,
    /// It is being looked for. The pane wakes when it is found, if `waker` is set.
    Sought {
        waker: Option<Waker>,
        /// Names this search: the answers of others are ignored.
        question: Ticket,
    },
    Known(Resume),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waker {
    /// A user shows it, types into it, or asked for it.
    User,
    /// A command sends it input.
    Command,
}

/// The sleep of a pane: no process runs, and everything is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sleep {
    pub(crate) since: Seconds,
    pub(crate) cause: Cause,
    /// The words of the foreground program, if not the shell alone was there.
    pub(crate) program: Vec<String>,
    /// What else is known of that program.
    pub(crate) run: Run,
    /// The screen was already prepared for a new prompt by a shell that never showed one: there is no old prompt left
    /// to erase.
    pub(crate) is_tidied: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It was hibernated with its shell's state.
    Hibernated,
    /// Its processes ended with the machine or the keeper.
    Lost,
    /// Its session was archived and reopened.
    Reopened,
    /// It was put to sleep by force, without its shell's state.
    Ended,
}

impl Sleep {
    /// The sleep of a pane whose end is noted nowhere.
    pub(crate) fn lost(since: Seconds) -> Self {
        Self {
            since,
            cause: Cause::Lost,
            program: Vec::new(),
            run: Run::default(),
            is_tidied: false,
        }
    }

    /// Whether its shell was idle and has reported its state.
    pub(crate) fn has_state(&self) -> bool {
        self.cause == Cause::Hibernated && self.program.is_empty()
    }

    /// Whether its shell ended without being asked: it comes back with its last idle capture, if there is one.
    pub(crate) fn may_be_captured(&self) -> bool {
        matches!(self.cause, Cause::Lost | Cause::Reopened)
    }
}

impl Asleep {
    pub(crate) fn new(sleep: Sleep) -> Self {
        Self {
            sleep,
            rule: Rule::Unasked,
            has_failed: false,
            was_sent_input: false,
        }
    }

    /// Whether the pane wakes as soon as its resume rule is found.
    pub(crate) fn wakes_by_rule(&self) -> bool {
        matches!(self.rule, Rule::Sought { waker: Some(_), .. })
    }
}

impl Waking {
    /// A sleeping pane that begins to wake, before its scripts are prepared.
    fn new(asleep: Asleep, wakes_session: bool) -> Self {
        Self {
            asleep,
            wakes_session,
            reviving: None,
            program: WakingProgram::Prepared,
        }
    }
}

impl Running {
    pub(crate) fn new(process: ProcessId, task: PaneTask) -> Self {
        Self {
            process,
            task,
            exit: None,
            is_read_out: false,
            end_grace: None,
            is_revived: false,
        }
    }
}

impl PaneLife {
    /// Whether the program on its terminal is known to have ended.
    pub(crate) fn has_ended(&self) -> bool {
        let running = self.running();
        running.is_some_and(|running| running.exit.is_some() || running.is_read_out)
    }

    pub(crate) fn running(&self) -> Option<&Running> {
        match self {
            Self::Running(running) | Self::FallingAsleep(running, _) => Some(running),
            Self::Waking(waking) => match &waking.program {
                WakingProgram::Runs(running) => Some(running),
                WakingProgram::Prepared | WakingProgram::Asked(_) => None,
            },
            Self::Dead(dead) => dead.program.as_ref(),
            Self::Starting(_) | Self::Asleep(_) => None,
        }
    }

    pub(crate) fn running_mut(&mut self) -> Option<&mut Running> {
        match self {
            Self::Running(running) | Self::FallingAsleep(running, _) => Some(running),
            Self::Waking(waking) => match &mut waking.program {
                WakingProgram::Runs(running) => Some(running),
                WakingProgram::Prepared | WakingProgram::Asked(_) => None,
            },
            Self::Dead(dead) => dead.program.as_mut(),
            Self::Starting(_) | Self::Asleep(_) => None,
        }
    }

    /// Its sleep, until a program runs in it again.
    pub(crate) fn asleep(&self) -> Option<&Asleep> {
        match self {
            Self::Asleep(asleep) => Some(asleep),
            Self::Waking(waking) if self.running().is_none() => Some(&waking.asleep),
            _ => None,
        }
    }

    pub(crate) fn asleep_mut(&mut self) -> Option<&mut Asleep> {
        let runs = self.running().is_some();
        match self {
            Self::Asleep(asleep) => Some(asleep),
            Self::Waking(waking) if !runs => Some(&mut waking.asleep),
            _ => None,
        }
    }

    pub(crate) fn waking(&self) -> Option<&Waking> {
        match self {
            Self::Waking(waking) => Some(waking),
            _ => None,
        }
    }

    pub(crate) fn waking_mut(&mut self) -> Option<&mut Waking> {
        match self {
            Self::Waking(waking) => Some(waking),
            _ => None,
        }
    }

    /// How its shell gets its state back.
    pub(crate) fn reviving(&self) -> Option<&Reviving> {
        self.waking()?.reviving.as_deref()
    }

    /// The same, taken out by a caller that puts it back or ends the waking. None before its shell runs: until then
    /// there is no prompt to wait for.
    pub(crate) fn take_reviving(&mut self) -> Option<Box<Reviving>> {
        self.running()?;
        self.waking_mut()?.reviving.take()
    }

    pub(crate) fn falling(&self) -> Option<&Falling> {
        match self {
            Self::FallingAsleep(_, falling) => Some(falling),
            _ => None,
        }
    }

    pub(crate) fn falling_mut(&mut self) -> Option<&mut Falling> {
        match self {
            Self::FallingAsleep(_, falling) => Some(falling),
            _ => None,
        }
    }

    pub(crate) fn dead(&self) -> Option<&Dead> {
        match self {
            Self::Dead(dead) => Some(dead),
            _ => None,
        }
    }

    /// How its program has ended, if it has.
    pub(crate) fn exit(&self) -> Option<Exit> {
        match self {
            Self::Dead(dead) => dead.exit,
            _ => self.running()?.exit,
        }
    }

    /// Whether this generation is the start that the pane waits for.
    pub(crate) fn awaits(&self, generation: Generation) -> bool {
        match self {
            Self::Starting(asked) => *asked == Some(generation),
            Self::Waking(waking) => {
                matches!(waking.program, WakingProgram::Asked(asked) if asked == generation)
            }
            _ => false,
        }
    }

    /// Whether the keeper holds a program for the pane, or was asked to start one.
    pub(crate) fn has_process(&self) -> bool {
        let is_asked = match self {
            Self::Starting(asked) => asked.is_some(),
            Self::Waking(waking) => matches!(waking.program, WakingProgram::Asked(_)),
            _ => false,
        };
        is_asked || self.running().is_some()
    }

    /// Notes that the keeper was asked to start its program.
    pub(crate) fn asked(&mut self, generation: Generation) {
        match self {
            Self::Waking(waking) => waking.program = WakingProgram::Asked(generation),
            life => *life = Self::Starting(Some(generation)),
        }
    }

    /// Its program runs. A dead pane stays dead and shows the end of its program.
    pub(crate) fn runs(&mut self, running: Running) {
        match self {
            Self::Waking(waking) => waking.program = WakingProgram::Runs(running),
            Self::Dead(dead) => dead.program = Some(running),
            life => *life = Self::Running(running),
        }
    }

    /// Begins to put it to sleep, or begins anew. A pane without a program is left as it is.
    pub(crate) fn falls_asleep(&mut self, falling: Box<Falling>) {
        *self = match self.take() {
            Self::Running(running) | Self::FallingAsleep(running, _) => {
                Self::FallingAsleep(running, falling)
            }
            Self::Waking(Waking {
                program: WakingProgram::Runs(running),
                reviving,
                ..
            }) => {
                // The old shell's scripts are not needed: the new shell is asked for its state.
                if let Some(revival) = reviving.and_then(|it| it.revival) {
                    revival.clean();
                }
                Self::FallingAsleep(running, falling)
            }
            life => life,
        };
    }

    /// Cancels its way to sleep.
    pub(crate) fn stays_awake(&mut self) -> Option<Box<Falling>> {
        match self.take() {
            Self::FallingAsleep(running, falling) => {
                *self = Self::Running(running);
                Some(falling)
            }
            life => {
                *self = life;
                None
            }
        }
    }

    /// It is asleep. Its program, if any, is no longer its own.
    pub(crate) fn sleeps(&mut self, asleep: Asleep) {
        *self = Self::Asleep(asleep);
    }

    pub(crate) fn begins_to_wake(&mut self, wakes_session: bool) {
        *self = match self.take() {
            Self::Asleep(asleep) => Self::Waking(Waking::new(asleep, wakes_session)),
            life => life,
        };
    }

    /// It is awake. Returns whether the whole session was asleep before.
    pub(crate) fn is_awake(&mut self) -> bool {
        match self.take() {
            Self::Waking(Waking {
                program: WakingProgram::Runs(running),
                wakes_session,
                ..
            }) => {
                *self = Self::Running(running);
                wakes_session
            }
            life => {
                *self = life;
                false
            }
        }
    }

    /// It could not be woken and stays asleep. Returns how its shell was to come back.
    pub(crate) fn fails_to_wake(&mut self) -> Option<Box<Reviving>> {
        match self.take() {
            Self::Waking(Waking {
                mut asleep,
                reviving,
                ..
            }) => {
                asleep.has_failed = true;
                *self = Self::Asleep(asleep);
                reviving
            }
            life => {
                *self = life;
                None
            }
        }
    }

    /// A new program is to be started in it.
    pub(crate) fn restarts(&mut self) {
        *self = match self.take() {
            Self::Asleep(asleep) => Self::Waking(Waking::new(asleep, false)),
            Self::Waking(Waking {
                asleep,
                wakes_session,
                program: WakingProgram::Prepared | WakingProgram::Asked(_),
                ..
            }) => Self::Waking(Waking::new(asleep, wakes_session)),
            _ => Self::Starting(None),
        };
    }

    /// Its program has ended, and it stays open to show that.
    pub(crate) fn dies(&mut self, since: Seconds) {
        let exit = self.exit();
        let program = self.take().into_running();
        *self = Self::Dead(Dead {
            since,
            exit,
            program,
        });
    }

    /// The program on its terminal, taken out of a stage that is over.
    fn into_running(self) -> Option<Running> {
        match self {
            Self::Running(running) | Self::FallingAsleep(running, _) => Some(running),
            Self::Waking(waking) => match waking.program {
                WakingProgram::Runs(running) => Some(running),
                WakingProgram::Prepared | WakingProgram::Asked(_) => None,
            },
            Self::Dead(dead) => dead.program,
            Self::Starting(_) | Self::Asleep(_) => None,
        }
    }

    fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Starting(None))
    }
}
