//! Types into a pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::send_keys::Args;
use shellkeep_core::key::Key;
use shellkeep_term::Modes;
use shellkeep_term::key::encode_key;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

/// As often as keys are repeated at most: who asks for more has mistyped.
const MOST_TIMES: u32 = 100_000;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let times = args.times()?.min(MOST_TIMES);
    let found = super::find(server, caller, args.target.as_deref(), Target::Pane)?;
    let id = found.pane;
    if args.mode_command {
        let mut words = args.keys.clone();
        if args.expand {
            let scope = server.scope().client(caller.client).found(found);
            words.iter_mut().for_each(|word| *word = scope.expand(word));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let repeat = args.count.is_some().then_some(times);
        return server.copy_command(id, &words, repeat, caller);
    }
    if args.mouse {
        return server.send_mouse(caller);
    }
    let is_in_mode = server.state.panes.get(&id).is_some_and(|p| p.is_in_mode());
    if args.count.is_some() && args.keys.is_empty() && is_in_mode {
        server.set_mode_count(id, times)?;
        return Ok(Reply::default());
    }
    let Some(pane) = server.state.panes.get_mut(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    if args.reset {
        pane.screen.lock().reset();
        pane.screen.changed();
    }
    let modes = pane.screen.lock().modes();
    let mut once = Vec::new();
    for word in &args.keys {
        type_word(word, args, &modes, &mut once)?;
    }
    pane.write(&once.repeat(times as usize));
    Ok(Reply::default())
}

fn type_word(word: &str, args: &Args, modes: &Modes, out: &mut Vec<u8>) -> Result<(), String> {
    if args.hex {
        let byte = u8::from_str_radix(word, 16)
            .map_err(|_| format!("bad byte: {word} (type two hexadecimal digits)"))?;
        out.push(byte);
    } else if args.literal {
        out.extend_from_slice(word.as_bytes());
    } else if let Ok(key) = word.parse::<Key>() {
        encode_key(&key, modes, out);
    } else {
        out.extend_from_slice(word.as_bytes());
    }
    Ok(())
}
