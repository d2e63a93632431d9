//! A complete store as the program wrote it before histories could be cut: sessions with programs, asleep and archived,
//! several windows, a paste buffer, a history, captured shells and the catalogue. Every later version must read all of
//! it.

use std::path::Path;

use shellkeep_store::catalogue::{Catalogue, CatalogueState, Filter};
use shellkeep_store::{KeptSession, Store};

use crate::sample::scratch;

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn named<'a>(sessions: &'a [KeptSession], name: &str) -> &'a KeptSession {
    let is_named = |session: &&KeptSession| session.body["session"]["name"] == name;
    sessions.iter().find(is_named).unwrap()
}

#[test]
fn everything_in_a_store_of_an_earlier_version_is_there() {
    let temp = scratch();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/whole");
    copy(&data, temp.path());
    let store = Store::open(temp.path(), "fixture").unwrap();
    let sweep = store.sessions();
    assert!(sweep.complaints.is_empty() && sweep.orphans.is_empty());
    assert_eq!(sweep.sessions.len(), 2);
    let live = named(&sweep.sessions, "live");
    assert_eq!(live.body["windows"].as_array().unwrap().len(), 2);
    assert_eq!(live.panes.len(), 3);
    let asleep = named(&sweep.sessions, "asleep");
    for session in [live, asleep] {
        for pane in &session.panes {
            let dir = store.pane(session.id, *pane);
            assert_eq!(dir.inspect().unwrap(), []);
            let mut recovery = dir.load().unwrap();
            recovery.replay(|_| {});
            assert!(recovery.damage.is_empty() && recovery.checkpoint.is_some());
            assert!(dir.read_start().unwrap().is_some());
        }
    }
    let dir = store.pane(asleep.id, asleep.panes[0]);
    assert!(dir.read_shell().unwrap().is_some());
    assert!(dir.rest_mark().is_some());
    let history = dir.load().unwrap().history;
    let lines: u64 = history
        .index()
        .iter()
        .map(|page| u64::from(page.lines))
        .sum();
    assert!(lines > 4000 && history.unread_lines() == 0, "{lines}");
    let archive = store.archived();
    assert!(archive.complaints.is_empty());
    let archived = named(&archive.sessions, "archived");
    assert_eq!(archived.panes.len(), 1);
    let buffers = store.buffers();
    assert!(buffers.complaints.is_empty());
    assert_eq!(&*buffers.buffers[0].1.data, b"a paste buffer");
    // That of an earlier version has nothing that is not in the other files.
    let opened = Catalogue::open(temp.path()).unwrap();
    assert_eq!(opened.state, CatalogueState::Fresh);
    let mut catalogue = opened.catalogue;
    catalogue.rebuild(&mut |_, _| ()).unwrap();
    let rows = catalogue.list(&Filter::default()).unwrap();
    assert_eq!(rows.len(), 3, "{rows:?}");
    // It can be used.
    store.reopen(archived.id).unwrap();
    let reopened = store.pane(archived.id, archived.panes[0]);
    assert!(reopened.read_shell().unwrap().is_some());
}
