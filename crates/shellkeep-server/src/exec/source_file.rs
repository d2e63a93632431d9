//! Runs the commands in files.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use shellkeep_command::cmd::source_file::Args;

use super::{Outcome, Reply};
use crate::config;
use crate::event_loop::Server;
use crate::queue::{Caller, Item};

/// How deep files may name each other.
const DEEPEST: usize = 50;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if server.depth > DEEPEST {
        return Err(format!(
            "source-file: more than {DEEPEST} files inside each other"
        ));
    }
    let client = super::typist(server, caller);
    let cwd = client.map(|client| client.context.cwd.clone());
    let cwd = PathBuf::from(OsString::from_vec(cwd.unwrap_or_default()));
    let mut next: Vec<Item> = Vec::new();
    for file in &args.files {
        let text = match std::fs::read_to_string(cwd.join(file)) {
            Ok(text) => text,
            Err(error) if args.quiet && error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{file}: {error}")),
        };
        let base = next.last().map_or(0, |item| item.group + 1);
        let items = config::read(server, file, &text).into_iter();
        next.extend(items.map(|item| Item {
            group: base + item.group,
            ..item
        }));
    }
    Ok(Reply {
        next,
        ..Reply::default()
    })
}
