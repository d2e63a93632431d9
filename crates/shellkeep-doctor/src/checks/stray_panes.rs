//! Finds pane directories that no `session.json` names: lists and searches do not show what is in them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use shellkeep_store::schema::SessionFile;
use shellkeep_store::{KeptSession, Store, StoreId};

use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

/// One finding for all stray directories. `is_settled` is whether the server has had time to write its last changes.
/// `sessions` must contain all kept sessions, open and archived, or the pane of a missing session would count as stray.
pub(super) fn report_strays(
    setup: &Setup<'_>,
    name: &'static str,
    store: &Store,
    sessions: &[&KeptSession],
    is_settled: impl Fn(&std::path::Path) -> bool,
) -> Option<Finding> {
    let named = sessions.iter().flat_map(|each| homes(each));
    let named: BTreeSet<StoreId> = named.map(|(_, pane)| pane).collect();
    let strays = sessions.iter().flat_map(|session| {
        let panes = session.panes.iter().filter(|pane| !named.contains(pane));
        panes.map(|pane| store.pane(session.id, *pane).path().to_owned())
    });
    // An empty directory holds nothing to restore.
    let has_files =
        |path: &PathBuf| std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
    let strays: Vec<PathBuf> = strays
        .filter(|path| is_settled(path) && has_files(path))
        .collect();
    let first = strays.first()?;
    let sentence = match strays.len() {
        1 => format!("{} belongs to no session", first.display()),
        count => format!(
            "{count} directories of panes belong to no session, {} among them",
            first.display()
        ),
    };
    let now = setup.now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(now.as_millis()).unwrap_or_default();
    let into = setup
        .state_dir
        .join("sessions")
        .join(StoreId::new(now).to_string());
    let words: Vec<String> = strays.iter().map(|path| quoted(path)).collect();
    let fix = format!(
        "mkdir -m 700 {into} && mv {} {into} && {}: the server makes a session of what is there",
        words.join(" "),
        setup.look_anew(),
        into = quoted(&into),
    );
    Some(Finding::warning(name, sentence, fix))
}

/// Where the panes of a session description are kept: the session directory, and the name in it.
pub(super) fn homes(session: &KeptSession) -> Vec<(StoreId, StoreId)> {
    let file = session.file();
    let homes = file.iter().flat_map(SessionFile::homes);
    homes.map(|(_, home)| (home.session, home.pane)).collect()
}
