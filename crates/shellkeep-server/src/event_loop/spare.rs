//! A spare shell: while something sleeps, one shell is started ahead and waits at its gate, so that whichever pane wakes next need not
//! wait for a shell to start. It is nobody's pane: it has a number that no pane is ever given, under which the keeper holds it, and
//! whoever takes over from a dead server ends it.
//!
//! It is made after the shell of the pane that would wake most likely, when nothing has fallen asleep or woken for a moment, and only
//! becomes a shell that would have been started just the same ([`shellkeep_shell::Spare::change`]). For that pane it is made ready beforehand
//! ([`Ahead`]): then nothing has to be read or written when it wakes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{
    Exit, Generation, Held, HostEvent, HostRequest, NOBODY, ProcessId, SpawnRequest,
};
use shellkeep_shell::{Change, Launch, Ready, Revival, Shell};
use shellkeep_store::PaneDir;
use shellkeep_store::catalogue::FileStamp;

use super::Server;
use super::shells::launch;
use super::wake::ShellFrom;
use crate::alarm::{Alarm, Timer};
use crate::event::Event;
use crate::state::{Pane, Sleep};

/// What the keeper knows it by.
pub(super) const SPARE: PaneId = NOBODY;

/// So long nothing must have fallen asleep or woken before one is started: it would be in the way.
const CALM: Duration = Duration::from_millis(250);

/// The spare shell, and what is known of it.
#[derive(Default)]
pub(crate) struct Spares {
    current: Option<Spare>,
    whereabouts: Whereabouts,
    /// Rings when it is quiet.
    timer: Option<Timer>,
    /// How many were made.
    made: u64,
    /// What those were put together from that are awake by now.
    leftovers: Vec<Revival>,
    /// How many have become a pane's shell.
    pub(crate) used: u64,
}

/// Where a spare shell is that is not at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Whereabouts {
    /// There is none.
    #[default]
    Nowhere,
    /// A thread makes what it needs to be started.
    Making,
    /// A thread looks whether a pane can have this process; it may have ended meanwhile.
    Tried(ProcessId, Option<Exit>),
}

/// A shell that was started ahead.
pub(super) struct Spare {
    program: PathBuf,
    /// The pane that it was made after.
    model: PaneId,
    place: shellkeep_shell::Spare,
    begun: SpawnRequest,
    /// The start that the keeper was asked for.
    generation: Generation,
    /// Once it runs.
    held: Option<Held>,
    /// The thread that made it, which waits with it.
    attendant: Sender<Work>,
}

/// Something to be done by another thread: by the one that waits with the spare shell, and has it made ready for a pane.
pub(super) type Work = Box<dyn FnOnce(&mut Option<Ahead>) + Send>;

/// A spare shell made ready for one pane.
pub(super) struct Ahead {
    pane: PaneId,
    /// Of the state that it was made ready for.
    stamp: FileStamp,
    pub(super) ready: Ready,
}

/// What came of making one.
pub(crate) struct MadeSpare(Option<Spare>);

impl Server {
    /// Something has fallen asleep, woken or gone: looks soon whether a spare shell is wanted.
    pub(super) fn spare_due(&mut self) {
        self.spares.timer = Some(self.set_alarm(Alarm::Spare, CALM));
    }

    /// Starts a spare shell, or ends one that nobody could use.
    pub(super) fn look_for_spare(&mut self) {
        self.spares.timer = None;
        self.spares.leftovers.drain(..).for_each(Revival::clean);
        let Some(model) = self.spare_model() else {
            return self.end_spare();
        };
        let is_other = |spare: &Spare| {
            let has_read_other = spare.place.has_read() && spare.model != model.id;
            has_read_other || model.shell_program.as_ref() != Some(&spare.program)
        };
        let model = model.id;
        if self.spares.current.as_ref().is_some_and(is_other) {
            self.end_spare();
            // Not at once: what the keeper tells of its end would be taken for that of the next.
            return self.spare_due();
        }
        let is_away = matches!(
            self.spares.whereabouts,
            Whereabouts::Making | Whereabouts::Tried(..)
        );
        match &self.spares.current {
            Some(spare) => {
                let (place, attendant) = (spare.place(), spare.attendant());
                self.make_ready(model, place, &attendant);
            }
            None if !is_away => self.make_spare(model),
            None => {}
        }
    }

