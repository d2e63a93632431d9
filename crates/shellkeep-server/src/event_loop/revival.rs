//! A shell that slept is put together again in a thread of its own: its state is read and made into scripts, while the loop fetches the
//! pane's screen and shows it. A spare shell waits for them already; or a bash is started before they are there, and comes to its gate about
//! when they are.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SendError};

use shellkeep_core::{PaneId, SessionId};
use shellkeep_keeper::SpawnRequest;
use shellkeep_shell::{Begin, Change, Gate, Launch, Revival, RunRc, State};
use shellkeep_store::PaneDir;

use super::Server;
use super::report::moment;
use super::shells::launch;
use super::spare::{Ahead, Spare, Work};
use super::spawn::shell_in;
use super::wake::{Prompt, ShellFrom, when_ended};
use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::keeping::Start;
use crate::state::{Pane, Reviving};
use crate::ticket::Ticket;

/// What a shell is put together from.
struct Materials {
    program: PathBuf,
    dir: PaneDir,
    /// Where the shell and the server talk.
    own: PathBuf,
    scripts: PathBuf,
    run_rc: RunRc,
    from: ShellFrom,
    /// What may become the shell.
    spare: Option<Spare>,
}

/// How far a shell has got that is put together.
pub(crate) struct Prepared {
    /// Which attempt to wake its pane it belongs to.
    attempt: Ticket,
    stage: Stage,
}

enum Stage {
    /// It can be started.
    Ready {
        spawn: SpawnRequest,
        /// To be noted, if it is not what is noted already.
        start: Option<Start>,
        /// What becomes it; it is to be started otherwise.
        spare: Option<Spare>,
    },
    /// The spare shell cannot become this one.
    Unused(Spare),
    /// All that it is to run is there.
    Whole(Revival),
    /// It cannot be started with the state it had; this would be a new one.
    Failed { reason: String, spawn: SpawnRequest },
}

#[cfg(test)]
impl Prepared {
    /// A shell could not be put together for this attempt.
    pub(super) fn failed(attempt: Ticket, pane: PaneId) -> Self {
        let spawn = SpawnRequest {
            pane,
            size: shellkeep_core::Size::default(),
            program: shellkeep_keeper::Program::Argv(Vec::new()),
            cwd: Vec::new(),
            environ: Vec::new(),
            umask: 0,
            terminal: Vec::new(),
        };
        let reason = "late".to_owned();
        let stage = Stage::Failed { reason, spawn };
        Self { attempt, stage }
    }
}

impl Server {
    /// Begins to put the shell of a pane together as it was; [`Event::Prepared`] tells of it. Whether there is anything to put together.
    ///
    /// # Errors
    /// Why there will be a new one, in a few words.
    pub(super) fn prepare_shell(
        &mut self,
        session: SessionId,
        spawn: &SpawnRequest,
        start: Option<Start>,
        (attempt, from): (Ticket, ShellFrom),
    ) -> Result<bool, String> {
        if from == ShellFrom::Nothing {
            return Ok(false);
        }
        let (program, _) =
            shell_in(&spawn.program).ok_or("it cannot take over what the one before knew")?;
        let id = spawn.pane;
        let pane = self.state.panes.get(&id);
        let dir = pane.and_then(|pane| pane.screen.with_record(|record| record.dir().clone()));
        let dir = dir.ok_or("it is not kept")?;
        if !self.make_shell_dir(id) {
            return Err("its shell cannot be told anything".to_owned());
        }
        let spare = self.take_spare(&program);
        let options = self.state.session_options(Some(session));
        let materials = Materials {
            program: program.clone(),
            dir,
            own: self.shell_dir(id),
            scripts: self.shells_dir().join("scripts"),
            run_rc: match options.flag("revive-rc") {
                true => RunRc::On,
                false => RunRc::Off,
            },
            from,
            spare,
        };
        let (spawn, events) = (spawn.clone(), self.thread_events.clone());
        let spare = materials.spare.as_ref();
        let (pid, attendant) = (spare.and_then(Spare::pid), spare.map(Spare::attendant));
        let work: Work =
            Box::new(move |ahead| materials.prepare(attempt, spawn, start, &events, ahead));
        if let Err(error) = do_elsewhere(work, attendant) {
            self.lose_spare(pid);
            return Err(error.to_string());
        }
        self.set_shell(id, Some(program));
        Ok(true)
    }

