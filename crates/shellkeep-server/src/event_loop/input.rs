//! What a client's terminal sent: keys become commands or input, the rest goes where it belongs.

use shellkeep_core::ClientId;
use shellkeep_term::key::{
    Focus, Input, ModeKind, MouseEvent, PasteEncoder, TerminalReply, encode_focus, encode_mouse,
};
use shellkeep_term::{Emulator, Modes};

use super::Server;

impl Server {
    pub(super) fn typed(&mut self, id: ClientId, input: Vec<Input>) {
        self.courtesy.key();
        for input in input {
            match input {
                Input::Key(event) => self.key(id, event),
                Input::Mouse(event) => self.mouse(id, event),
                Input::FocusIn => self.focus(id, Focus::In),
                Input::FocusOut => self.focus(id, Focus::Out),
                Input::PasteStart => self.paste_start(id),
                Input::Paste(bytes) => self.paste(id, &bytes),
                Input::PasteEnd => self.paste_end(id),
                Input::Reply(reply) => self.terminal_replied(id, &reply),
                Input::Unknown(bytes) => tracing::debug!(client = %id, ?bytes, "not understood"),
            }
        }
    }

    fn mouse(&mut self, id: ClientId, event: MouseEvent) {
        if self.overlay_mouse(id, &event) || self.tree_mouse(id, &event) {
            return;
        }
        self.write_to_program(id, |modes, out| {
            encode_mouse(&event, modes, out);
        });
    }

    fn focus(&mut self, id: ClientId, focus: Focus) {
        self.write_to_program(id, |modes, out| {
            encode_focus(focus, modes, out);
        });
    }

    fn paste_start(&mut self, id: ClientId) {
        let mut encoder = None;
        self.write_to_program(id, |modes, out| {
            encoder = Some(PasteEncoder::start(modes, out))
        });
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.paste = encoder;
        }
    }

    fn paste(&mut self, id: ClientId, bytes: &[u8]) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(mut encoder) = client.paste.take() else {
            return;
        };
        self.write_to_program(id, |_, out| encoder.chunk(bytes, out));
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.paste = Some(encoder);
        }
    }

    fn paste_end(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        if let Some(encoder) = client.paste.take() {
            self.write_to_program(id, |_, out| encoder.finish(out));
        }
    }

    /// Writes to the program a client looks at, in the way that program wants it, unless the client may
    /// only look.
    pub(super) fn write_to_program(
        &mut self,
        id: ClientId,
        encode: impl FnOnce(&Modes, &mut Vec<u8>),
    ) {
        let Some(client) = self
            .state
            .clients
            .get(&id)
            .filter(|client| !client.is_read_only)
        else {
            return;
        };
        let pane = client.session.and_then(|id| self.state.current_pane(id));
        let pane = match client.overlay {
            Some(_) => self.popup_pane(id).flatten(),
            None => pane.and_then(|id| self.state.panes.get_mut(&id)),
        };
        let Some(pane) = pane else {
            return;
        };
        let modes = Emulator::modes(&pane.screen.lock());
        let mut bytes = Vec::new();
        encode(&modes, &mut bytes);
        if !bytes.is_empty() {
            pane.write(&bytes);
        }
    }

    /// The terminal has answered a question of ours: what it can do may be more than its name says.
    fn terminal_replied(&mut self, id: ClientId, reply: &TerminalReply) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let before = client.caps;
        match reply {
            TerminalReply::PrimaryAttributes(attributes) => {
                client.caps.refine_attributes(attributes);
            }
            TerminalReply::Version(version) => client.caps.refine_version(version),
            TerminalReply::Mode {
                kind: ModeKind::Private,
                mode,
                status,
            } => {
                client.caps.refine_mode(*mode, *status as u8);
            }
            TerminalReply::KeyboardFlags(flags) => client.caps.refine_kitty_keyboard(*flags),
            other => tracing::debug!(client = %id, ?other, "an answer of no use"),
        }
        if client.caps != before
            && let Some(session) = client.session
        {
            self.redraw_session(session);
        }
    }
}