    /// Has the spare shell made ready for the pane that would wake most likely, which may be another by now.
    fn make_ready(&self, model: PaneId, place: shellkeep_shell::Spare, attendant: &Sender<Work>) {
        let Some(model) = self.asleep(model) else {
            return;
        };
        // It has gone if the thread has, and its shell is of as much use as before.
        let _ = attendant.send(Box::new(move |ahead| {
            if !ahead
                .as_ref()
                .is_some_and(|it| it.is_for(model.pane, &model.dir))
            {
                *ahead = None;
                *ahead = Ahead::of(&model, &place);
            }
        }));
    }

    /// What there is of a sleeping pane's shell.
    fn asleep(&self, id: PaneId) -> Option<Asleep> {
        let pane = self.state.panes.get(&id)?;
        Some(Asleep {
            pane: id,
            program: pane.shell_program.clone()?,
            dir: pane.screen.with_record(|record| record.dir().clone())?,
            own: self.shell_dir(id),
            scripts: self.shells_dir().join("scripts"),
        })
    }

    /// The pane that would wake most likely, of those that could wake in a spare shell.
    fn spare_model(&self) -> Option<&Pane> {
        if !self.state.options.server().flag("spare-shell") {
            return None;
        }
        let could = |pane: &&Pane| {
            let sleep = pane.sleep.as_ref();
            let program = pane.shell_program.as_deref();
            sleep.is_some_and(Sleep::has_state)
                && program.and_then(Shell::of).is_some()
                && !pane.is_waking
                && !pane.has_failed
        };
        let panes = self.state.panes.values().filter(could);
        let model = panes.max_by_key(|pane| pane.used)?;
        let options = self.state.session_options(self.state.session_of(model.id));
        let is_wanted = options.flag("shell-integration") && !options.flag("revive-rc");
        is_wanted.then_some(model)
    }

    /// Has a thread make what a spare shell needs; [`Event::SpareMade`] tells of it.
    fn make_spare(&mut self, model: PaneId) {
        let pane = self.state.panes.get(&model);
        let sleep = pane.and_then(|pane| pane.sleep.clone());
        let session = self.state.session_of(model);
        let Some(((asleep, sleep), session)) = self.asleep(model).zip(sleep).zip(session) else {
            return;
        };
        let kept = self.kept_start(model);
        let (spawn, _) =
            self.waking_request(model, session, (&sleep, ShellFrom::Sleep), kept.as_ref());
        self.spares.made += 1;
        let own = self.shell_dir(SPARE).join(self.spares.made.to_string());
        let events = self.thread_events.clone();
        let thread = std::thread::Builder::new().name("spare".to_owned());
        let started = thread.spawn(move || {
            // Without a limit: there is a pane that wakes, and one look for a spare shell when it is quiet.
            let (attendant, work) = channel::<Work>();
            let made = make(&asleep, &own, spawn, attendant);
            let mut ahead = made
                .as_ref()
                .and_then(|made| Ahead::of(&asleep, &made.place));
            let made = Box::new(MadeSpare(made));
            events.send(Event::SpareMade { made });
            work.into_iter().for_each(|work| work(&mut ahead));
        });
        match started {
            Ok(_) => self.spares.whereabouts = Whereabouts::Making,
            Err(error) => tracing::debug!(%error, "no spare shell"),
        }
    }

    /// A spare shell can be started.
    pub(super) fn spare_made(&mut self, MadeSpare(made): MadeSpare) {
        self.spares.whereabouts = Whereabouts::Nowhere;
        let Some(mut spare) = made else {
            return;
        };
        if self.spare_model().is_none() || self.spares.current.is_some() {
            return spare.place.clean();
        }
        spare.generation = self.host.spawn(spare.begun.clone());
        self.spares.current = Some(spare);
    }

    /// Takes what the keeper says of the spare shell; gives back what it says of others.
    pub(super) fn spare_host_event(&mut self, event: HostEvent) -> Option<HostEvent> {
        match event {
            HostEvent::Held(held) if held.pane == SPARE => {
                let generation = held.process.generation;
                match &mut self.spares.current {
                    Some(spare) if spare.generation == generation && held.exit.is_none() => {
                        spare.held = Some(held);
                    }
                    // Nobody wants it any more.
                    _ => self.end_held(&held),
                }
                None
            }
            HostEvent::SpawnFailed {
                pane,
                generation,
                reason,
            } if pane == SPARE => {
                tracing::debug!(reason, "no spare shell");
                let current = self.spares.current.as_ref();
                if current.is_some_and(|spare| spare.generation == generation) {
                    self.forget_spare();
                }
                None
            }
            HostEvent::Exited { process, exit, .. } if self.spare_ended(process, exit) => None,
            event => Some(event),
        }
    }

