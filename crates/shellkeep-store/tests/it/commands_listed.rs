//! Commands as the catalogue lists them.

use serde_json::json;
use shellkeep_store::catalogue::{Catalogue, CommandFilter, CommandRow, ExitFilter, MakerFilter};
use shellkeep_store::schema::{CommandBegan, CommandEntry, CommandLines};
use shellkeep_store::{Store, StoreId};

use crate::commands::{began, ended, id};
use crate::sample::{self, NOW, open, pane_id, scratch, session_id};

const TWO: &str = "01q6vhyg00000012";
const PANE_TWO: &str = "01q6vhyg00000013";

fn other(text: &str) -> StoreId {
    text.parse().unwrap()
}

fn catalogue(store: &Store) -> Catalogue {
    Catalogue::open(store.root()).unwrap().catalogue
}

fn filter() -> CommandFilter {
    CommandFilter {
        label: "default".to_owned(),
        limit: usize::MAX,
        now: NOW + 1_000_000,
        ..CommandFilter::default()
    }
}

fn lines(catalogue: &mut Catalogue, filter: &CommandFilter) -> Vec<String> {
    let found = catalogue.commands(filter).unwrap();
    found.into_iter().rev().map(|row| row.line).collect()
}

/// A session with these commands in its one pane.
fn session(store: &Store, id: StoreId, pane: StoreId, name: &str, entries: &[CommandEntry]) {
    let mut body = sample::description(name);
    body["session"]["standing"] = json!({ "tags": [format!("tag-{name}")] });
    store.write_session(id, &body).unwrap();
    let dir = store.pane(id, pane);
    dir.create().unwrap();
    dir.append_commands(entries).unwrap();
}

fn by(entry: CommandEntry, maker: &str, cwd: &str) -> CommandEntry {
    let CommandEntry::Began(began) = entry else {
        panic!("it is no beginning");
    };
    CommandEntry::Began(CommandBegan {
        by: maker.to_owned(),
        cwd: cwd.as_bytes().to_vec(),
        ..began
    })
}

/// Two sessions, `one` and `two`, with their commands in turn.
fn two_sessions(store: &Store) -> (StoreId, StoreId) {
    let two = (other(TWO), other(PANE_TWO));
    session(
        store,
        session_id(),
        pane_id(),
        "one",
        &[
            began(0, "make test"),
            ended(0, 500, 0),
            by(began(20, "Make -j8"), "user", "/src/lib"),
            ended(20, 5020, 2),
            began(40, "tail -f log"),
        ],
    );
    session(
        store,
        two.0,
        two.1,
        "two",
        &[
            by(began(10, "git commit -m 'ÄÖ %_\"'"), "claude", "/srcs"),
            ended(10, 30, 130),
            by(began(30, "ls"), "claude", "/"),
            ended(30, 31, 0),
        ],
    );
    two
}

const ALL: [&str; 5] = [
    "make test",
    "git commit -m 'ÄÖ %_\"'",
    "Make -j8",
    "ls",
    "tail -f log",
];

