//! The files in the runtime directory through which shells and the server communicate.

use std::path::{Path, PathBuf};

use shellkeep_core::PaneId;
use shellkeep_files::{ANY_SIZE, Access};
use shellkeep_shell::{CommandLog, Kind, Phase, ShellState};

use crate::model::Model;
use crate::process::runtime_dir::beside;

/// The directory of the scripts and of the panes' private directories.
pub(crate) fn shells_dir(model: &Model) -> PathBuf {
    beside(&model.socket, ".shells")
}

/// A pane's private directory, through which its shell and the server communicate.
pub(crate) fn shell_dir(model: &Model, pane: PaneId) -> PathBuf {
    shells_dir(model).join(pane.0.to_string())
}

/// Prepares a pane's private directory for a shell that is about to start.
pub(crate) fn make_shell_dir(model: &Model, id: PaneId) -> bool {
    let dir = shell_dir(model, id);
    let made = shellkeep_files::make_dir(&dir)
        .and_then(|()| lay_out(&dir))
        // Before the shell starts: it may run before the next line does.
        .and_then(|()| Phase::expect(&dir))
        .and_then(|()| CommandLog::expect(&dir));
    expect_exit_state(model, id);
    made.inspect_err(|error| tracing::warn!(pane = %id, %error, "no shell integration"))
        .is_ok()
}

/// Restores a pane's private directory, if it has gone together with the runtime directory.
pub(crate) fn ensure_shell_dir(model: &Model, id: PaneId) {
    if shell_dir(model, id).exists() || !make_shell_dir(model, id) {
        return;
    }
    let pane = model.panes.get(&id);
    if let Some(Err(error)) = pane.map(|pane| pane.shell_report.rewrite()) {
        tracing::warn!(pane = %id, %error, "cannot make the report file of the pane's shell");
    }
    if let Some(program) = pane.and_then(|pane| pane.shell_program.as_ref()) {
        let scripts = shells_dir(model).join("scripts");
        // Not to start a shell: this call also writes the scripts that a shell reads when it is asked for its state.
        let _ = shellkeep_shell::prepare(program, Kind::Plain, &scripts, &|_| None);
    }
}

/// Makes the files that bash would otherwise create with its own umask; with 000 they would be open to all users.
fn lay_out(dir: &Path) -> std::io::Result<()> {
    let mut paths = ["trap", "traps"].map(|name| dir.join(name)).into_iter();
    paths.try_for_each(|path| shellkeep_files::open(&path, Access::Make, ANY_SIZE).map(drop))
}

/// Asks a pane's shell to report its state when it ends. Not in a private pane, whose state must never be in a file.
pub(crate) fn expect_exit_state(model: &Model, id: PaneId) {
    let dir = shell_dir(model, id);
    let pane = model.panes.get(&id);
    if pane.is_some_and(|pane| pane.screen.is_kept())
        && dir.is_dir()
        && let Err(error) = ShellState::expect_at_exit(&dir)
    {
        tracing::warn!(pane = %id, %error, "cannot ask the pane's shell for its state at its end");
    }
}
