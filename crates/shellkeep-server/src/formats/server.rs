//! Variables of the whole server.

use crate::formats::scope::{Variable, flag, number, text, time};

/// The version of tmux whose behaviour is reproduced.
const TMUX_VERSION: &str = "3.3a";

pub(crate) static TABLE: &[Variable] = &[
    ("buffer_mode_format", |_| text(BUFFER_LINE)),
    ("client_mode_format", |_| text(CLIENT_LINE)),
    ("tree_mode_format", |_| text(TREE_LINE)),
    ("current_file", |scope| {
        text(scope.model.changes.running.file.as_deref()?)
    }),
    ("host", |_| text(host())),
    ("host_short", |_| {
        text(host().split('.').next().unwrap_or_default().to_owned())
    }),
    ("next_session_id", |scope| {
        text(format!("${}", scope.model.next.session))
    }),
    ("pid", |_| number(std::process::id())),
    ("server_sessions", |scope| {
        number(scope.model.sessions.len())
    }),
    ("socket_path", |scope| {
        text(scope.model.socket.display().to_string())
    }),
    ("start_time", |scope| time(scope.model.started)),
    ("uid", |_| number(nix::unistd::getuid())),
    ("user", |_| text(user()?)),
    // The version of tmux, because configurations compare it.
    ("version", |_| text(TMUX_VERSION)),
    ("shellkeep_version", |_| text(env!("CARGO_PKG_VERSION"))),
    ("config_files", |scope| {
        text(scope.model.complaints.files.join(","))
    }),
    ("active_window_index", |scope| {
        number(scope.session?.current)
    }),
    ("last_window_index", |scope| {
        number(scope.session?.links.keys().next_back()?)
    }),
    ("session_format", |scope| {
        flag(scope.about == crate::formats::About::Session)
    }),
    ("window_format", |scope| {
        flag(scope.about == crate::formats::About::Window)
    }),
    ("pane_format", |scope| {
        flag(scope.about == crate::formats::About::Pane)
    }),
];

/// The default lines of buffers, clients and sessions in trees.
const BUFFER_LINE: &str = "#{t/p:buffer_created}: #{buffer_sample}";
const CLIENT_LINE: &str = "#{t/p:client_activity}: session #{session_name}";
const TREE_LINE: &str = concat!(
    "#{?pane_format,",
    "#{?pane_marked,#[reverse],}#{pane_current_command}",
    "#{?pane_active,*,}#{?pane_marked,M,}",
    "#{?#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}},: \"#{pane_title}\",}",
    ",#{?window_format,",
    "#{?window_marked_flag,#[reverse],}#{window_name}#{window_flags}",
    "#{?#{&&:#{==:#{window_panes},1},",
    "#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}}},: \"#{pane_title}\",}",
    ",#{session_windows} windows",
    "#{?session_grouped, (group #{session_group}: #{session_group_list}),}",
    "#{?session_attached, (attached),}",
    "}}",
);

pub(crate) fn host() -> String {
    let name = nix::unistd::gethostname().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

pub(crate) fn user() -> Option<String> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok()??;
    Some(user.name)
}
