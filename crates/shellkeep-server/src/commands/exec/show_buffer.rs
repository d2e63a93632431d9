//! `show-buffer`: prints a paste buffer.

use serde_json::json;
use shellkeep_command::cmd::show_buffer::Args;

use crate::commands::reply::{Outcome, Reply};
use crate::model::Buffer;
use crate::server::Server;

pub(crate) fn run(server: &Server, args: &Args) -> Outcome {
    let buffer = server.model.buffers.find(args.buffer.as_deref())?;
    if args.json {
        let mut shown = describe(buffer);
        shown["buffer_text"] = json!(String::from_utf8_lossy(&buffer.data));
        return Ok(crate::commands::exec::listing::json(&json!([shown])));
    }
    Ok(Reply {
        stdout: buffer.data.to_vec(),
        ..Reply::default()
    })
}

pub(crate) fn describe(buffer: &Buffer) -> serde_json::Value {
    json!({
        "buffer_name": buffer.name,
        "buffer_size": buffer.data.len(),
        "buffer_created": buffer.created,
        "buffer_sample": buffer.sample(),
    })
}
