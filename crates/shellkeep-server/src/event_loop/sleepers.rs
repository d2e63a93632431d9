//! Who sleeps by itself, and when: one timer, set for the first moment at which somebody may be due.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use shellkeep_core::{PaneId, SessionId};
use shellkeep_sleep::{Candidate, Life, MadeBy, Policy, Verdict, who_sleeps};

use super::process_scan::ScanPurpose;
use super::sleepless::wake_blocker;
use super::{Force, Server, hibernate, wake};
use crate::alarm::{Alarm, Timer};
use crate::daemon::beside;
use crate::pressure;
use crate::processes::Processes;
use crate::state::{Model, Pane, Session};

/// After something has happened, this long before anybody is looked at: much may follow.
const CALM: Duration = Duration::from_secs(1);

/// So many sessions are archived with one look: whoever types meanwhile must not wait for thousands.
const AT_ONCE: usize = 20;

/// What is known of a session that could sleep.
#[derive(Default)]
pub(super) struct Judged {
    /// A pane of it cannot sleep.
    is_busy: bool,
    /// Of each pane that could sleep otherwise, the process that speaks against it.
    pub(super) wake_blockers: Vec<i32>,
}

/// A round in which all sessions are judged, slice by slice, before it is decided which of them sleep.
#[derive(Default)]
pub(super) struct PolicyRound {
    is_under_way: bool,
    pub(super) judged: BTreeMap<SessionId, Judged>,
}

impl Server {
    /// Something happened after which others may be due: looks soon, unless that is coming anyway.
    pub(crate) fn sleepers_due(&mut self) {
        self.look_for_sleepers_in(CALM);
    }

    /// A shell shows its prompt: its session may be due when it has been left alone for long enough.
    pub(super) fn sleeper_due(&mut self, pane: PaneId) {
        let options = self.state.session_options(self.state.session_of(pane));
        if let Some(after) = options.duration("hibernate-after") {
            self.look_for_sleepers_in(after.max(CALM));
        }
    }

    /// Looks after so long, unless it does so before anyway.
    fn look_for_sleepers_in(&mut self, after: Duration) {
        let at = Instant::now() + after;
        let is_sooner = |timer: &(Timer, Instant)| timer.1 > at;
        if self.hibernation.policy_timer.as_ref().is_none_or(is_sooner) {
            self.hibernation.policy_timer =
                Some((self.state.set_alarm(Alarm::Sleepers, after), at));
        }
    }

    /// Has all sessions judged that could sleep, if that is not under way; then it is decided which of them do.
    pub(super) fn look_for_sleepers(&mut self) {
        self.hibernation.policy_timer = None;
        if self.hibernation.policy_round.is_under_way {
            return self.sleepers_due();
        }
        self.hibernation.policy_round.is_under_way = true;
        self.scan_processes_for(ScanPurpose::Policy);
    }

    /// Judges one session by a scan of the processes.
    pub(super) fn judge_session(&mut self, id: SessionId, processes: &Processes) {
        let panes = wake::panes_in(&self.state, id).filter(|pane| !pane.is_asleep());
        let mut judged = Judged::default();
        for pane in panes {
            let verdict = hibernate::idle_verdict(&self.state, pane, processes);
            judged.is_busy |= verdict != Verdict::CanSleep;
            judged
                .wake_blockers
                .extend(wake_blocker(pane, &verdict, processes));
        }
        self.hibernation.policy_round.judged.insert(id, judged);
    }

    /// Puts the sessions to sleep that are due, archives what slept long enough, and says when to look again. Each pane is judged once more when
    /// it is its turn: by then it may be used again.
    pub(super) fn decide_who_sleeps(&mut self) {
        let round = std::mem::take(&mut self.hibernation.policy_round);
        let now = crate::record::now();
        let candidates: Vec<Candidate<SessionId>> = self
            .state
            .sessions
            .values()
            .filter(|session| session.standing.kept.is_some())
            .map(|session| candidate(&self.state, session, round.judged.get(&session.id), now))
            .collect();
        let options = self.state.options.server();
        let count = |name: &str| usize::try_from(options.number(name)).unwrap_or(0);
        let policy = Policy {
            max_active: count("max-active"),
            archive_after: options.duration("archive-after").map(millis),
            max_total: count("max-total"),
            memory_pressure: pressure::now(&beside(&self.state.socket, ".pressure")),
        };
        let decision = who_sleeps(&candidates, &policy, now);
        for one in &decision.hibernate {
            tracing::info!(session = %one.key, "nobody uses it: it is put to sleep");
            let panes = wake::panes_in(&self.state, one.key).filter(|pane| !pane.is_asleep());
            for pane in panes.map(|pane| pane.id).collect::<Vec<_>>() {
                self.put_to_sleep_in_turn(pane, Force::Off);
            }
        }
        self.watch_sleepless(&candidates, &round);
        for one in decision.archive.iter().take(AT_ONCE) {
            tracing::info!(session = %one.key, "it slept long enough: it is archived");
            self.close_session(one.key);
        }
        if decision.archive.len() > AT_ONCE {
            self.look_for_sleepers_in(CALM);
        }
        if let Some(next) = decision.next_look {
            let after = Duration::from_millis(next.saturating_sub(now)).max(CALM);
            self.look_for_sleepers_in(after);
        }
    }
}

/// The sessions of which it must be known whether they are idle.
pub(super) fn sessions_to_judge(model: &Model) -> Vec<SessionId> {
    let sessions = model.sessions.values();
    let sessions = sessions.filter(|session| {
        session.standing.kept.is_some()
            && !is_held(model, session)
            && !wake::is_session_asleep(model, session.id)
            && model.clients_of(session.id).next().is_none()
    });
    sessions.map(|session| session.id).collect()
}

/// Whether the policy leaves a session alone.
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
    let panes = || wake::panes_in(model, session.id);
    let is_asleep = wake::is_session_asleep(model, session.id);
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
        commands: panes().map(|pane| pane.shell_word.commands()).sum(),
        last_activity: touched.unwrap_or(0).max(activity),
        hibernate_after: options.duration("hibernate-after").map(millis),
        is_held: is_held(model, session),
        is_reopened: session.standing.is_reopened,
        is_visible,
        // One that was not judged came since: the next look is about it.
        is_idle: !is_asleep && !is_visible && judged.is_some_and(|judged| !judged.is_busy),
    }
}

/// When a pane was last used, in milliseconds since 1970. Of one that this server has never seen awake it is known when it fell
/// asleep, which is a little later.
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
