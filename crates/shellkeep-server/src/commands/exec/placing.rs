//! What commands that place windows and panes have in common: their targets, and what they print.

use shellkeep_command::Target;
use shellkeep_command::target::{self, ResolvedTarget, Slot};
use shellkeep_core::SessionId;
use shellkeep_core::layout::{Axis, Side, Span, SplitOptions, SplitSize};

use crate::commands::queue::Caller;
use crate::commands::reply::Reply;
use crate::commands::targets;
use crate::formats;
use crate::model;
use crate::panes::windows;
use crate::panes::windows::{InUse, Show, Taken};
use crate::server::Server;

/// Resolves a target to a place for a window.
pub(crate) fn slot(server: &Server, caller: &Caller, target: Option<&str>) -> Result<Slot, String> {
    let slot = target::resolve_index(
        target,
        &targets::current(&server.model, caller),
        &server.model,
    );
    slot.map_err(|error| error.to_string())
}

/// Resolves a source target; without one, the marked pane if there is one.
pub(crate) fn source(
    server: &Server,
    caller: &Caller,
    target: Option<&str>,
    kind: Target,
) -> Result<ResolvedTarget, String> {
    let found = target::resolve_or_marked(
        target,
        kind,
        &targets::current(&server.model, caller),
        &server.model,
    );
    found.map_err(|error| error.to_string())
}

/// A text with its variables expanded in the scope of a session.
pub(crate) fn expand_in(
    server: &Server,
    caller: &Caller,
    session: SessionId,
    text: &str,
) -> String {
    let scope = formats::scope(&server.model)
        .client(caller.client)
        .session(session);
    scope.expand(text)
}

/// A text with its variables expanded in the scope of a pane.
pub(crate) fn expand(
    server: &Server,
    caller: &Caller,
    found: ResolvedTarget,
    text: &str,
) -> String {
    formats::scope(&server.model)
        .client(caller.client)
        .found(found)
        .expand(text)
}

/// The output of `-P` for a new pane.
pub(crate) fn printed(
    server: &Server,
    caller: &Caller,
    found: ResolvedTarget,
    format: Option<&str>,
) -> Reply {
    let format = format.unwrap_or("#{session_name}:#{window_index}.#{pane_index}");
    Reply::text(format!("{}\n", expand(server, caller, found, format)))
}

/// The side that `-a` and `-b` name.
pub(crate) fn named_side(after: bool, before: bool) -> Option<model::Side> {
    match (after, before) {
        (_, true) => Some(model::Side::Before),
        (true, false) => Some(model::Side::After),
        (false, false) => None,
    }
}

/// Frees an index next to the window that a slot names, or next to the current one.
pub(crate) fn make_room(server: &mut Server, slot: Slot, side: model::Side) -> Option<u32> {
    let session = server.model.sessions.get(&slot.session)?;
    let there = slot.index.filter(|index| session.links.contains_key(index));
    let at = there.unwrap_or(session.current);
    windows::make_room(&mut server.model, slot.session, at, side)
}

/// Links a window of one session to another, or once more to the same.
pub(crate) fn link(
    server: &mut Server,
    from: &ResolvedTarget,
    to: Slot,
    taken: Taken,
    show: Show,
) -> Result<u32, String> {
    let companions = server.model.companions(to.session);
    if from.session != to.session && companions.contains(&from.session) {
        return Err("sessions are grouped".to_owned());
    }
    let session = server.model.sessions.get(&to.session);
    let there = to
        .index
        .and_then(|index| Some((index, session?.links.get(&index)?.window)));
    if let Some((index, window)) = there
        && window == from.window
    {
        return Err(format!("same index: {index}"));
    }
    let placed = windows::place_window(
        &mut server.model,
        from.window,
        to.session,
        to.index,
        taken,
        show,
    );
    placed.map_err(|InUse(index)| format!("index in use: {index}"))
}

/// Parses a number as tmux does, with tmux's error messages.
pub(crate) fn number(text: &str, least: i64, most: i64) -> Result<i64, &'static str> {
    match text.trim_start().parse::<i64>() {
        Ok(number) if number < least => Err("too small"),
        Ok(number) if number > most => Err("too large"),
        Ok(number) => Ok(number),
        Err(_) => Err("invalid"),
    }
}

/// The highest number that tmux accepts.
pub(crate) const MAX_NUMBER: i64 = i32::MAX as i64;

/// How a pane is split: direction, side, span, and the size of `-l` or `-p` as parsed by the caller.
pub(crate) fn split_options(
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
