//! What goes into paste buffers and to the clipboard in front of the user.

use shellkeep_core::{ClientId, PaneId, WindowId, base64};
use shellkeep_render::Features;
use shellkeep_term::{ClipboardAction, Effect};

use crate::commands::queue::Caller;
use crate::commands::targets;
use crate::model::notice::Notice;
use crate::model::{Model, Secrecy};
use crate::panes::shells;
use crate::persistence::kept_buffers;
use crate::status::{alerts, window_names};

/// The clipboards a program may name.
const SELECTIONS: &str = "cpqs01234567";

/// Who may set the clipboard, by `set-clipboard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ClipboardUse {
    /// Nobody.
    Off,
    /// Who copies here.
    External,
    /// Programs, too.
    On,
}

/// What a program asked of the world.
pub(crate) fn asked(model: &mut Model, pane: PaneId, effects: Vec<Effect>) {
    // All of it was printed by now: one look at what the shell says of itself is enough, however many marks there are.
    if effects.iter().any(|it| matches!(it, Effect::Prompt(_))) {
        shells::look_at_shell(model, pane);
    }
    for effect in effects {
        match effect {
            Effect::Clipboard { selection, action } => {
                program_clipboard(model, pane, &selection, action);
            }
            Effect::WindowName(name) => window_names::renamed_by_program(model, pane, &name),
            Effect::Bell => alerts::bell_rang(model, pane),
            Effect::Title(_) => window_names::titled_by_program(model, pane),
            Effect::Prompt(mark) => shells::shell_marked(model, pane, &mark),
            other => tracing::trace!(%pane, ?other, "effect"),
        }
    }
}

/// Sets the clipboard of one client: the one named, or the caller's.
pub(crate) fn tell_clipboard_of(
    model: &mut Model,
    caller: &Caller,
    target: Option<&str>,
    data: &[u8],
) {
    // A client that cannot be found is no error: the buffer is what was asked for.
    if let Ok(client) = targets::client(model, caller, target) {
        set_clipboard(model, client, "", data);
    }
}

/// Puts something under a name, or under one of its own.
///
/// # Errors
/// One sentence, if that is no name.
pub(crate) fn store_buffer(
    model: &mut Model,
    name: Option<&str>,
    data: &[u8],
    secrecy: Secrecy,
) -> Result<(), String> {
    match name {
        Some(name) => {
            let now = model.now();
            model.buffers.set(name, data, secrecy, now)
        }
        None => {
            add_buffer(model, data, None, secrecy);
            Ok(())
        }
    }
}

/// Makes a new buffer.
pub(crate) fn add_buffer(model: &mut Model, data: &[u8], prefix: Option<&str>, secrecy: Secrecy) {
    let limit = model.options.server().number("buffer-limit");
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let now = model.now();
    model.buffers.add(data, prefix, limit, secrecy, now);
}

pub(crate) fn clipboard_use(model: &Model) -> ClipboardUse {
    match model.options.server().text("set-clipboard") {
        "off" => ClipboardUse::Off,
        "external" => ClipboardUse::External,
        _ => ClipboardUse::On,
    }
}

/// Sets the clipboard of everybody who looks at a window.
pub(crate) fn tell_clipboards(model: &mut Model, window: WindowId, selection: &str, data: &[u8]) {
    let viewers: Vec<ClientId> = model.viewers_of(window).map(|c| c.id).collect();
    for client in viewers {
        set_clipboard(model, client, selection, data);
    }
}

/// Sets the clipboard of a client's terminal, if it has one.
fn set_clipboard(model: &mut Model, client: ClientId, selection: &str, data: &[u8]) {
    let client = model.clients.get(&client);
    let Some(client) = client.filter(|client| client.terminal.caps.has(Features::CLIPBOARD)) else {
        return;
    };
    client.writer.set_clipboard(selection, data);
}

fn program_clipboard(model: &mut Model, id: PaneId, selection: &str, action: ClipboardAction) {
    let Some(pane) = model.panes.get_mut(&id) else {
        return;
    };
    let (window, known) = (pane.window, |c: &char| SELECTIONS.contains(*c));
    if clipboard_use(model) != ClipboardUse::On {
        return;
    }
    let selection: String = selection.chars().filter(known).collect();
    match action {
        ClipboardAction::Set(data) => {
            tell_clipboards(model, window, &selection, &data);
            model.tell(Notice::PaneSetClipboard(id));
            let secrecy = kept_buffers::secrecy_of(model, id);
            add_buffer(model, &data, None, secrecy);
        }
        // What is in the user's clipboard is nobody's business; what was copied here, programs may have.
        ClipboardAction::Query => {
            let newest = model.buffers.newest();
            let text = newest
                .map(|buffer| base64::encode(&buffer.data))
                .unwrap_or_default();
            let answer = format!("\x1b]52;{selection};{text}\x1b\\");
            if let Some(pane) = model.panes.get_mut(&id) {
                pane.reply(answer.as_bytes());
            }
        }
    }
}
