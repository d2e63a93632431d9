//! `rename-window`: gives a window a name that automatic naming keeps.

use shellkeep_command::Target;
use shellkeep_command::cmd::rename_window::Args;

use crate::commands::exec::placing;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;
use crate::status::window_names;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(
        &server.model,
        caller,
        args.target.as_deref(),
        Target::Window,
    )?;
    let name = placing::expand(server, caller, found, &args.name);
    window_names::name_by_hand(&mut server.model, found.window, name);
    Ok(Reply::default())
}
