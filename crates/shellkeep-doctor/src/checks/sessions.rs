//! Every kept session can be read, down to all that its panes are brought back from.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use shellkeep_command::call::word;
use shellkeep_store::catalogue::{SessionState, summarise};
use shellkeep_store::{Damage, KeptSession, Orphan, Store, StoreError, StoreId, Sweep};

use super::stray_panes::{homes, tell_of_strays};
use super::{UPGRADE, number, tell_of_pipe};
use crate::Setup;
use crate::finding::Finding;
use crate::saving::Saving;
use crate::setup::quoted;

const NAME: &str = "sessions";

/// Reading thousands of panes takes a while; nobody waits longer than that for a doctor.
const TIME: Duration = Duration::from_secs(10);

/// So long a server may take to write down what has changed.
const SETTLES: Duration = Duration::from_secs(2);

/// So many are told one by one.
const TOLD: usize = 5;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    if let Some(pipe) = setup.pipe() {
        return vec![tell_of_pipe(setup, NAME, pipe)];
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
        tell_of_sweep(setup, &store, sweep, &mut findings);
    }
    let sessions = [
        (SessionState::Active, &open),
        (SessionState::Archived, &archived),
    ]
    .into_iter();
    let sessions =
        sessions.flat_map(|(state, sweep)| sweep.sessions.iter().map(move |each| (state, each)));
    let sessions: Vec<_> = sessions.collect();
    let looked = tell_of_panes(setup, &store, &sessions, &mut findings);
    tell_of_missing(setup, &store, &sessions, &mut findings);
    // A description that cannot be read may name any of them.
    if open.complaints.is_empty() && archived.complaints.is_empty() {
        let all: Vec<&KeptSession> = sessions.iter().map(|(_, session)| *session).collect();
        let is_settled = |pane: &Path| is_settled(setup, pane);
        findings.extend(tell_of_strays(setup, NAME, &store, &all, is_settled));
    }
    let told = findings.len();
    if told > TOLD {
        findings.truncate(TOLD);
        let sentence = format!("{} more of the kind", told - TOLD);
        findings.push(Finding::warning(
            NAME,
            sentence,
            setup.typed("doctor again, after these"),
        ));
    }
    let counts = format!(
        "{} kept, {} in the archive",
        number(open.sessions.len(), "session"),
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

fn tell_of_sweep(setup: &Setup<'_>, store: &Store, sweep: &Sweep, findings: &mut Vec<Finding>) {
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
            .filter_map(|each| tell_of_orphan(setup, store, each)),
    );
}

/// Panes without a description of their session. One that was just made, and could not be written down yet, is told of as not saved.
fn tell_of_orphan(setup: &Setup<'_>, store: &Store, orphan: &Orphan) -> Option<Finding> {
    // A directory that was just made, or is empty, loses nobody anything.
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
        // Nobody looks for any in the archive.
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

fn tell_of_panes(
    setup: &Setup<'_>,
    store: &Store,
    sessions: &[(SessionState, &KeptSession)],
    findings: &mut Vec<Finding>,
) -> Looked {
    let begin = Instant::now();
    let mut looked = 0;
    for (state, session) in sessions {
        for pane in &session.panes {
            if begin.elapsed() > TIME {
                return Looked::Some(looked);
            }
            looked += 1;
            let pane = store.pane(session.id, *pane);
            match pane.inspect() {
                Ok(damage) => {
                    let damage = damage.iter();
                    findings.extend(damage.map(|each| damaged(setup, *state, session, each)));
                }
                // Gone between the two looks.
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

/// A file of a pane that is damaged, and how what is good of the session is had.
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
            let name = summarise(session.id, &session.body, state, 0).name;
            read_all(setup, &session.label, &word(&name))
        }
        _ => awaken(setup, state, session, then),
    };
    Finding::warning(NAME, sentence, fix)
}

/// A session as it is told of.
fn named(state: SessionState, session: &KeptSession) -> String {
    let name = summarise(session.id, &session.body, state, 0).name;
    let at = match state {
        SessionState::Active | SessionState::Hibernated => "",
        SessionState::Archived => ", in the archive",
    };
    format!("session {name}{at}")
}

/// How a session is had, and what comes of it.
fn awaken(setup: &Setup<'_>, state: SessionState, session: &KeptSession, then: &str) -> String {
    let id = session.id;
    let command = match state {
        SessionState::Active | SessionState::Hibernated => {
            let name = summarise(id, &session.body, state, 0).name;
            format!("attach -t {}", word(&name))
        }
        // There may be others of its name.
        SessionState::Archived => format!("reopen {id}"),
    };
    setup.typed_for(&session.label, &format!("{command}: {then}"))
}

/// Tells of panes that descriptions name and that have no files.
fn tell_of_missing(
    setup: &Setup<'_>,
    store: &Store,
    sessions: &[(SessionState, &KeptSession)],
    findings: &mut Vec<Finding>,
) {
    // What is not there because it cannot be written is told of as not saved.
    if matches!(setup.saving(), Saving::Not(_)) {
        return;
    }
    // One that was closed, or moved, while its server was killed is with another session.
    let panes = sessions.iter().flat_map(|(_, session)| &session.panes);
    let there: BTreeSet<StoreId> = panes.copied().collect();
    for (state, session) in sessions {
        let count = missing(setup, store, session, &there);
        if count == 0 {
            continue;
        }
        let sentence = format!(
            "{} of {} not on disk any more, with all that was shown there",
            number(count, "pane"),
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

/// How many panes that a session's description names have no directory, in whichever session's it should be.
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

/// Whether nobody has put anything beside a pane, or taken it away, a moment ago: a server names one that was closed for so long.
fn is_settled(setup: &Setup<'_>, pane: &Path) -> bool {
    let beside = pane.parent().unwrap_or(pane);
    let changed = std::fs::metadata(beside).and_then(|metadata| metadata.modified());
    let is_quiet = changed.map_or(true, |then| {
        let age = setup.now.duration_since(then);
        age.is_ok_and(|age| age > SETTLES)
    });
    is_quiet || *setup.saving() == Saving::NoServer
}

/// What has the server read every line of a session: pages of history are read when somebody looks back at them, and what is
/// damaged of them is found and set aside then.
fn read_all(setup: &Setup<'_>, label: &str, name: &str) -> String {
    let list = setup.typed_for(label, &format!("list-panes -s -t {name} -F '#{{pane_id}}'"));
    let capture = setup.typed_for(label, "capture-pane -p -S - -t");
    format!("{list} | xargs -n1 {capture} > /dev/null")
}
