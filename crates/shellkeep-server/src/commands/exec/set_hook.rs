//! `set-hook`: sets the commands of a hook, or runs them.

use shellkeep_command::Target;
use shellkeep_command::cmd::set_hook::Args;

use crate::commands::exec::option_place::Asked;
use crate::commands::exec::set_option::{Setting, Unset, set};
use crate::commands::hooks;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let asked = Asked {
        server: false,
        global: args.global,
        window: args.window,
        pane: args.pane,
        target: args.target.as_deref(),
        kind: Target::Pane,
    };
    if args.run {
        let about = Caller {
            current: asked.found(server, caller).or(caller.current),
            ..caller.clone()
        };
        return Ok(Reply {
            next: hooks::hook_now(&mut server.model, &about, &args.hook)?,
            ..Reply::default()
        });
    }
    let setting = Setting {
        asked,
        append: args.append.into(),
        expand: false.into(),
        only_unset: false.into(),
        quiet: false.into(),
        unset: if args.unset { Unset::Here } else { Unset::No },
        option: &args.hook,
        value: args.command.as_ref(),
    };
    set(server, caller, &setting)
}
