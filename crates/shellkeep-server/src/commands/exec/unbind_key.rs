//! `unbind-key`: removes a key binding, or all of a table.

use shellkeep_command::cmd::unbind_key::Args;

use crate::commands::exec::bind_key::{read_key, table};
use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, args: &Args) -> Outcome {
    let done = unbind(server, args);
    server.model.keys_note_due();
    match done {
        Err(_) if args.quiet => Ok(Reply::default()),
        Err(reason) => Err(reason),
        Ok(()) => Ok(Reply::default()),
    }
}

fn unbind(server: &mut Server, args: &Args) -> Result<(), String> {
    let named = args.table.as_deref();
    let table = table(named, args.root);
    if args.all {
        if args.key.is_some() {
            return Err("key given with -a".to_owned());
        }
        let done = server.model.key_tables.unbind_all(table);
        return done.or_else(|error| named.map_or(Ok(()), |_| Err(error.to_string())));
    }
    let name = args.key.as_deref().ok_or("missing key")?;
    let key = read_key(name).ok_or_else(|| format!("unknown key: {name}"))?;
    let done = server.model.key_tables.unbind(table, key);
    // The default tables exist even if they are empty.
    done.or_else(|error| named.map_or(Ok(()), |_| Err(error.to_string())))
}