/// A condition and the commands that it finds.
type Row = (fn(&mut CommandFilter), &'static [usize]);

const TEXTS: [Row; 8] = [
    (|_| (), &[0, 1, 2, 3, 4]),
    (|it| it.text = Some("make".to_owned()), &[0, 2]),
    (
        |it| (it.text, it.limit) = (Some("make".to_owned()), 1),
        &[2],
    ),
    (
        |it| (it.text, it.exact_case) = (Some("Make".to_owned()), true),
        &[2],
    ),
    // Shorter than what the index has.
    (|it| it.text = Some("LS".to_owned()), &[3]),
    (
        |it| (it.text, it.exact_case) = (Some("LS".to_owned()), true),
        &[],
    ),
    (|it| it.text = Some("äö %_\"".to_owned()), &[1]),
    // No operators.
    (|it| it.text = Some("make OR ls".to_owned()), &[]),
];

const OTHERS: [Row; 20] = [
    (|it| it.limit = 2, &[3, 4]),
    (|it| it.panes = Some(vec![other(PANE_TWO)]), &[1, 3]),
    (|it| it.panes = Some(Vec::new()), &[]),
    (|it| it.session = Some(other(TWO)), &[1, 3]),
    (|it| it.cwd = Some("/src".to_owned()), &[0, 2, 4]),
    (|it| it.cwd = Some("/".to_owned()), &[0, 1, 2, 3, 4]),
    (|it| it.exit = Some(ExitFilter::Ok), &[0, 3]),
    (|it| it.exit = Some(ExitFilter::Failed), &[1, 2]),
    (|it| it.exit = Some(ExitFilter::Status(130)), &[1]),
    (|it| it.since = Some(NOW + 20), &[2, 3, 4]),
    (|it| it.until = Some(NOW + 20), &[0, 1]),
    (|it| it.since = Some(u64::MAX), &[]),
    (|it| it.longer_than = Some(499), &[0, 2, 4]),
    (|it| it.longer_than = Some(500), &[2, 4]),
    (
        |it| (it.longer_than, it.now) = (Some(499), NOW + 50),
        &[0, 2],
    ),
    (|it| it.tag = Some("tag-two".to_owned()), &[1, 3]),
    (|it| it.by = Some(MakerFilter::User), &[0, 2, 4]),
    (|it| it.by = Some(MakerFilter::Agent), &[1, 3]),
    (|it| it.id = Some(id(20)), &[2]),
    (|it| it.label = "else".to_owned(), &[]),
];

#[test]
fn commands_are_found_by_every_condition() {
    let temp = scratch();
    let store = open(temp.path());
    let (two, _) = two_sessions(&store);
    let mut catalogue = catalogue(&store);
    catalogue.refresh(&[session_id(), two]).unwrap();
    for (change, expected) in TEXTS.into_iter().chain(OTHERS) {
        let mut filter = filter();
        change(&mut filter);
        let expected: Vec<&str> = expected.iter().map(|at| ALL[*at]).collect();
        assert_eq!(lines(&mut catalogue, &filter), expected, "{filter:?}");
    }
    let mut filter = filter();
    filter.id = Some(id(20));
    let expected = CommandRow {
        id: id(20),
        session: session_id(),
        pane: pane_id(),
        session_name: "one".to_owned(),
        is_archived: false,
        line: "Make -j8".to_owned(),
        cwd: "/src/lib".to_owned(),
        started: NOW + 20,
        ended: Some(NOW + 5020),
        exit: Some(2),
        by: "user".to_owned(),
        branch: None,
        commit: None,
        lines: Some(CommandLines {
            first: 20,
            end: 5020,
            last_cells: Some(3),
        }),
    };
    assert_eq!(catalogue.commands(&filter).unwrap(), [expected]);
}

#[test]
fn what_is_added_is_put_in_once_and_a_rebuild_finds_the_same() {
    let temp = scratch();
    let store = open(temp.path());
    let (two, _) = two_sessions(&store);
    let mut catalogue = catalogue(&store);
    for _ in 0..2 {
        catalogue.refresh(&[session_id(), two]).unwrap();
    }
    let dir = store.pane(session_id(), pane_id());
    dir.append_commands(&[ended(40, 90, 1), began(50, "date")])
        .unwrap();
    for _ in 0..2 {
        let sessions = [session_id()].into();
        catalogue.refresh_commands_of(&sessions).unwrap();
        catalogue.refresh_all_commands().unwrap();
    }
    let rows = catalogue.commands(&filter()).unwrap();
    assert_eq!(rows.len(), 6);
    assert_eq!((&rows[0].line[..], rows[1].exit), ("date", Some(1)));
    drop(catalogue);
    std::fs::remove_file(temp.path().join("catalogue.db")).unwrap();
    let mut catalogue = self::catalogue(&store);
    catalogue.rebuild(&mut |_, _| ()).unwrap();
    assert_eq!(catalogue.commands(&filter()).unwrap(), rows);
}

#[test]
fn commands_go_with_their_pane() {
    let temp = scratch();
    let store = open(temp.path());
    let (two, pane_two) = two_sessions(&store);
    let mut catalogue = catalogue(&store);
    catalogue.refresh(&[session_id(), two]).unwrap();
    // To another session, in either order of notices.
    let (from, to) = (
        store.pane(two, pane_two),
        store.pane(session_id(), pane_two),
    );
    std::fs::rename(from.path(), to.path()).unwrap();
    for order in [[two, session_id()], [session_id(), two]] {
        catalogue.refresh(&order).unwrap();
        let rows = catalogue.commands(&filter()).unwrap();
        assert!(rows.iter().all(|row| row.session == session_id()));
        assert_eq!(rows.len(), 5);
    }
    // To the archive.
    store.archive(session_id(), NOW).unwrap();
    catalogue.refresh(&[session_id()]).unwrap();
    assert_eq!(lines(&mut catalogue, &filter()), Vec::<String>::new());
    let archived = CommandFilter {
        archived: true,
        ..filter()
    };
    assert_eq!(lines(&mut catalogue, &archived).len(), 5);
    // And deleted completely.
    store.forget(session_id()).unwrap();
    catalogue.refresh(&[session_id()]).unwrap();
    catalogue.remove(session_id()).unwrap();
    assert_eq!(lines(&mut catalogue, &archived), Vec::<String>::new());
    drop(catalogue);
    for name in ["catalogue.db", "catalogue.db-wal"] {
        let bytes = std::fs::read(temp.path().join(name)).unwrap_or_default();
        let has_text = bytes
            .windows(9)
            .any(|part| part == b"tail -f l" || part == b"make test");
        assert!(!has_text, "{name}");
    }
}
