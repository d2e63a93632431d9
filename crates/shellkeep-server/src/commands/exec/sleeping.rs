//! What `hibernate` and `restore` have in common: which panes they are about, and how they wait for them.

use shellkeep_command::target::{self, Extent};
use shellkeep_core::PaneId;

use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::hibernation::report::PaneOutcome;
use crate::hibernation::waiting_commands::SleepJob;
use crate::hibernation::{asleep, wake};
use crate::model::Waker;
use crate::panes::manage::start_program;
use crate::persistence::keeper_notes;
use crate::server::Server;

/// The panes a command is about.
pub(crate) struct Wanted<'a> {
    pub(crate) target: Option<&'a str>,
    pub(crate) is_all: bool,
    pub(crate) tag: Option<&'a str>,
}

/// What a command waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The outcome for the panes.
    Real,
    /// What the outcome would be.
    Dry,
}

/// The panes of the targets: a session means all its panes, a window those of the window.
pub(crate) fn panes(
    server: &Server,
    caller: &Caller,
    wanted: &Wanted<'_>,
) -> Result<Vec<PaneId>, String> {
    let has_tag = |id| {
        let session = server.model.sessions.get(&id);
        wanted.tag.is_none_or(|tag| {
            session.is_some_and(|session| session.standing.tags.iter().any(|own| own == tag))
        })
    };
    if wanted.is_all || (wanted.tag.is_some() && wanted.target.is_none()) {
        let sessions = server.model.sessions.keys().copied();
        let panes = sessions.filter(|id| has_tag(*id));
        let panes = panes.flat_map(|id| asleep::panes_in(&server.model, id).map(|pane| pane.id));
        let mut panes: Vec<PaneId> = panes.collect();
        panes.sort_unstable();
        panes.dedup();
        return Ok(panes);
    }
    let current = targets::current(&server.model, caller);
    let found = target::resolve_extent(wanted.target, &current, &server.model);
    let (found, extent) = found.map_err(|error| error.to_string())?;
    Ok(match extent {
        Extent::Pane => vec![found.pane],
        Extent::Window => {
            let panes = server.model.panes_of(found.window);
            panes.map(|pane| pane.id).collect()
        }
        Extent::Session => asleep::panes_in(&server.model, found.session)
            .map(|pane| pane.id)
            .collect(),
    })
}

/// Waits for panes, or replies at once if there are none.
pub(crate) fn wait(
    server: &mut Server,
    waiting: Vec<PaneId>,
    outcomes: Vec<PaneOutcome>,
    is_json: bool,
    is_strict: bool,
    purpose: Purpose,
) -> Outcome {
    let Some(queue) = server.model.running() else {
        return Ok(Reply::default());
    };
    let job = SleepJob {
        queue,
        waiting: waiting.into_iter().collect(),
        outcomes,
        is_json,
        is_dry: purpose == Purpose::Dry,
        is_strict,
    };
    if job.waiting.is_empty() {
        return job.reply();
    }
    let number = server.hibernation.next_job;
    server.hibernation.next_job += 1;
    server.hibernation.jobs.insert(number, job);
    Ok(Reply {
        wait: Some(Wait::Sleep(number)),
        ..Reply::default()
    })
}

/// Wakes a pane, if it is asleep. Its input is held meanwhile.
pub(crate) fn wake(server: &mut Server, pane: PaneId, waker: Waker) {
    let begun = wake::begin(&mut server.model, &mut server.hibernation, pane, waker);
    let Some(begun) = begun else { return };
    keeper_notes::write_notes(&mut server.model, &mut server.persistence);
    if let Some(spawn) = wake::prepare_screen(&mut server.model, begun) {
        start_program(&mut server.model, spawn, None);
    }
}
