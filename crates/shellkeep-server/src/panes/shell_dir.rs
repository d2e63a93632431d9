//! Where shells and the server talk with each other: files beside the server's socket.

use std::path::{Path, PathBuf};

use shellkeep_core::PaneId;
use shellkeep_files::{ANY_SIZE, Access};
use shellkeep_shell::{Kind, Phase, ShellState};

use crate::model::Model;
use crate::process::runtime_dir::beside;

/// Where the scripts and the panes' private directories are.
pub(crate) fn shells_dir(model: &Model) -> PathBuf {
    beside(&model.socket, ".shells")
}

/// A pane's private directory, through which its shell and the server talk.
pub(crate) fn shell_dir(model: &Model, pane: PaneId) -> PathBuf {
    shells_dir(model).join(pane.0.to_string())
}

/// Makes what a shell that is about to start and we talk through.
pub(crate) fn make_shell_dir(model: &Model, id: PaneId) -> bool {
    let dir = shell_dir(model, id);
    let made = shellkeep_files::make_dir(&dir)
        .and_then(|()| lay_out(&dir))
        // Before the shell begins: it may be faster than whatever is done here next.
        .and_then(|()| Phase::expect(&dir));
    expect_exit_state(model, id);
    made.inspect_err(|error| tracing::warn!(pane = %id, %error, "no shell integration"))
        .is_ok()
}

/// Makes anew what a shell and we talk through, if that has gone with the directory of the sockets.
pub(crate) fn ensure_shell_dir(model: &Model, id: PaneId) {
    if shell_dir(model, id).exists() || !make_shell_dir(model, id) {
        return;
    }
    let pane = model.panes.get(&id);
    if let Some(Err(error)) = pane.map(|pane| pane.shell_word.say_again()) {
        tracing::warn!(pane = %id, %error, "what its shell does is not known");
    }
    if let Some(program) = pane.and_then(|pane| pane.shell_program.as_ref()) {
        let scripts = shells_dir(model).join("scripts");
        // Not to start one: of the scripts that this puts there, a shell reads some when it is asked.
        let _ = shellkeep_shell::prepare(program, Kind::Plain, &scripts, &|_| None);
    }
}

/// Makes the files that a bash writes by itself: it would make them as its umask says, and open to all with 000.
fn lay_out(dir: &Path) -> std::io::Result<()> {
    let mut paths = ["trap", "traps"].map(|name| dir.join(name)).into_iter();
    paths.try_for_each(|path| shellkeep_files::open(&path, Access::Make, ANY_SIZE).map(drop))
}

/// Has the shell of a pane that is kept tell its state at its end. That of a private pane is never to be in a file.
pub(crate) fn expect_exit_state(model: &Model, id: PaneId) {
    let dir = shell_dir(model, id);
    let pane = model.panes.get(&id);
    if pane.is_some_and(|pane| pane.screen.is_kept())
        && dir.is_dir()
        && let Err(error) = ShellState::expect_at_exit(&dir)
    {
        tracing::warn!(pane = %id, %error, "its shell will not tell its state at its end");
    }
}
