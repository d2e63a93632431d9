//! Sleeping panes wake up: their screens are there at once, and a shell is started where the old one was.

use std::collections::BTreeSet;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_keeper::{HostRequest, Program, SpawnRequest, steps};

use super::idle_capture::is_captured;
use super::resume::Found;
use super::spawn::shell_in;
use super::{NewProgram, Report, Server, is_shell, resume, retouch, spawn};
use crate::alarm::Alarm;
use crate::keeping::Start;
use crate::notice::Notice;
use crate::queue::Caller;
use crate::record::{Facts, dim_line};
use crate::state::{Cause, Client, Environ, Model, Pane, PaneLife, RevivalStage, Reviving, Sleep};
use crate::ticket::Ticket;

/// How long a revived shell has to show its prompt before what was typed goes to it all the same.
pub(super) const SHELL_PROMPT_TIMEOUT: Duration = Duration::from_secs(5);

/// Ends whatever a program that is gone had begun: a sequence, margins, character sets, mouse, paste and key modes, a hidden or
/// oddly shaped cursor. The cursor is in the corner then.
const CLEAN_UP: &str = "\x18\x1b[?6l\x1b[?69l\x1b[r\x0f\x1b(B\x1b[m\x1b[4l\x1b[20l\
    \x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\
    \x1b[?2004l\x1b[?2026l\x1b[?2048l\x1b[?2031l\x1b[?1l\x1b>\x1b[?7h\x1b[?45l\x1b[?25h\x1b[0 q\x1b[>4;0m\x1b[<99u";

/// Puts back what a program that was ended has set and no new shell would: how the screen looks as a whole, its colours, links, tab
/// stops, keys. A shell that comes back keeps all of it, since it may have set it itself.
const FORGET: &str = "\x1b[!p\x1b[?5l\x1b[?12l\x1b[?40l\x1b[?67l\x1b[?95l\x1b[?1007l\x1b[?2027l\x1b F\x1b[>4;0f\x1b[0*x\x1b[?5W\
    \x1b]8;;\x1b\\\x1b]104\x1b\\\x1b]105\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\\x1b]113\x1b\\\x1b]114\x1b\\\
    \x1b]115\x1b\\\x1b]116\x1b\\\x1b]117\x1b\\\x1b]118\x1b\\\x1b]119\x1b\\";

/// Variables that a new program gets from the server as it is now, whatever they were before.
const RENEWED: [&str; 9] = [
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

/// Where a new shell's prompt comes to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    /// Below what was shown: it is another shell.
    Below,
    /// Where the old one was: it is the same shell.
    InPlace,
}

/// What the shell of a pane that wakes comes back with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShellFrom {
    /// The state that it told when it was put to sleep: it is the same shell.
    Sleep,
    /// The state that it last told while it ran. It may have done something since, and its half-typed line may have been sent.
    Capture,
    /// It never told one, or cannot: it is a new shell.
    Nothing,
}

/// Whose doing it is that a pane wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waker {
    /// Somebody looks at it, types into it, or asked for it to be awake.
    User,
    /// A command has something for it to do, and types that as if it knew what is there.
    Command,
}

impl Server {
    /// Wakes what somebody looks at, unless it waits for a key. On a terminal that is not ours yet there is nothing to look at: the screen
    /// comes first, and whatever it takes to wake would be in its way.
    pub(super) fn wake_shown(&mut self) {
        let now = std::time::Instant::now();
        for (id, _) in shown_panes(&self.state, |_| true) {
            if let Some(pane) = self.state.panes.get_mut(&id) {
                pane.seen = Some(now);
            }
        }
        for (id, session) in shown_panes(&self.state, |client| !client.awaits_ready) {
            let pane = self.state.panes.get(&id);
            let asleep = pane.and_then(|pane| pane.life.asleep());
            let is_asleep = asleep.is_some_and(|asleep| !asleep.has_failed);
            let options = self.state.session_options(Some(session));
            if is_asleep && options.text("revive-on") != "key" && !self.awaits_key(id) {
                self.wake(id, Waker::User);
            }
        }
    }

