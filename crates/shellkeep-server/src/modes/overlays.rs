//! Opening and closing overlays.

use shellkeep_core::ClientId;
use shellkeep_keeper::HostRequest;

use crate::action::Action;
use crate::commands::queue::{QueueId, Wait};
use crate::commands::reply::Reply;
use crate::model::Model;
use crate::modes::overlay::{Overlay, Popup};
use crate::panes::runtime_files;
use crate::persistence::notes;

/// The exit status that a shell reports for a program that has got SIGHUP.
const SIGHUP_STATUS: u8 = 129;

/// Opens an overlay. The running command waits until it is closed.
pub(crate) fn lay_over(model: &mut Model, id: ClientId, overlay: Overlay) -> Reply {
    let wait = overlay.queue().map(|_| Wait::Overlay(id));
    if let Some(client) = model.clients.get_mut(&id) {
        client.view.overlay = Some(overlay);
    }
    model.redraw_client(id);
    Reply {
        wait,
        ..Reply::default()
    }
}

/// Closes a client's overlay; the command that has opened it continues.
pub(crate) fn close_overlay(model: &mut Model, id: ClientId) {
    let client = model.clients.get_mut(&id);
    let Some(overlay) = client.and_then(|client| client.view.overlay.take()) else {
        return;
    };
    model.redraw_client(id);
    overlay_gone(model, id, overlay);
}

/// A client's overlay was closed, perhaps because the client is gone.
pub(crate) fn overlay_gone(model: &mut Model, id: ClientId, overlay: Overlay) {
    let queue = overlay.queue();
    let status = match overlay {
        Overlay::Menu(_) => 0,
        Overlay::Popup(popup) => popup_closed(model, &popup),
    };
    overlay_left(model, id, queue, status);
}

/// Adapts a client's overlay to its terminal's new size.
pub(crate) fn fit_overlay(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let room = client.terminal.size;
    let fits = client.view.overlay.as_mut().is_none_or(|it| it.fit(room));
    if !fits {
        close_overlay(model, id);
    }
}

/// Resumes the command that has opened an overlay.
pub(crate) fn overlay_left(
    model: &mut Model,
    client: ClientId,
    queue: Option<QueueId>,
    status: u8,
) {
    if let Some(queue) = queue {
        model.act(Action::OverlayLeft {
            client,
            queue,
            status,
        });
    }
}

/// A popup was closed: ends its program. Returns the exit status for the command.
fn popup_closed(model: &mut Model, popup: &Popup) -> u8 {
    let id = popup.pane.id;
    model.act(Action::AskKeeper(HostRequest::Close(id)));
    model.act(notes::forget(notes::popup_key(id)));
    runtime_files::remove_shell_dir(model, id);
    match popup.pane.life.exit() {
        None => SIGHUP_STATUS,
        Some(exit) => {
            let signal = exit.signal().map(|signal| 128 + signal);
            let status = exit.status().or(signal).unwrap_or(1);
            u8::try_from(status & 0xff).unwrap_or(1)
        }
    }
}
