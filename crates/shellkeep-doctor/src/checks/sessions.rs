//! Reads every kept session, down to each file that its panes are restored from.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use shellkeep_command::call::word;
use shellkeep_store::catalogue::SessionState;
use shellkeep_store::{Damage, KeptSession, Orphan, Store, StoreError, StoreId, Sweep};

use super::stray_panes::{homes, report_strays};
use crate::Setup;
use crate::finding::Finding;
use crate::phrases::{UPGRADE, counted, pipe_in_the_way};
use crate::saving::Saving;
use crate::setup::quoted;

const NAME: &str = "sessions";

/// Reading thousands of panes takes a while: after this, the report says how many were read.
const INSPECTION_TIMEOUT: Duration = Duration::from_secs(10);

/// A server may take this long to write a change into `session.json`; a directory that changed later is not judged.
const SERVER_SETTLE_TIME: Duration = Duration::from_secs(2);

/// How many findings are reported one by one.
const MAX_FINDINGS: usize = 5;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    if let Some(finding) = pipe_in_the_way(setup, NAME) {
        return vec![finding];
    }
    let store = match Store::look(&setup.state_dir) {
        Ok(store) => store,
        Err(error @ StoreError::Newer { .. }) => {
            return vec![Finding::problem(NAME, error.to_string(), UPGRADE)];
        }
        Err(error) => {
            let fix = setup.fix(&error, format!("ls -l {}", quoted(&setup.state_dir)));
            return vec![Finding::problem(NAME, error.to_string(), fix)];
        }
    };
    let (open, archived) = (store.sessions(), store.archived());
    let mut findings = Vec::new();
    if let Some(error @ StoreError::Broken { .. }) = store.inspect_version() {
        let fix = format!("{}: the server writes another", setup.look_anew());
        findings.push(Finding::warning(NAME, error.to_string(), fix));
    }
    for sweep in [&open, &archived] {
        report_sweep(setup, &store, sweep, &mut findings);
    }
    let sessions = [
        (SessionState::Active, &open),
        (SessionState::Archived, &archived),
    ]
    .into_iter();
    let sessions =
        sessions.flat_map(|(state, sweep)| sweep.sessions.iter().map(move |each| (state, each)));
    let sessions: Vec<_> = sessions.collect();
    let looked = report_panes(setup, &store, &sessions, &mut findings);
    report_missing(setup, &store, &sessions, &mut findings);
    // An unreadable description may name any pane, so no pane can be called a stray.
    if open.complaints.is_empty() && archived.complaints.is_empty() {
        let all: Vec<&KeptSession> = sessions.iter().map(|(_, session)| *session).collect();
        let is_settled = |pane: &Path| is_settled(setup, pane);
        findings.extend(report_strays(setup, NAME, &store, &all, is_settled));
    }
    let reported = findings.len();
    if reported > MAX_FINDINGS {
        findings.truncate(MAX_FINDINGS);
        let sentence = format!("{} more of the kind", reported - MAX_FINDINGS);
        findings.push(Finding::warning(
            NAME,
            sentence,
            setup.typed("doctor again, after these"),
        ));
    }
    let counts = format!(
        "{} kept, {} in the archive",
        counted(open.sessions.len(), "session"),
        archived.sessions.len()
    );
    if findings.is_empty() && open.sessions.is_empty() && archived.sessions.is_empty() {
        findings.push(Finding::ok(NAME, "no session is kept yet"));
    } else if findings.is_empty() {
        findings.push(Finding::ok(
            NAME,
            match looked {
                Looked::All => format!("{counts}, all of them readable"),
                Looked::Some(panes) => {
                    format!("{counts}; {panes} panes looked at were all readable")
                }
            },
        ));
    } else {
        findings.push(Finding::ok(NAME, counts));
    }
    findings
}

fn report_sweep(setup: &Setup<'_>, store: &Store, sweep: &Sweep, findings: &mut Vec<Finding>) {
    for complaint in &sweep.complaints {
        let sentence = complaint.to_string();
        findings.push(match &complaint.error {
            StoreError::Newer { .. } => Finding::problem(NAME, sentence, UPGRADE),
            StoreError::Broken { .. } => Finding::warning(
                NAME,
                sentence,
                setup.typed("ls: the server sets it aside and takes the one before it"),
            ),
            _ => {
                let look = format!("ls -lR {}", quoted(&setup.state_dir));
                let fix = setup.fix(&complaint.error, look);
                Finding::problem(NAME, sentence, fix)
            }
        });
    }
    findings.extend(
        sweep
            .orphans
            .iter()
            .filter_map(|each| report_orphan(setup, store, each)),
    );
}

/// A session directory with panes and no `session.json`. While the server cannot save, the check of saving reports it
/// instead.
fn report_orphan(setup: &Setup<'_>, store: &Store, orphan: &Orphan) -> Option<Finding> {
    // A directory without panes holds nothing that could be lost.
    let pane = store.pane(orphan.id, *orphan.panes.first()?);
    if matches!(setup.saving(), Saving::Not(_)) {
        return None;
    }
    let sentence = format!(
        "of session {} only {} left, its name and layout are lost",
        orphan.id,
        match orphan.panes.len() {
            1 => "1 pane is".to_owned(),
            count => format!("{count} panes are"),
        }
    );
    let mut fix = format!(
        "{}: the server makes a session of what is left",
        setup.look_anew()
    );
    if store.is_archived(orphan.id) {
        // The server makes sessions of orphans only in `sessions`, not in the archive.
        let (from, to) = (pane.path().parent()?, setup.state_dir.join("sessions"));
        fix = format!("mv {} {} && {fix}", quoted(from), quoted(&to));
    }
    Some(Finding::warning(NAME, sentence, fix))
}

