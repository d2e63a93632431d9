//! Saves a paste buffer to a file.

use std::fs::OpenOptions;
use std::io::Write as _;

use shellkeep_command::cmd::save_buffer::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let buffer = server.state.buffers.find(args.buffer.as_deref())?;
    if args.path == "-" {
        return Ok(Reply {
            stdout: buffer.data.to_vec(),
            ..Reply::default()
        });
    }
    let path = super::load_buffer::path(server, caller, &args.path);
    let mut options = OpenOptions::new();
    options.create(true).write(true);
    if args.append {
        options.append(true);
    } else {
        options.truncate(true);
    }
    let written = options
        .open(&path)
        .and_then(|mut file| file.write_all(&buffer.data));
    written.map_err(|error| super::load_buffer::refusal(&path, &error))?;
    Ok(Reply::default())
}
