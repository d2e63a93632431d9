//! Where a pane is in its life. Only here does it go from one stage to the next, and each stage has what belongs to it and nothing else.
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

/// Where a pane is in its life.
pub(crate) enum PaneLife {
    /// Its first program is to be started. The generation is known once the keeper was asked, and names the one answer that counts.
    Starting(Option<Generation>),
    Running(Running),
    /// What is typed waits until it sleeps or stays awake.
    FallingAsleep(Running, Box<Falling>),
    Asleep(Asleep),
    Waking(Waking),
    /// Its program has ended, or it never had one, and it stays to be looked at.
    Dead(Dead),
}

/// A program on a pane's terminal. It may have ended, as long as its output is read.
pub(crate) struct Running {
    pub(crate) process: ProcessId,
    pub(crate) task: PaneTask,
    /// How it ended, once the keeper has said so.
    pub(crate) exit: Option<Exit>,
    /// All it printed was read, before it was known how it ended.
    pub(crate) is_read_out: bool,
    /// Runs while a program that a signal has ended may still turn out to end with the whole system.
    pub(crate) end_grace: Option<Timer>,
    /// The pane came back with it, and no command has run in it since.
    pub(crate) is_revived: bool,
}

/// A pane whose processes have ended and which is on disk.
pub(crate) struct Asleep {
    pub(crate) sleep: Sleep,
    /// How its program comes back.
    pub(crate) rule: Rule,
    /// Nothing could be started in it: it is not tried again for being looked at.
    pub(crate) has_failed: bool,
    /// Commands have sent it something to do since.
    pub(crate) is_fed: bool,
}

/// A pane on its way back.
pub(crate) struct Waking {
    /// What it goes back to if its shell does not start.
    pub(crate) asleep: Asleep,
    /// All of its session slept when it began to wake.
    pub(crate) wakes_session: bool,
    /// How its shell becomes what it was; none if another program is started in its place.
    pub(crate) reviving: Option<Box<Reviving>>,
    pub(crate) program: WakingProgram,
}

/// How far the program of a pane on its way back is.
pub(crate) enum WakingProgram {
    /// It is being put together.
    Prepared,
    /// The keeper was asked for it, and has not answered.
    Asked(Generation),
    /// It runs, and is not yet what it was.
    Runs(Running),
}

/// What is left of a pane's program.
pub(crate) struct Dead {
    pub(crate) since: Seconds,
    pub(crate) exit: Option<Exit>,
    /// Its terminal, if it is still open.
    pub(crate) program: Option<Running>,
}

/// How a shell becomes again what it was.
pub(crate) struct Reviving {
    /// How its shell gets its state back; none if it is a new shell.
    pub(crate) revival: Option<Revival>,
    /// The program that ran in it, and how that comes back.
    pub(crate) resume: Option<Resume>,
    /// What has returned, as far as it is known.
    pub(crate) report: Report,
    /// What is missing and was not said in the pane yet.
    pub(crate) unsaid: Vec<String>,
    pub(crate) stage: RevivalStage,
    /// Goes to it behind so many bytes of what was typed.
    pub(crate) key_within: Option<(usize, &'static [u8])>,
    /// What is prepared for another attempt is of no use to this one.
    pub(crate) attempt: Ticket,
    pub(crate) began: Instant,
    pub(crate) timer: Timer,
}

/// How far a pane on its way back has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RevivalStage {
    /// Its shell is to show its prompt.
    Prompt,
    /// Its shell had time enough to show it, and may still do: what is typed goes to it meanwhile.
    Late,
    /// Its program was called, and is to run before it gets what was typed.
    Program,
}

/// How the program of a sleeping pane comes back: to be looked for on the disk.
#[derive(Debug)]
pub(crate) enum Rule {
    Unasked,
    /// It is being looked for, and the pane wakes then if `waker` is given.
    Sought {
        waker: Option<Waker>,
        /// No other answer than the one to this question counts.
        question: Ticket,
    },
    Known(Resume),
}

/// Whose doing it is that a pane wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waker {
    /// Somebody looks at it, types into it, or asked for it to be awake.
    User,
    /// A command has something for it to do, and types that as if it knew what is there.
    Command,
}

/// The sleep of a pane: nothing runs, and all of it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sleep {
    pub(crate) since: Seconds,
    pub(crate) cause: Cause,
    /// The words of the program that ran, if it was not the shell alone.
    pub(crate) program: Vec<String>,
    /// What else is known of that program.
    pub(crate) run: Run,
    /// Whether its screen was put in order for a shell that never came to its prompt: there is no old one to be erased any more.
    pub(crate) is_tidied: bool,
}

/// Why a pane sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It was put to sleep, its shell's state with it.
    Hibernated,
    /// Its processes ended with the machine, or with the keeper.
    Lost,
    /// Its session was archived, and has been opened again.
    Reopened,
    /// It was put to sleep by force, and its shell cannot tell its state.
    Ended,
}

