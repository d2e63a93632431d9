//! How this server is called from a shell, for sentences that say what to type.

use std::path::Path;

use shellkeep_command::call;

use crate::commands::queue::Caller;
use crate::model::Model;

/// What a command begins with that is to reach this server, typed where the caller is; where this server was started, if nobody has
/// called.
pub(crate) fn call_for(model: &Model, caller: &Caller) -> String {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let socket = model.socket.to_string_lossy();
    let Some(client) = client else {
        let runtime = model.environ.get("XDG_RUNTIME_DIR");
        let runtime = runtime.and_then(|dir| std::str::from_utf8(dir).ok());
        return call::program(&socket, None, &labels_dir(runtime));
    };
    // Its socket, the server's process and the session.
    let around = client.context.env("SHELLKEEP");
    let around = around.and_then(|value| value.rsplitn(3, ',').nth(2));
    let runtime = client.context.env("XDG_RUNTIME_DIR");
    call::program(&socket, around, &labels_dir(runtime))
}

/// Where a client looks for the socket of a label.
fn labels_dir(runtime: Option<&str>) -> String {
    let usable = |dir: &&str| Path::new(dir).is_absolute() && Path::new(dir).is_dir();
    match runtime.filter(usable) {
        Some(dir) => format!("{}/shellkeep", dir.trim_end_matches('/')),
        None => format!("/tmp/shellkeep-{}", nix::unistd::getuid()),
    }
}
