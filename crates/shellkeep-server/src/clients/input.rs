//! Input of clients' terminals: keys become commands or input of programs; the rest goes where it belongs.

use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_term::key::{Focus, Input, ModeKind, PasteEncoder, TerminalReply};
use shellkeep_term::{Emulator, Modes};

use crate::action::Action;
use crate::clients::state::ClientState;
use crate::clients::{focus, keys, lock, mouse};
use crate::model::{Model, Waker};
use crate::modes::{key_grab, popup, prompt};
use crate::panes::screen::ScreenViewer as _;
use crate::panes::{pan, show, sizes};

/// Begins to handle input from a client's terminal. Returns the session that is used by it.
pub(crate) fn typing_begins(
    model: &mut Model,
    clients: &mut ClientState,
    id: ClientId,
    input: &[Input],
) -> Option<SessionId> {
    clients.flood_throttle.key();
    // Replies and reports that the terminal sends by itself are no use of the session.
    let is_used =
        |input: &Input| matches!(input, Input::Key(_) | Input::Mouse(_) | Input::PasteStart);
    if !input.iter().any(is_used) {
        return None;
    }
    sizes::used(model, id);
    model.clients.get(&id).and_then(|it| it.session)
}

pub(crate) fn take_input(model: &mut Model, id: ClientId, input: Input) {
    match input {
        Input::Key(event) => keys::key(model, id, event),
        Input::Mouse(event) => mouse::mouse(model, id, event),
        Input::FocusIn => focus::focus(model, id, Focus::In),
        Input::FocusOut => focus::focus(model, id, Focus::Out),
        Input::PasteStart => paste_start(model, id),
        Input::Paste(bytes) => paste(model, id, &bytes),
        Input::PasteEnd => paste_end(model, id),
        Input::Reply(reply) => terminal_replied(model, id, &reply),
        Input::Unknown(bytes) => tracing::debug!(client = %id, ?bytes, "unknown input sequence"),
    }
}

/// Ends the handling of input from a client's terminal.
pub(crate) fn typing_ends(model: &mut Model, id: ClientId, session: Option<SessionId>) {
    if model.changes.is_unsettled
        && let Some(client) = model.clients.get(&id)
    {
        // A key that is not for the program may change what the server itself shows, as in copy mode.
        client.writer.tracker().hurry();
    }
    // The keys may have closed the session.
    if let Some(session) = session.filter(|it| model.sessions.contains_key(it)) {
        lock::restart_idleness(model, session);
    }
}

fn paste(model: &mut Model, id: ClientId, bytes: &[u8]) {
    if key_grab::has_prompt(model, id) && !keys::is_reader(model, id) {
        return prompt::type_at_prompt(model, id, &String::from_utf8_lossy(bytes));
    }
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let Some(mut encoder) = client.input.paste.take() else {
        return;
    };
    let mut chunk = Vec::new();
    encoder.chunk(bytes, &mut chunk);
    write_to_program(model, id, |_, out| out.extend_from_slice(&chunk));
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.paste = Some(encoder);
    }
}

fn paste_start(model: &mut Model, id: ClientId) {
    if key_grab::has_prompt(model, id) {
        return;
    }
    let mut encoder = None;
    write_to_program(model, id, |modes, out| {
        let started = PasteEncoder::start(modes, out);
        encoder.get_or_insert(started);
    });
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.paste = encoder;
    }
}

fn paste_end(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    if let Some(encoder) = client.input.paste.take() {
        let mut end = Vec::new();
        encoder.finish(&mut end);
        write_to_program(model, id, |_, out| out.extend_from_slice(&end));
    }
}

/// Writes to the program in a client's pane and to those in panes synchronized with it, encoded for each. A read-only
/// client writes nothing.
pub(crate) fn write_to_program(
    model: &mut Model,
    id: ClientId,
    mut encode: impl FnMut(&Modes, &mut Vec<u8>),
) {
    if keys::is_reader(model, id) {
        return;
    }
    if let Some(popup) = popup::popup_pane(model, id) {
        if let Some(pane) = popup {
            let modes = Emulator::modes(&pane.screen.lock());
            let mut bytes = Vec::new();
            encode(&modes, &mut bytes);
            pane.write(&bytes);
        }
        return;
    }
    let Some(pane) = typed_into(model, id) else {
        return;
    };
    for pane in synchronized(model, pane) {
        write_encoded(model, pane, &mut encode);
    }
}

fn write_encoded(model: &mut Model, id: PaneId, encode: impl FnOnce(&Modes, &mut Vec<u8>)) {
    let pane = model.panes.get(&id);
    let is_asleep = pane.is_some_and(|pane| pane.life.asleep().is_some());
    if is_asleep {
        model.act(Action::Wake(id, Waker::User));
    }
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    // The pane's mode has the keys.
    if pane.input_off || pane.is_dead() || pane.is_in_mode() {
        return;
    }
    let modes = match is_asleep {
        // The modes of the last program are reset when the pane wakes, which is before the next program gets this.
        true => Modes::default(),
        false => Emulator::modes(&pane.screen.lock()),
    };
    let mut bytes = Vec::new();
    encode(&modes, &mut bytes);
    if !bytes.is_empty() {
        pane.write(&bytes);
    }
}

/// Loads in advance what handling the first key needs.
pub(crate) fn get_ready_for_keys(model: &Model) {
    model.key_tables.get_ready();
}

/// A client's terminal has answered a query: it may be able to do more than its name says.
fn terminal_replied(model: &mut Model, id: ClientId, reply: &TerminalReply) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let before = client.terminal.caps;
    match reply {
        TerminalReply::PrimaryAttributes(attributes) => {
            client.terminal.caps.refine_attributes(attributes);
        }
        TerminalReply::Version(version) => client.terminal.caps.refine_version(version),
        TerminalReply::Mode {
            kind: ModeKind::Private,
            mode,
            status,
        } => {
            client.terminal.caps.refine_mode(*mode, *status as u8);
        }
        TerminalReply::KeyboardFlags(flags) => client.terminal.caps.refine_kitty_keyboard(*flags),
        TerminalReply::Clipboard { data, .. } => return pan::clipboard_received(model, id, data),
        other => tracing::debug!(client = %id, ?other, "unexpected reply of the terminal"),
    }
    show::teach_terminal(model, id);
    let client = model.clients.get(&id);
    if let Some(client) = client
        && client.terminal.caps != before
        && let Some(session) = client.session
    {
        model.redraw_session(session);
    }
}

/// The pane that gets a client's input.
fn typed_into(model: &Model, id: ClientId) -> Option<PaneId> {
    let client = model.clients.get(&id)?;
    let pane = model.pane_of(client)?;
    let pane = model.panes.get(&pane)?;
    (!pane.is_in_mode()).then_some(pane.id)
}

/// The panes that get the input of a pane: itself, and with `synchronize-panes` the others of its window.
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
