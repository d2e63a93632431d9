//! Variables of a client.

use std::sync::atomic::Ordering;

use crate::formats::scope::{Scope, Variable, flag, lossy, number, text, time};
use crate::model::Client;

/// The client, if its terminal shows a session.
fn painted<'a>(scope: &Scope<'a>) -> Option<&'a Client> {
    let client = scope.client?;
    (client.session.is_some() && client.control.is_none()).then_some(client)
}

pub(crate) static TABLE: &[Variable] = &[
    ("client_activity", |scope| time(scope.client?.activity)),
    // What tmux assumes for a cell if the terminal does not report it: shellkeep measures nothing in pixels.
    ("client_cell_height", |scope| {
        painted(scope)?;
        number(32)
    }),
    ("client_cell_width", |scope| {
        painted(scope)?;
        number(16)
    }),
    ("client_control_mode", |scope| {
        flag(scope.client?.is_control)
    }),
    ("client_created", |scope| time(scope.client?.created)),
    ("client_discarded", |scope| {
        let counts = scope.client?.writer.counts();
        number(counts.discarded.load(Ordering::Relaxed))
    }),
    ("client_flags", |scope| text(scope.client?.flags())),
    ("client_height", |scope| {
        scope.client?.session?;
        number(scope.client?.terminal.size.rows())
    }),
    ("client_key_table", |scope| {
        let table = &scope.client?.input.key_table;
        text(if table.is_empty() {
            "root".to_owned()
        } else {
            table.clone()
        })
    }),
    ("client_last_session", |scope| {
        let last = scope.client?.last_session?;
        text(scope.model.sessions.get(&last)?.name.clone())
    }),
    ("client_name", |scope| text(scope.client?.name())),
    ("client_pid", |scope| number(scope.client?.context.pid)),
    ("client_prefix", |scope| {
        flag(scope.client?.input.key_table == "prefix")
    }),
    ("client_readonly", |scope| flag(scope.client?.is_read_only)),
    ("client_session", |scope| {
        let session = scope.client?.session?;
        text(scope.model.sessions.get(&session)?.name.clone())
    }),
    ("client_termfeatures", |scope| {
        text(scope.client?.terminal.caps.feature_names())
    }),
    ("client_termname", |scope| {
        text(scope.client?.context.env("TERM").unwrap_or_default())
    }),
    ("client_termtype", |scope| {
        let name = &scope.client?.terminal.term_type;
        text((!name.is_empty()).then(|| name.clone())?)
    }),
    ("client_tty", |scope| text(scope.client?.tty()?.to_owned())),
    ("client_uid", |scope| {
        scope.client.and(number(nix::unistd::getuid()))
    }),
    ("client_user", |scope| {
        scope.client?;
        text(crate::formats::server::user()?)
    }),
    ("client_utf8", |scope| flag(scope.client?.is_utf8())),
    ("client_width", |scope| {
        scope.client?.session?;
        number(scope.client?.terminal.size.cols())
    }),
    ("client_written", |scope| {
        let counts = scope.client?.writer.counts();
        number(counts.written.load(Ordering::Relaxed))
    }),
    ("client_cwd", |scope| {
        text(lossy(&scope.client?.context.cwd))
    }),
];
