//! Sleeping panes wake up: their screens are there at once, and a shell is started where the old one was.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use shellkeep_core::{PaneId, SessionId};
use shellkeep_keeper::{HostRequest, Program, SpawnRequest};
use shellkeep_term::Effects;

use super::{NewProgram, Server};
use crate::keeping::Start;
use crate::queue::Caller;
use crate::record::{Facts, dim_line};
use crate::state::{Cause, Environ, Pane, Sleep};

/// Ends whatever a program that is gone had begun: a sequence, margins, character sets, mouse, paste and key modes, a hidden or
/// oddly shaped cursor. The cursor is in the corner then.
const CLEAN_UP: &str = "\x18\x1b[?6l\x1b[?69l\x1b[r\x0f\x1b(B\x1b[m\x1b[4l\x1b[20l\
    \x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\
    \x1b[?2004l\x1b[?2026l\x1b[?2048l\x1b[?2031l\x1b[?1l\x1b>\x1b[?7h\x1b[?45l\x1b[?25h\x1b[0 q\x1b[>4;0m\x1b[<99u";

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
enum Prompt {
    /// Below what was shown: it is another shell.
    Below,
    /// Where the old one was: it is the same shell.
    InPlace,
}

impl Server {
    /// Wakes what somebody looks at.
    pub(super) fn wake_shown(&mut self) {
        let clients = self.state.clients.values();
        let shown = clients.filter_map(|client| client.session);
        let windows = shown.filter_map(|id| self.state.current_window(id));
        let panes = windows.flat_map(|window| window.shown().places());
        let panes: Vec<(PaneId, _)> = panes.collect();
        let now = std::time::Instant::now();
        for (id, _) in &panes {
            if let Some(pane) = self.state.panes.get_mut(id) {
                pane.seen = Some(now);
            }
        }
        let panes = panes.into_iter();
        let is_asleep = |id: &PaneId| self.state.panes.get(id).is_some_and(Pane::is_asleep);
        let panes = panes.map(|(pane, _)| pane).filter(is_asleep);
        for pane in panes.collect::<Vec<PaneId>>() {
            self.wake(pane);
        }
    }

    /// Wakes a pane, if it sleeps: what is typed into it meanwhile waits.
    pub(crate) fn wake(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        if pane.is_waking {
            return;
        }
        let Some(sleep) = pane.sleep.clone() else {
            return;
        };
        pane.is_waking = true;
        pane.screen.wake_up();
        let window = pane.window;
        let Some(session) = self.state.session_with(window) else {
            return;
        };
        let (mut spawn, mut missing) = self.waking_request(id, session, &sleep);
        let start = Start::of(&spawn);
        let mut prompt = Prompt::Below;
        if sleep.cause == Cause::Hibernated && sleep.program.is_empty() {
            match self.revive_shell(session, &mut spawn) {
                Ok(()) => prompt = Prompt::InPlace,
                Err(reason) => missing.push(format!("a new shell: {reason}")),
            }
        }
        self.tidy_up(id, &missing, prompt);
        if prompt == Prompt::InPlace {
            self.starts_due.push(start);
            self.host.request(HostRequest::Spawn(spawn));
        } else {
            self.start_program(spawn);
        }
        self.window_note_due(window);
        self.redraw_window(window);
    }

    /// Whether nothing runs in a session.
    pub(crate) fn is_session_asleep(&self, id: SessionId) -> bool {
        let mut panes = self.panes_in(id).peekable();
        panes.peek().is_some() && panes.all(Pane::is_asleep)
    }

    /// The programs that ran in a session's panes when they ended without being asked to.
    pub(crate) fn lost_programs(&self, id: SessionId) -> Vec<String> {
        let sleeps = self.panes_in(id).filter_map(|pane| pane.sleep.as_ref());
        let lost = sleeps.filter(|sleep| sleep.cause == Cause::Lost && !sleep.program.is_empty());
        lost.map(|sleep| sleep.program.join(" ")).collect()
    }

    /// The panes of a session.
    pub(crate) fn panes_in(&self, id: SessionId) -> impl Iterator<Item = &Pane> {
        let links = self.state.sessions.get(&id).map(|session| &session.links);
        let windows = links.into_iter().flat_map(|links| links.values());
        windows.flat_map(|link| self.state.panes_of(link.window))
    }

    /// What to start in a pane that wakes, and what cannot be as it was.
    fn waking_request(
        &self,
        id: PaneId,
        session: SessionId,
        sleep: &Sleep,
    ) -> (SpawnRequest, Vec<String>) {
        let mut missing = Vec::new();
        let pane = self.state.panes.get(&id);
        let size = pane.map(|pane| pane.size).unwrap_or_default();
        let facts = pane.map(|pane| pane.facts.clone()).unwrap_or_default();
        let start = pane.and_then(|pane| pane.screen.with_record(|record| record.dir().clone()));
        let start = start.and_then(|dir| dir.read_start().ok().flatten());
        let start: Option<Start> = start.and_then(|start| serde_json::from_value(start).ok());
        let environ = self.state.sessions.get(&session);
        let environ = environ.map(|session| session.environ.clone());
        let program = NewProgram {
            size,
            pane: Some(id),
            ..NewProgram::default()
        };
        let request = self.spawn_request(
            &Caller::nobody(),
            session,
            &environ.unwrap_or_default(),
            &program,
        );
        let mut request = request.unwrap_or_else(|_| SpawnRequest {
            pane: id,
            size,
            program: Program::LoginShell(self.shell(session)),
            cwd: b"/".to_vec(),
            environ: Vec::new(),
            umask: 0o022,
        });
        if let Some(start) = &start {
            request.environ = self.old_environment(session, start, &request.environ);
            request.umask = start.umask;
        }
        let directory = directory(&facts, start.as_ref(), pane.map(|pane| &pane.start_path));
        if let Some(directory) = directory {
            let there = nearest(&directory);
            if there != directory {
                missing.push(format!("{} is gone", String::from_utf8_lossy(&directory)));
            }
            request.cwd = there;
        }
        if sleep.cause != Cause::Hibernated || !sleep.program.is_empty() {
            missing.insert(0, what_ended(sleep));
        }
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
        environ.entries().collect()
    }

    /// Puts a screen in order for a new program, and says what did not come back.
    fn tidy_up(&mut self, id: PaneId, missing: &[String], prompt: Prompt) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let mut shown = pane.screen.lock();
        if shown.is_alternate() {
            shown.feed(b"\x18\x1b[?1049l", &mut Effects::new());
        }
        let cursor = shown.cursor();
        let mut bytes = format!("{CLEAN_UP}\x1b[{};{}H", cursor.row + 1, cursor.col + 1);
        if cursor.col > 0 && prompt == Prompt::Below {
            bytes.push_str("\r\n");
        }
        if !missing.is_empty() {
            bytes.push_str(&dim_line(&missing.join("; ")));
        }
        shown.feed(bytes.as_bytes(), &mut Effects::new());
        drop(shown);
        pane.screen.changed();
        if prompt == Prompt::InPlace {
            self.erase_prompt(id);
        }
    }
}

/// What to say of what ran when the machine or the keeper ended.
fn what_ended(sleep: &Sleep) -> String {
    let when = match sleep.cause {
        Cause::Reopened => "when the session was archived",
        Cause::Hibernated => "when the pane was put to sleep",
        Cause::Lost => "with the server",
    };
    if sleep.program.is_empty() {
        return format!("a new shell; the one before ended {when}");
    }
    let program = sleep.program.join(" ");
    format!("{program} ended {when}; this is a new shell")
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
