//! What a client's terminal sent: keys become commands or input, the rest goes where it belongs.

use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::key::{Focus, Input, ModeKind, PasteEncoder, TerminalReply};
use shellkeep_term::{Emulator, Modes};

use super::{Server, Waker, focus, keys, pan, popup, prompt, show};
use crate::state::Model;

impl Server {
    /// Does what the first key would have to wait for.
    pub(super) fn get_ready_for_keys(&self) {
        self.commands.key_tables.get_ready();
    }

    pub(super) fn typed(&mut self, id: ClientId, input: Vec<Input>) {
        self.clients.flood_throttle.key();
        // What the terminal says by itself is no use of it.
        let is_used =
            |input: &Input| matches!(input, Input::Key(_) | Input::Mouse(_) | Input::PasteStart);
        let mut session = None;
        if input.iter().any(is_used) {
            self.used(id);
            session = self.state.clients.get(&id).and_then(|it| it.session);
        }
        for input in input {
            match input {
                Input::Key(event) => self.key(id, event),
                Input::Mouse(event) => self.mouse(id, event),
                Input::FocusIn => focus::focus(&mut self.state, id, Focus::In),
                Input::FocusOut => focus::focus(&mut self.state, id, Focus::Out),
                Input::PasteStart => self.paste_start(id),
                Input::Paste(bytes) => self.paste(id, &bytes),
                Input::PasteEnd => self.paste_end(id),
                Input::Reply(reply) => terminal_replied(&mut self.state, id, &reply),
                Input::Unknown(bytes) => tracing::debug!(client = %id, ?bytes, "not understood"),
            }
        }
        if self.state.changes.is_unsettled
            && let Some(client) = self.state.clients.get(&id)
        {
            // A key that is not for the program changes what the server itself shows, as in copy mode.
            client.writer.tracker().hurry();
        }
        // Nobody waits for this. The keys may have ended it.
        if let Some(session) = session.filter(|it| self.state.sessions.contains_key(it)) {
            self.mind_idleness(session);
        }
    }

    fn paste_start(&mut self, id: ClientId) {
        if prompt::has_prompt(&self.state, id) {
            return;
        }
        let mut encoder = None;
        self.write_to_program(id, |modes, out| {
            let started = PasteEncoder::start(modes, out);
            encoder.get_or_insert(started);
        });
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.paste = encoder;
        }
    }

    fn paste(&mut self, id: ClientId, bytes: &[u8]) {
        if prompt::has_prompt(&self.state, id) && !keys::is_reader(&self.state, id) {
            return self.type_at_prompt(id, &String::from_utf8_lossy(bytes));
        }
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let Some(mut encoder) = client.paste.take() else {
            return;
        };
        let mut chunk = Vec::new();
        encoder.chunk(bytes, &mut chunk);
        self.write_to_program(id, |_, out| out.extend_from_slice(&chunk));
        if let Some(client) = self.state.clients.get_mut(&id) {
            client.paste = Some(encoder);
        }
    }

    fn paste_end(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        if let Some(encoder) = client.paste.take() {
            let mut end = Vec::new();
            encoder.finish(&mut end);
            self.write_to_program(id, |_, out| out.extend_from_slice(&end));
        }
    }

    /// Writes to the program a client looks at, and to those that are typed into together with it, in the way
    /// each wants it; unless the client may only look.
    pub(super) fn write_to_program(
        &mut self,
        id: ClientId,
        mut encode: impl FnMut(&Modes, &mut Vec<u8>),
    ) {
        if keys::is_reader(&self.state, id) {
            return;
        }
        if let Some(popup) = popup::popup_pane(&mut self.state, id) {
            if let Some(pane) = popup {
                let modes = Emulator::modes(&pane.screen.lock());
                let mut bytes = Vec::new();
                encode(&modes, &mut bytes);
                pane.write(&bytes);
            }
            return;
        }
        let Some(pane) = typed_into(&self.state, id) else {
            return;
        };
        for pane in synchronized(&self.state, pane) {
            self.write_encoded(pane, &mut encode);
        }
    }

    fn write_encoded(&mut self, id: PaneId, encode: impl FnOnce(&Modes, &mut Vec<u8>)) {
        self.wake(id, Waker::User);
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        // What is shown in place of its screen has the keys.
        if pane.input_off || pane.is_dead() || pane.is_in_mode() {
            return;
        }
        let modes = Emulator::modes(&pane.screen.lock());
        let mut bytes = Vec::new();
        encode(&modes, &mut bytes);
        if !bytes.is_empty() {
            pane.write(&bytes);
        }
    }
}

/// The terminal has answered a question of ours: what it can do may be more than its name says.
fn terminal_replied(model: &mut Model, id: ClientId, reply: &TerminalReply) {
    let Some(client) = model.clients.get_mut(&id) else {
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
        TerminalReply::Clipboard { data, .. } => return pan::clipboard_told(model, id, data),
        other => tracing::debug!(client = %id, ?other, "an answer of no use"),
    }
    show::teach_terminal(model, id);
    let client = model.clients.get(&id);
    if let Some(client) = client
        && client.caps != before
        && let Some(session) = client.session
    {
        model.redraw_session(session);
    }
}

/// The pane a client types into.
fn typed_into(model: &Model, id: ClientId) -> Option<PaneId> {
    let client = model.clients.get(&id)?;
    let pane = model.pane_of(client)?;
    let pane = model.panes.get(&pane)?;
    (!pane.is_in_mode()).then_some(pane.id)
}

/// The panes that get what is typed into one: itself, and with `synchronize-panes` the others of its window.
pub(crate) fn synchronized(model: &Model, id: PaneId) -> Vec<PaneId> {
    let is_on = |id: PaneId| model.pane_options(id).flag("synchronize-panes");
    let mut panes = vec![id];
    if let Some(pane) = model.panes.get(&id)
        && is_on(id)
        && let Some(window) = model.windows.get(&pane.window)
    {
        let others = window.shown().panes().iter().copied();
        panes.extend(others.filter(|other| *other != id && is_on(*other)));
    }
    panes
}
