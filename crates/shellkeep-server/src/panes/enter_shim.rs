//! Which programs find this server as `tmux`: the option `tmux-shim`.

use shellkeep_core::SessionId;

use crate::model::{Environ, Model};
use crate::panes::shim;
use crate::panes::shim::StartedAs;

/// Makes this server available to a program as `tmux`, or not, as `tmux-shim` says: through `$TMUX` and PATH.
pub(crate) fn enter_shim(
    model: &Model,
    environ: &mut Environ,
    session: Option<SessionId>,
    (started_as, place): (StartedAs, &str),
) {
    let is_wanted = is_wanted(model, session, started_as);
    if is_wanted {
        environ.set("TMUX", place);
    }
    change_path(model, environ, is_wanted);
}

/// A pane's PATH from an earlier start, with this server's shim in place of the one it had.
pub(crate) fn renew_path(model: &Model, session: SessionId, environ: &mut Environ) {
    let is_wanted = is_wanted(model, Some(session), StartedAs::Pane);
    change_path(model, environ, is_wanted);
}

fn change_path(model: &Model, environ: &mut Environ, is_wanted: bool) {
    match &model.outside.shim {
        Some(shim) if is_wanted => shim.enter(environ),
        _ => shim::set_path(environ, None),
    }
}

fn is_wanted(model: &Model, session: Option<SessionId>, started_as: StartedAs) -> bool {
    let options = model.session_options(session);
    match options.text("tmux-shim") {
        "panes" => true,
        "commands" => started_as == StartedAs::Command,
        _ => false,
    }
}