    /// A process has ended; whether it was the spare shell.
    fn spare_ended(&mut self, process: ProcessId, exit: Exit) -> bool {
        if let Whereabouts::Tried(tried, ended) = &mut self.spares.whereabouts
            && *tried == process
        {
            *ended = Some(exit);
            return true;
        }
        let held = self.spares.current.as_ref().and_then(|it| it.held.as_ref());
        let is_current = held.is_some_and(|held| held.process == process);
        if is_current {
            tracing::debug!(?exit, "the spare shell has ended");
            self.host.request(HostRequest::Close(SPARE));
            self.forget_spare();
        }
        is_current
    }

    fn forget_spare(&mut self) {
        if let Some(spare) = self.spares.current.take() {
            spare.place.clean();
        }
    }

    /// Ends the spare shell, if there is one.
    pub(super) fn end_spare(&mut self) {
        let Some(spare) = self.spares.current.take() else {
            return;
        };
        // One that does not run yet is ended when the keeper tells of it.
        if let Some(held) = &spare.held {
            self.end_held(held);
        }
        spare.place.clean();
    }

    pub(super) fn end_held(&self, held: &Held) {
        let (pane, pid) = (SPARE, held.process.pid.cast_signed());
        match held.exit {
            None => self.host.request(HostRequest::End { pane, pid }),
            Some(_) => self.host.request(HostRequest::Close(pane)),
        }
    }

    /// The spare shell of a server that is gone: nobody knows what it was made for. It may have become a pane's a moment before.
    pub(super) fn end_orphaned_spare(&self, recovered: &mut Recovered) {
        let is_spare = |held: &mut Held| held.pane == SPARE;
        let spares: Vec<Held> = recovered.panes.extract_if(.., is_spare).collect();
        for spare in spares {
            match recovered
                .panes
                .iter()
                .any(|held| held.process.pid == spare.process.pid)
            {
                true => self.host.request(HostRequest::Close(SPARE)),
                false => self.end_held(&spare),
            }
        }
    }

    /// The spare shell, for a pane in which this program is to run. Who takes it gives it to the pane or back.
    pub(super) fn take_spare(&mut self, program: &Path) -> Option<Spare> {
        let is_ready = |spare: &mut Spare| spare.program == program && spare.held.is_some();
        let spare = self.spares.current.take_if(is_ready)?;
        if let Some(held) = &spare.held {
            self.spares.whereabouts = Whereabouts::Tried(held.process, None);
        }
        Some(spare)
    }

    /// A pane could not have the spare shell.
    pub(super) fn give_spare_back(&mut self, spare: Spare) {
        let ended = self.spare_returned();
        let is_of_use = spare.pid().is_some_and(is_waiting);
        self.spares.current = Some(spare);
        if ended.is_some() {
            self.host.request(HostRequest::Close(SPARE));
            self.forget_spare();
        } else if !is_of_use {
            self.end_spare();
        }
    }

    /// What was to try the spare shell could not be, and it is gone with that: its process, if there was one, goes too.
    pub(super) fn lose_spare(&mut self, pid: Option<u32>) {
        if let Some(pid) = pid {
            self.spares.whereabouts = Whereabouts::Nowhere;
            let (pane, pid) = (SPARE, pid.cast_signed());
            self.host.request(HostRequest::End { pane, pid });
        }
    }

    /// A spare shell is no longer tried; how it ended meanwhile, if it has.
    fn spare_returned(&mut self) -> Option<Exit> {
        match std::mem::take(&mut self.spares.whereabouts) {
            Whereabouts::Tried(_, ended) => ended,
            _ => None,
        }
    }

    /// The spare shell becomes a pane's.
    pub(super) fn give_spare_to(&mut self, pane: PaneId, spare: Spare) {
        let exit = self.spare_returned();
        self.spares.used += 1;
        if let Some(held) = spare.held {
            self.pass_to(pane, Held { exit, ..held });
        }
    }

