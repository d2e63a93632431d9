//! Shells: how they are started so that they mark their prompts and can be asked for their state, and what they say.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use shellkeep_core::{PaneId, WindowId};
use shellkeep_files::{ANY_SIZE, Access};
use shellkeep_keeper::{Program, SpawnRequest, steps};
use shellkeep_shell::{Kind, Launch, Phase, Revival};
use shellkeep_sleep::How;
use shellkeep_term::PromptMark;

use super::spawn::shell_in;
use super::{Report, Server, idle_capture, retouch};
use crate::alarm::Alarm;
use crate::daemon::beside;
use crate::notice::Notice;
use crate::shim;
use crate::state::{Environ, Model, News, Pane, RevivalStage, Reviving, ShellWord};

/// How long a program that was called has to run before what was typed goes to it all the same.
const PATIENCE: Duration = Duration::from_secs(2);

impl Server {
    /// Has a shell started so that it tells of itself, if it is one that can and the user lets us; one that comes back, as `revived` says.
    pub(super) fn integrate(&mut self, spawn: &mut SpawnRequest, revived: Option<Launch>) {
        let program = match revived {
            Some(launch) => {
                let program = shell_in(&spawn.program).map(|(program, _)| program);
                self::launch(spawn, launch, &shell_dir(&self.state, spawn.pane));
                program
            }
            None => self.integrated(spawn),
        };
        set_shell(&mut self.state, spawn.pane, program);
    }

    /// Changes how a shell is started; none if it is no shell of ours.
    fn integrated(&self, spawn: &mut SpawnRequest) -> Option<PathBuf> {
        if !is_integrated(&self.state, spawn.pane) {
            return None;
        }
        let scripts = shells_dir(&self.state).join("scripts");
        let Some((program, kind)) = shell_in(&spawn.program) else {
            keep_shim(spawn, &scripts);
            return None;
        };
        if !make_shell_dir(&self.state, spawn.pane) {
            return None;
        }
        let environ = Environ::from_entries(spawn.environ.iter().map(Vec::as_slice));
        let inherited = |name: &str| -> Option<OsString> {
            environ
                .get(name)
                .map(|value| OsString::from_vec(value.to_vec()))
        };
        let launch = shellkeep_shell::prepare(&program, kind, &scripts, &inherited)?;
        self::launch(spawn, launch, &shell_dir(&self.state, spawn.pane));
        Some(program)
    }

    /// Something was marked in a pane, maybe by its shell: what that says of itself is looked at.
    pub(super) fn look_at_shell(&mut self, id: PaneId) {
        if let Some(pane) = self.state.panes.get_mut(&id) {
            let news = pane.shell_word.look();
            self.shell_news(id, news);
        }
    }

    /// A mark was printed in a pane, by its shell or by anything else.
    pub(super) fn shell_marked(&mut self, id: PaneId, mark: &PromptMark) {
        if let Some(pane) = self.state.panes.get_mut(&id) {
            let news = pane.shell_word.hear(mark);
            self.shell_news(id, news);
        }
    }

    fn shell_news(&mut self, id: PaneId, news: News) {
        match news {
            News::Nothing => {}
            News::HasRun => {
                if let Some(pane) = self.state.panes.get_mut(&id) {
                    pane.capture.command_began();
                }
                if !calls_program(&mut self.state, id) {
                    self.fade_revived(id);
                }
            }
            News::Prompted => {
                self.prompt_shown(id);
                self.sleeper_due(id);
                idle_capture::capture_due_at_prompt(&mut self.state, id);
            }
        }
    }

