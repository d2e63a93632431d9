//! `hibernate`: puts panes to sleep.

use std::cell::LazyCell;
use std::time::Duration;

use shellkeep_command::cmd::hibernate::Args;
use shellkeep_command::options::parse_duration;

use crate::commands::exec::sleeping;
use crate::commands::exec::sleeping::{Purpose, Wanted};
use crate::commands::queue::Caller;
use crate::commands::reply::Outcome;
use crate::hibernation::refusal::Force;
use crate::hibernation::report::PaneOutcome;
use crate::hibernation::{fall_asleep, outcome, waiting_panes, wake};
use crate::process::processes::Processes;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let wanted = Wanted {
        target: args.target.as_deref(),
        // A time without a target means all sessions that were idle for so long.
        is_all: args.all || (args.idle.is_some() && args.target.is_none()),
        tag: args.tag.as_deref(),
    };
    let idle = match &args.idle {
        Some(text) => Some(read_time(text)?),
        None => None,
    };
    let panes = sleeping::panes(server, caller, &wanted)?;
    let is_strict = !wanted.is_all && args.tag.is_none();
    let force = if args.force { Force::On } else { Force::Off };
    // For a dry run only. Panes that are put to sleep are judged by a scan on a thread, when they are admitted.
    let processes = LazyCell::new(Processes::scan);
    let in_sight = wake::kept_awake_by_clients(&server.model);
    let (mut waiting, mut outcomes) = (Vec::new(), Vec::new());
    for id in panes {
        let Some(pane) = server.model.panes.get(&id) else {
            continue;
        };
        if pane.is_asleep() && !is_strict {
            continue;
        }
        let used = pane.last_used();
        let is_fresh = idle.is_some_and(|idle| used.is_some_and(|used| used.elapsed() < idle));
        if is_fresh && !is_strict {
            continue;
        }
        let outcome = if is_fresh {
            Err("was used just now".to_owned())
        } else if in_sight.contains(&id) && !pane.is_asleep() {
            Err("somebody looks at it, and it would wake at once".to_owned())
        } else if args.dry_run {
            fall_asleep::would_sleep(&server.model, pane, &processes, force)
        } else {
            waiting_panes::queue_for_sleep(&mut server.model, &mut server.hibernation, id, force);
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
    sleeping::wait(
        server,
        waiting,
        outcomes,
        args.json,
        is_strict,
        Purpose::Real,
    )
}

fn read_time(text: &str) -> Result<Duration, String> {
    let time = parse_duration(text);
    time.ok_or_else(|| format!("bad time: {text} (type for example 10m)"))
}