    /// What was nobody's is a pane's from now on.
    pub(super) fn pass_to(&mut self, pane: PaneId, held: Held) {
        self.host.request(HostRequest::Pass {
            from: SPARE,
            to: pane,
        });
        self.run_program(pane, Held { pane, ..held });
    }

    /// Takes away what a shell was put together from, when nobody waits for it any more: that takes longer than one would think.
    pub(super) fn clean_later(&mut self, revival: Revival) {
        self.spares.leftovers.push(revival);
    }

    /// The process of the spare shell.
    pub(crate) fn spare_pid(&self) -> Option<u32> {
        self.spares.current.as_ref().and_then(Spare::pid)
    }
}

/// What there is of a sleeping pane's shell.
struct Asleep {
    pane: PaneId,
    program: PathBuf,
    dir: PaneDir,
    /// Where the shell and the server talk.
    own: PathBuf,
    scripts: PathBuf,
}

/// Makes what a spare shell needs: one in which this shell could come back.
fn make(
    asleep: &Asleep,
    own: &Path,
    mut begun: SpawnRequest,
    attendant: Sender<Work>,
) -> Option<Spare> {
    let Asleep {
        program, scripts, ..
    } = asleep;
    let state = asleep.dir.read_shell().ok().flatten()?;
    let place = shellkeep_shell::Spare::like(program, &state, scripts, own)
        .inspect_err(|error| tracing::debug!(%error, "no spare shell"))
        .ok()??;
    launch(&mut begun, place.launch.clone(), Some(own));
    (begun.pane, begun.cwd) = (SPARE, b"/".to_vec());
    Some(Spare {
        program: program.clone(),
        model: asleep.pane,
        place,
        begun,
        generation: Generation::INHERITED,
        held: None,
        attendant,
    })
}

impl Ahead {
    /// Makes a spare shell ready for this one. If that cannot be done, it is seen to when the pane wakes.
    fn of(asleep: &Asleep, place: &shellkeep_shell::Spare) -> Option<Self> {
        let Asleep {
            pane,
            program,
            dir,
            own,
            scripts,
        } = asleep;
        let stamp = dir.shell_stamp()?;
        let state = dir.read_shell().ok().flatten()?;
        let ready = Ready::new(place, program, &state, scripts, own)
            .inspect_err(|error| tracing::debug!(%pane, %error, "nothing is made ready"))
            .ok()?;
        Some(Self {
            pane: *pane,
            stamp,
            ready,
        })
    }

    /// Whether a pane is this one, and has the same state.
    pub(super) fn is_for(&self, pane: PaneId, dir: &PaneDir) -> bool {
        self.pane == pane && dir.shell_stamp() == Some(self.stamp)
    }
}

impl Spare {
    /// What it has to change to become what would be started so; its terminal has the right size then. None if it cannot.
    pub(super) fn become_like(&self, launch: &Launch, spawn: &SpawnRequest) -> Option<Change> {
        let (begun, held) = (&self.begun, self.held.as_ref()?);
        let change = self
            .place
            .change(&begun.environ, launch, &spawn.environ, &spawn.cwd)?;
        if !is_waiting(held.process.pid) {
            return None;
        }
        if begun.size != spawn.size {
            held.pty.resize(spawn.size).ok()?;
        }
        Some(change)
    }

    /// Who does what it takes to become a pane's shell.
    pub(super) fn attendant(&self) -> Sender<Work> {
        self.attendant.clone()
    }

    /// Its process, once it runs.
    pub(super) fn pid(&self) -> Option<u32> {
        self.held.as_ref().map(|held| held.process.pid)
    }

    /// Where it waits.
    pub(super) fn place(&self) -> shellkeep_shell::Spare {
        self.place.clone()
    }
}

/// Whether a process is there and sleeps: not one that was stopped, or is about to end.
fn is_waiting(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    match stat {
        // The name in parentheses may hold anything.
        Ok(stat) => stat
            .rsplit_once(')')
            .is_some_and(|it| it.1.starts_with(" S")),
        // Where nothing tells of processes, that it is there has to do.
        Err(_) => kill(Pid::from_raw(pid.cast_signed()), None::<Signal>).is_ok(),
    }
}
