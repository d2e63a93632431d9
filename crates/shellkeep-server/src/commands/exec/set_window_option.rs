//! `set-window-option`: sets an option of a window.

use shellkeep_command::Target;
use shellkeep_command::cmd::set_window_option::Args;

use crate::commands::exec::option_place::Asked;
use crate::commands::exec::set_option::{Setting, Unset, set};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let asked = Asked {
        server: false,
        global: args.global,
        window: true,
        pane: false,
        target: args.target.as_deref(),
        kind: Target::Window,
    };
    let setting = Setting {
        asked,
        append: args.append.into(),
        expand: args.expand.into(),
        only_unset: args.only_unset.into(),
        quiet: args.quiet.into(),
        unset: if args.unset { Unset::Here } else { Unset::No },
        option: &args.option,
        value: args.value.as_ref(),
    };
    set(server, caller, &setting)
}