    /// Wakes a pane, if it sleeps: what is typed into it meanwhile waits.
    pub(crate) fn wake(&mut self, id: PaneId, waker: Waker) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let asleep = match &mut pane.life {
            PaneLife::Asleep(asleep) => asleep,
            PaneLife::Waking(waking) => &mut waking.asleep,
            _ => return,
        };
        asleep.is_fed |= waker == Waker::Command;
        if pane.life.waking().is_some() {
            return;
        }
        let Some(sleep) = pane.sleep().cloned() else {
            return;
        };
        let window = pane.window;
        let Some(session) = self.state.session_with(window) else {
            return;
        };
        let (began, attempt) = (Instant::now(), Ticket::new());
        let resume = match self.rule_of(id, Some(waker)) {
            Found::Nothing => None,
            Found::Rule(resume) => Some(resume),
            // It goes on here when the rule is found.
            Found::Later => return,
        };
        let kept = kept_start(&self.state, id);
        let from = shell_from(&self.state, id, &sleep);
        let (spawn, mut missing) = self.waking_request(id, session, (&sleep, from), kept.as_ref());
        begins_to_wake(&mut self.state, id, session);
        let prepared = self.prepare_shell(session, &spawn, (attempt, from));
        let is_prepared = prepared == Ok(true);
        missing.extend(
            prepared
                .err()
                .map(|reason| format!("a new shell: {reason}")),
        );
        let mut report = early_report(&self.state, id, &spawn);
        report.missing.clone_from(&missing);
        if let Some(note) = resume.as_ref().and_then(|it| it.note.clone()) {
            missing.push(note);
        }
        // What a shell comes back with is known when it is put together, and said then.
        let (said, unsaid) = match is_prepared {
            true => (Vec::new(), missing),
            false => (missing, Vec::new()),
        };
        // If the old prompt was erased at an earlier attempt, it must not be looked for again.
        let is_same = is_prepared && from == ShellFrom::Sleep && !sleep.is_tidied;
        let place = if is_same {
            Prompt::InPlace
        } else {
            Prompt::Below
        };
        self.note_tidied(id, window);
        tidy_up(&mut self.state, id, &said, place);
        steps::reached("tidied");
        let timer = self.state.set_alarm(Alarm::Awake(id), SHELL_PROMPT_TIMEOUT);
        let pane = self.state.panes.get_mut(&id);
        if let Some(waking) = pane.and_then(|pane| pane.life.waking_mut()) {
            waking.reviving = Some(Box::new(Reviving {
                unsaid,
                revival: None,
                resume,
                report,
                stage: RevivalStage::Prompt,
                key_within: None,
                attempt,
                began,
                timer,
            }));
        }
        if !is_prepared {
            self.start_program(spawn, None);
        }
        self.state.redraw_window(window);
    }

    /// Notes that a screen is put in order, before it is: a server that dies behind that must not have the next one do it again.
    fn note_tidied(&mut self, id: PaneId, window: WindowId) {
        if let Some(sleep) = self.state.panes.get_mut(&id).and_then(Pane::sleep_mut) {
            sleep.is_tidied = true;
            self.state.window_note_due(window);
            self.write_notes();
        }
    }

    /// A program has ended; whether that was a shell that never came to its prompt, so that its pane sleeps on.
    pub(super) fn ended_while_waking(&mut self, id: PaneId) -> bool {
        let pane = self.state.panes.get_mut(&id);
        let is_early = |it: &Reviving| it.stage == RevivalStage::Prompt;
        let Some(pane) = pane.filter(|it| it.life.reviving().is_some_and(is_early)) else {
            return false;
        };
        let window = pane.window;
        self.host.request(HostRequest::Close(id));
        self.state.window_note_due(window);
        self.waking_failed(id, "its shell ended before it showed a prompt");
        true
    }

    /// Nothing could be started in a pane: it sleeps on, with all that was kept of it, until somebody asks for it again.
    pub(super) fn waking_failed(&mut self, id: PaneId, reason: &str) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let reviving = pane.wakes_in_vain();
        if let Some(revival) = reviving.and_then(|it| it.revival) {
            revival.clean();
        }
        pane.screen.fall_asleep();
        let window = pane.window;
        self.state.tell(Notice::PaneReviveFailed {
            pane: id,
            reason: reason.to_owned(),
        });
        if let Some(session) = self.state.session_with(window) {
            self.state.tell(Notice::SessionReviveFailed {
                session,
                reason: reason.to_owned(),
            });
        }
        self.sleep_told(id, Err(reason.to_owned()));
        self.state.redraw_window(window);
    }

    /// What to start in a pane that wakes, and what cannot be as it was.
    fn waking_request(
        &self,
        id: PaneId,
        session: SessionId,
        (sleep, from): (&Sleep, ShellFrom),
        start: Option<&Start>,
    ) -> (SpawnRequest, Vec<String>) {
        let mut missing = Vec::new();
        let pane = self.state.panes.get(&id);
        let size = pane.map(|pane| pane.size).unwrap_or_default();
        let facts = pane.map(|pane| pane.facts.clone()).unwrap_or_default();
        let environ = self.state.sessions.get(&session);
        let environ = environ.map(|session| session.environ.clone());
        let program = NewProgram {
            size,
            pane: Some(id),
            ..NewProgram::default()
        };
        let mut request = self.spawn_request(
            &Caller::nobody(),
            session,
            &environ.unwrap_or_default(),
            &program,
        );
        // It gets the shell it had, whatever others get by now.
        let shell = pane.and_then(|pane| pane.shell_program.clone());
        if let Some(shell) = shell {
            let is_there = is_shell(&shell);
            let shell = shell.into_os_string().into_vec();
            if is_there {
                request.program = start
                    .and_then(|start| asked_by_name(start, &shell))
                    .unwrap_or(Program::LoginShell(shell));
            } else {
                let other = spawn::shell(&self.state, session);
                missing.push(format!(
                    "{} is gone: this is {}",
                    String::from_utf8_lossy(&shell),
                    String::from_utf8_lossy(&other)
                ));
                request.program = Program::LoginShell(other);
            }
        }
        if let Some(start) = start {
            request.environ = self.old_environment(session, start, &request.environ);
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
            what_ended(sleep, from, resume::program_text(&self.state, id)),
        );
        (request, missing)
    }

    /// The environment a pane had, but for what must be as it is now.
    fn old_environment(&self, session: SessionId, start: &Start, now: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let options = self.state.session_options(Some(session));
        let updated: Vec<&str> = options.texts("update-environment").collect();
        let mut environ = Environ::from_entries(start.environ.iter().map(Vec::as_slice));
        let current = Environ::from_entries(now.iter().map(Vec::as_slice));
        for name in RENEWED.into_iter().chain(updated) {
            match current.get(name) {
                Some(value) => environ.set(name, value),
                None => environ.remove(name),
            }
        }
        self.renew_path(session, &mut environ);
        environ.entries().collect()
    }
}