    /// A shell is put together so far, or cannot be: it is started, or a new one is.
    pub(super) fn shell_prepared(&mut self, id: PaneId, prepared: Prepared) {
        let stage = match prepared.stage {
            Stage::Unused(spare) => return self.give_spare_back(spare),
            stage => stage,
        };
        let is_its = |it: &Reviving| it.attempt == prepared.attempt && it.revival.is_none();
        let pane = self.state.panes.get_mut(&id);
        let pane = pane.filter(|pane| pane.is_waking || pane.has_program());
        let reviving = pane.and_then(|pane: &mut Pane| pane.reviving.as_deref_mut());
        let Some(reviving) = reviving.filter(|it| is_its(it)) else {
            // Nobody waits for it any more.
            match stage {
                Stage::Whole(revival) => revival.clean(),
                Stage::Ready {
                    spare: Some(spare), ..
                } => {
                    self.give_spare_back(spare);
                    self.end_spare();
                }
                _ => {}
            }
            return;
        };
        match stage {
            Stage::Ready {
                spawn,
                start,
                spare,
            } => {
                reviving.is_spare = spare.is_some();
                self.starts_due.extend(start);
                match spare {
                    Some(spare) => self.give_spare_to(id, spare),
                    None => {
                        self.is_starting = true;
                        self.request_program(spawn);
                    }
                }
            }
            Stage::Unused(_) => {}
            Stage::Whole(revival) => {
                reviving.report.came_with(&revival.report);
                let was_captured = !reviving.sleep.has_state();
                if let Some(at) = revival.report.captured.filter(|_| was_captured) {
                    let text = match reviving.sleep.program.is_empty() {
                        true => {
                            let when = when_ended(reviving.sleep.cause);
                            format!("the shell ended {when}; it is as it was at {}", moment(at))
                        }
                        false => format!("the shell is as it was at {}", moment(at)),
                    };
                    reviving.unsaid.push(text);
                    reviving.report.as_of = Some(at);
                }
                reviving.revival = Some(revival);
                reviving.is_unfinished = false;
                if reviving.is_prompted {
                    self.prompt_shown(id);
                }
            }
            Stage::Failed { reason, spawn } => {
                reviving.is_unfinished = false;
                let reason = format!("a new shell: {reason}");
                reviving.report.missing.push(reason.clone());
                let mut said = std::mem::take(&mut reviving.unsaid);
                said.push(reason);
                self.tidy_up(id, &said, Prompt::Below);
                self.start_program(spawn);
            }
        }
    }
}

/// Does something in the thread that belongs to the spare shell, or in a new one. The first is there already, and the kernel puts it
/// where nobody else is.
fn do_elsewhere(mut work: Work, attendant: Option<mpsc::Sender<Work>>) -> io::Result<()> {
    if let Some(attendant) = attendant {
        work = match attendant.send(work) {
            Ok(()) => return Ok(()),
            Err(SendError(work)) => work,
        };
    }
    let thread = std::thread::Builder::new().name("revival".to_owned());
    thread.spawn(|| work(&mut None)).map(drop)
}

impl Materials {
    /// Puts the shell together, and tells the loop.
    fn prepare(
        mut self,
        attempt: Ticket,
        spawn: SpawnRequest,
        start: Option<Start>,
        events: &ThreadEvents,
        ahead: &mut Option<Ahead>,
    ) {
        let pane = spawn.pane;
        let mut on_its_way = OnItsWay {
            tell: &|stage| {
                let prepared = Box::new(Prepared { attempt, stage });
                events.send(Event::Prepared { pane, prepared });
            },
            own: self.own.clone(),
            spare: self.spare.take(),
            ready: Some((spawn.clone(), start)),
            became: None,
        };
        // A panic would be a bug; the pane gets a new shell then, or sleeps on.
        let revival = catch_unwind(AssertUnwindSafe(|| {
            self.come_ready(pane, &mut on_its_way, ahead)
                .unwrap_or_else(|| self.revive(&mut on_its_way, &spawn.cwd))
        }));
        let revival = revival.unwrap_or_else(|_| Err("its state is of no use".to_owned()));
        on_its_way.give_back();
        match revival {
            Ok(mut revival) => {
                // Unless it could be started before.
                on_its_way.start(&revival.launch);
                let gate = revival.gate.take();
                let open = || {
                    if let Some(Err(error)) = gate.map(Gate::open) {
                        tracing::debug!(%pane, %error, "its shell did not come for its state");
                    }
                };
                if on_its_way.became.is_some() {
                    open();
                    if let Err(error) = revival.finish() {
                        tracing::warn!(%pane, %error, "not all of its state can be written");
                    }
                    (on_its_way.tell)(Stage::Whole(revival));
                } else {
                    // Nobody knows when it will come.
                    (on_its_way.tell)(Stage::Whole(revival));
                    open();
                }
            }
            Err(reason) if on_its_way.ready.is_some() => {
                (on_its_way.tell)(Stage::Failed { reason, spawn });
            }
            Err(reason) => {
                tracing::warn!(%pane, reason, "a shell was started in vain");
                match on_its_way.became {
                    Some(spare) => spare.turn_away(),
                    None => shellkeep_shell::turn_away(&self.own),
                }
            }
        }
    }

