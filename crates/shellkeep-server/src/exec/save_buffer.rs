//! Saves a paste buffer to a file.

use shellkeep_command::cmd::save_buffer::Args;
use shellkeep_shell::user_file::{self, WriteMode};

use super::load_buffer::{path, refusal};
use super::{Outcome, Reply, stdin};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let data = server
        .state
        .buffers
        .find(args.buffer.as_deref())?
        .data
        .clone();
    if stdin::is_output(&args.path) {
        return Ok(Reply {
            stdout: data.to_vec(),
            ..Reply::default()
        });
    }
    let path = path(server, caller, &args.path);
    stdin::refuse_descriptor(&path)?;
    let client = super::typist(server, caller);
    // A new file gets the mode that the user's mask gives, not that of the server's own files.
    let umask = client.map_or(server.state.birth.umask, |client| client.context.umask);
    let how = match args.append {
        true => WriteMode::Append,
        false => WriteMode::Replace,
    };
    Ok(server.work_on_files(
        move || user_file::write(&path, &data, how, umask).map_err(|error| refusal(&path, &error)),
        |_, written| written.map(|()| Reply::default()),
    ))
}
