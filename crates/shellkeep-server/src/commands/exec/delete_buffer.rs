//! `delete-buffer`: deletes a paste buffer.

use shellkeep_command::cmd::delete_buffer::Args;

use crate::commands::reply::Outcome;
use crate::persistence::kept_buffers;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, args: &Args) -> Outcome {
    let name = name(server, args.buffer.as_deref())?;
    server.model.buffers.remove(&name);
    Ok(kept_buffers::buffers_changed(
        &mut server.model,
        &server.persistence,
    ))
}

/// The name of an existing buffer, or of the newest.
pub(crate) fn name(server: &Server, name: Option<&str>) -> Result<String, String> {
    let buffers = &server.model.buffers;
    let (buffer, error) = match name {
        Some(name) => (buffers.get(name), format!("unknown buffer: {name}")),
        None => (buffers.newest(), "no buffer".to_owned()),
    };
    buffer.map(|buffer| buffer.name.clone()).ok_or(error)
}
