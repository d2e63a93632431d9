//! Waking panes: the screen is shown at once, and a shell is started in the place of the old one.

use std::collections::BTreeSet;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::time::Instant;

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_hibernation::Resume;
use shellkeep_keeper::{Program, SpawnRequest, steps};

use crate::action::Action;
use crate::alarm::Alarm;
use crate::commands::queue::Caller;
use crate::hibernation::idle_capture::is_captured;
use crate::hibernation::report::Report;
use crate::hibernation::revival::prepare_shell;
use crate::hibernation::rules::{FoundRule, awaits_key, rule_of};
use crate::hibernation::shell_from::{SHELL_PROMPT_TIMEOUT, ShellFrom, kept_start, when_ended};
use crate::hibernation::state::Hibernation;
use crate::hibernation::tidy::{Prompt, tidy_up};
use crate::hibernation::{asleep, resume};
use crate::model::ticket::Ticket;
use crate::model::{Client, Environ, Model, Pane, PaneLife, RevivalStage, Reviving, Sleep, Waker};
use crate::panes::enter_shim::renew_path;
use crate::panes::spawn::{NewProgram, shell_in, spawn_request};
use crate::panes::usual_shell;
use crate::panes::usual_shell::is_shell;
use crate::persistence::keeping::Start;
use crate::persistence::record::Facts;

/// Variables that a revived program gets from the present server, whatever they were before.
const RENEWED_VARIABLES: [&str; 9] = [
    "SHELLKEEP",
    "SHELLKEEP_PANE",
    "TMUX",
    "TMUX_PANE",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "COLUMNS",
    "LINES",
];

/// Wakes the panes that clients show, unless they need a key. A client that has only just got its terminal is painted
/// first, since waking would delay its first frame.
pub(crate) fn wake_shown(model: &mut Model, hibernation: &mut Hibernation) {
    let now = std::time::Instant::now();
    for (id, _) in shown_panes(model, |_| true) {
        if let Some(pane) = model.panes.get_mut(&id) {
            pane.seen = Some(now);
        }
    }
    for (id, session) in shown_panes(model, |client| !client.terminal.awaits_ready) {
        let pane = model.panes.get(&id);
        let asleep = pane.and_then(|pane| pane.life.asleep());
        let is_asleep = asleep.is_some_and(|asleep| !asleep.has_failed);
        let options = model.session_options(Some(session));
        if is_asleep && options.text("revive-on") != "key" && !awaits_key(model, hibernation, id) {
            model.act(Action::Wake(id, Waker::User));
        }
    }
}

/// A pane that begins to wake, before its screen is prepared.
pub(crate) struct Begun {
    pane: PaneId,
    window: WindowId,
    place: Prompt,
    /// What is printed above the prompt at once.
    said: Vec<String>,
    /// What is printed when the shell has its state.
    unsaid: Vec<String>,
    resume: Option<Resume>,
    report: Report,
    attempt: Ticket,
    began: Instant,
    spawn: Option<SpawnRequest>,
}

/// Begins to wake a pane that is asleep; its input is held. The note that its screen is prepared must be sent before it
/// is: if the server dies in between, the next one must not prepare it again. [`prepare_screen`] does the rest.
pub(crate) fn begin(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    waker: Waker,
) -> Option<Begun> {
    let pane = model.panes.get_mut(&id)?;
    let asleep = match &mut pane.life {
        PaneLife::Asleep(asleep) => asleep,
        PaneLife::Waking(waking) => &mut waking.asleep,
        _ => return None,
    };
    asleep.was_sent_input |= waker == Waker::Command;
    if pane.life.waking().is_some() {
        return None;
    }
    let sleep = pane.sleep().cloned()?;
    let window = pane.window;
    let session = model.session_with(window)?;
    let (began, attempt) = (Instant::now(), Ticket::new());
    let resume = match rule_of(model, hibernation, id, Some(waker)) {
        FoundRule::Nothing => None,
        FoundRule::Rule(resume) => Some(resume),
        // The pane wakes when the rule is found.
        FoundRule::Later => return None,
    };
    let kept = kept_start(model, id);
    let from = shell_from(model, id, &sleep);
    let (spawn, mut missing) = waking_request(model, id, session, (&sleep, from), kept.as_ref());
    begins_to_wake(model, id, session);
    let prepared = prepare_shell(model, hibernation, session, &spawn, (attempt, from));
    let is_prepared = prepared == Ok(true);
    missing.extend(
        prepared
            .err()
            .map(|reason| format!("a new shell: {reason}")),
    );
    let mut report = early_report(model, id, &spawn);
    report.missing.clone_from(&missing);
    if let Some(note) = resume.as_ref().and_then(|it| it.note.clone()) {
        missing.push(note);
    }
    // What a shell comes back with is known, and printed, when its scripts are ready.
    let (said, unsaid) = match is_prepared {
        true => (Vec::new(), missing),
        false => (missing, Vec::new()),
    };
    // If an earlier attempt has erased the old prompt, there is none left to look for.
    let is_same = is_prepared && from == ShellFrom::Sleep && !sleep.is_tidied;
    let place = if is_same {
        Prompt::InPlace
    } else {
        Prompt::Below
    };
    if let Some(sleep) = model.panes.get_mut(&id).and_then(Pane::sleep_mut) {
        sleep.is_tidied = true;
        model.window_note_due(window);
    }
    Some(Begun {
        pane: id,
        window,
        place,
        said,
        unsaid,
        resume,
        report,
        attempt,
        began,
        spawn: (!is_prepared).then_some(spawn),
    })
}

