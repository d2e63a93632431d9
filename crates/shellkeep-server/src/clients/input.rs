//! Input of clients' terminals: keys become commands or input of programs; the rest goes where it belongs.

use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_term::key::{Focus, Input, ModeKind, TerminalReply};

use crate::action::Action;
use crate::clients::state::ClientState;
use crate::clients::{focus, keys, lock, mouse};
use crate::model::{Model, Pane, Typed, Waker};
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
    if is_pasting(model, id) {
        type_in(model, id, &Typed::PasteText(bytes.to_vec()));
    }
}

fn paste_start(model: &mut Model, id: ClientId) {
    if key_grab::has_prompt(model, id) {
        return;
    }
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.is_pasting = true;
    }
    type_in(model, id, &Typed::PasteStart);
}

fn paste_end(model: &mut Model, id: ClientId) {
    if is_pasting(model, id) {
        type_in(model, id, &Typed::PasteEnd);
    }
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.is_pasting = false;
    }
}

fn is_pasting(model: &Model, id: ClientId) -> bool {
    let client = model.clients.get(&id);
    client.is_some_and(|client| client.input.is_pasting)
}

/// Gives input to the program a client looks at, and to those that are typed into together with it, in the way each wants it; unless
/// the client may only look.
pub(crate) fn type_in(model: &mut Model, id: ClientId, typed: &Typed) {
    if keys::is_reader(model, id) {
        return;
    }
    if let Some(popup) = popup::popup_pane(model, id) {
        if let Some(pane) = popup {
            pane.type_in(std::slice::from_ref(typed), 1);
        }
        return;
    }
    let Some(pane) = typed_into(model, id) else {
        return;
    };
    for pane in synchronized(model, pane) {
        type_in_pane(model, pane, typed);
    }
}

fn type_in_pane(model: &mut Model, id: PaneId, typed: &Typed) {
    let pane = model.panes.get(&id);
    if pane.is_some_and(Pane::is_asleep) {
        model.act(Action::Wake(id, Waker::User));
    }
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    // The pane's mode has the keys.
    if !pane.input_off && !pane.is_dead() && !pane.is_in_mode() {
        pane.type_in(std::slice::from_ref(typed), 1);
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