    /// A shell shows its prompt. If it was revived, it gets its half-typed line, or the command of the program that ran.
    pub(super) fn prompt_shown(&mut self, id: PaneId) {
        let pane = self.state.panes.get_mut(&id);
        let Some(mut reviving) = pane.and_then(|pane| pane.life.take_reviving()) else {
            return;
        };
        match reviving.stage {
            RevivalStage::Prompt => steps::reached("prompted"),
            RevivalStage::Late => return came_late(&mut self.state, id, *reviving),
            RevivalStage::Program => return put_back(&mut self.state, id, reviving),
        }
        let timer = self.state.set_alarm(Alarm::Awake(id), PATIENCE);
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let resume = reviving.resume.take().filter(|it| !it.line.is_empty());
        if let Some(revival) = &reviving.revival
            && let Some(key) = revival.line_key
        {
            // It may take the shell a while to do what the key says.
            match revival.goes_first(&pane.early_input()) {
                behind @ 1.. if resume.is_none() => reviving.key_within = Some((behind, key)),
                _ => pane.write_line_key(key),
            }
        }
        let mut calls = false;
        if let Some(resume) = resume {
            let is_fed = pane.life.waking().is_some_and(|it| it.asleep.is_fed);
            if resume.how == How::TypeUnsent && is_fed {
                // What a command has sent would stand behind it, and be run with it.
                let text = format!("{} was not typed, as something else was", resume.line);
                reviving.unsaid.push(text.clone());
                reviving.report.missing.push(text);
            } else {
                calls = resume.how == How::Run;
                let end = if calls { "\r" } else { "" };
                pane.write_past_hold(format!("{}{end}", resume.line).as_bytes());
                reviving.report.resumed(&resume);
            }
        }
        if calls {
            // Some shells would take what follows for their next prompt.
            (reviving.stage, reviving.timer) = (RevivalStage::Program, timer);
        }
        self.revived(id, reviving);
    }

    /// A pane on its way back had time enough: it gets what was typed, whatever it does.
    pub(super) fn awake_due(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let Some(mut reviving) = pane.life.take_reviving() else {
            return;
        };
        if reviving.stage == RevivalStage::Program {
            pane.life.is_awake();
            return pane.release_input();
        }
        pane.show_held_output();
        reviving.stage = RevivalStage::Late;
        // Whatever it asks for now, a command is no answer to it.
        if let Some(resume) = reviving.resume.take().filter(|it| !it.line.is_empty()) {
            let text = format!(
                "{} was not typed, as its shell shows no prompt",
                resume.line
            );
            reviving.report.missing.push(text);
        }
        let text = "its shell shows no prompt yet".to_owned();
        reviving.report.missing.push(text);
        self.revived(id, reviving);
    }

    /// A pane is back: what was typed meanwhile goes to it, and whoever wants to know is told.
    fn revived(&mut self, id: PaneId, mut reviving: Box<Reviving>) {
        let took = reviving.began.elapsed();
        let is_late = reviving.stage == RevivalStage::Late;
        if let Some(revival) = reviving.revival.take_if(|_| !is_late) {
            let missing = did_not_return(&revival);
            reviving.report.missing.extend(missing.iter().cloned());
            reviving.unsaid.extend(missing);
            revival.clean();
        }
        if !reviving.unsaid.is_empty() && !is_late {
            let text = std::mem::take(&mut reviving.unsaid).join("; ");
            tracing::warn!(pane = %id, text, "not all of it came back");
            retouch::say_above_prompt(&self.state, id, &text);
        }
        let mut report = std::mem::take(&mut reviving.report);
        report.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let is_over = reviving.stage == RevivalStage::Prompt;
        let key_within = reviving.key_within.take();
        let is_first = match pane.life.waking_mut() {
            Some(waking) if !is_over => {
                waking.reviving = Some(reviving);
                std::mem::take(&mut waking.wakes_session)
            }
            _ => pane.life.is_awake(),
        };
        let window = pane.window;
        // Only now is it awake for whoever takes over: until then all that it has is on disk. Before it gets what was typed: that
        // would go to the next shell as well.
        self.state.window_note_due(window);
        if is_over || is_late {
            self.write_notes();
            release_input(&mut self.state, id, key_within);
        }
        self.hibernation.sleeps.revivals.record(took);
        self.tell_revived((id, window), is_first, &report);
        let text = report.text();
        self.sleep_reported(id, Ok(text), Some(report));
    }

