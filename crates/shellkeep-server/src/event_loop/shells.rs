//! Shells: how they are started so that they mark their prompts and can be asked for their state, and what they say.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_shell::{Kind, Launch, RunRc, Shell};
use shellkeep_sleep::Mark;
use shellkeep_term::{Effects, PromptMark};

use super::Server;
use crate::alarm::Alarm;
use crate::daemon::beside;
use crate::notice::Notice;
use crate::state::{Environ, Reviving};

/// How long a revived shell has to show its prompt before what was typed goes to it all the same.
const PATIENCE: Duration = Duration::from_secs(5);

impl Server {
    /// Where the scripts and the panes' private directories are.
    pub(super) fn shells_dir(&self) -> PathBuf {
        beside(&self.socket, ".shells")
    }

    /// A pane's private directory, through which its shell and the server talk.
    pub(super) fn shell_dir(&self, pane: PaneId) -> PathBuf {
        self.shells_dir().join(pane.0.to_string())
    }

    /// Has a shell started so that it tells of itself, if it is one that can and the user lets us.
    pub(super) fn integrate(&mut self, spawn: &mut SpawnRequest) {
        let program = self.integrated(spawn);
        self.set_shell(spawn.pane, program);
    }

    /// Changes how a shell is started; none if it is no shell of ours.
    fn integrated(&self, spawn: &mut SpawnRequest) -> Option<PathBuf> {
        let Program::LoginShell(shell) = &spawn.program else {
            return None;
        };
        let program = PathBuf::from(OsStr::from_bytes(shell));
        let options = self
            .state
            .session_options(self.state.session_of(spawn.pane));
        let is_wanted = Shell::of(&program).is_some() && options.flag("shell-integration");
        if !is_wanted || !self.make_shell_dir(spawn.pane) {
            return None;
        }
        let environ = Environ::from_entries(spawn.environ.iter().map(Vec::as_slice));
        let inherited = |name: &str| -> Option<OsString> {
            environ
                .get(name)
                .map(|value| OsString::from_vec(value.to_vec()))
        };
        let scripts = self.shells_dir().join("scripts");
        let launch = shellkeep_shell::prepare(&program, Kind::Login, &scripts, &inherited)?;
        self.launch(spawn, launch);
        Some(program)
    }

