//! Lookups that several commands share: archived sessions, and numbers given to flags.

use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::persistence::archive as kept_archive;
use crate::persistence::archived::{Archive, Archived};
use crate::process::call;
use crate::server::Server;

/// The archived session of this name or id, the latest one of several; without a name, the latest of all. `call` is how
/// the user calls this program.
pub(crate) fn archived<'a>(
    archive: &'a Archive,
    wanted: Option<&str>,
    call: &str,
) -> Result<&'a Archived, String> {
    let archived = &archive.sessions;
    let found = match wanted {
        None => archived.last(),
        Some(wanted) => {
            let is_it = |each: &&Archived| each.name == wanted || each.id.to_string() == wanted;
            let found = archived.iter().rfind(is_it);
            // A closed pane has the name of its session, whose archived rest is preferred.
            let whole = found.filter(|found| found.name == wanted);
            let whole = whole.and_then(|found| found.part_of);
            let whole = archived.iter().find(|each| Some(each.id) == whole);
            whole.or(found)
        }
    };
    if let Some(found) = found {
        return Ok(found);
    }
    Err(match (&archive.unread, wanted) {
        (Some(why), Some(wanted)) => format!(
            "no archived session {wanted} among those that can be read: {why} ({call} doctor explains)"
        ),
        (Some(why), None) => {
            format!("nothing in the archive can be read: {why} ({call} doctor explains)")
        }
        (None, Some(wanted)) => format!("no archived session {wanted} ({call} ls -a lists them)"),
        (None, None) => "the archive is empty".to_owned(),
    })
}

/// The error of a command whose session does not exist, with a hint if it is archived. Called as `tmux`, it is tmux's
/// message.
pub(crate) fn not_found(
    server: &mut Server,
    caller: &Caller,
    target: Option<&str>,
    error: String,
) -> Outcome {
    let is_tmux = targets::typist(&server.model, caller).is_some_and(|client| client.is_tmux);
    let Some(name) = target.filter(|_| !is_tmux) else {
        return Err(error);
    };
    let archive = match kept_archive::archived(
        &mut server.model,
        &mut server.persistence,
        &server.thread_events,
    ) {
        Ok(archive) => archive,
        Err(wait) => return Ok(wait),
    };
    let call = call::call_for(&server.model, caller);
    match archived(&archive, Some(name), &call) {
        Ok(found) => Err(format!(
            "session {} is archived; to have it back, type: {call} reopen {}",
            found.name, found.id
        )),
        Err(_) => Err(error),
    }
}

/// A number given to a flag.
pub(crate) fn number(text: &str, what: &str) -> Result<u64, String> {
    match text.parse::<i64>() {
        Ok(number) if number < 0 => Err(format!("{what} too small")),
        Ok(number) if number > i64::from(u32::MAX) => Err(format!("{what} too large")),
        Ok(number) => Ok(number.unsigned_abs()),
        Err(_) => Err(format!("{what} invalid")),
    }
}
