//! Preparing a revived shell on a thread: its state is read and turned into scripts, while the loop loads the pane's
//! screen and shows it. The shell is started when the scripts are ready.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use shellkeep_core::{PaneId, SessionId};
use shellkeep_keeper::SpawnRequest;
use shellkeep_shell::{Revival, RunRc, ShellState, StateError};
use shellkeep_store::{PaneDir, StoreError};

use crate::alarm::Alarm;
use crate::event::Event;
use crate::hibernation::failed::waking_failed;
use crate::hibernation::prepared::{NoRevival, Prepared};
use crate::hibernation::report::moment;
use crate::hibernation::shell_from::{SHELL_PROMPT_TIMEOUT, ShellFrom, when_ended};
use crate::hibernation::state::Hibernation;
use crate::hibernation::tidy::{Prompt, tidy_up};
use crate::model::Model;
use crate::model::ticket::Ticket;
use crate::panes::manage::start_program;
use crate::panes::shell_dir::{make_shell_dir, shell_dir, shells_dir};
use crate::panes::spawn::shell_in;

/// What the scripts are made from.
struct Materials {
    program: PathBuf,
    dir: PaneDir,
    /// The pane's private directory, through which shell and server communicate.
    own: PathBuf,
    scripts: PathBuf,
    run_rc: RunRc,
    from: ShellFrom,
}

/// Begins to prepare the scripts of a pane's shell; [`Event::Prepared`] reports the result. Returns false if the pane
/// has no state to prepare.
///
/// # Errors
/// Why the pane gets a new shell, in a few words.
pub(crate) fn prepare_shell(
    model: &Model,
    hibernation: &Hibernation,
    session: SessionId,
    spawn: &SpawnRequest,
    (attempt, from): (Ticket, ShellFrom),
) -> Result<bool, String> {
    if from == ShellFrom::Nothing {
        return Ok(false);
    }
    let (program, _) =
        shell_in(&spawn.program).ok_or("it cannot take over what the one before knew")?;
    let id = spawn.pane;
    let pane = model.panes.get(&id);
    let dir = pane.and_then(|pane| pane.screen.with_record(|record| record.dir().clone()));
    let dir = dir.ok_or("it is not kept")?;
    if !make_shell_dir(model, id) {
        return Err("its private directory cannot be made".to_owned());
    }
    let options = model.session_options(Some(session));
    let materials = Materials {
        program,
        dir,
        own: shell_dir(model, id),
        scripts: shells_dir(model).join("scripts"),
        run_rc: match options.flag("revive-rc") {
            true => RunRc::On,
            false => RunRc::Off,
        },
        from,
    };
    let (spawn, events) = (spawn.clone(), hibernation.thread_events.clone());
    let thread = std::thread::Builder::new().name("revival".to_owned());
    let work = move || {
        // A panic is a bug; the pane gets a new shell then.
        let revival = catch_unwind(AssertUnwindSafe(|| materials.revive(&spawn.cwd)));
        let useless = || NoRevival::Useless("its state is of no use".to_owned());
        let revival = revival.unwrap_or_else(|_| Err(useless()));
        let pane = spawn.pane;
        let prepared = Box::new(Prepared {
            attempt,
            spawn,
            revival,
        });
        events.send(Event::Prepared { pane, prepared });
    };
    match thread.spawn(work) {
        Ok(_) => Ok(true),
        Err(error) => Err(error.to_string()),
    }
}

/// The scripts are ready, or have failed: starts the shell with its state, or a new one.
pub(crate) fn shell_prepared(model: &mut Model, id: PaneId, prepared: Prepared) {
    let Prepared {
        attempt,
        spawn,
        revival,
    } = prepared;
    // The time for the prompt begins only now, when there is a shell that can show one.
    let timer = model.set_alarm(Alarm::Awake(id), SHELL_PROMPT_TIMEOUT);
    let pane = model.panes.get_mut(&id);
    let waking = pane.filter(|pane| pane.is_waking());
    let waking = waking.and_then(|pane| pane.life.waking_mut());
    let reviving = waking.and_then(|waking| {
        let reviving = waking.reviving.as_deref_mut()?;
        Some((reviving, &waking.asleep.sleep))
    });
    let Some((reviving, sleep)) = reviving.filter(|(it, _)| it.attempt == attempt) else {
        // The pane was closed or got another program meanwhile.
        if let Ok(revival) = revival {
            revival.clean();
        }
        return;
    };
    reviving.timer = timer;
    match revival {
        Ok(revival) => {
            reviving.report.came_with(&revival.report);
            let was_captured = !sleep.has_state();
            if let Some(at) = revival.report.captured.filter(|_| was_captured) {
                let text = match sleep.program.is_empty() {
                    true => {
                        let when = when_ended(sleep.cause);
                        format!("the shell ended {when}; it is as it was at {}", moment(at))
                    }
                    false => format!("the shell is as it was at {}", moment(at)),
                };
                reviving.unsaid.push(text);
                reviving.report.as_of = Some(at);
            }
            let launch = revival.launch.clone();
            reviving.revival = Some(revival);
            start_program(model, spawn, Some(launch));
        }
        Err(NoRevival::NotNow(reason)) => {
            tracing::warn!(pane = %id, reason, "a shell's state cannot be prepared");
            waking_failed(model, id, &reason);
        }
        Err(NoRevival::Useless(reason)) => {
            let reason = format!("a new shell: {reason}");
            reviving.report.missing.push(reason.clone());
            let mut said = std::mem::take(&mut reviving.unsaid);
            said.push(reason);
            tidy_up(model, id, &said, Prompt::Below);
            start_program(model, spawn, None);
        }
    }
}

impl Materials {
    fn revive(&self, cwd: &[u8]) -> Result<Revival, NoRevival> {
        let state = self.dir.read_shell().map_err(|error| match error {
            StoreError::Io { .. } => NoRevival::NotNow(error.to_string()),
            error => NoRevival::Useless(error.to_string()),
        })?;
        let missing = || NoRevival::Useless("its shell's state is not there".to_owned());
        let mut state = state.ok_or_else(missing)?;
        if self.from == ShellFrom::Capture {
            let went_on = self.as_it_went_on(&state, cwd);
            state = went_on.map_err(NoRevival::Useless)?;
        }
        let Self {
            program,
            own,
            scripts,
            run_rc,
            ..
        } = self;
        let revived = shellkeep_shell::revive(program, &state, scripts, own, *run_rc);
        revived.map_err(|error| match error {
            StateError::Io(error) => NoRevival::NotNow(error.to_string()),
            error => NoRevival::Useless(error.to_string()),
        })
    }

    /// Adapts the state of a shell that went on after it reported it: its latest directory is known better, and its
    /// half-typed line may have been run.
    fn as_it_went_on(&self, state: &[u8], cwd: &[u8]) -> Result<Vec<u8>, String> {
        let mut state = ShellState::decode(state).map_err(|error| error.to_string())?;
        state.forget_line();
        let cwd = Path::new(OsStr::from_bytes(cwd));
        // A shell reports the logical path, which may contain links. It is replaced only if it is another directory.
        if std::fs::canonicalize(state.directory()).is_ok_and(|reported| reported != cwd) {
            state.set_directory(cwd);
        }
        if state.captured().is_none() {
            // Earlier versions did not note the time in the file.
            let written = self.dir.shell_stamp().map_or(0, |stamp| stamp.mtime);
            state.set_captured(u64::try_from(written / 1_000_000).unwrap_or(0));
        }
        Ok(state.encode())
    }
}
