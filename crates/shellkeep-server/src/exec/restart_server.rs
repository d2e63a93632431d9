//! Hands over to another program; every pane goes on.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use nix::unistd::{AccessFlags, access};
use shellkeep_command::cmd::restart_server::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Ending, Server};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, Args {}: &Args) -> Outcome {
    let client = super::typist(server, caller);
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
    let saved = server.check_saved(caller);
    if let Some(wait) = saved.map_err(|why| format!("not restarted: {why}"))? {
        return Ok(wait);
    }
    server.shutdown.ending = Some(Ending::Restart(program));
    Ok(Reply::default())
}
