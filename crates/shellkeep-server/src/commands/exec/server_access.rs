//! `server-access`: lists who else may use the server. Other users are not supported.

use nix::unistd::{Uid, User};
use shellkeep_command::cmd::server_access::Args;

use crate::commands::reply::{Outcome, Reply};

pub(crate) fn run(args: &Args) -> Outcome {
    if args.list {
        // Only the owner may, and tmux does not list the owner.
        return Ok(match args.json {
            true => crate::commands::exec::listing::json(&serde_json::json!([])),
            false => Reply::default(),
        });
    }
    let Some(name) = args.user.as_deref().filter(|name| !name.is_empty()) else {
        return Err("missing user argument".to_owned());
    };
    let Some(user) = User::from_name(name).ok().flatten() else {
        return Err(format!("unknown user: {name}"));
    };
    if user.uid.is_root() || user.uid == Uid::current() {
        return Err(format!("{name} owns the server, can't change access"));
    }
    if args.add && args.deny {
        return Err("-a and -d cannot be used together".to_owned());
    }
    if args.read_only && args.read_write {
        return Err("-r and -w cannot be used together".to_owned());
    }
    if args.add {
        return Err(format!(
            "only the owner may use this server; {name} cannot be let in"
        ));
    }
    if args.deny || args.read_only || args.read_write {
        return Err(format!("user {name} not found"));
    }
    Ok(Reply::default())
}
