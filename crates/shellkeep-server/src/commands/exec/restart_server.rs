//! `restart-server`: replaces the server by the installed program; all panes go on.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use nix::unistd::{AccessFlags, access};
use shellkeep_command::cmd::restart_server::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;
use crate::shutdown::ending::Ending;
use crate::shutdown::leaving;

pub(crate) fn run(server: &mut Server, caller: &Caller, Args {}: &Args) -> Outcome {
    let client = targets::typist(&server.model, caller);
    let program = client
        .map(|client| client.context.program.clone())
        .unwrap_or_default();
    let program = PathBuf::from(OsString::from_vec(program));
    if !program.is_absolute() || access(&program, AccessFlags::X_OK).is_err() {
        return Err(format!(
            "cannot restart: {} is not a program",
            program.display()
        ));
    }
    let saved = leaving::check_saved(
        &mut server.model,
        &mut server.shutdown,
        &mut server.persistence,
        caller,
    );
    if let Some(wait) = saved.map_err(|why| format!("not restarted: {why}"))? {
        return Ok(wait);
    }
    server.shutdown.ending = Some(Ending::Restart(program));
    Ok(Reply::default())
}
