//! Deletes a paste buffer.

use shellkeep_command::cmd::delete_buffer::Args;

use super::Outcome;
use crate::event_loop::Server;

pub(super) fn run(server: &mut Server, args: &Args) -> Outcome {
    let name = name(server, args.buffer.as_deref())?;
    server.state.buffers.remove(&name);
    Ok(server.buffers_changed())
}

/// The name of a buffer that is there, or that of the newest.
pub(super) fn name(server: &Server, name: Option<&str>) -> Result<String, String> {
    let buffers = &server.state.buffers;
    let (buffer, error) = match name {
        Some(name) => (buffers.get(name), format!("unknown buffer: {name}")),
        None => (buffers.newest(), "no buffer".to_owned()),
    };
    buffer.map(|buffer| buffer.name.clone()).ok_or(error)
}
