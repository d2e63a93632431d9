//! Runs the commands in files.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use shellkeep_command::cmd::source_file::Args;
use shellkeep_core::ClientId;

use super::{Outcome, Reply};
use crate::config;
use crate::event_loop::Server;

/// How deep files may name each other.
const DEEPEST: usize = 50;

pub(super) fn run(server: &mut Server, client: ClientId, args: &Args) -> Outcome {
    if server.source_depth >= DEEPEST {
        return Err(format!(
            "source-file: more than {DEEPEST} files inside each other"
        ));
    }
    server.source_depth += 1;
    let complaints = load_all(server, client, args);
    server.source_depth -= 1;
    if complaints.is_empty() {
        Ok(Reply::default())
    } else {
        Err(complaints.join("\n"))
    }
}

fn load_all(server: &mut Server, client: ClientId, args: &Args) -> Vec<String> {
    let cwd = server
        .state
        .clients
        .get(&client)
        .map(|client| client.context.cwd.clone());
    let cwd = PathBuf::from(OsString::from_vec(cwd.unwrap_or_default()));
    let mut complaints = Vec::new();
    for file in &args.files {
        match std::fs::read_to_string(cwd.join(file)) {
            Ok(text) => complaints.extend(config::load(server, file, &text)),
            Err(error) if args.quiet && error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => complaints.push(format!("{file}: {error}")),
        }
    }
    complaints
}
