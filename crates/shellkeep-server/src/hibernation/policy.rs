//! The policy: which sessions are put to sleep and archived without being asked, and when. One timer, set for the first
//! moment at which a session may be due; nothing polls.

use std::time::Duration;

use shellkeep_core::SessionId;
use shellkeep_hibernation::{Candidate, Life, MadeBy, Policy, Verdict, who_sleeps};

use crate::action::Action;
use crate::hibernation::asleep;
use crate::hibernation::idle_verdict::idle_verdict;
use crate::hibernation::policy_round::Judged;
use crate::hibernation::policy_timer::{ROUND_DELAY, round_due, start_round_in};
use crate::hibernation::refusal::Force;
use crate::hibernation::state::Hibernation;
use crate::hibernation::waiting_panes::queue_for_sleep;
use crate::hibernation::wake_blockers::{Watching, wake_blocker};
use crate::model::{Model, Pane, Session};
use crate::process::pressure;
use crate::process::process_scan::ScanPurpose;
use crate::process::processes::Processes;
use crate::process::runtime_dir::beside;

/// How many sessions are archived in one round: events must not wait for thousands of them.
const MAX_ARCHIVED_PER_ROUND: usize = 20;

/// Starts a round, unless one is under way: first all sessions that could sleep are judged, then [`apply_policy`]
/// decides.
pub(crate) fn start_round(model: &Model, hibernation: &mut Hibernation) {
    hibernation.policy_timer = None;
    if hibernation.policy_round.is_under_way {
        return round_due(model, hibernation);
    }
    hibernation.policy_round.is_under_way = true;
    hibernation.scan_for(ScanPurpose::Policy);
}

/// Judges one session by a scan of the processes.
pub(crate) fn judge_session(
    model: &Model,
    hibernation: &mut Hibernation,
    id: SessionId,
    processes: &Processes,
) {
    let panes = asleep::panes_in(model, id).filter(|pane| !pane.is_asleep());
    let mut judged = Judged::default();
    for pane in panes {
        let verdict = idle_verdict(model, pane, processes);
        judged.is_busy |= verdict != Verdict::CanSleep;
        judged
            .wake_blockers
            .extend(wake_blocker(pane, &verdict, processes));
    }
    hibernation.policy_round.judged.insert(id, judged);
}

/// Ends a round: puts sessions to sleep that are due, archives those that slept long enough, and sets the next round.
/// Each pane is judged again when it is admitted, since it may be in use by then.
pub(crate) fn apply_policy(model: &mut Model, hibernation: &mut Hibernation) {
    let round = std::mem::take(&mut hibernation.policy_round);
    let now = crate::persistence::record::now();
    let candidates: Vec<Candidate<SessionId>> = model
        .sessions
        .values()
        .filter(|session| session.standing.kept.is_some())
        .map(|session| candidate(model, session, round.judged.get(&session.id), now))
        .collect();
    let options = model.options.server();
    let count = |name: &str| usize::try_from(options.number(name)).unwrap_or(0);
    let policy = Policy {
        max_active: count("max-active"),
        archive_after: options.duration("archive-after").map(millis),
        max_total: count("max-total"),
        memory_pressure: pressure::now(&beside(&model.socket, ".pressure")),
    };
    let decision = who_sleeps(&candidates, &policy, now);
    for one in &decision.hibernate {
        tracing::info!(session = %one.key, "the session is not used: putting it to sleep");
        let panes = asleep::panes_in(model, one.key).filter(|pane| !pane.is_asleep());
        for pane in panes.map(|pane| pane.id).collect::<Vec<_>>() {
            queue_for_sleep(model, hibernation, pane, Force::Off);
        }
    }
    let events = hibernation.events.clone();
    if hibernation
        .wake_blockers
        .watch(&candidates, &round, &events)
        == Watching::OneIsGone
    {
        round_due(model, hibernation);
    }
    for one in decision.archive.iter().take(MAX_ARCHIVED_PER_ROUND) {
        tracing::info!(session = %one.key, "the session slept for archive-after: archiving it");
        model.act(Action::CloseSession(one.key));
    }
    if decision.archive.len() > MAX_ARCHIVED_PER_ROUND {
        start_round_in(model, hibernation, ROUND_DELAY);
    }
    if let Some(next) = decision.next_look {
        let after = Duration::from_millis(next.saturating_sub(now)).max(ROUND_DELAY);
        start_round_in(model, hibernation, after);
    }
}

pub(crate) fn sessions_to_judge(model: &Model) -> Vec<SessionId> {
    let sessions = model.sessions.values();
    let sessions = sessions.filter(|session| {
        session.standing.kept.is_some()
            && !is_held(model, session)
            && !asleep::is_session_asleep(model, session.id)
            && model.clients_of(session.id).next().is_none()
    });
    sessions.map(|session| session.id).collect()
}

/// Whether the policy must leave a session alone.
fn is_held(model: &Model, session: &Session) -> bool {
    let options = model.session_options(Some(session.id));
    session.standing.is_pinned || !options.flag("hibernate")
}

fn candidate(
    model: &Model,
    session: &Session,
    judged: Option<&Judged>,
    now: u64,
) -> Candidate<SessionId> {
    let options = model.session_options(Some(session.id));
    let panes = || asleep::panes_in(model, session.id);
    let is_asleep = asleep::is_session_asleep(model, session.id);
    let is_visible = model.clients_of(session.id).next().is_some();
    let touched = panes().filter_map(|pane| last_use(pane, now)).max();
    let activity = u64::try_from(session.activity).unwrap_or(0) * 1000;
    Candidate {
        key: session.id,
        life: if is_asleep {
            Life::Hibernated
        } else {
            Life::Active
        },
        made_by: match session.standing.origin.as_deref() {
            None | Some("user") => MadeBy::User,
            Some(_) => MadeBy::Agent,
        },
        commands: panes().map(|pane| pane.shell_report.commands()).sum(),
        last_activity: touched.unwrap_or(0).max(activity),
        hibernate_after: options.duration("hibernate-after").map(millis),
        is_held: is_held(model, session),
        is_reopened: session.standing.is_reopened,
        is_visible,
        // A session that was not judged is newer than the round; the next round judges it.
        is_idle: !is_asleep && !is_visible && judged.is_some_and(|judged| !judged.is_busy),
    }
}

/// When a pane was last used, in milliseconds since 1970. For a pane that this server has only seen asleep, it is the
/// time when it fell asleep, which is a little later.
fn last_use(pane: &Pane, now: u64) -> Option<u64> {
    let asleep_since = || {
        let since = pane.sleep()?.since;
        Some(u64::try_from(since).ok()?.saturating_mul(1000))
    };
    let seen = pane.last_used();
    let seen = seen.map(|last| now.saturating_sub(millis(last.elapsed())));
    seen.or_else(asleep_since)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
