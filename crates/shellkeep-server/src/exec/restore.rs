//! Wakes sleeping panes.

use shellkeep_command::cmd::restore::Args;
use shellkeep_core::PaneId;
use shellkeep_sleep::How;

use super::Outcome;
use super::sleeping::{self, Wanted};
use crate::event_loop::{Server, Told};
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
            Ok(would_wake(server, id))
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
    server.wake_all(&waiting);
    sleeping::wait(server, waiting, told, args.json, is_strict)
}

/// What would happen, and what would be typed.
fn would_wake(server: &mut Server, id: PaneId) -> String {
    let resume = server.resume_of(id).filter(|it| !it.line.is_empty());
    match resume {
        None => "would wake".to_owned(),
        Some(resume) if resume.how == How::Run => format!("would wake, and run: {}", resume.line),
        Some(resume) => format!("would wake, and type: {}", resume.line),
    }
}
