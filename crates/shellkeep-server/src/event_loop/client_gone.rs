//! A client has disconnected: every component drops what it knows of it.

use shellkeep_core::ClientId;

use crate::action::Action;
use crate::clients::client_order;
use crate::clients::native::terminal_bytes;
use crate::commands::queue::Wait;
use crate::commands::run;
use crate::model::notice::Notice;
use crate::modes::{key_grab, overlays};
use crate::panes::sessions;
use crate::search::requests;
use crate::server::Server;
use crate::shutdown::ending::{Ending, Idle};

pub(crate) fn client_gone(server: &mut Server, id: ClientId) {
    server.pending.forget_client(id);
    overlays::close_overlay(&mut server.model, id);
    let Some(mut client) = server.model.clients.remove(&id) else {
        return;
    };
    if let Some(key_grab) = client.view.key_grab.take() {
        key_grab::drop_key_grab(&mut server.model, key_grab);
    }
    run::leave_channels(server, id);
    requests::drop_searches_of(&mut server.commands.queues, id);
    server
        .commands
        .queues
        .retain(|_, queue| queue.wait != Some(Wait::Input(id)));
    if let Some(session) = client.session {
        tracing::info!(client = %id, %session, "client disconnected");
        if let Some(reader) = client.terminal.reader.take() {
            reader.give_back(&terminal_bytes(&client).1);
        }
        let name = client.name();
        client_order::leaves_order(&mut server.model, client.pid);
        server.model.notify(Notice::ClientDetached {
            client: id,
            name,
            session,
        });
        server.model.session_changed(session);
        sessions::check_unattached(&mut server.model, session);
        server.model.act(Action::PolicyDue);
    }
    end_if_unused(server);
}

/// Ends a server that was started for a command which has failed, so that no unused server remains.
fn end_if_unused(server: &mut Server) {
    let is_due = server.shutdown.idle == Idle::Ends && is_unused(server);
    if is_due && server.model.options.server().flag("exit-empty") {
        server.shutdown.ending.get_or_insert(Ending::Empty);
    }
}

/// Whether there is no session, and no command of a client under way.
pub(crate) fn is_unused(server: &Server) -> bool {
    server.model.sessions.is_empty()
        && server.model.clients.is_empty()
        && server.commands.queues.is_empty()
        && server.commands.jobs.is_empty()
}
