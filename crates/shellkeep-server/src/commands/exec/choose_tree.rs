//! `choose-tree`, and helpers for the other trees.

use shellkeep_command::cmd::choice::ChoiceArgs;
use shellkeep_command::cmd::choose_tree::Args;
use shellkeep_command::{Script, Target};

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::modes::overlay::tree::{Direction, Groups, Item, Kind, Opened, Preview, Setup};
use crate::modes::tree;
use crate::modes::tree::TreeZoom;
use crate::server::Server;

/// The line of a pane, window or session. A session's state is shown if it is asleep or revived.
const FORMAT: &str = concat!(
    "#{?pane_format,",
    "#{?pane_marked,#[reverse],}#{pane_current_command}#{?pane_active,*,}#{?pane_marked,M,}#{?pane_hibernated,z,}#{?pane_revived,r,}",
    "#{?#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}},: \"#{pane_title}\",}",
    ",#{?window_format,",
    "#{?window_marked_flag,#[reverse],}#{window_name}#{window_flags}",
    "#{?#{&&:#{==:#{window_panes},1},#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}}},",
    ": \"#{pane_title}\",}",
    ",#{session_windows} windows",
    "#{?session_grouped, (group #{session_group}: #{session_group_list}),}",
    "#{?session_attached, (attached),}",
    "#{?#{==:#{session_state},active},, (#{session_state})}",
    "}}"
);

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let (opened, home) = match (args.sessions, args.windows) {
        (true, _) => (Opened::Sessions, Item::Session(found.session)),
        (_, true) => (Opened::Windows, Item::Window(found.session, found.index)),
        _ => (
            Opened::Panes,
            Item::Pane(found.session, found.index, found.pane),
        ),
    };
    let kind = Kind::Sessions;
    let setup = Setup {
        kind,
        opened,
        order: order(kind, args.sort_order.as_deref()),
        direction: direction(args.reverse),
        preview: preview(args.no_preview),
        groups: match args.whole_groups {
            true => Groups::All,
            false => Groups::First,
        },
        filter: args.filter.clone(),
        format: args.format.clone().unwrap_or_else(|| FORMAT.to_owned()),
        key_format: args.key_format.clone(),
        template: template(args.template.as_ref(), "switch-client -Zt '%%'"),
        home: Some(home),
        client: caller.client,
        pane: None,
    };
    open(server, found.pane, setup, args.zoom)
}

/// The format and template that a list has by default.
pub(crate) struct Usual {
    pub(crate) format: &'static str,
    pub(crate) template: &'static str,
}

/// Shows a tree whose lines have no children.
pub(crate) fn open_list(
    server: &mut Server,
    caller: &Caller,
    kind: Kind,
    args: &ChoiceArgs,
    chosen: Option<&Script>,
    usual: Usual,
) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let format = args.format.clone();
    let setup = Setup {
        kind,
        opened: Opened::Sessions,
        order: order(kind, args.sort_order.as_deref()),
        direction: direction(args.reverse),
        preview: preview(args.no_preview),
        groups: Groups::All,
        filter: args.filter.clone(),
        format: format.unwrap_or_else(|| usual.format.to_owned()),
        key_format: args.key_format.clone(),
        template: template(chosen, usual.template),
        home: None,
        client: caller.client,
        pane: None,
    };
    open(server, found.pane, setup, args.zoom)
}

/// Opens a tree mode, unless the tree would be empty.
pub(crate) fn open(
    server: &mut Server,
    pane: shellkeep_core::PaneId,
    setup: Setup,
    is_zoomed: bool,
) -> Outcome {
    let mut clients = server.model.clients.values();
    let has_lines = match setup.kind {
        Kind::Clients => clients.any(|client| client.session.is_some()),
        Kind::Buffers => server.model.buffers.newest().is_some(),
        Kind::Sessions | Kind::Settings => true,
    };
    if has_lines {
        let zoom = match is_zoomed {
            true => TreeZoom::Yes,
            false => TreeZoom::No,
        };
        tree::open_tree(&mut server.model, pane, setup, zoom);
    }
    Ok(Reply::default())
}

/// The sort order; as in tmux, an unknown name means the first one.
pub(crate) fn order(kind: Kind, name: Option<&str>) -> usize {
    let known = kind.orders().iter().position(|known| Some(*known) == name);
    known.unwrap_or(0)
}

pub(crate) fn direction(is_reversed: bool) -> Direction {
    match is_reversed {
        true => Direction::Reversed,
        false => Direction::Forward,
    }
}

pub(crate) fn preview(is_hidden: bool) -> Preview {
    match is_hidden {
        true => Preview::Hidden,
        false => Preview::Shown,
    }
}

pub(crate) fn template(given: Option<&Script>, usual: &str) -> Script {
    given.cloned().unwrap_or_else(|| usual.into())
}
