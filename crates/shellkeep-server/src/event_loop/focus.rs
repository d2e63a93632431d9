//! Focus: which terminals have it, and what programs are told of it.

use std::collections::BTreeSet;

use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::key::{Focus, encode_focus};

use super::Server;
use crate::notice::Notice;

impl Server {
    /// A client's terminal has got or lost the focus.
    pub(super) fn focus(&mut self, id: ClientId, focus: Focus) {
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.has_focus = focus == Focus::In;
        }
        self.state.tell(match focus {
            Focus::In => Notice::ClientFocusIn(id),
            Focus::Out => Notice::ClientFocusOut(id),
        });
    }

    /// Tells programs that their pane has got or lost the focus.
    pub(super) fn update_focus(&mut self) {
        if !self.state.options.server().flag("focus-events") {
            return;
        }
        let clients = self.state.clients.values();
        let clients = clients.filter(|client| client.has_focus);
        let focused: BTreeSet<PaneId> = clients
            .filter_map(|client| self.state.pane_of(client))
            .collect();
        let before = std::mem::replace(&mut self.state.focused, focused.clone());
        for id in before.difference(&focused) {
            self.tell_focus(*id, Focus::Out);
        }
        for id in focused.difference(&before) {
            self.tell_focus(*id, Focus::In);
        }
    }

    fn tell_focus(&mut self, id: PaneId, focus: Focus) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let mut bytes = Vec::new();
        // A program that is gone may have asked for it.
        let wants = !pane.is_asleep();
        encode_focus(focus, &pane.screen.lock().modes(), &mut bytes);
        if wants && !bytes.is_empty() {
            pane.write(&bytes);
        }
        self.state.tell(match focus {
            Focus::In => Notice::PaneFocusIn(id),
            Focus::Out => Notice::PaneFocusOut(id),
        });
    }
}
