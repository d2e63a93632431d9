//! `customize-mode`: shows all options and key bindings in a tree.

use shellkeep_command::Target;
use shellkeep_command::cmd::customize_mode::Args;

use crate::commands::exec::choose_tree::{open, preview, template};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::commands::targets;
use crate::modes::overlay::tree::{Direction, Groups, Kind, Opened, Setup};
use crate::server::Server;

/// The line of an option. A key's line is its name.
const FORMAT: &str = concat!(
    "#{?is_option,",
    "#{?option_is_global,,#[reverse](#{option_scope})#[default] }",
    "#[ignore]#{option_value}#{?option_unit, #{option_unit},}",
    ",#{key}}"
);

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let setup = Setup {
        kind: Kind::Settings,
        opened: Opened::Sessions,
        order: 0,
        direction: Direction::Forward,
        preview: preview(args.no_preview),
        groups: Groups::All,
        filter: args.filter.clone(),
        format: args.format.clone().unwrap_or_else(|| FORMAT.to_owned()),
        key_format: None,
        template: template(None, ""),
        home: None,
        client: caller.client,
        pane: Some(found.pane),
    };
    open(server, found.pane, setup, args.zoom)
}
