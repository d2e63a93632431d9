//! Focus: which terminals have it, and which programs are sent focus events.

use std::collections::BTreeSet;

use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::key::{Focus, encode_focus};

use crate::model::Model;
use crate::model::notice::Notice;

/// A client's terminal has got or lost the focus.
pub(crate) fn focus(model: &mut Model, id: ClientId, focus: Focus) {
    if let Some(client) = model.clients.get_mut(&id) {
        client.terminal.has_focus = focus == Focus::In;
    }
    model.notify(match focus {
        Focus::In => Notice::ClientFocusIn(id),
        Focus::Out => Notice::ClientFocusOut(id),
    });
}

/// Sends programs whose pane has got or lost the focus an event.
pub(crate) fn update_focus(model: &mut Model) {
    if !model.options.server().flag("focus-events") {
        return;
    }
    let clients = model.clients.values();
    let clients = clients.filter(|client| client.terminal.has_focus);
    let focused: BTreeSet<PaneId> = clients.filter_map(|client| model.pane_of(client)).collect();
    let before = std::mem::replace(&mut model.focused, focused.clone());
    for id in before.difference(&focused) {
        send_focus(model, *id, Focus::Out);
    }
    for id in focused.difference(&before) {
        send_focus(model, *id, Focus::In);
    }
}

fn send_focus(model: &mut Model, id: PaneId, focus: Focus) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let mut bytes = Vec::new();
    // In a sleeping pane, the mode was set by a program that is gone.
    let wants = !pane.is_asleep();
    encode_focus(focus, &pane.screen.lock().modes(), &mut bytes);
    if wants && !bytes.is_empty() {
        pane.write(&bytes);
    }
    model.notify(match focus {
        Focus::In => Notice::PaneFocusIn(id),
        Focus::Out => Notice::PaneFocusOut(id),
    });
}
