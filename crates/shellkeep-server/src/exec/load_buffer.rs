//! Loads a file into a paste buffer.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use shellkeep_command::cmd::load_buffer::Args;
use shellkeep_proto::FromServer;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::{Caller, Origin, Wait};

/// Larger files are not loaded: all of it would stay in memory.
pub(crate) const MOST: u64 = 64 << 20;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if args.path == "-" {
        return from_stdin(server, caller, args);
    }
    let path = path(server, caller, &args.path);
    let data = read(&path)?;
    store(server, caller, args, &data)
}

/// A file's content.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut data = Vec::new();
    // A directory is no file, and tmux finds nothing in it.
    if path.is_dir() {
        return Ok(data);
    }
    // What never ends, or waits for a writer, must not hold up everybody.
    if std::fs::metadata(path).is_ok_and(|file| !file.is_file()) {
        return Err(format!("{}: not a regular file", path.display()));
    }
    let file = std::fs::File::open(path).map_err(|error| refusal(path, &error))?;
    let read = file.take(MOST + 1).read_to_end(&mut data);
    read.map_err(|error| refusal(path, &error))?;
    if data.len() as u64 > MOST {
        return Err(format!("{}: larger than 64 MiB", path.display()));
    }
    Ok(data)
}

fn store(server: &mut Server, caller: &Caller, args: &Args, data: &[u8]) -> Outcome {
    let secrecy = server.secrecy_for(caller);
    server.store_buffer(args.buffer.as_deref(), data, secrecy)?;
    if args.clipboard && !data.is_empty() {
        server.tell_clipboard_of(caller, args.target.as_deref(), data);
    }
    Ok(server.buffers_changed())
}

/// The caller's standard input: its client is asked for it, and the queue waits.
fn from_stdin(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let client = caller
        .client
        .filter(|_| caller.origin == Origin::CommandLine)
        .and_then(|id| server.state.clients.get_mut(&id));
    let Some(client) = client.filter(|client| client.session.is_none()) else {
        return Err("-: there is no standard input here".to_owned());
    };
    client.outbox.say(FromServer::ReadInput);
    let (caller, args) = (caller.clone(), args.clone());
    let id = client.id;
    client.stdin_then = Some(Box::new(move |server, data| {
        store(server, &caller, &args, &data)
    }));
    Ok(Reply {
        wait: Some(Wait::Input(id)),
        ..Reply::default()
    })
}

/// A file as the caller means it: formats filled in, and from where it is.
pub(super) fn path(server: &Server, caller: &Caller, path: &str) -> PathBuf {
    let mut scope = server.scope().client(caller.client);
    if let Some(place) = server.current(caller).place {
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
    let reason = match error.raw_os_error() {
        Some(number) => nix::errno::Errno::from_raw(number).desc().to_owned(),
        None => error.to_string(),
    };
    format!("{}: {reason}", path.display())
}
