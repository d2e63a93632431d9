//! Loads a file into a paste buffer.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use shellkeep_command::cmd::load_buffer::Args;
use shellkeep_shell::user_file;

use super::{Outcome, stdin};
use crate::event_loop::{Server, buffers, clipboard};
use crate::queue::Caller;
use crate::world;

/// Larger files are not loaded: all of it would stay in memory.
pub(crate) const MAX_SIZE: u64 = 64 << 20;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let (whose, what) = (caller.clone(), args.clone());
    let store = move |server: &mut Server, data: Vec<u8>| store(server, &whose, &what, &data);
    if stdin::is_meant(&args.path) {
        return stdin::ask(server, caller, MAX_SIZE, Box::new(store));
    }
    let path = path(server, caller, &args.path);
    stdin::refuse_descriptor(&path)?;
    Ok(server.work_on_files(
        move || user_file::read(&path, MAX_SIZE).map_err(|error| refusal(&path, &error)),
        move |server, read| store(server, read?),
    ))
}

fn store(server: &mut Server, caller: &Caller, args: &Args, data: &[u8]) -> Outcome {
    let secrecy = buffers::secrecy_for(&server.state, caller);
    clipboard::store_buffer(&mut server.state, args.buffer.as_deref(), data, secrecy)?;
    if args.clipboard && !data.is_empty() {
        server.tell_clipboard_of(caller, args.target.as_deref(), data);
    }
    Ok(server.buffers_changed())
}

/// A file as the caller means it: formats filled in, and from where it is.
pub(super) fn path(server: &Server, caller: &Caller, path: &str) -> PathBuf {
    let mut scope = server.scope().client(caller.client);
    if let Some(place) = world::current(&server.state, caller).place {
        scope = scope.found(place);
    }
    let path = scope.expand(path);
    let client = super::typist(server, caller);
    let session = client.and_then(|client| client.session);
    let session = session.and_then(|id| server.state.sessions.get(&id));
    let cwd = match (session, client) {
        (Some(session), _) => session.cwd.clone(),
        (None, Some(client)) => client.context.cwd.clone(),
        (None, None) => Vec::new(),
    };
    PathBuf::from(OsString::from_vec(cwd)).join(path)
}

/// Why a file could not be read or written, in the system's words alone.
pub(super) fn refusal(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {}", path.display(), user_file::reason(error))
}
