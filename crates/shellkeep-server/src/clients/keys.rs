//! Keys: looked up in key tables, or written to the pane's program.

use std::time::Duration;

use shellkeep_command::bind::{Binding, Repeat};
use shellkeep_command::parse::{List, Parsed};
use shellkeep_core::key::Key;
use shellkeep_core::{ClientId, PaneId};
use shellkeep_term::key::{KeyEvent, KeyKind};

use crate::action::Action;
use crate::alarm::Alarm;
use crate::clients::input;
use crate::commands::answer;
use crate::commands::queue::Caller;
use crate::model::{Mode, Model, Typed};
use crate::modes::key_grab::Pressed;
use crate::modes::{copy, key_grab_keys, menu, stack, tree};

/// The table of keys without prefix.
pub(crate) const ROOT: &str = "root";

/// The table of keys after the prefix.
pub(crate) const PREFIX: &str = "prefix";

/// The commands that a key of a read-only client may run, as in tmux.
const READ_ONLY_COMMANDS: &[&str] = &["attach-session", "detach-client", "switch-client"];

pub(crate) enum Bound {
    /// The key is bound, in this table.
    To(String, Binding),
    /// The key is not bound, and goes to the program.
    Nothing,
    /// The key switched to a table, or has no meaning in the present one.
    Taken,
}

pub(crate) fn key(model: &mut Model, id: ClientId, event: KeyEvent) {
    if !is_reader(model, id) && menu::overlay_key(model, id, &event) {
        return;
    }
    let now = model.now();
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let Some(session_id) = client.session else {
        return;
    };
    if event.kind == KeyKind::Release {
        return type_key(model, id, &event);
    }
    client.activity = now;
    model.use_session(session_id, now);
    match key_grab_keys::press_key_grab(model, id, event.key) {
        Pressed::Taken => {}
        Pressed::Passed => press(model, id, &event),
        Pressed::PassedLater => model.act(Action::Press(id, event)),
    }
}

/// Looks a key up, and writes it to the pane if it is not bound.
pub(crate) fn press(model: &mut Model, id: ClientId, event: &KeyEvent) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    client.input.mouse.pointer = None;
    let client = model.clients.get(&id);
    let pane = client.and_then(|client| model.pane_of(client));
    match bound(model, id, event.key, pane) {
        Bound::To(table, binding) => {
            let caller = Caller {
                key: Some(event.key),
                ..Caller::key(id)
            };
            run_binding(model, caller, id, &table, &binding);
        }
        Bound::Nothing if is_reader(model, id) => {}
        // Any key ends the clock.
        Bound::Nothing if shows_clock(model, pane) => {
            if let Some(pane) = pane {
                stack::leave_mode(model, pane);
            }
        }
        Bound::Nothing => type_key(model, id, event),
        Bound::Taken => {}
    }
}

pub(crate) fn run_binding(
    model: &mut Model,
    caller: Caller,
    id: ClientId,
    table: &str,
    binding: &Binding,
) {
    let session = model.clients.get(&id).and_then(|client| client.session);
    let time = model.session_options(session).number("repeat-time");
    if binding.repeat == Repeat::Repeats && time > 0 {
        let after = Duration::from_millis(time.unsigned_abs());
        let timer = model.set_alarm(Alarm::Repeat(id), after);
        if let Some(client) = model.clients.get_mut(&id) {
            client.input.key_table = table.to_owned();
            client.input.repeat = Some(timer);
        }
    }
    model.redraw_client(id);
    if !may_run(model, id, &binding.commands) {
        return answer::complain(model, &caller, "client is read-only".to_owned());
    }
    model.act(Action::RunList(caller, binding.commands.clone()));
}

/// Writes a key to a client's pane.
pub(crate) fn type_key(model: &mut Model, id: ClientId, event: &KeyEvent) {
    if tree::tree_key(model, id, event) {
        return;
    }
    input::type_in(model, id, &Typed::Key(*event));
}