    /// A program runs in a pane that slept. A shell that tells of itself is awake when it shows its prompt, any other is now,
    /// unless something is to be typed into it.
    pub(super) fn woken(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let tells = pane.shell_program.is_some();
        match pane.life.take_reviving() {
            // Somebody has started something else in it.
            None => {
                let (window, is_first) = (pane.window, pane.life.is_awake());
                self.tell_revived((id, window), is_first, &Report::default());
                self.sleep_told(id, Ok("awake".to_owned()));
            }
            Some(reviving) if tells || reviving.resume.is_some() => {
                put_back(&mut self.state, id, reviving)
            }
            Some(reviving) => self.revived(id, reviving),
        }
    }

    /// A pane whose shell does not tell of itself has printed something: that is as good as a prompt.
    pub(super) fn printed_while_waking(&mut self, id: PaneId) {
        let pane = self.state.panes.get(&id);
        let is_waiting =
            |pane: &Pane| pane.shell_program.is_none() && pane.life.reviving().is_some();
        if pane.is_some_and(is_waiting) {
            self.prompt_shown(id);
            calls_program(&mut self.state, id);
        }
    }

    fn tell_revived(&mut self, (id, window): (PaneId, WindowId), is_first: bool, report: &Report) {
        self.state.tell(Notice::PaneRevived {
            pane: id,
            report: Box::new(report.clone()),
        });
        if let Some(session) = self.state.session_with(window).filter(|_| is_first) {
            self.state.tell(Notice::SessionRevived {
                session,
                report: Box::new(report.clone()),
            });
        }
        self.mark_revived(id);
    }
}

/// Where the scripts and the panes' private directories are.
pub(super) fn shells_dir(model: &Model) -> PathBuf {
    beside(&model.socket, ".shells")
}

/// A pane's private directory, through which its shell and the server talk.
pub(super) fn shell_dir(model: &Model, pane: PaneId) -> PathBuf {
    shells_dir(model).join(pane.0.to_string())
}

fn set_shell(model: &mut Model, id: PaneId, program: Option<PathBuf>) {
    let word = match &program {
        Some(_) => ShellWord::expected(&shell_dir(model, id)),
        None => ShellWord::default(),
    };
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.shell_program = program;
        pane.shell_word = word;
    }
}

/// Makes what a shell that is about to start and we talk through.
pub(super) fn make_shell_dir(model: &Model, id: PaneId) -> bool {
    let dir = shell_dir(model, id);
    let made = shellkeep_files::make_dir(&dir)
        .and_then(|()| lay_out(&dir))
        // Before the shell begins: it may be faster than whatever is done here next.
        .and_then(|()| Phase::expect(&dir));
    made.inspect_err(|error| tracing::warn!(pane = %id, %error, "no shell integration"))
        .is_ok()
}

/// Makes anew what a shell and we talk through, if that has gone with the directory of the sockets.
pub(super) fn ensure_shell_dir(model: &Model, id: PaneId) {
    if shell_dir(model, id).exists() || !make_shell_dir(model, id) {
        return;
    }
    let pane = model.panes.get(&id);
    if let Some(program) = pane.and_then(|pane| pane.shell_program.as_ref()) {
        let scripts = shells_dir(model).join("scripts");
        // Not to start one: of the scripts that this puts there, a shell reads some when it is asked.
        let _ = shellkeep_shell::prepare(program, Kind::Plain, &scripts, &|_| None);
    }
}

/// Whether a pane's shell is to tell of itself.
fn is_integrated(model: &Model, pane: PaneId) -> bool {
    let options = model.session_options(model.session_of(pane));
    options.flag("shell-integration")
}

