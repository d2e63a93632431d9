//! What `hibernate` and `restore` have in common: which panes are meant, and how the command waits for them.

use shellkeep_command::target::{self, Extent};
use shellkeep_core::PaneId;

use super::{Outcome, Reply};
use crate::event_loop::{Server, SleepJob, Told, wake};
use crate::queue::{Caller, Wait};
use crate::world;

/// Which panes are meant.
pub(super) struct Wanted<'a> {
    pub(super) target: Option<&'a str>,
    pub(super) is_all: bool,
    pub(super) tag: Option<&'a str>,
}

/// What a command waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// That something becomes of the panes.
    Real,
    /// That it is known what would.
    Dry,
}

/// The panes meant: a session's name means all of its panes, a window's those of the window.
pub(super) fn panes(
    server: &Server,
    caller: &Caller,
    wanted: &Wanted<'_>,
) -> Result<Vec<PaneId>, String> {
    let has_tag = |id| {
        let session = server.state.sessions.get(&id);
        wanted.tag.is_none_or(|tag| {
            session.is_some_and(|session| session.standing.tags.iter().any(|own| own == tag))
        })
    };
    if wanted.is_all || (wanted.tag.is_some() && wanted.target.is_none()) {
        let sessions = server.state.sessions.keys().copied();
        let panes = sessions.filter(|id| has_tag(*id));
        let panes = panes.flat_map(|id| wake::panes_in(&server.state, id).map(|pane| pane.id));
        let mut panes: Vec<PaneId> = panes.collect();
        panes.sort_unstable();
        panes.dedup();
        return Ok(panes);
    }
    let current = world::current(&server.state, caller);
    let found = target::resolve_extent(wanted.target, &current, &server.state);
    let (found, extent) = found.map_err(|error| error.to_string())?;
    Ok(match extent {
        Extent::Pane => vec![found.pane],
        Extent::Window => {
            let panes = server.state.panes_of(found.window);
            panes.map(|pane| pane.id).collect()
        }
        Extent::Session => wake::panes_in(&server.state, found.session)
            .map(|pane| pane.id)
            .collect(),
    })
}

/// Waits for panes, or answers at once if there is nothing to wait for.
pub(super) fn wait(
    server: &mut Server,
    waiting: Vec<PaneId>,
    told: Vec<Told>,
    is_json: bool,
    is_strict: bool,
    purpose: Purpose,
) -> Outcome {
    let Some(queue) = server.state.running() else {
        return Ok(Reply::default());
    };
    let job = SleepJob {
        queue,
        waiting: waiting.into_iter().collect(),
        told,
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