    /// Has a shell started with the state it had; what cannot return is said.
    pub(super) fn revive_shell(
        &mut self,
        session: SessionId,
        spawn: &mut SpawnRequest,
    ) -> Result<(), String> {
        let id = spawn.pane;
        let Program::LoginShell(shell) = &spawn.program else {
            return Err("it was no shell".to_owned());
        };
        let program = PathBuf::from(OsStr::from_bytes(shell));
        let pane = self.state.panes.get(&id);
        let dir = pane.and_then(|pane| pane.screen.with_record(|record| record.dir().clone()));
        let state = dir.ok_or("it is not kept")?.read_shell();
        let state = state.map_err(|error| error.to_string())?;
        let state = state.ok_or("its shell's state is not there")?;
        if !self.make_shell_dir(id) {
            return Err("its shell cannot be told anything".to_owned());
        }
        let own = self.shell_dir(id);
        let options = self.state.session_options(Some(session));
        let run_rc = if options.flag("revive-rc") {
            RunRc::On
        } else {
            RunRc::Off
        };
        let scripts = self.shells_dir().join("scripts");
        let revival = shellkeep_shell::revive(&program, &state, &scripts, &own, run_rc);
        let revival = revival.map_err(|error| error.to_string())?;
        self.launch(spawn, revival.launch.clone());
        self.set_shell(id, Some(program));
        let timer = self.set_alarm(Alarm::Awake(id), PATIENCE);
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.reviving = Some(Reviving {
                revival,
                began: Instant::now(),
                _timer: timer,
            });
        }
        Ok(())
    }

    fn set_shell(&mut self, id: PaneId, program: Option<PathBuf>) {
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.shell_program = program;
            (pane.last_mark, pane.is_continuation) = (None, false);
        }
    }

    fn make_shell_dir(&self, id: PaneId) -> bool {
        use std::os::unix::fs::DirBuilderExt as _;
        let dir = self.shell_dir(id);
        let made = std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&dir);
        made.inspect_err(|error| tracing::warn!(pane = %id, %error, "no shell integration"))
            .is_ok()
    }

    /// Puts what is to be started into a request.
    fn launch(&self, spawn: &mut SpawnRequest, launch: Launch) {
        let given = spawn.environ.iter().map(Vec::as_slice).filter(|entry| {
            let name = entry.split(|byte| *byte == b'=').next().unwrap_or_default();
            launch.takes(&String::from_utf8_lossy(name))
        });
        let mut environ = Environ::from_entries(given);
        for (name, value) in launch.env {
            environ.set(name.to_string_lossy().into_owned(), value.into_vec());
        }
        let words = launch.argv.into_iter().map(OsString::into_vec);
        spawn.program = Program::Argv(words.collect());
        let dir = self.shell_dir(spawn.pane);
        environ.set("SHELLKEEP_SHELL_DIR", dir.into_os_string().into_vec());
        spawn.environ = environ.entries().collect();
    }

    /// A shell has marked something.
    pub(super) fn shell_said(&mut self, id: PaneId, mark: &PromptMark) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        match mark {
            PromptMark::PromptStart { secondary } => {
                pane.last_mark = Some(Mark::PromptBegins);
                pane.is_continuation = *secondary;
            }
            PromptMark::InputStart => {
                pane.last_mark = Some(Mark::PromptEnds);
                if pane.reviving.is_some() {
                    self.revived(id);
                }
                self.sleeper_due(id);
            }
            PromptMark::OutputStart { .. } => {
                pane.last_mark = Some(Mark::CommandBegins);
                pane.is_continuation = false;
                pane.commands = pane.commands.saturating_add(1);
                self.fade_revived(id);
            }
            PromptMark::CommandEnd { exit } => {
                pane.last_mark = Some(Mark::CommandEnds);
                pane.last_exit = *exit;
            }
            PromptMark::CommandLine(_) => {}
        }
    }

    /// A revived shell shows its prompt, or had time enough: it gets its half-typed line, and what was typed meanwhile.
    pub(super) fn revived(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let Some(Reviving { revival, began, .. }) = pane.reviving.take() else {
            return;
        };
        let took = began.elapsed();
        if let Some(key) = revival.line_key {
            pane.write_past_hold(key);
        }
        pane.release_input();
        let window = pane.window;
        let what = &revival.report;
        let mut report = format!(
            "; {} variables, {} functions, {} aliases, {} lines of history{}",
            what.variables,
            what.functions,
            what.aliases,
            what.history,
            if what.has_line {
                ", a half-typed line"
            } else {
                ""
            },
        );
        let missing = revival.missing();
        if !missing.is_empty() {
            let missing: Vec<String> = missing
                .iter()
                .map(|name| format!("{name} did not return"))
                .collect();
            let text = missing.join("; ");
            tracing::warn!(pane = %id, text, "not all of it came back");
            report.push_str("; ");
            report.push_str(&text);
        }
        revival.clean();
        self.sleeps.revivals.record(took);
        self.tell_revived(id, window);
        self.sleep_told(
            id,
            Ok(format!("awake after {} ms{report}", took.as_millis())),
        );
    }

    /// A program runs in a pane that slept. One that gets its state back is awake when it shows its prompt, any other is now.
    pub(super) fn woken_without_state(&mut self, id: PaneId) {
        let pane = self.state.panes.get(&id);
        let Some(pane) = pane.filter(|pane| pane.reviving.is_none()) else {
            return;
        };
        let window = pane.window;
        self.tell_revived(id, window);
        self.sleep_told(id, Ok("awake, with a new shell".to_owned()));
    }

    fn tell_revived(&mut self, id: PaneId, window: WindowId) {
        self.tell(Notice::PaneRevived(id));
        if let Some(session) = self.state.session_with(window) {
            self.tell(Notice::SessionRevived(session));
        }
        self.mark_revived(id);
    }

    /// Takes the old prompt away, so that the new one stands where it stood.
    pub(super) fn erase_prompt(&self, id: PaneId) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let mut shown = pane.screen.lock();
        let cursor = shown.cursor();
        let is_prompt =
            |row: &u16| shown.row(*row).marks() & shellkeep_term::view::MARK_PROMPT != 0;
        let start = (0..=cursor.row).rev().find(is_prompt);
        if let Some(row) = start {
            let bytes = format!("\x1b[{};1H\x1b[J", row + 1);
            shown.feed(bytes.as_bytes(), &mut Effects::new());
            drop(shown);
            pane.screen.changed();
        }
    }
}