/// A shell has begun to run a command; whether it is the program that came back. That gets what was typed.
fn calls_program(model: &mut Model, id: PaneId) -> bool {
    let pane = model.panes.get_mut(&id);
    let is_called = |it: &Reviving| it.stage == RevivalStage::Program;
    let Some(pane) = pane.filter(|it| it.life.reviving().is_some_and(is_called)) else {
        return false;
    };
    pane.life.is_awake();
    pane.release_input();
    true
}

fn put_back(model: &mut Model, id: PaneId, reviving: Box<Reviving>) {
    let pane = model.panes.get_mut(&id);
    if let Some(waking) = pane.and_then(|pane| pane.life.waking_mut()) {
        waking.reviving = Some(reviving);
    }
}

/// A shell shows its prompt after all.
fn came_late(model: &mut Model, id: PaneId, reviving: Reviving) {
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.is_awake();
    }
    let Some(revival) = reviving.revival else {
        return;
    };
    let missing = did_not_return(&revival);
    if !missing.is_empty() {
        retouch::say_above_prompt(model, id, &missing.join("; "));
    }
    if let (Some(pane), Some(key)) = (model.panes.get(&id), revival.line_key) {
        pane.write_past_hold(key);
    }
    revival.clean();
}

/// Gives a pane on its way back what was typed meanwhile.
fn release_input(model: &mut Model, id: PaneId, key_within: Option<(usize, &[u8])>) {
    if let Some(pane) = model.panes.get_mut(&id) {
        match key_within {
            Some((behind, key)) => pane.release_input_with(behind, key),
            None => pane.release_input(),
        }
    }
}

/// Puts what is to be started into a request, for a shell that talks through this directory.
fn launch(spawn: &mut SpawnRequest, launch: Launch, dir: &Path) {
    // A shell that comes back has a PATH of its own, and start-up files set a new one: the scripts put the shim there again.
    let shim = shim_in(spawn);
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
    spawn.terminal = launch.terminal;
    match shim {
        Some(shim) => environ.set("SHELLKEEP_SHIM", shim.as_bytes()),
        None => environ.remove("SHELLKEEP_SHIM"),
    }
    environ.set("SHELLKEEP_SHELL_DIR", dir.as_os_str().as_bytes());
    spawn.environ = environ.entries().collect();
}

/// The directory of the tmux shim that a program is to have first in its PATH.
fn shim_in(spawn: &SpawnRequest) -> Option<OsString> {
    let mut path = spawn.environ.iter();
    let path = path.find_map(|entry| entry.strip_prefix(b"PATH="))?;
    shim::first_in(path).map(OsStr::to_owned)
}

/// Has a login shell for which there is no integration put the tmux shim first in PATH again, which its profile often sets anew.
fn keep_shim(spawn: &mut SpawnRequest, scripts: &Path) {
    let Program::LoginShell(shell) = &spawn.program else {
        return;
    };
    let mut environ = Environ::from_entries(spawn.environ.iter().map(Vec::as_slice));
    let inherited = |name: &str| -> Option<OsString> {
        let value = environ.get(name)?;
        Some(OsString::from_vec(value.to_vec()))
    };
    let shell = Path::new(OsStr::from_bytes(shell));
    let variables = shim_in(spawn)
        .and_then(|shim| shellkeep_shell::keep_shim(shell, scripts, &shim, &inherited));
    for (name, value) in variables.unwrap_or_default() {
        environ.set(name, value.into_vec());
    }
    spawn.environ = environ.entries().collect();
}

/// The parts of a shell's state that did not load, in sentences.
fn did_not_return(revival: &Revival) -> Vec<String> {
    let missing = revival.missing();
    let missing = missing.iter().map(|name| format!("{name} did not return"));
    missing.collect()
}

/// Makes the files that a bash writes by itself: it would make them as its umask says, and open to all with 000.
fn lay_out(dir: &Path) -> std::io::Result<()> {
    let mut paths = ["trap", "traps"].map(|name| dir.join(name)).into_iter();
    paths.try_for_each(|path| shellkeep_files::open(&path, Access::Make, ANY_SIZE).map(drop))
}