impl Sleep {
    /// That of a pane of whose end nothing is noted.
    pub(crate) fn lost(since: Seconds) -> Self {
        Self {
            since,
            cause: Cause::Lost,
            program: Vec::new(),
            run: Run::default(),
            is_tidied: false,
        }
    }

    /// Whether its shell was idle and told its state: it comes back as it was.
    pub(crate) fn has_state(&self) -> bool {
        self.cause == Cause::Hibernated && self.program.is_empty()
    }

    /// Whether its shell ended without being asked: it comes back as it was when it was last asked, if it was.
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
            is_fed: false,
        }
    }

    /// Whether the pane wakes as soon as it is known how its program comes back.
    pub(crate) fn wakes_by_rule(&self) -> bool {
        matches!(self.rule, Rule::Sought { waker: Some(_), .. })
    }
}

impl Waking {
    /// A sleeping pane that begins to come back, before it is known how its shell becomes what it was.
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
    /// Whether the program on its terminal has ended, as far as it is known.
    pub(crate) fn has_ended(&self) -> bool {
        let running = self.running();
        running.is_some_and(|running| running.exit.is_some() || running.is_read_out)
    }

    /// The program on its terminal.
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

    /// How its shell becomes again what it was.
    pub(crate) fn reviving(&self) -> Option<&Reviving> {
        self.waking()?.reviving.as_deref()
    }

    /// The same, taken out by a caller that puts it back or ends the waking. None before its shell runs: there is no prompt to wait for.
    pub(crate) fn take_reviving(&mut self) -> Option<Box<Reviving>> {
        self.running()?;
        self.waking_mut()?.reviving.take()
    }

    /// The attempt to put it to sleep.
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

    /// How its program ended, if it has.
    pub(crate) fn exit(&self) -> Option<Exit> {
        match self {
            Self::Dead(dead) => dead.exit,
            _ => self.running()?.exit,
        }
    }

    /// Whether the keeper's answer to this start is the one that is waited for.
    pub(crate) fn awaits(&self, generation: Generation) -> bool {
        match self {
            Self::Starting(asked) => *asked == Some(generation),
            Self::Waking(waking) => {
                matches!(waking.program, WakingProgram::Asked(asked) if asked == generation)
            }
            _ => false,
        }
    }

    /// Whether the keeper holds a program for it, or was asked to start one.
    pub(crate) fn has_process(&self) -> bool {
        let is_asked = match self {
            Self::Starting(asked) => asked.is_some(),
            Self::Waking(waking) => matches!(waking.program, WakingProgram::Asked(_)),
            _ => false,
        };
        is_asked || self.running().is_some()
    }

    /// The keeper was asked for its program.
    pub(crate) fn asked(&mut self, generation: Generation) {
        match self {
            Self::Waking(waking) => waking.program = WakingProgram::Asked(generation),
            life => *life = Self::Starting(Some(generation)),
        }
    }

    /// Its program runs. A pane that stays to show the end of its program goes on doing so.
    pub(crate) fn runs(&mut self, running: Running) {
        match self {
            Self::Waking(waking) => waking.program = WakingProgram::Runs(running),
            Self::Dead(dead) => dead.program = Some(running),
            life => *life = Self::Running(running),
        }
    }

    /// It begins to fall asleep, or begins anew. Nothing happens to a pane without a program.
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
                // What its old shell left is of no more use: the new one is asked.
                if let Some(revival) = reviving.and_then(|it| it.revival) {
                    revival.clean();
                }
                Self::FallingAsleep(running, falling)
            }
            life => life,
        };
    }

    /// It stays awake after all.
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

    /// It sleeps: whatever program it had is no longer its own.
    pub(crate) fn sleeps(&mut self, asleep: Asleep) {
        *self = Self::Asleep(asleep);
    }

    /// A sleeping pane begins to come back.
    pub(crate) fn begins_to_wake(&mut self, wakes_session: bool) {
        *self = match self.take() {
            Self::Asleep(asleep) => Self::Waking(Waking::new(asleep, wakes_session)),
            life => life,
        };
    }

    /// It is awake. Returns whether it is the first of its session.
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

    /// It could not be woken, and sleeps on. Returns how its shell was to come back.
    pub(crate) fn wakes_in_vain(&mut self) -> Option<Box<Reviving>> {
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

    /// Another program is to be started in it.
    pub(crate) fn starts_anew(&mut self) {
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

    /// It stays to show that its program has ended.
    pub(crate) fn dies(&mut self, since: Seconds) {
        let exit = self.exit();
        let program = self.take().into_running();
        *self = Self::Dead(Dead {
            since,
            exit,
            program,
        });
    }

    /// The program on its terminal, out of a stage of life that is over.
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
