//! Starting shells with shell integration, so that they mark their prompts and report their state.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use shellkeep_core::SessionId;
use shellkeep_keeper::{Program, SpawnRequest};
use shellkeep_shell::Launch;

use crate::model::{Environ, Model};
use crate::panes::shell_dir::{make_shell_dir, shell_dir};
use crate::panes::spawn::shell_in;
use crate::panes::{shell_dir, shim};

/// Adds shell integration to a request, if the shell is known and the options of the session allow it. `revived` is the launch of
/// a shell that comes back with its state. Returns the shell's program file if it has integration.
pub(crate) fn integrate(
    model: &Model,
    session: Option<SessionId>,
    spawn: &mut SpawnRequest,
    revived: Option<Launch>,
) -> Option<PathBuf> {
    match revived {
        Some(launch) => {
            let program = shell_in(&spawn.program).map(|(program, _)| program);
            self::launch(spawn, launch, &shell_dir(model, spawn.pane));
            program
        }
        None => integrated(model, session, spawn),
    }
}

/// Adds shell integration to a request. None if the program is not a shell that shellkeep knows.
fn integrated(
    model: &Model,
    session: Option<SessionId>,
    spawn: &mut SpawnRequest,
) -> Option<PathBuf> {
    if !model.session_options(session).flag("shell-integration") {
        return None;
    }
    let scripts = shell_dir::shells_dir(model).join("scripts");
    let Some((program, kind)) = shell_in(&spawn.program) else {
        keep_shim(spawn, &scripts);
        return None;
    };
    if !make_shell_dir(model, spawn.pane) {
        return None;
    }
    let environ = Environ::from_entries(spawn.environ.iter().map(Vec::as_slice));
    let inherited = |name: &str| -> Option<OsString> {
        environ
            .get(name)
            .map(|value| OsString::from_vec(value.to_vec()))
    };
    let launch = shellkeep_shell::prepare(&program, kind, &scripts, &inherited)?;
    self::launch(spawn, launch, &shell_dir(model, spawn.pane));
    Some(program)
}

/// Writes the launch of a shell that communicates through this directory into a request.
fn launch(spawn: &mut SpawnRequest, launch: Launch, dir: &Path) {
    // A shell that comes back restores its own PATH, and start-up files set a new one: the scripts put the shim there
    // again.
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

/// Makes a login shell without integration put the tmux shim first in PATH again, since profiles often set PATH anew.
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
