//! The standard input of the client that sent a command.

use std::path::Path;

use shellkeep_proto::FromServer;

use crate::commands::pending::AfterInput;
use crate::commands::queue::{Caller, Origin, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::model::Stdin;
use crate::server::Server;

/// Whether a file name means the caller's standard input. The server cannot open these paths: they are the caller's
/// descriptors.
pub(crate) fn is_meant(name: &str) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(&name)
}

/// Whether a file name means the caller's standard output.
pub(crate) fn is_output(name: &str) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(&name)
}

/// Refuses a path to a descriptor of the caller, such as that of the shell's `<(...)`: in the server it is another
/// file.
///
/// # Errors
/// One sentence, if it is one.
pub(crate) fn refuse_descriptor(path: &Path) -> Result<(), String> {
    let dirs = ["/dev/fd", "/proc/self/fd"];
    let names = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    let is_one = dirs.iter().any(|dir| path.starts_with(dir))
        || names.iter().any(|name| path == Path::new(name));
    match is_one {
        true => Err(format!(
            "{}: the server cannot open a descriptor of its caller; name - for standard input or output",
            path.display()
        )),
        false => Ok(()),
    }
}

/// Asks the client for its standard input, of at most `limit` bytes. The queue waits, and continues with `then`.
pub(crate) fn ask(server: &mut Server, caller: &Caller, limit: u64, then: AfterInput) -> Outcome {
    let client = caller
        .client
        .filter(|_| caller.origin == Origin::CommandLine)
        .and_then(|id| server.model.clients.get_mut(&id));
    let Some(client) = client.filter(|client| client.session.is_none()) else {
        return Err("-: there is no standard input here".to_owned());
    };
    client.writer.send(FromServer::ReadInput);
    client.answer.stdin = Some(Stdin::new(limit));
    let client = client.id;
    server.pending.after_input(client, then);
    Ok(Reply {
        wait: Some(Wait::Input(client)),
        ..Reply::default()
    })
}