/// What such clients show, and in which session.
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

/// The panes that would wake as soon as they sleep, since somebody looks at them.
pub(crate) fn kept_awake_by_sight(model: &Model) -> BTreeSet<PaneId> {
    let mut shown = shown_panes(model, |_| true);
    shown.retain(|(_, session)| {
        let options = model.session_options(Some(*session));
        options.text("revive-on") != "key"
    });
    shown.into_iter().map(|(pane, _)| pane).collect()
}

/// A pane is on its way back, and may be the first of its session.
fn begins_to_wake(model: &mut Model, id: PaneId, session: SessionId) {
    let wakes_session =
        is_session_asleep(model, session) && !panes_in(model, session).any(Pane::is_waking);
    if let Some(pane) = model.panes.get_mut(&id) {
        pane.life.begins_to_wake(wakes_session);
        pane.screen.wake_up();
        pane.screen.tell_of_output();
    }
}

/// What the shell of a sleeping pane comes back with.
pub(super) fn shell_from(model: &Model, id: PaneId, sleep: &Sleep) -> ShellFrom {
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

/// Whether nothing runs in a session.
pub(crate) fn is_session_asleep(model: &Model, id: SessionId) -> bool {
    let mut panes = panes_in(model, id).peekable();
    panes.peek().is_some() && panes.all(Pane::is_asleep)
}

/// The programs that ran in a session's panes when they ended without being asked to.
pub(crate) fn lost_programs(model: &Model, id: SessionId) -> Vec<String> {
    let sleeps = panes_in(model, id).filter_map(Pane::sleep);
    let lost = sleeps.filter(|sleep| sleep.cause == Cause::Lost && !sleep.program.is_empty());
    lost.map(|sleep| sleep.program.join(" ")).collect()
}

/// The panes of a session.
pub(crate) fn panes_in(model: &Model, id: SessionId) -> impl Iterator<Item = &Pane> {
    let links = model.sessions.get(&id).map(|session| &session.links);
    let windows = links.into_iter().flat_map(|links| links.values());
    windows.flat_map(|link| model.panes_of(link.window))
}

/// How a pane's program was started, if that is kept.
pub(super) fn kept_start(model: &Model, id: PaneId) -> Option<Start> {
    let pane = model.panes.get(&id)?;
    let dir = pane.screen.with_record(|record| record.dir().clone())?;
    let start = dir.read_start().ok().flatten()?;
    Some(Start::stored(id, start))
}

/// Puts a screen in order for a new program, and says what did not come back.
pub(super) fn tidy_up(model: &mut Model, id: PaneId, missing: &[String], prompt: Prompt) {
    retouch::retouch(model, id, |screen| {
        // Each screen has its own keys.
        let end = "\x18\x1b[<99u\x1b[?1049l";
        let end = if screen.is_alternate() { end } else { "" };
        end.to_owned()
    });
    retouch::retouch(model, id, |screen| {
        let cursor = screen.cursor();
        let (mut row, mut col) = (cursor.row, cursor.col);
        if prompt == Prompt::Below {
            // A program may have written below its cursor.
            let is_blank = |row: u16| screen.row(row).text().trim().is_empty();
            let last = (cursor.row + 1..screen.size().rows()).rfind(|row| !is_blank(*row));
            if let Some(last) = last {
                (row, col) = (last, 1);
            }
        }
        let forget = match prompt {
            Prompt::Below => FORGET,
            Prompt::InPlace => "",
        };
        let mut bytes = format!("{CLEAN_UP}{forget}\x1b[{};{}H", row + 1, col + 1);
        if col > 0 && prompt == Prompt::Below {
            bytes.push_str("\r\n");
        }
        if !missing.is_empty() {
            bytes.push_str(&dim_line(&missing.join("; ")));
        }
        bytes
    });
    if prompt == Prompt::InPlace {
        retouch::erase_prompt(model, id);
    }
}

/// What to say of what ran when the machine or the keeper ended. What a shell is that was captured is said when its state is read.
fn what_ended(sleep: &Sleep, from: ShellFrom, program: Option<String>) -> Option<String> {
    let when = when_ended(sleep.cause);
    Some(match (from, program) {
        (ShellFrom::Sleep, _) | (ShellFrom::Capture, None) => return None,
        (ShellFrom::Capture, Some(program)) => format!("{program} ended {when}"),
        (ShellFrom::Nothing, None) => format!("a new shell; the one before ended {when}"),
        // A busy shell answers nothing.
        (ShellFrom::Nothing, Some(program)) => {
            format!("{program} ended {when}, and the state of its shell with it")
        }
    })
}

/// When what ran in a pane ended.
pub(super) fn when_ended(cause: Cause) -> &'static str {
    match cause {
        Cause::Reopened => "when the session was archived",
        Cause::Hibernated | Cause::Ended => "when the pane was put to sleep",
        Cause::Lost => "with the server",
    }
}

