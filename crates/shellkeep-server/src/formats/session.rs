//! Variables of a session.

use crate::formats::scope::{Scope, Variable, flag, lossy, number, some_names, text, time};
use crate::hibernation::asleep;
use crate::model::Session;
use crate::panes::facts;

pub(crate) static TABLE: &[Variable] = &[
    ("session_activity", |scope| time(scope.session?.activity)),
    ("session_alerts", |scope| {
        text(alerts(scope, scope.session?))
    }),
    ("session_attached", |scope| {
        number(clients(scope, scope.session?).len())
    }),
    ("session_attached_list", |scope| {
        some_names(&clients(scope, scope.session?))
    }),
    ("session_created", |scope| time(scope.session?.created)),
    ("session_group", |scope| text(scope.session?.group.clone()?)),
    ("session_group_attached", |scope| {
        number(group_clients(scope)?.len())
    }),
    ("session_group_attached_list", |scope| {
        some_names(&group_clients(scope)?)
    }),
    ("session_group_list", |scope| {
        let names = members(scope)?
            .into_iter()
            .map(|session| session.name.clone());
        text(names.collect::<Vec<_>>().join(","))
    }),
    ("session_group_many_attached", |scope| {
        flag(group_clients(scope)?.len() > 1)
    }),
    ("session_group_size", |scope| number(members(scope)?.len())),
    ("session_grouped", |scope| {
        flag(scope.session?.group.is_some())
    }),
    ("session_id", |scope| text(scope.session?.id.to_string())),
    ("session_last_attached", |scope| {
        time(scope.session?.last_attached.unwrap_or(0))
    }),
    ("session_many_attached", |scope| {
        flag(clients(scope, scope.session?).len() > 1)
    }),
    ("session_marked", |scope| {
        let marked = scope
            .model
            .marked
            .and_then(|pane| scope.model.panes.get(&pane));
        let session = scope.session?;
        flag(marked.is_some_and(|pane| session.index_of(pane.window).is_some()))
    }),
    ("session_name", |scope| text(scope.session?.name.clone())),
    ("session_path", |scope| text(lossy(&scope.session?.cwd))),
    ("session_stack", |scope| {
        let session = scope.session?;
        let stack = std::iter::once(&session.current).chain(&session.last);
        text(stack.map(u32::to_string).collect::<Vec<_>>().join(","))
    }),
    ("session_windows", |scope| {
        number(scope.session?.links.len())
    }),
    // Not in tmux.
    ("session_age", |scope| {
        number((scope.model.now() - scope.session?.created).max(0))
    }),
    ("session_archive_id", |_| None),
    ("session_busy", |scope| {
        text(facts::why_awake(scope.model, scope.session?).unwrap_or_default())
    }),
    ("session_disk_size", |scope| {
        number(facts::disk_size(scope.model, scope.session?)?)
    }),
    ("session_facts", |scope| {
        text(facts::session_facts(scope.model, scope.session?))
    }),
    ("session_idle", |scope| {
        number((scope.model.now() - scope.session?.activity).max(0))
    }),
    ("session_pinned", |scope| {
        flag(scope.session?.standing.is_pinned)
    }),
    ("session_state", |scope| {
        let session = scope.session?;
        text(if asleep::is_session_asleep(scope.model, session.id) {
            "hibernated"
        } else {
            "active"
        })
    }),
    ("session_origin", |scope| {
        text(scope.session?.standing.origin.as_deref().unwrap_or("user"))
    }),
    ("session_tags", |scope| {
        text(scope.session?.standing.tags.join(","))
    }),
    ("session_private", |scope| {
        flag(scope.session?.standing.is_private)
    }),
    ("session_lost", |scope| {
        text(asleep::lost_programs(scope.model, scope.session?.id).join(", "))
    }),
];

fn clients(scope: &Scope<'_>, session: &Session) -> Vec<String> {
    let clients = scope.model.clients_of(session.id);
    clients.map(crate::model::Client::name).collect()
}

fn members<'a>(scope: &Scope<'a>) -> Option<Vec<&'a Session>> {
    let group = scope.session?.group.as_ref()?;
    let sessions = scope.model.sessions.values();
    Some(
        sessions
            .filter(|session| session.group.as_ref() == Some(group))
            .collect(),
    )
}

fn group_clients(scope: &Scope<'_>) -> Option<Vec<String>> {
    let members = members(scope)?;
    Some(
        members
            .into_iter()
            .flat_map(|session| clients(scope, session))
            .collect(),
    )
}

/// The windows with alerts: their indexes and flags.
fn alerts(_scope: &Scope<'_>, session: &Session) -> String {
    let links = session.links.iter().filter(|(_, link)| link.alerts.any());
    let alerts = links.map(|(index, link)| format!("{index}{}", link.alerts.signs()));
    alerts.collect::<Vec<_>>().join(",")
}
