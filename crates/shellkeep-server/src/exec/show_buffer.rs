//! Prints a paste buffer.

use serde_json::json;
use shellkeep_command::cmd::show_buffer::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::state::Buffer;

pub(super) fn run(server: &Server, args: &Args) -> Outcome {
    let buffer = server.state.buffers.find(args.buffer.as_deref())?;
    if args.json {
        let mut shown = describe(buffer);
        shown["buffer_text"] = json!(String::from_utf8_lossy(&buffer.data));
        return Ok(super::listing::json(&json!([shown])));
    }
    Ok(Reply {
        stdout: buffer.data.to_vec(),
        ..Reply::default()
    })
}

/// What there is to say of a buffer.
pub(super) fn describe(buffer: &Buffer) -> serde_json::Value {
    json!({
        "buffer_name": buffer.name,
        "buffer_size": buffer.data.len(),
        "buffer_created": buffer.created,
        "buffer_sample": buffer.sample(),
    })
}