/// How a shell was asked for by name, if this one was: it need not be a login shell.
fn asked_by_name(start: &Start, shell: &[u8]) -> Option<Program> {
    let program = Program::Argv(start.argv.clone());
    let (path, _) = shell_in(&program)?;
    (path.as_os_str().as_bytes() == shell).then_some(program)
}

/// Where a pane was.
fn directory(facts: &Facts, start: Option<&Start>, begun: Option<&Vec<u8>>) -> Option<Vec<u8>> {
    let last = facts
        .directory
        .as_ref()
        .map(|text| text.clone().into_bytes());
    let first = start.map(|start| start.directory.clone());
    let begun = begun.filter(|path| !path.is_empty()).cloned();
    last.or(first).or(begun)
}

/// A directory, or the nearest one above it that is there.
fn nearest(directory: &[u8]) -> Vec<u8> {
    let path = Path::new(std::ffi::OsStr::from_bytes(directory));
    let mut ancestors = path.ancestors();
    let there = ancestors.find(|path| path.is_dir());
    let there = there.unwrap_or(Path::new("/"));
    there.as_os_str().as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;
    use shellkeep_term::{Config, Effect, Emulator};

    use super::*;

    /// Modes, colours, cursor, and what it answers to who asks for its modes and its tab stops.
    fn looks(screen: &mut Emulator) -> String {
        let mut effects = Vec::new();
        for mode in (0..100).chain(1000..1050).chain(2000..2050) {
            screen.feed(
                format!("\x1b[?{mode}$p\x1b[{mode}$p").as_bytes(),
                &mut effects,
            );
        }
        for request in ["m", " q", "\"q", "r", "s", "*x"] {
            screen.feed(format!("\x1bP$q{request}\x1b\\").as_bytes(), &mut effects);
        }
        screen.feed(b"\x1b[H\x1b[2$w\x1b[?u", &mut effects);
        let replies = effects.iter().filter_map(|effect| match effect {
            Effect::Reply(reply) => Some(String::from_utf8_lossy(reply).into_owned()),
            _ => None,
        });
        let colors: Vec<_> = (0..=255).map(|at| screen.palette_override(at)).collect();
        format!(
            "{:?} {:?} {:?} {colors:?} {:?}",
            screen.modes(),
            screen.cursor(),
            screen.dynamic_colors(),
            replies.collect::<Vec<_>>()
        )
    }

    #[test]
    fn screen_of_a_program_that_was_ended_looks_like_a_new_one() {
        let new = || Emulator::new(Size::new(10, 40), Config::default());
        let expected = looks(&mut new());
        let mut screen = new();
        let mut set = String::new();
        for mode in [
            1, 5, 6, 7, 9, 12, 25, 40, 45, 66, 67, 69, 95, 1000, 1002, 1003, 1004, 1005, 1006,
            1007, 1015, 1016, 1045, 2004, 2026, 2027, 2031, 2048,
        ] {
            let on = if matches!(mode, 7 | 25) { 'l' } else { 'h' };
            set.push_str(&format!("\x1b[?{mode}{on}"));
        }
        set.push_str(
            "\x1b[4h\x1b[20h\x1b[2h\x1b[3;5r\x1b[1;31;44m\x1b[5 q\x1b[>4;2m\x1b[>4;1f\x1b[>5u\x1b=",
        );
        set.push_str("\x1b G\x1b[1\"q\x1b[2*x\x1b[3g\x1b(0\x1b]8;;http://x\x07");
        set.push_str(
            "\x1b]4;1;#123456\x07\x1b]10;#111111\x07\x1b]11;#222222\x07\x1b]12;#333333\x07",
        );
        screen.feed(set.as_bytes(), &mut Vec::new());
        assert_ne!(looks(&mut screen), expected);
        screen.feed(format!("{CLEAN_UP}{FORGET}").as_bytes(), &mut Vec::new());
        assert_eq!(looks(&mut screen), expected);
    }

    #[test]
    fn directory_that_is_gone_gives_the_nearest_above_it() {
        let temp = tempfile::tempdir().unwrap();
        let gone = temp.path().join("a/b/c");
        let there = nearest(gone.as_os_str().as_bytes());
        assert_eq!(there, temp.path().as_os_str().as_bytes());
        assert_eq!(nearest(b"relative/nowhere"), b"/");
    }
}
