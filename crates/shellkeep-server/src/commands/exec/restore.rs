//! `restore`: wakes sleeping panes.

use shellkeep_command::cmd::restore::Args;

use crate::commands::exec::sleeping;
use crate::commands::exec::sleeping::{Purpose, Wanted};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::hibernation::report::PaneOutcome;
use crate::hibernation::resume::would_wake;
use crate::hibernation::rules::FoundRule;
use crate::hibernation::{outcome, rules, wake_many};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let wanted = Wanted {
        target: args.target.as_deref(),
        is_all: args.all,
        tag: args.tag.as_deref(),
    };
    let panes = sleeping::panes(server, caller, &wanted)?;
    let is_strict = !args.all && args.tag.is_none();
    let (mut waiting, mut outcomes) = (Vec::new(), Vec::new());
    for id in panes {
        let Some(pane) = server.model.panes.get(&id) else {
            continue;
        };
        let outcome = if !pane.is_asleep() {
            if !is_strict {
                continue;
            }
            Err("is awake".to_owned())
        } else if args.dry_run {
            match rules::rule_of(&mut server.model, &mut server.hibernation, id, None) {
                FoundRule::Nothing => Ok(would_wake(None)),
                FoundRule::Rule(resume) => Ok(would_wake(Some(&resume))),
                FoundRule::Later => {
                    waiting.push(id);
                    continue;
                }
            }
        } else {
            waiting.push(id);
            continue;
        };
        outcomes.push(PaneOutcome {
            pane: id,
            place: outcome::pane_place(&server.model, id),
            outcome,
            report: None,
        });
    }
    let purpose = match args.dry_run {
        true => Purpose::Dry,
        false => {
            wake_many::wake_all(&mut server.model, &mut server.hibernation, &waiting);
            Purpose::Real
        }
    };
    sleeping::wait(server, waiting, outcomes, args.json, is_strict, purpose)
}
