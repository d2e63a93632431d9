//! `bind-key`: binds a key to commands.

use shellkeep_command::bind::Repeat;
use shellkeep_command::cmd::bind_key::Args;
use shellkeep_command::parse::{Arg, List, from_words};
use shellkeep_core::key::Key;

use crate::clients::keys::{PREFIX, ROOT};
use crate::commands::config::ConfigHost;
use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, args: &Args) -> Outcome {
    let key = read_key(&args.key).ok_or_else(|| format!("unknown key: {}", args.key))?;
    let table = table(args.table.as_deref(), args.root);
    let repeat = if args.repeat {
        Repeat::Repeats
    } else {
        Repeat::Once
    };
    let commands = match &args.command[..] {
        [] => None,
        _ => Some(commands(server, args)?),
    };
    server
        .model
        .key_tables
        .bind(table, key, commands, args.note.clone(), repeat);
    server.model.keys_note_due();
    Ok(Reply::default())
}

/// A key by its name. `None` is the name of no key.
pub(crate) fn read_key(name: &str) -> Option<Key> {
    let key: Key = name.parse().ok()?;
    (key != Key::NONE).then_some(key)
}

/// The key table that the flags name.
pub(crate) fn table(named: Option<&str>, is_root: bool) -> &str {
    match named {
        Some(table) => table,
        None if is_root => ROOT,
        None => PREFIX,
    }
}

fn commands(server: &mut Server, args: &Args) -> Result<List, String> {
    let list = match &args.command[..] {
        [only] => only
            .commands(&mut ConfigHost(&mut server.model))
            .map_err(|error| error.message)?,
        words => {
            let words: Vec<Arg> = words
                .iter()
                .map(shellkeep_command::Script::to_arg)
                .collect();
            from_words(&words, 0, &ConfigHost(&mut server.model))
        }
    };
    match list.check().into_iter().next() {
        Some(error) => Err(error.message),
        None => Ok(list),
    }
}
