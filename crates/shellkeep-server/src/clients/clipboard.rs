//! Paste buffers and clipboards: what programs and commands copy, and where it goes. Also the other effects of output.

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

/// The selections that OSC 52 may name.
const SELECTIONS: &str = "cpqs01234567";

/// Which sources may set a client's clipboard (`set-clipboard`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ClipboardUse {
    Off,
    /// Copying in copy mode may.
    External,
    /// Programs may, too.
    On,
}

/// Carries out the effects of a program's output.
pub(crate) fn asked(model: &mut Model, pane: PaneId, effects: Vec<Effect>) {
    // One look at the shell's report is enough for all marks of this output.
    if effects.iter().any(|it| matches!(it, Effect::Prompt { .. })) {
        shells::read_shell_report(model, pane);
    }
    for effect in effects {
        match effect {
            Effect::Clipboard { selection, action } => {
                program_clipboard(model, pane, &selection, action);
            }
            Effect::WindowName(name) => window_names::renamed_by_program(model, pane, &name),
            Effect::Bell => alerts::bell_rang(model, pane),
            Effect::Title(_) => window_names::titled_by_program(model, pane),
            Effect::Prompt { mark, line, cell } => {
                shells::shell_marked(model, pane, &mark, line.map(|line| (line, cell)));
            }
            other => tracing::trace!(%pane, ?other, "ignored effect"),
        }
    }
}

/// Sets the clipboard of one client: the one named, or the caller's.
pub(crate) fn set_clipboard_of(
    model: &mut Model,
    caller: &Caller,
    target: Option<&str>,
    data: &[u8],
) {
    // A missing client is no error: the buffer was set.
    if let Ok(client) = targets::client(model, caller, target) {
        set_clipboard(model, client, "", data);
    }
}

/// Sets a buffer of this name, or adds one with a generated name.
///
/// # Errors
/// One sentence, if the name is invalid.
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

/// Adds a buffer with a generated name.
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

/// Sets the clipboard of every client that shows a window.
pub(crate) fn set_clipboards(model: &mut Model, window: WindowId, selection: &str, data: &[u8]) {
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
            set_clipboards(model, window, &selection, &data);
            model.notify(Notice::PaneSetClipboard(id));
            let secrecy = kept_buffers::secrecy_of(model, id);
            add_buffer(model, &data, None, secrecy);
        }
        // A program does not get the user's clipboard, only what was copied inside shellkeep.
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
