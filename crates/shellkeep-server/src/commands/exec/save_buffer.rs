//! `save-buffer`: saves a paste buffer to a file.

use shellkeep_command::cmd::save_buffer::Args;
use shellkeep_shell::user_file::{self, WriteMode};

use crate::commands::exec::load_buffer::{path, refusal};
use crate::commands::exec::stdin;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{pending, targets};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let data = server
        .model
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
    let client = targets::typist(&server.model, caller);
    // A new file gets its mode from the user's umask, not from the server's.
    let umask = client.map_or(server.model.birth.umask, |client| client.context.umask);
    let how = match args.append {
        true => WriteMode::Append,
        false => WriteMode::Replace,
    };
    Ok(pending::work_on_files(
        server,
        move || user_file::write(&path, &data, how, umask).map_err(|error| refusal(&path, &error)),
        |_, written| written.map(|()| Reply::default()),
    ))
}
