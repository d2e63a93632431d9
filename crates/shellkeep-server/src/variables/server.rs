//! Variables that concern the whole server.

use super::{Variable, flag, number, text};

pub(crate) static TABLE: &[Variable] = &[
    ("host", |_| text(host())),
    ("host_short", |_| {
        text(host().split('.').next().unwrap_or_default().to_owned())
    }),
    ("next_session_id", |scope| {
        text(format!("${}", scope.server.state.next_session))
    }),
    ("pid", |_| number(std::process::id())),
    ("server_sessions", |scope| {
        number(scope.server.state.sessions.len())
    }),
    ("socket_path", |scope| {
        text(scope.server.socket.display().to_string())
    }),
    ("start_time", |scope| number(scope.server.started)),
    ("uid", |_| number(nix::unistd::getuid())),
    ("user", |_| text(user()?)),
    ("version", |scope| {
        text(scope.server.version(scope.client).to_owned())
    }),
    ("config_files", |scope| {
        text(scope.server.config_files.join(","))
    }),
    ("active_window_index", |scope| {
        number(scope.session?.current)
    }),
    ("last_window_index", |scope| {
        number(scope.session?.links.keys().next_back()?)
    }),
    ("session_format", |scope| {
        flag(scope.about == super::About::Session)
    }),
    ("window_format", |scope| {
        flag(scope.about == super::About::Window)
    }),
    ("pane_format", |scope| {
        flag(scope.about == super::About::Pane)
    }),
];

fn host() -> String {
    let name = nix::unistd::gethostname().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn user() -> Option<String> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok()??;
    Some(user.name)
}
