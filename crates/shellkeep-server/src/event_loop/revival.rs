//! A shell that slept is put together again in a thread of its own: its state is read and made into scripts, while the loop fetches the
//! pane's screen and shows it. A bash is started before they are there: it comes to its gate about when they are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use shellkeep_core::{PaneId, SessionId};
use shellkeep_keeper::{HostRequest, SpawnRequest};
use shellkeep_shell::{Early, Gate, Launch, Revival, RunRc};
use shellkeep_store::PaneDir;
use tokio::sync::mpsc::Sender;

use super::Server;
use super::shells::launch;
use super::spawn::shell_in;
use super::wake::Prompt;
use crate::event::Event;
use crate::keeping::Start;
use crate::state::{Pane, Reviving};

/// What a shell is put together from.
struct Materials {
    program: PathBuf,
    dir: PaneDir,
    /// Where the shell and the server talk.
    own: PathBuf,
    scripts: PathBuf,
    run_rc: RunRc,
    /// It may be on its way before its scripts are made: nobody waits for the screen, for which it would want the processor too.
    is_early: bool,
}

/// How far a shell has got that is put together.
pub(crate) struct Prepared {
    /// Which attempt to wake its pane it belongs to.
    began: Instant,
    stage: Stage,
}

enum Stage {
    /// It can be started.
    Ready {
        spawn: SpawnRequest,
        /// To be noted, if it is not what is noted already.
        start: Option<Start>,
    },
    /// All that it is to run is there.
    Whole(Revival),
    /// It cannot be started with the state it had; this would be a new one.
    Failed { reason: String, spawn: SpawnRequest },
}

impl Server {
    /// Begins to put the shell of a pane together as it was; [`Event::Prepared`] tells of it.
    ///
    /// # Errors
    /// Why there will be a new one, in a few words.
    pub(super) fn prepare_shell(
        &mut self,
        session: SessionId,
        spawn: &SpawnRequest,
        start: Option<Start>,
        began: Instant,
    ) -> Result<(), String> {
        let (program, _) = shell_in(&spawn.program).ok_or("it was no shell of ours")?;
        let id = spawn.pane;
        let pane = self.state.panes.get(&id);
        let dir = pane.and_then(|pane| pane.screen.with_record(|record| record.dir().clone()));
        let dir = dir.ok_or("it is not kept")?;
        if !self.make_shell_dir(id) {
            return Err("its shell cannot be told anything".to_owned());
        }
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
            is_early: !self.state.clients.values().any(|it| it.awaits_ready),
        };
        let (spawn, events) = (spawn.clone(), self.events.clone());
        let thread = std::thread::Builder::new().name("revival".to_owned());
        thread
            .spawn(move || materials.prepare(began, spawn, start, &events))
            .map_err(|error| error.to_string())?;
        self.set_shell(id, Some(program));
        Ok(())
    }

    /// A shell is put together so far, or cannot be: it is started, or a new one is.
    pub(super) fn shell_prepared(&mut self, id: PaneId, prepared: Prepared) {
        let is_its = |it: &Reviving| it.began == prepared.began && it.revival.is_none();
        let pane = self.state.panes.get_mut(&id);
        let pane = pane.filter(|pane| pane.is_waking || pane.has_program());
        let reviving = pane.and_then(|pane: &mut Pane| pane.reviving.as_deref_mut());
        let Some(reviving) = reviving.filter(|it| is_its(it)) else {
            // Nobody waits for it any more.
            if let Stage::Whole(revival) = prepared.stage {
                revival.clean();
            }
            return;
        };
        match prepared.stage {
            Stage::Ready { spawn, start } => {
                self.starts_due.extend(start);
                self.is_starting = true;
                self.host.request(HostRequest::Spawn(spawn));
            }
            Stage::Whole(revival) => {
                reviving.report.came_with(&revival.report);
                reviving.revival = Some(revival);
            }
            Stage::Failed { reason, spawn } => {
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

impl Materials {
    /// Puts the shell together, and tells the loop.
    fn prepare(
        self,
        began: Instant,
        spawn: SpawnRequest,
        start: Option<Start>,
        events: &Sender<Event>,
    ) {
        let pane = spawn.pane;
        let tell = |stage: Stage| {
            let prepared = Box::new(Prepared { began, stage });
            let _ = events.blocking_send(Event::Prepared { pane, prepared });
        };
        let mut ready = Some((spawn.clone(), start));
        let mut start_it = |launched: &Launch| {
            if let Some((mut spawn, start)) = ready.take() {
                launch(&mut spawn, launched.clone(), &self.own);
                tell(Stage::Ready { spawn, start });
            }
        };
        // A panic would be a bug; the pane gets a new shell then, or sleeps on.
        let revival = catch_unwind(AssertUnwindSafe(|| self.revive(&mut start_it)));
        let revival = revival.unwrap_or_else(|_| Err("its state is of no use".to_owned()));
        match revival {
            Ok(mut revival) => {
                // Unless it could be started before.
                start_it(&revival.launch);
                let gate = revival.gate.take();
                // The loop knows all of it before there is a prompt.
                tell(Stage::Whole(revival));
                if let Some(Err(error)) = gate.map(Gate::open) {
                    tracing::debug!(%pane, %error, "its shell did not come for its state");
                }
            }
            Err(reason) if ready.is_some() => tell(Stage::Failed { reason, spawn }),
            Err(reason) => {
                tracing::warn!(%pane, reason, "a shell was started in vain");
                shellkeep_shell::turn_away(&self.own);
            }
        }
    }

    fn revive(&self, early: Early<'_>) -> Result<Revival, String> {
        let state = self.dir.read_shell().map_err(|error| error.to_string())?;
        let state = state.ok_or("its shell's state is not there")?;
        let Self {
            program,
            own,
            scripts,
            run_rc,
            ..
        } = self;
        let early = self.is_early.then_some(early);
        shellkeep_shell::revive(program, &state, scripts, own, *run_rc, early)
            .map_err(|error| error.to_string())
    }
}