/// Prepares the screen of a pane that begins to wake. Returns the program to start now, unless a shell's scripts are
/// prepared first.
pub(crate) fn prepare_screen(model: &mut Model, begun: Begun) -> Option<SpawnRequest> {
    let id = begun.pane;
    tidy_up(model, id, &begun.said, begun.place);
    steps::reached("tidied");
    let timer = model.set_alarm(Alarm::Awake(id), SHELL_PROMPT_TIMEOUT);
    let pane = model.panes.get_mut(&id);
    if let Some(waking) = pane.and_then(|pane| pane.life.waking_mut()) {
        waking.reviving = Some(Box::new(Reviving {
            unsaid: begun.unsaid,
            revival: None,
            resume: begun.resume,
            report: begun.report,
            stage: RevivalStage::Prompt,
            key_within: None,
            attempt: begun.attempt,
            began: begun.began,
            timer,
        }));
    }
    model.redraw_window(begun.window);
    begun.spawn
}

/// The program to start in a waking pane, and what cannot be as it was.
fn waking_request(
    model: &Model,
    id: PaneId,
    session: SessionId,
    (sleep, from): (&Sleep, ShellFrom),
    start: Option<&Start>,
) -> (SpawnRequest, Vec<String>) {
    let mut missing = Vec::new();
    let pane = model.panes.get(&id);
    let size = pane.map(|pane| pane.size).unwrap_or_default();
    let facts = pane.map(|pane| pane.facts.clone()).unwrap_or_default();
    let environ = model.sessions.get(&session);
    let environ = environ.map(|session| session.environ.clone());
    let program = NewProgram {
        size,
        pane: Some(id),
        ..NewProgram::default()
    };
    let mut request = spawn_request(
        model,
        &Caller::background(),
        session,
        &environ.unwrap_or_default(),
        &program,
    );
    // The pane gets the shell it had, even if the default shell is another one now.
    let shell = pane.and_then(|pane| pane.shell_program.clone());
    if let Some(shell) = shell {
        let is_there = is_shell(&shell);
        let shell = shell.into_os_string().into_vec();
        if is_there {
            request.program = start
                .and_then(|start| asked_by_name(start, &shell))
                .unwrap_or(Program::LoginShell(shell));
        } else {
            let other = usual_shell::shell(model, session);
            missing.push(format!(
                "{} is gone: this is {}",
                String::from_utf8_lossy(&shell),
                String::from_utf8_lossy(&other)
            ));
            request.program = Program::LoginShell(other);
        }
    }
    if let Some(start) = start {
        request.environ = old_environment(model, session, start, &request.environ);
        request.umask = start.umask;
    }
    let directory = directory(&facts, start, pane.map(|pane| &pane.start_path));
    if let Some(directory) = directory {
        let there = nearest(&directory);
        if there != directory {
            missing.push(format!(
                "{} is gone: this is {}",
                String::from_utf8_lossy(&directory),
                String::from_utf8_lossy(&there)
            ));
        }
        request.cwd = there;
    }
    missing.splice(
        0..0,
        what_ended(sleep, from, resume::program_text(model, id)),
    );
    (request, missing)
}

/// The environment a pane had, with the variables renewed that must be as they are now.
fn old_environment(
    model: &Model,
    session: SessionId,
    start: &Start,
    now: &[Vec<u8>],
) -> Vec<Vec<u8>> {
    let options = model.session_options(Some(session));
    let updated: Vec<&str> = options.texts("update-environment").collect();
    let mut environ = Environ::from_entries(start.environ.iter().map(Vec::as_slice));
    let current = Environ::from_entries(now.iter().map(Vec::as_slice));
    for name in RENEWED_VARIABLES.into_iter().chain(updated) {
        match current.get(name) {
            Some(value) => environ.set(name, value),
            None => environ.remove(name),
        }
    }
    renew_path(model, session, &mut environ);
    environ.entries().collect()
}

