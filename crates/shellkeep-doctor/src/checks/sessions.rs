//! Every kept session can be read, down to all that its panes are brought back from.

use std::time::{Duration, Instant};

use shellkeep_command::call::word;
use shellkeep_store::catalogue::{SessionState, summarise};
use shellkeep_store::{Damage, KeptSession, Store, StoreError, Sweep};

use super::number;
use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

const NAME: &str = "sessions";

/// Reading thousands of panes takes a while; nobody waits longer than that for a doctor.
const TIME: Duration = Duration::from_secs(10);

/// So many are told one by one.
const TOLD: usize = 5;

const GOES_ON: &str = "it goes on from what is good, and the server sets the rest aside";

const UPGRADE: &str = "install the shellkeep that wrote it, or a later one";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
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
    for sweep in [&open, &archived] {
        tell_of_sweep(setup, sweep, &mut findings);
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

fn tell_of_sweep(setup: &Setup<'_>, sweep: &Sweep, findings: &mut Vec<Finding>) {
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
    for orphan in &sweep.orphans {
        // A directory that was just made, or is empty, loses nobody anything.
        if orphan.panes.is_empty() {
            continue;
        }
        let sentence = format!(
            "of session {} only {} left, its name and layout are lost",
            orphan.id,
            match orphan.panes.len() {
                1 => "1 pane is".to_owned(),
                count => format!("{count} panes are"),
            }
        );
        let fix = setup.typed("ls: the server makes a session of what is left");
        findings.push(Finding::warning(NAME, sentence, fix));
    }
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
    let id = session.id;
    let name = summarise(id, &session.body, state, 0).name;
    let at = match state {
        SessionState::Active | SessionState::Hibernated => "",
        SessionState::Archived => ", in the archive",
    };
    let fix = match state {
        SessionState::Active | SessionState::Hibernated => {
            let name = word(&name);
            match damage.is_of_history() {
                true => read_all(setup, &session.label, &name),
                false => setup.typed_for(&session.label, &format!("attach -t {name}: {GOES_ON}")),
            }
        }
        // There may be others of its name.
        SessionState::Archived => {
            setup.typed_for(&session.label, &format!("reopen {id}: {GOES_ON}"))
        }
    };
    Finding::warning(NAME, format!("{damage} (session {name}{at})"), fix)
}

/// What has the server read every line of a session: pages of history are read when somebody looks back at them, and what is
/// damaged of them is found and set aside then.
fn read_all(setup: &Setup<'_>, label: &str, name: &str) -> String {
    let list = setup.typed_for(label, &format!("list-panes -s -t {name} -F '#{{pane_id}}'"));
    let capture = setup.typed_for(label, "capture-pane -p -S - -t");
    format!("{list} | xargs -n1 {capture} > /dev/null")
}