/// The binding of a key: in the table that the last key has switched to, in that of the pane's mode, or in the default
/// table.
pub(crate) fn bound(model: &mut Model, id: ClientId, key: Key, pane: Option<PaneId>) -> Bound {
    let Some(client) = model.clients.get_mut(&id) else {
        return Bound::Taken;
    };
    let is_repeating = client.input.repeat.take().is_some();
    let table = std::mem::take(&mut client.input.key_table);
    let session = client.session;
    let options = model.session_options(session);
    let root = options.text("key-table").to_owned();
    let is_prefix = |prefix: Option<&Key>| prefix == Some(&key) && key != Key::NONE;
    let starts = is_prefix(options.key("prefix")) || is_prefix(options.key("prefix2"));
    let mode = pane.and_then(|pane| copy::mode_table(model, pane));
    let first = match mode {
        Some(mode) => mode.to_owned(),
        None => root.clone(),
    };
    let is_first = table.is_empty() || table == root;
    if !is_first {
        let found = model.key_tables.lookup(&table, key).cloned();
        let found = found.filter(|it| !is_repeating || it.repeat == Repeat::Repeats);
        if let Some(binding) = found {
            return Bound::To(table, binding);
        }
        model.redraw_client(id);
        if starts && table != PREFIX {
            set_key_table(model, id, PREFIX);
            return Bound::Taken;
        }
    } else if starts {
        // The prefix works even if the pane's mode has a binding for the key.
        set_key_table(model, id, PREFIX);
        return Bound::Taken;
    }
    // A key that is not bound with -r ends the repetition, and is looked up as usual.
    if is_repeating && starts {
        set_key_table(model, id, PREFIX);
        return Bound::Taken;
    }
    // A key after the prefix is not looked up in the mode's table.
    if is_first && let Some(binding) = model.key_tables.lookup(&first, key).cloned() {
        return Bound::To(first, binding);
    }
    if (mode.is_some() || !is_first)
        && let Some(binding) = model.key_tables.lookup(&root, key).cloned()
    {
        return Bound::To(root, binding);
    }
    if mode.is_some() || (!is_first && !is_repeating) {
        return Bound::Taken;
    }
    Bound::Nothing
}

fn shows_clock(model: &Model, pane: Option<PaneId>) -> bool {
    let pane = pane.and_then(|pane| model.panes.get(&pane));
    pane.is_some_and(|pane| matches!(pane.mode, Some(Mode::Clock)))
}

/// Sets the table of the next key.
pub(crate) fn set_key_table(model: &mut Model, id: ClientId, table: &str) {
    if let Some(client) = model.clients.get_mut(&id) {
        client.input.key_table = table.to_owned();
    }
    // The status line may show it.
    model.redraw_client(id);
}

/// Whether a client is read-only.
pub(crate) fn is_reader(model: &Model, id: ClientId) -> bool {
    let client = model.clients.get(&id);
    client.is_some_and(|client| client.is_read_only)
}

/// Whether a client's key may run these commands. A read-only client may run all of them or none: only such as no other
/// client would notice.
fn may_run(model: &Model, id: ClientId, commands: &List) -> bool {
    let is_reader = is_reader(model, id);
    let is_for_readers = |parsed: &Parsed| {
        let name = parsed.argv().first().map(|name| name.text());
        let spec = name.and_then(|name| shellkeep_command::find(&name).ok());
        spec.is_some_and(|spec| READ_ONLY_COMMANDS.contains(&spec.name))
    };
    !is_reader || commands.commands().all(is_for_readers)
}

/// The time to repeat the last key is over.
pub(crate) fn repeat_over(model: &mut Model, id: ClientId) {
    if let Some(client) = model.clients.get_mut(&id)
        && client.input.repeat.take().is_some()
    {
        client.input.key_table.clear();
        model.redraw_client(id);
    }
}