/// How many panes were looked at.
enum Looked {
    All,
    Some(usize),
}

fn report_panes(
    setup: &Setup<'_>,
    store: &Store,
    sessions: &[(SessionState, &KeptSession)],
    findings: &mut Vec<Finding>,
) -> Looked {
    let begin = Instant::now();
    let mut looked = 0;
    for (state, session) in sessions {
        for pane in &session.panes {
            if begin.elapsed() > INSPECTION_TIMEOUT {
                return Looked::Some(looked);
            }
            looked += 1;
            let pane = store.pane(session.id, *pane);
            match pane.inspect() {
                Ok(damage) => {
                    let damage = damage.iter();
                    findings.extend(damage.map(|each| damaged(setup, *state, session, each)));
                }
                // The session was deleted after the sweep.
                Err(StoreError::Unknown(_)) => {}
                Err(error @ StoreError::Newer { .. }) => {
                    findings.push(Finding::problem(NAME, error.to_string(), UPGRADE));
                }
                Err(error) => {
                    let look = format!("ls -l {}", quoted(pane.path()));
                    let fix = setup.fix(&error, look);
                    findings.push(Finding::problem(NAME, error.to_string(), fix));
                }
            }
        }
    }
    Looked::All
}

/// The finding for a damaged file of a pane: the fix restores the rest of the session.
fn damaged(
    setup: &Setup<'_>,
    state: SessionState,
    session: &KeptSession,
    damage: &Damage,
) -> Finding {
    let then = "it goes on from what is good, and the server sets the rest aside";
    let sentence = format!("{damage} ({})", named(state, session));
    let fix = match state {
        SessionState::Active | SessionState::Hibernated if damage.is_of_history() => {
            read_all(setup, &session.label, &word(&session.name()))
        }
        _ => awaken(setup, state, session, then),
    };
    Finding::warning(NAME, sentence, fix)
}

/// The session in a sentence: its name, and whether it is archived.
fn named(state: SessionState, session: &KeptSession) -> String {
    let name = session.name();
    let at = match state {
        SessionState::Active | SessionState::Hibernated => "",
        SessionState::Archived => ", in the archive",
    };
    format!("session {name}{at}")
}

/// The command that wakes or reopens the session, and what it does.
fn awaken(setup: &Setup<'_>, state: SessionState, session: &KeptSession, then: &str) -> String {
    let id = session.id;
    let command = match state {
        SessionState::Active | SessionState::Hibernated => {
            format!("attach -t {}", word(&session.name()))
        }
        // Names are not unique in the archive.
        SessionState::Archived => format!("reopen {id}"),
    };
    setup.typed_for(&session.label, &format!("{command}: {then}"))
}

/// Reports panes that a description names and that have no files.
fn report_missing(
    setup: &Setup<'_>,
    store: &Store,
    sessions: &[(SessionState, &KeptSession)],
    findings: &mut Vec<Finding>,
) {
    // While the server cannot save, the check of saving reports what is missing.
    if matches!(setup.saving(), Saving::Not(_)) {
        return;
    }
    // A pane that was moved while its server was killed is in another session's directory.
    let panes = sessions.iter().flat_map(|(_, session)| &session.panes);
    let there: BTreeSet<StoreId> = panes.copied().collect();
    for (state, session) in sessions {
        let count = missing(setup, store, session, &there);
        if count == 0 {
            continue;
        }
        let sentence = format!(
            "{} of {} not on disk any more, with all that was shown there",
            counted(count, "pane"),
            match count {
                1 => format!("{} is", named(*state, session)),
                _ => format!("{} are", named(*state, session)),
            }
        );
        let then = "new shells take their places, and are kept";
        findings.push(Finding::warning(
            NAME,
            sentence,
            awaken(setup, *state, session, then),
        ));
    }
}

/// How many panes of a session's description have no directory in any session that it could be in.
fn missing(
    setup: &Setup<'_>,
    store: &Store,
    session: &KeptSession,
    there: &BTreeSet<StoreId>,
) -> usize {
    let is_missing = |(home, pane): &(StoreId, StoreId)| {
        if there.contains(pane) {
            return false;
        }
        let places = [session.id, *home, store.home_of(*home, *pane)];
        let places = places.map(|place| store.pane(place, *pane).path().to_owned());
        let is_there = places.iter().any(|place| place.is_dir());
        !is_there && places.iter().all(|place| is_settled(setup, place))
    };
    homes(session).iter().filter(|it| is_missing(it)).count()
}

/// Whether the directory around a pane is old enough that the server has written `session.json` since it changed. A
/// server that has just closed a pane still names it there.
fn is_settled(setup: &Setup<'_>, pane: &Path) -> bool {
    let beside = pane.parent().unwrap_or(pane);
    let changed = std::fs::metadata(beside).and_then(|metadata| metadata.modified());
    let is_quiet = changed.map_or(true, |then| {
        let age = setup.now.duration_since(then);
        age.is_ok_and(|age| age > SERVER_SETTLE_TIME)
    });
    is_quiet || *setup.saving() == Saving::NoServer
}

/// A command that makes the server read every line of a session. The server reads a page of history when a client
/// scrolls to it, and sets a damaged page aside then.
fn read_all(setup: &Setup<'_>, label: &str, name: &str) -> String {
    let list = setup.typed_for(label, &format!("list-panes -s -t {name} -F '#{{pane_id}}'"));
    let capture = setup.typed_for(label, "capture-pane -p -S - -t");
    format!("{list} | xargs -n1 {capture} > /dev/null")
}