/// The panes shown by such clients, and their sessions.
fn shown_panes(model: &Model, is_meant: impl Fn(&Client) -> bool) -> Vec<(PaneId, SessionId)> {
    let clients = model.clients.values();
    let clients = clients.filter(|client| is_meant(client));
    let mut panes = Vec::new();
    for session in clients.filter_map(|client| client.session) {
        let window = model.current_window(session);
        let places = window
            .into_iter()
            .flat_map(|window| window.shown().places());
        panes.extend(places.map(|(pane, _)| (pane, session)));
    }
    panes
}

/// The panes that would wake as soon as they sleep, because clients show them.
pub(crate) fn kept_awake_by_clients(model: &Model) -> BTreeSet<PaneId> {
    let mut shown = shown_panes(model, |_| true);
    shown.retain(|(_, session)| {
        let options = model.session_options(Some(*session));
        options.text("revive-on") != "key"
    });
    shown.into_iter().map(|(pane, _)| pane).collect()
}

/// Marks a pane as waking; it may be the first of its session.
fn begins_to_wake(model: &mut Model, id: PaneId, session: SessionId) {
    let wakes_session = asleep::is_session_asleep(model, session)
        && !asleep::panes_in(model, session).any(Pane::is_waking);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.begins_to_wake(wakes_session);
        pane.screen.wake_up();
        pane.screen.request_output_notice();
    }
}

/// Where the shell of a sleeping pane gets its state from.
pub(crate) fn shell_from(model: &Model, id: PaneId, sleep: &Sleep) -> ShellFrom {
    let pane = model.panes.get(&id);
    if sleep.has_state() {
        ShellFrom::Sleep
    } else if sleep.may_be_captured() && pane.is_some_and(is_captured) {
        ShellFrom::Capture
    } else {
        ShellFrom::Nothing
    }
}

/// What is known of a pane before its shell runs.
fn early_report(model: &Model, id: PaneId, spawn: &SpawnRequest) -> Report {
    let pane = model.panes.get(&id);
    let scrollback = pane.map(|pane| pane.screen.lock().history_lines());
    let is_whole = pane.and_then(|pane| pane.screen.with_record(|record| record.is_whole()));
    Report {
        screen: is_whole.unwrap_or(false),
        scrollback: scrollback.unwrap_or(0),
        cwd: String::from_utf8_lossy(&spawn.cwd).into_owned(),
        ..Report::default()
    }
}

/// A message about what ran when machine or keeper ended. The state of a captured shell is reported when it is read.
fn what_ended(sleep: &Sleep, from: ShellFrom, program: Option<String>) -> Option<String> {
    let when = when_ended(sleep.cause);
    Some(match (from, program) {
        (ShellFrom::Sleep, _) | (ShellFrom::Capture, None) => return None,
        (ShellFrom::Capture, Some(program)) => format!("{program} ended {when}"),
        (ShellFrom::Nothing, None) => format!("a new shell; the one before ended {when}"),
        // A shell that runs a command does not answer.
        (ShellFrom::Nothing, Some(program)) => {
            format!("{program} ended {when}, and the state of its shell with it")
        }
    })
}

/// The shell that was asked for by name, if this one was: it is not necessarily a login shell.
fn asked_by_name(start: &Start, shell: &[u8]) -> Option<Program> {
    let program = Program::Argv(start.argv.clone());
    let (path, _) = shell_in(&program)?;
    (path.as_os_str().as_bytes() == shell).then_some(program)
}

/// The directory of a pane's program.
fn directory(facts: &Facts, start: Option<&Start>, begun: Option<&Vec<u8>>) -> Option<Vec<u8>> {
    let last = facts
        .directory
        .as_ref()
        .map(|text| text.clone().into_bytes());
    let first = start.map(|start| start.directory.clone());
    let begun = begun.filter(|path| !path.is_empty()).cloned();
    last.or(first).or(begun)
}

/// A directory, or its nearest ancestor that exists.
fn nearest(directory: &[u8]) -> Vec<u8> {
    let path = Path::new(std::ffi::OsStr::from_bytes(directory));
    let mut ancestors = path.ancestors();
    let there = ancestors.find(|path| path.is_dir());
    let there = there.unwrap_or(Path::new("/"));
    there.as_os_str().as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_that_is_gone_gives_the_nearest_above_it() {
        let temp = tempfile::tempdir().unwrap();
        let gone = temp.path().join("a/b/c");
        let there = nearest(gone.as_os_str().as_bytes());
        assert_eq!(there, temp.path().as_os_str().as_bytes());
        assert_eq!(nearest(b"relative/nowhere"), b"/");
    }
}
