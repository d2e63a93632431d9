//! The shell of the first session, which the keeper starts while the server still finds out what there is: it is what most servers are
//! started for, and starting it takes a shell as long as reading the configuration and the store takes us.
//!
//! What it is started with is a guess, made before keeper and server are forked; the server then knows better. It
//! waits at its gate before it reads anything, and becomes a pane's shell only if that would have been started just the same; what nobody
//! could know before, it is told there. A shell that was guessed wrong is ended.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use shellkeep_core::Size;
use shellkeep_keeper::host::AheadGate;
use shellkeep_keeper::{GATE, Held, NOBODY, ProcessId, Program, SpawnRequest};
use shellkeep_shell::UNWANTED;

use crate::event_loop::{launch, mark, outside, usual_shell};
use crate::shim;
use crate::state::Environ;
use crate::terminfo;

/// The variables that a shell is told at its gate. It looks at none of them before.
const TOLD: &[&str] = &[
    "SHELLKEEP",
    "SHELLKEEP_PANE",
    "SSH_AUTH_SOCK",
    "TMUX",
    "TMUX_PANE",
];

/// One of them with its value, or that it has to go.
pub(crate) type Told<'a> = (&'static str, Option<&'a [u8]>);

/// Where and how a command was typed that is to open a session with a shell.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// The directory.
    pub cwd: Vec<u8>,
    /// The mask for new files.
    pub umask: u32,
    /// How large the terminal is that shows the session; none if nobody is to see it yet.
    pub terminal: Option<Size>,
}

/// A shell that was started ahead.
pub struct FirstShell {
    pub(crate) begun: SpawnRequest,
    pub(crate) gate: AheadGate,
    /// Once the keeper has told of it.
    pub(crate) held: Option<Held>,
}

impl FirstShell {
    /// The one that was begun so, and waits at this gate.
    #[must_use]
    pub fn new(begun: SpawnRequest, gate: AheadGate) -> Self {
        Self {
            begun,
            gate,
            held: None,
        }
    }

    /// Whether it is this process.
    pub(crate) fn is(&self, process: ProcessId) -> bool {
        let held = self.held.as_ref();
        held.is_some_and(|held| held.process == process)
    }

    /// Has it end by itself. It is still to be let go of, if the keeper has told of it.
    pub(crate) fn turn_away(self) -> Option<Held> {
        // It may have ended already.
        let _ = self.gate.say(UNWANTED);
        self.held
    }
}

/// What the first pane will ask for, if nothing is set otherwise.
#[must_use]
pub fn guess(socket: &Path, environ: &[Vec<u8>], beginning: &Beginning) -> SpawnRequest {
    let mut environ = Environ::from_entries(environ.iter().map(Vec::as_slice));
    let shell = usual_shell([environ.get("SHELL").unwrap_or_default()]);
    outside(&mut environ);
    for name in ["SHELLKEEP", "SHELLKEEP_PANE"] {
        environ.remove(name);
    }
    let terminal = terminfo::best(&environ);
    mark(&mut environ, terminal, &shell);
    shim::set_path(&mut environ, Some(&shim::dir(socket)));
    let size = match beginning.terminal {
        // The last row is the status line's.
        Some(size) => Size::new(size.rows().saturating_sub(1).max(1), size.cols()),
        None => Size::default(),
    };
    SpawnRequest {
        pane: NOBODY,
        size,
        program: Program::LoginShell(shell),
        cwd: beginning.cwd.clone(),
        environ: environ.entries().collect(),
        umask: beginning.umask,
        terminal: Vec::new(),
    }
}

/// How the keeper is to start that; `None` if it is no shell that can wait.
pub(crate) fn ahead(mut begun: SpawnRequest) -> Option<SpawnRequest> {
    let Program::LoginShell(shell) = &begun.program else {
        return None;
    };
    let shell = Path::new(OsStr::from_bytes(shell));
    let environ = Environ::from_entries(begun.environ.iter().map(Vec::as_slice));
    let inherited = |name: &str| -> Option<OsString> {
        let value = environ.get(name)?;
        Some(OsString::from_vec(value.to_vec()))
    };
    let ahead = shellkeep_shell::prepare_ahead(shell, &inherited, GATE)?;
    launch(&mut begun, ahead, None);
    Some(begun)
}

