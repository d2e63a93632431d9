//! Reads the terminfo entry of a client's terminal, for commands that attach a client.

use shellkeep_core::ClientId;

use crate::commands::pending;
use crate::commands::reply::{Outcome, Reply};
use crate::display::terminfo;
use crate::model::Environ;
use crate::server::Server;

/// Reads the terminfo entry of a client's terminal on a thread. The command, which must not have changed anything yet,
/// waits and is then run `again`. Returns None if the entry was read before.
pub(crate) fn describe_terminal(
    server: &mut Server,
    id: ClientId,
    again: impl FnOnce(&mut Server) -> Outcome + Send + 'static,
) -> Option<Reply> {
    let client = server.model.clients.get(&id)?;
    if client.terminal.is_described || client.control.is_some() {
        return None;
    }
    let environ = client.context.environ.iter().map(Vec::as_slice);
    let environ = Environ::from_entries(environ);
    let name = client.context.env("TERM").unwrap_or_default().to_owned();
    let described = move |server: &mut Server, entry: Option<Vec<u8>>| {
        if let Some(client) = server.model.clients.get_mut(&id) {
            client.terminal.is_described = true;
            entry
                .iter()
                .for_each(|it| client.terminal.caps.add_terminfo(it));
        }
        again(server)
    };
    Some(pending::work_on_files(
        server,
        || terminfo::read_in_time(name, environ),
        described,
    ))
}
