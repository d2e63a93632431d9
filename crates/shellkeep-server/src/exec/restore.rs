//! Wakes sleeping panes.

use shellkeep_command::cmd::restore::Args;

use super::Outcome;
use super::sleeping::{self, Purpose, Wanted};
use crate::event_loop::{Found, Server, Told, would_wake};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let wanted = Wanted {
        target: args.target.as_deref(),
        is_all: args.all,
        tag: args.tag.as_deref(),
    };
    let panes = sleeping::panes(server, caller, &wanted)?;
    let is_strict = !args.all && args.tag.is_none();
    let (mut waiting, mut told) = (Vec::new(), Vec::new());
    for id in panes {
        let Some(pane) = server.state.panes.get(&id) else {
            continue;
        };
        let outcome = if !pane.is_asleep() {
            if !is_strict {
                continue;
            }
            Err("is awake".to_owned())
        } else if args.dry_run {
            match server.rule_of(id, None) {
                Found::Nothing => Ok(would_wake(None)),
                Found::Rule(resume) => Ok(would_wake(Some(&resume))),
                Found::Later => {
                    waiting.push(id);
                    continue;
                }
            }
        } else {
            waiting.push(id);
            continue;
        };
        told.push(Told {
            pane: id,
            place: server.pane_place(id),
            outcome,
            report: None,
        });
    }
    let purpose = match args.dry_run {
        true => Purpose::Dry,
        false => {
            server.wake_all(&waiting);
            Purpose::Real
        }
    };
    sleeping::wait(server, waiting, told, args.json, is_strict, purpose)
}