/// What a shell that was begun so has to be told to be as the one that is wanted, in variables; `None` if it cannot be that.
pub(crate) fn difference<'a>(
    begun: &SpawnRequest,
    wanted: &'a SpawnRequest,
) -> Option<Vec<Told<'a>>> {
    let is_same = begun.program == wanted.program
        && begun.cwd == wanted.cwd
        && begun.umask == wanted.umask
        && begun.terminal == wanted.terminal;
    if !is_same || !untold(begun).eq(untold(wanted)) {
        return None;
    }
    let told = TOLD.iter().filter_map(|name| {
        let wanted = value(wanted, name);
        (value(begun, name) != wanted).then_some((*name, wanted))
    });
    Some(told.collect())
}

/// The variables that a shell has to be started with.
fn untold(request: &SpawnRequest) -> impl Iterator<Item = &Vec<u8>> {
    let is_told = |entry: &[u8]| TOLD.iter().any(|name| of(entry, name).is_some());
    request.environ.iter().filter(move |entry| !is_told(entry))
}

/// A variable that a program is started with.
pub(crate) fn value<'a>(request: &'a SpawnRequest, name: &str) -> Option<&'a [u8]> {
    request.environ.iter().find_map(|entry| of(entry, name))
}

/// The value in an entry, if it is of this name.
fn of<'a>(entry: &'a [u8], name: &str) -> Option<&'a [u8]> {
    entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(environ: &[&str]) -> SpawnRequest {
        SpawnRequest {
            pane: NOBODY,
            size: Size::default(),
            program: Program::LoginShell(b"/bin/bash".to_vec()),
            cwd: b"/home".to_vec(),
            environ: environ.iter().map(|it| it.as_bytes().to_vec()).collect(),
            umask: 0o022,
            terminal: Vec::new(),
        }
    }

    #[test]
    fn only_what_could_not_be_known_is_told() {
        let was = begun(&["A=1", "SSH_AUTH_SOCK=/tmp/agent", "TMUX=x"]);
        let wanted = begun(&["A=1", "SHELLKEEP=/run/x,1,0", "SSH_AUTH_SOCK=/tmp/agent"]);
        let told = [("SHELLKEEP", Some(&b"/run/x,1,0"[..])), ("TMUX", None)];
        assert_eq!(difference(&was, &wanted).unwrap(), told);
    }

    #[test]
    fn another_start_is_another_shell() {
        let was = begun(&["A=1", "B=2"]);
        assert_eq!(difference(&was, &was), Some(Vec::new()));
        for environ in [&["A=1"][..], &["A=1", "B=3"], &["A=1", "B=2", "C="]] {
            assert_eq!(difference(&was, &begun(environ)), None);
        }
        let changes: [fn(&mut SpawnRequest); 4] = [
            |it| it.cwd = b"/".to_vec(),
            |it| it.umask = 0o077,
            |it| it.program = Program::LoginShell(b"/bin/zsh".to_vec()),
            |it| it.program = Program::Argv(vec![b"/bin/bash".to_vec()]),
        ];
        for change in changes {
            let mut wanted = was.clone();
            change(&mut wanted);
            assert_eq!(difference(&was, &wanted), None);
        }
    }

    #[test]
    fn guess_is_what_a_pane_gets() {
        let environ = ["TMUX=x", "SHELLKEEP=y", "SHELL=/bin/sh", "TERM=dumb", "Z=1"];
        let environ = environ.map(|it| it.as_bytes().to_vec());
        let beginning = Beginning {
            cwd: b"/tmp".to_vec(),
            umask: 0o027,
            terminal: Some(Size::new(10, 20)),
        };
        let guess = guess(Path::new("/run/x"), &environ, &beginning);
        let program = Program::LoginShell(b"/bin/sh".to_vec());
        assert_eq!((guess.program, guess.umask), (program, 0o027));
        assert_eq!(guess.size, Size::new(9, 20));
        let names: Vec<&[u8]> = guess
            .environ
            .iter()
            .filter_map(|entry| entry.split(|byte| *byte == b'=').next())
            .collect();
        let expected = [
            "PATH",
            "SHELL",
            "TERM",
            "TERM_PROGRAM",
            "TERM_PROGRAM_VERSION",
            "Z",
        ];
        assert_eq!(names, expected.map(str::as_bytes));
    }
}
