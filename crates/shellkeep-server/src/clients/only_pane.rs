//! Whether a session has a single pane, since only that can be shown natively.

use shellkeep_core::{PaneId, SessionId};

use crate::clients::native_feed::NativeFeed;
use crate::model::{Client, Model};

/// The only pane of a session.
///
/// # Errors
/// One sentence, if it has more than one.
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

/// Whether the client's session has a single pane, and it is that of the feed.
pub(crate) fn has_only(model: &Model, client: &Client, feed: &NativeFeed) -> bool {
    let only = client.session.map(|session| only_pane(model, session));
    only == Some(Ok(feed.pane()))
}

/// Whether a client has no status line because it scrolls natively. Copy mode and prompts do not add one: the pane
/// would be resized, and its program would redraw everything.
pub(crate) fn has_terminal_to_itself(model: &Model, client: &Client) -> bool {
    let feed = client.native.as_deref();
    feed.is_some_and(|feed| has_only(model, client, feed))
}
