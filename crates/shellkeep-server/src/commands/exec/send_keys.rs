//! `send-keys`: sends keys to a pane's program, or runs commands of its mode.

use shellkeep_command::Target;
use shellkeep_command::cmd::send_keys::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::PaneId;
use shellkeep_core::key::Key;
use shellkeep_term::{Effects, Modes};

use crate::clients::mouse;
use crate::commands::exec::{copy_mode, sleeping};
use crate::commands::queue::{Caller, MAX_KEYS, Origin};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{run, targets};
use crate::formats;
use crate::model::{Typed, Waker};
use crate::modes::{copy, tree};
use crate::server::Server;

/// How often keys may be repeated: a higher count is a typing error.
const MAX_REPEATS: u32 = 100_000;

/// How deep commands that press keys in a mode may nest.
const MAX_PRESS_DEPTH: usize = 20;

/// How many bytes are sent at most, with all repetitions.
const MAX_BYTES: usize = 64 << 20;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let times = args.times()?.min(MAX_REPEATS);
    let id = found.pane;
    if args.mode_command {
        let mut words = args.keys.clone();
        if args.expand {
            let scope = formats::scope(&server.model)
                .client(caller.client)
                .found(found);
            words.iter_mut().for_each(|word| *word = scope.expand(word));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let repeat = args.count.is_some().then_some(times);
        return copy_mode::copy_command(server, id, &words, repeat, caller);
    }
    if args.mouse {
        return mouse::send_mouse(&mut server.model, caller);
    }
    let is_in_mode = server.model.panes.get(&id).is_some_and(|p| p.is_in_mode());
    if args.count.is_some() && args.keys.is_empty() && is_in_mode {
        copy::set_mode_count(&mut server.model, id, times)?;
        return Ok(Reply::default());
    }
    if args.reset
        && let Some(pane) = server.model.panes.get(&id)
    {
        // Resets the emulator as if the program had done it, aborting any unfinished sequence.
        pane.screen.lock().feed(b"\x18\x1bc", &mut Effects::new());
        pane.screen.changed();
    }
    // Without arguments, the key that is bound to this command is sent.
    let bound = caller.key.filter(|_| args.keys.is_empty());
    let bound = bound.filter(|_| args.count.is_none() && !args.reset);
    if is_in_mode {
        let mut keys: Vec<Key> = bound.into_iter().collect();
        for word in &args.keys {
            add_keys(word, args, &mut keys);
        }
        press(server, caller, found, &keys, times)?;
        return Ok(Reply::default());
    }
    // A key that is bound to send itself counts as typed by the user.
    let waker = match caller.origin {
        Origin::Key => Waker::User,
        _ => Waker::Command,
    };
    let words = args.keys.iter().map(|word| typed(word, args));
    let once: Vec<Typed> = words
        .chain(bound.map(|key| Typed::Key(key.into())))
        .collect();
    let mut length = Vec::new();
    for typed in &once {
        typed.encode(&Modes::default(), &mut None, &mut length);
    }
    let times = (times as usize).min(MAX_BYTES / length.len().max(1)).max(1);
    for pane in receivers(server, found.pane) {
        sleeping::wake(server, pane, waker);
        if let Some(pane) = server.model.panes.get_mut(&pane) {
            pane.type_in(&once, times);
        }
    }
    Ok(Reply::default())
}

/// The keys that a word stands for, in a mode.
fn add_keys(word: &str, args: &Args, keys: &mut Vec<Key>) {
    match word.parse::<Key>() {
        Ok(key) if !args.literal && !args.hex => keys.push(key),
        _ => keys.extend(
            word.chars()
                .filter_map(|c| c.to_string().parse::<Key>().ok()),
        ),
    }
}

/// Presses keys in a pane that is in a mode: their bindings run, and the program gets none of them. Modes without
/// bindings of their own need a client.
pub(crate) fn press(
    server: &mut Server,
    caller: &Caller,
    found: ResolvedTarget,
    keys: &[Key],
    times: u32,
) -> Result<(), String> {
    // The binding runs recursively, on the same stack.
    if server.commands.depth > MAX_PRESS_DEPTH {
        return Err("keys that press each other too deeply".to_owned());
    }
    let spent = server
        .model
        .running()
        .and_then(|id| server.commands.queues.get(&id));
    let spent = spent.map(|queue| queue.spent.clone());
    let presses = usize::try_from(times)
        .unwrap_or(1)
        .saturating_mul(keys.len());
    let client = targets::client(&server.model, caller, None).ok();
    let caller = Caller {
        current: Some(found),
        // Without the key, so that the binding cannot press it again.
        key: None,
        origin: Origin::Background,
        ..caller.clone()
    };
    for key in keys.iter().cycle().take(presses.min(MAX_KEYS)) {
        if let Some(spent) = &spent {
            spent.count_key()?;
        }
        let Some(table) = copy::mode_table(&server.model, found.pane) else {
            if let Some(client) = client {
                tree::press_in_mode(&mut server.model, client, found.pane, *key);
            }
            continue;
        };
        if let Some(binding) = server.model.key_tables.lookup(table, *key).cloned() {
            run::run_list(server, caller.clone(), &binding.commands);
        }
    }
    Ok(())
}

/// The panes that get the input of a pane: itself, and with `synchronize-panes` the visible others of its window.
pub(crate) fn receivers(server: &Server, id: PaneId) -> Vec<PaneId> {
    let state = &server.model;
    let is_on = |id: PaneId| state.pane_options(id).flag("synchronize-panes");
    let mut panes = vec![id];
    let window = state.panes.get(&id).map(|pane| pane.window);
    let window = window.and_then(|window| state.windows.get(&window));
    if let Some(window) = window.filter(|_| is_on(id)) {
        let others = window.shown().panes().iter().copied();
        panes.extend(others.filter(|other| {
            let pane = state.panes.get(other);
            *other != id && is_on(*other) && pane.is_some_and(|pane| !pane.is_in_mode())
        }));
    }
    panes.retain(|pane| state.panes.get(pane).is_some_and(|pane| !pane.input_off));
    panes
}

fn typed(word: &str, args: &Args) -> Typed {
    if args.hex {
        // As in tmux, an invalid byte is ignored.
        let digits = word.trim_start_matches("0x");
        let byte = u8::from_str_radix(digits, 16).ok();
        return Typed::Bytes(byte.into_iter().collect());
    }
    match word.parse::<Key>() {
        Ok(key) if !args.literal => Typed::Key(key.into()),
        _ => Typed::from(word.as_bytes()),
    }
}