    /// Has it come in the spare shell that was made ready for it; none if that is not so.
    fn come_ready(
        &self,
        pane: PaneId,
        on_its_way: &mut OnItsWay<'_>,
        ahead: &mut Option<Ahead>,
    ) -> Option<Result<Revival, String>> {
        let is_same = self.run_rc == RunRc::Off && self.from == ShellFrom::Sleep;
        let is_its = |it: &mut Ahead| is_same && it.is_for(pane, &self.dir);
        let Ahead { ready, .. } = ahead.take_if(is_its)?;
        let (_, change) = on_its_way.become_it(&ready.launch)?;
        Some(ready.wake(&change).map_err(|error| error.to_string()))
    }

    fn revive(&self, on_its_way: &mut OnItsWay<'_>, cwd: &[u8]) -> Result<Revival, String> {
        let state = self.dir.read_shell().map_err(|error| error.to_string())?;
        let mut state = state.ok_or("its shell's state is not there")?;
        if self.from == ShellFrom::Capture {
            state = self.as_it_went_on(&state, cwd)?;
        }
        let Self {
            program,
            own,
            scripts,
            run_rc,
            ..
        } = self;
        let on_its_way = RefCell::new(on_its_way);
        let mut early = |launch: &Launch| on_its_way.borrow_mut().start(launch);
        let mut find = |launch: &Launch| on_its_way.borrow_mut().become_it(launch);
        let begin = Begin {
            find: Some(&mut find),
            early: Some(&mut early),
        };
        shellkeep_shell::revive(program, &state, scripts, own, *run_rc, begin)
            .map_err(|error| error.to_string())
    }

    /// The state of a shell that went on after it told that: where it was is known better, and its line may have been sent.
    fn as_it_went_on(&self, state: &[u8], cwd: &[u8]) -> Result<Vec<u8>, String> {
        let mut state = State::decode(state).map_err(|error| error.to_string())?;
        state.forget_line();
        let cwd = Path::new(OsStr::from_bytes(cwd));
        // The shell tells the way that it took, which may lead over links.
        if std::fs::canonicalize(state.directory()).is_ok_and(|told| told != cwd) {
            state.set_directory(cwd);
        }
        if state.captured().is_none() {
            // Earlier versions did not note it.
            let written = self.dir.shell_stamp().map_or(0, |stamp| stamp.mtime);
            state.set_captured(u64::try_from(written / 1_000_000).unwrap_or(0));
        }
        Ok(state.encode())
    }
}

/// A shell on its way, while it is put together.
struct OnItsWay<'a> {
    tell: &'a dyn Fn(Stage),
    /// Where it and the server talk.
    own: PathBuf,
    /// What may become it.
    spare: Option<Spare>,
    /// What to start, until it is.
    ready: Option<(SpawnRequest, Option<Start>)>,
    /// What has become it.
    became: Option<shellkeep_shell::Spare>,
}

impl OnItsWay<'_> {
    /// Has it started, unless it is.
    fn start(&mut self, launched: &Launch) {
        if let Some((mut spawn, start)) = self.ready.take() {
            launch(&mut spawn, launched.clone(), Some(&self.own));
            let spare = None;
            (self.tell)(Stage::Ready {
                spawn,
                start,
                spare,
            });
        }
    }

    /// Has the spare shell become it, if that can.
    fn become_it(&mut self, launched: &Launch) -> Option<(shellkeep_shell::Spare, Change)> {
        let (mut spawn, start) = self.ready.clone()?;
        launch(&mut spawn, launched.clone(), Some(&self.own));
        let change = self.spare.as_ref()?.become_like(launched, &spawn)?;
        let spare = self.spare.take()?;
        let place = spare.place();
        (self.ready, self.became) = (None, Some(place.clone()));
        let spare = Some(spare);
        (self.tell)(Stage::Ready {
            spawn,
            start,
            spare,
        });
        Some((place, change))
    }

    /// Leaves the spare shell to another pane.
    fn give_back(&mut self) {
        if let Some(spare) = self.spare.take() {
            (self.tell)(Stage::Unused(spare));
        }
    }
}
