//! Variables of a window.

use crate::display::part_shown::part_shown;
use crate::formats::scope::{Scope, Variable, flag, number, some_names, text, time};
use crate::hibernation::asleep;
use crate::model::Link;

pub(crate) static TABLE: &[Variable] = &[
    ("window_active", |scope| {
        flag(scope.index? == scope.session?.current)
    }),
    ("window_active_clients", |scope| {
        number(viewers(scope)?.len())
    }),
    ("window_active_clients_list", |scope| {
        some_names(&viewers(scope)?)
    }),
    ("window_active_sessions", |scope| {
        number(showing(scope)?.len())
    }),
    ("window_active_sessions_list", |scope| {
        some_names(&showing(scope)?)
    }),
    ("window_activity", |scope| time(scope.window?.activity)),
    ("window_activity_flag", |scope| {
        flag(link(scope)?.alerts.activity)
    }),
    ("window_bell_flag", |scope| flag(link(scope)?.alerts.bell)),
    ("window_bigger", |scope| {
        flag(part_shown(scope.model, scope.client?).is_some())
    }),
    ("window_cell_height", |scope| scope.window.and(number(32))),
    ("window_cell_width", |scope| scope.window.and(number(16))),
    ("window_end_flag", |scope| {
        flag(scope.session?.links.keys().next_back() == scope.index.as_ref())
    }),
    ("window_flags", |scope| {
        text(flags(scope)?.replace('#', "##"))
    }),
    ("window_height", |scope| number(scope.window?.size().rows())),
    ("window_hibernated", |scope| {
        flag(asleep::is_window_asleep(scope.model, scope.window?.id))
    }),
    ("window_id", |scope| text(scope.window?.id.to_string())),
    ("window_index", |scope| number(scope.index?)),
    ("window_last_flag", |scope| {
        flag(scope.session?.last.first() == scope.index.as_ref())
    }),
    ("window_layout", |scope| {
        text(scope.window?.layout.to_text())
    }),
    ("window_linked", |scope| flag(is_linked(scope)?)),
    ("window_linked_sessions", |scope| {
        number(sessions(scope)?.len())
    }),
    ("window_linked_sessions_list", |scope| {
        text(sessions(scope)?.join(","))
    }),
    ("window_marked_flag", |scope| flag(is_marked(scope)?)),
    ("window_name", |scope| text(scope.window?.name.clone())),
    ("window_offset_x", |scope| {
        number(part_shown(scope.model, scope.client?)?.col)
    }),
    ("window_offset_y", |scope| {
        number(part_shown(scope.model, scope.client?)?.row)
    }),
    ("window_panes", |scope| number(scope.window?.panes().len())),
    ("window_raw_flags", |scope| text(flags(scope)?)),
    ("window_revived", |scope| {
        flag(asleep::is_window_revived(scope.model, scope.window?.id))
    }),
    ("window_silence_flag", |scope| {
        flag(link(scope)?.alerts.silence)
    }),
    ("window_stack_index", |scope| {
        let (session, index) = (scope.session?, scope.index?);
        let place = session.last.iter().position(|last| *last == index);
        number(place.map_or(0, |place| place + 1))
    }),
    ("window_start_flag", |scope| {
        flag(scope.session?.links.keys().next() == scope.index.as_ref())
    }),
    ("window_visible_layout", |scope| {
        text(scope.window?.shown().to_text())
    }),
    ("window_width", |scope| number(scope.window?.size().cols())),
    ("window_zoomed_flag", |scope| {
        flag(scope.window?.zoomed.is_some())
    }),
];

fn link<'a>(scope: &Scope<'a>) -> Option<&'a Link> {
    scope.session?.links.get(&scope.index?)
}

fn is_marked(scope: &Scope<'_>) -> Option<bool> {
    let marked = scope.model.marked;
    let window = scope.window?;
    Some(marked.is_some_and(|pane| window.layout.contains(pane)))
}

fn flags(scope: &Scope<'_>) -> Option<String> {
    let (session, index, link) = (scope.session?, scope.index?, link(scope)?);
    let mut flags = link.alerts.signs();
    if index == session.current {
        flags.push('*');
    }
    if session.last.first() == Some(&index) {
        flags.push('-');
    }
    if is_marked(scope)? {
        flags.push('M');
    }
    if scope.window?.zoomed.is_some() {
        flags.push('Z');
    }
    // Not in tmux: asleep, and revived until the next command. tmux has no lower-case flags.
    if asleep::is_window_asleep(scope.model, scope.window?.id) {
        flags.push('z');
    } else if asleep::is_window_revived(scope.model, scope.window?.id) {
        flags.push('r');
    }
    Some(flags)
}

fn viewers(scope: &Scope<'_>) -> Option<Vec<String>> {
    let clients = scope.model.viewers_of(scope.window?.id);
    Some(clients.map(crate::model::Client::name).collect())
}

/// The sessions whose current window it is.
fn showing(scope: &Scope<'_>) -> Option<Vec<String>> {
    let window = scope.window?.id;
    let sessions = scope.model.sessions.values();
    let showing = sessions.filter(|session| {
        session
            .current_link()
            .is_some_and(|link| link.window == window)
    });
    Some(showing.map(|session| session.name.clone()).collect())
}

/// Whether it is linked to other sessions, not counting those of the same group.
fn is_linked(scope: &Scope<'_>) -> Option<bool> {
    let state = scope.model;
    let companions = state.companions(scope.session?.id).len();
    Some(state.links_of(scope.window?.id).count() != companions + 1)
}

fn sessions(scope: &Scope<'_>) -> Option<Vec<String>> {
    let state = scope.model;
    let links = state.links_of(scope.window?.id);
    Some(
        links
            .filter_map(|(id, _)| Some(state.sessions.get(&id)?.name.clone()))
            .collect(),
    )
}
