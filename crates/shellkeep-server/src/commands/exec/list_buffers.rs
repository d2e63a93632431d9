//! `list-buffers`: lists the paste buffers, the newest first.

use shellkeep_command::cmd::list_buffers::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::formats;
use crate::formats::Scope;
use crate::model::Buffer;
use crate::server::Server;

const LINE: &str = "#{buffer_name}: #{buffer_size} bytes: \"#{buffer_sample}\"";

pub(crate) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let scope = formats::scope(&server.model).client(caller.client);
    let buffers = server.model.buffers.by_time().into_iter();
    let buffers = buffers.filter(|buffer| match &args.filter {
        Some(filter) => scope.clone().buffer(buffer).is_true(filter),
        None => true,
    });
    if args.json {
        let all: Vec<_> = buffers
            .map(crate::commands::exec::show_buffer::describe)
            .collect();
        return Ok(crate::commands::exec::listing::json(
            &serde_json::Value::Array(all),
        ));
    }
    let format = args.format.as_deref().unwrap_or(LINE);
    let lines = buffers.map(|buffer| scope.clone().buffer(buffer).expand(format) + "\n");
    Ok(Reply::text(lines.collect::<String>()))
}

impl Scope<'_> {
    pub(crate) fn buffer(self, buffer: &Buffer) -> Self {
        self.with("buffer_name", buffer.name.clone())
            .with("buffer_size", buffer.data.len().to_string())
            .with("buffer_created", buffer.created.to_string())
            .with("buffer_sample", buffer.sample())
    }
}
