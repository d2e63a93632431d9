//! What commands that put windows and panes somewhere have in common: how they name the place, and what they print of it.

use shellkeep_command::Target;
use shellkeep_command::target::{self, Found, Slot};
use shellkeep_core::SessionId;
use shellkeep_core::layout::{Axis, Side, Span, SplitOptions, SplitSize};

use super::Reply;
use crate::event_loop::{InUse, Server, Show, Taken, windows};
use crate::queue::Caller;
use crate::state;
use crate::world;

/// The place for a window that a target means.
pub(super) fn slot(server: &Server, caller: &Caller, target: Option<&str>) -> Result<Slot, String> {
    let slot = target::resolve_index(
        target,
        &world::current(&server.state, caller),
        &server.state,
    );
    slot.map_err(|error| error.to_string())
}

/// What a target means; without one, the marked pane if there is one.
pub(super) fn source(
    server: &Server,
    caller: &Caller,
    target: Option<&str>,
    kind: Target,
) -> Result<Found, String> {
    let found = target::resolve_or_marked(
        target,
        kind,
        &world::current(&server.state, caller),
        &server.state,
    );
    found.map_err(|error| error.to_string())
}

/// A text with its variables filled in, as seen from a session.
pub(super) fn expand_in(
    server: &Server,
    caller: &Caller,
    session: SessionId,
    text: &str,
) -> String {
    let scope = server.scope().client(caller.client).session(session);
    scope.expand(text)
}

/// A text with its variables filled in, as seen from a pane.
pub(super) fn expand(server: &Server, caller: &Caller, found: Found, text: &str) -> String {
    server
        .scope()
        .client(caller.client)
        .found(found)
        .expand(text)
}

/// What `-P` prints of a new pane.
pub(super) fn printed(
    server: &Server,
    caller: &Caller,
    found: Found,
    format: Option<&str>,
) -> Reply {
    let format = format.unwrap_or("#{session_name}:#{window_index}.#{pane_index}");
    Reply::text(format!("{}\n", expand(server, caller, found, format)))
}

/// The side that `-a` and `-b` name, if they do.
pub(super) fn beside(after: bool, before: bool) -> Option<state::Side> {
    match (after, before) {
        (_, true) => Some(state::Side::Before),
        (true, false) => Some(state::Side::After),
        (false, false) => None,
    }
}

/// Makes room for a window beside the one a slot names, or beside the current one.
pub(super) fn make_room(server: &mut Server, slot: Slot, side: state::Side) -> Option<u32> {
    let session = server.state.sessions.get(&slot.session)?;
    let there = slot.index.filter(|index| session.links.contains_key(index));
    let at = there.unwrap_or(session.current);
    windows::make_room(&mut server.state, slot.session, at, side)
}

/// Gives a window that is in a session a place in another, or one more in the same.
pub(super) fn link(
    server: &mut Server,
    from: &Found,
    to: Slot,
    taken: Taken,
    show: Show,
) -> Result<u32, String> {
    let companions = server.state.companions(to.session);
    if from.session != to.session && companions.contains(&from.session) {
        return Err("sessions are grouped".to_owned());
    }
    let session = server.state.sessions.get(&to.session);
    let there = to
        .index
        .and_then(|index| Some((index, session?.links.get(&index)?.window)));
    if let Some((index, window)) = there
        && window == from.window
    {
        return Err(format!("same index: {index}"));
    }
    let placed = server.place_window(from.window, to.session, to.index, taken, show);
    placed.map_err(|InUse(index)| format!("index in use: {index}"))
}

/// A number as tmux reads it, with its words for what is wrong.
pub(super) fn number(text: &str, least: i64, most: i64) -> Result<i64, &'static str> {
    match text.trim_start().parse::<i64>() {
        Ok(number) if number < least => Err("too small"),
        Ok(number) if number > most => Err("too large"),
        Ok(number) => Ok(number),
        Err(_) => Err("invalid"),
    }
}

/// The highest number tmux takes.
pub(super) const MOST: i64 = i32::MAX as i64;

/// How a pane is divided: direction, side, span, and the sizes of `-l` and `-p` as read by the caller.
pub(super) fn split_options(
    horizontal: bool,
    before: bool,
    full: bool,
    size: Option<SplitSize>,
) -> SplitOptions {
    let axis = if horizontal {
        Axis::Columns
    } else {
        Axis::Rows
    };
    let side = if before { Side::Before } else { Side::After };
    let span = if full { Span::FullWindow } else { Span::Pane };
    SplitOptions {
        size,
        side,
        span,
        ..SplitOptions::new(axis)
    }
}
