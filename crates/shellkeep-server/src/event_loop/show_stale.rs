//! Composes the scenes of clients that are out of date.

use shellkeep_core::ClientId;

use crate::display::compose;
use crate::modes::clock;
use crate::panes::{pan, show};
use crate::server::Server;
use crate::status::status_line;

/// Composes and sends the scene of every client that is out of date.
pub(crate) fn show_stale(server: &mut Server) {
    let stale = server.model.clients.values_mut();
    let stale =
        stale.filter_map(|client| std::mem::take(&mut client.view.is_stale).then_some(client.id));
    let stale: Vec<ClientId> = stale.collect();
    if stale.is_empty() {
        return;
    }
    server.model.changes.trouble = match server.shutdown.leaving.trouble() {
        Some(why) => Some(("cannot end yet, not saved", why.to_owned())),
        None => {
            let why = server.persistence.trouble.clone();
            why.map(|why| ("not saved", why))
        }
    };
    for id in stale {
        pan::forget_pan(&mut server.model, id);
        let composed = compose::compose_scene(&server.model, &server.events, id);
        status_line::time_status(&mut server.model, id);
        if let Some(client) = server.model.clients.get_mut(&id) {
            let (scene, clicks) =
                composed.map_or((None, Vec::new()), |it| (Some(it.scene), it.clicks));
            client.view.status_clicks = clicks;
            let enter = std::mem::take(&mut client.terminal.enter);
            if !enter.is_empty() {
                client.writer.prepare(enter);
            }
            client.writer.show(scene);
        }
    }
    clock::keep_clock_timer(&server.model, &mut server.clients.clock_timer);
    show::watch(&server.model);
}
