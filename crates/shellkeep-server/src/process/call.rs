//! The command line that reaches this server, for messages that say what to type.

use std::path::Path;

use shellkeep_command::call;

use crate::commands::queue::Caller;
use crate::model::Model;

/// The beginning of a command line that reaches this server from the caller's environment; without a caller, from the
/// server's.
pub(crate) fn call_for(model: &Model, caller: &Caller) -> String {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let socket = model.socket.to_string_lossy();
    let Some(client) = client else {
        let runtime = model.environ.get("XDG_RUNTIME_DIR");
        let runtime = runtime.and_then(|dir| std::str::from_utf8(dir).ok());
        return call::program(&socket, None, &labels_dir(runtime));
    };
    // The value is socket, pid and session, separated by commas.
    let around = client.context.env("SHELLKEEP");
    let around = around.and_then(|value| value.rsplitn(3, ',').nth(2));
    let runtime = client.context.env("XDG_RUNTIME_DIR");
    call::program(&socket, around, &labels_dir(runtime))
}

/// The directory where a client looks for sockets.
fn labels_dir(runtime: Option<&str>) -> String {
    let usable = |dir: &&str| Path::new(dir).is_absolute() && Path::new(dir).is_dir();
    match runtime.filter(usable) {
        Some(dir) => format!("{}/shellkeep", dir.trim_end_matches('/')),
        None => format!("/tmp/shellkeep-{}", nix::unistd::getuid()),
    }
}
