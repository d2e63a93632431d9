//! Whether a session has one pane alone, which is all that a client can show natively.

use shellkeep_core::{PaneId, SessionId};

use crate::clients::native_feed::NativeFeed;
use crate::model::{Client, Model};

/// The one pane a session has; more cannot be shown natively.
///
/// # Errors
/// One sentence, when it has more.
pub(crate) fn only_pane(model: &Model, id: SessionId) -> Result<PaneId, String> {
    let session = model.sessions.get(&id);
    let session = session.ok_or_else(|| format!("can't find session: {id}"))?;
    let mut panes = session
        .links
        .values()
        .flat_map(|link| model.panes_of(link.window));
    match (panes.next(), panes.next()) {
        (Some(pane), None) => Ok(pane.id),
        _ => Err(format!(
            "session {} has more than one pane, and --native can only show one; attach without it",
            session.name
        )),
    }
}

/// Whether a client's session has one pane, and it is the one of this feed.
pub(crate) fn has_only(model: &Model, client: &Client, feed: &NativeFeed) -> bool {
    let only = client.session.map(|session| only_pane(model, session));
    only == Some(Ok(feed.pane()))
}

/// Whether a client has no status line since what it shows is the terminal's own. Copy mode and prompts do not give it one:
/// the pane would be resized for them, and its program draw everything again.
pub(crate) fn has_terminal_to_itself(model: &Model, client: &Client) -> bool {
    let feed = client.native.as_deref();
    feed.is_some_and(|feed| has_only(model, client, feed))
}
