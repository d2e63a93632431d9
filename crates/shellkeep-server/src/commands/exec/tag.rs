//! `tag`: adds tags to a session, or removes them.

use shellkeep_command::cmd::tag::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = args.target.as_deref();
    let id = targets::session(&server.model, caller, target)?;
    let picked = targets::picked(&server.model, caller, (target, id));
    if let Some(bad) = args.tags.iter().find(|tag| !is_tag(tag)) {
        return Err(format!(
            "bad tag: {bad} (type a word without spaces and commas)"
        ));
    }
    let Some(session) = server.model.sessions.get_mut(&id) else {
        return Err("no current session".to_owned());
    };
    let tags = &mut session.standing.tags;
    if args.delete {
        tags.retain(|tag| !args.tags.is_empty() && !args.tags.contains(tag));
    } else if args.tags.is_empty() && picked.is_none() {
        let lines = tags.iter().map(|tag| format!("{tag}\n"));
        return Ok(Reply {
            stdout: lines.collect::<String>().into_bytes(),
            ..Reply::default()
        });
    } else {
        for tag in &args.tags {
            if !tags.contains(tag) {
                tags.push(tag.clone());
            }
        }
    }
    let said = picked.map(|name| match &tags[..] {
        [] => format!("session {name} has no tags\n"),
        tags => format!("session {name} has the tags {}\n", tags.join(", ")),
    });
    server.model.session_changed(id);
    Ok(Reply::text(said.unwrap_or_default()))
}

/// Whether a word can be a tag: it must fit into a list.
pub(crate) fn is_tag(tag: &str) -> bool {
    let is_bad = |c: char| c.is_whitespace() || c == ',' || c.is_control();
    !tag.is_empty() && !tag.contains(is_bad)
}
