//! `load-buffer`: loads a file into a paste buffer.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use shellkeep_command::cmd::load_buffer::Args;
use shellkeep_shell::user_file;

use crate::clients::clipboard;
use crate::commands::exec::stdin;
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::{pending, targets};
use crate::formats;
use crate::persistence::kept_buffers;
use crate::server::Server;

/// Larger files are refused, since buffers are kept in memory.
pub(crate) const MAX_SIZE: u64 = 64 << 20;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let (whose, what) = (caller.clone(), args.clone());
    let store = move |server: &mut Server, data: Vec<u8>| store(server, &whose, &what, &data);
    if stdin::is_meant(&args.path) {
        return stdin::ask(server, caller, MAX_SIZE, Box::new(store));
    }
    let path = path(server, caller, &args.path);
    stdin::refuse_descriptor(&path)?;
    Ok(pending::work_on_files(
        server,
        move || user_file::read(&path, MAX_SIZE).map_err(|error| refusal(&path, &error)),
        move |server, read| store(server, read?),
    ))
}

fn store(server: &mut Server, caller: &Caller, args: &Args, data: &[u8]) -> Outcome {
    let secrecy = kept_buffers::secrecy_for(&server.model, caller);
    clipboard::store_buffer(&mut server.model, args.buffer.as_deref(), data, secrecy)?;
    if args.clipboard && !data.is_empty() {
        clipboard::set_clipboard_of(&mut server.model, caller, args.target.as_deref(), data);
    }
    Ok(kept_buffers::buffers_changed(
        &mut server.model,
        &server.persistence,
    ))
}

/// A file name of the caller: with formats expanded, and relative to the client's directory.
pub(crate) fn path(server: &Server, caller: &Caller, path: &str) -> PathBuf {
    let mut scope = formats::scope(&server.model).client(caller.client);
    if let Some(place) = targets::current(&server.model, caller).place {
        scope = scope.found(place);
    }
    let path = scope.expand(path);
    let client = targets::typist(&server.model, caller);
    let session = client.and_then(|client| client.session);
    let session = session.and_then(|id| server.model.sessions.get(&id));
    let cwd = match (session, client) {
        (Some(session), _) => session.cwd.clone(),
        (None, Some(client)) => client.context.cwd.clone(),
        (None, None) => Vec::new(),
    };
    PathBuf::from(OsString::from_vec(cwd)).join(path)
}

/// The system's reason why a file could not be read or written.
pub(crate) fn refusal(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {}", path.display(), user_file::reason(error))
}
