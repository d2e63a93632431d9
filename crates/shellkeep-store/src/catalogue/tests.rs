use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::schema::{
    SessionFile, StoredCause, StoredPane, StoredProgram, StoredSession, StoredSleep,
    StoredStanding, StoredWindow,
};

fn id(number: u32) -> StoreId {
    StoreId::from_parts(1_700_000_000_000, number)
}

/// A session whose windows have these numbers of panes.
fn session(name: &str, panes: &[usize]) -> SessionFile {
    let window = |count: &usize| StoredWindow {
        panes: vec![StoredPane::default(); *count],
        ..StoredWindow::default()
    };
    let standing = StoredStanding {
        origin: Some("user".to_owned()),
        tags: vec!["t".to_owned()],
        ..StoredStanding::default()
    };
    SessionFile {
        session: StoredSession {
            name: name.to_owned(),
            created: 10,
            activity: 20,
            standing,
            ..StoredSession::default()
        },
        windows: panes.iter().map(window).collect(),
        part_of: None,
    }
}

/// The session with all panes asleep.
fn hibernated(mut session: SessionFile) -> SessionFile {
    let windows = session.windows.iter_mut();
    for pane in windows.flat_map(|window| &mut window.panes) {
        pane.sleep = Some(StoredSleep {
            since: 30,
            cause: StoredCause::Hibernated,
            program: Vec::new(),
            run: StoredProgram::default(),
            is_tidied: false,
        });
    }
    session
}

/// The body of its description as the store writes it.
fn description(label: &str, session: &SessionFile) -> serde_json::Value {
    let mut body = serde_json::to_value(session).unwrap();
    body["label"] = label.into();
    body["owner"] = "77.1".into();
    body
}

fn row(number: u32, label: &str, name: &str) -> SessionRow {
    let body = description(label, &session(name, &[2])).to_string();
    SessionRow {
        summary: Summary::read(id(number), &body, SessionState::Active, 100),
        stamp: FileStamp { mtime: 5, len: 7 },
        body: body.into_bytes(),
    }
}

fn open(root: &Path) -> Catalogue {
    Catalogue::open(root).unwrap().catalogue
}

fn state(root: &Path) -> CatalogueState {
    Catalogue::open(root).unwrap().state
}

fn names(catalogue: &mut Catalogue, filter: &Filter) -> Vec<String> {
    let mut names: Vec<String> = catalogue
        .list(filter)
        .unwrap()
        .into_iter()
        .map(|summary| summary.name)
        .collect();
    names.sort();
    names
}

/// Writes a session's file as the store does.
fn write_session(root: &Path, place: &str, number: u32, body: &serde_json::Value) -> PathBuf {
    let dir = root.join(place).join(id(number).to_string());
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(
        dir.join("session.json"),
        crate::schema::envelope::encode(body),
    )
    .unwrap();
    dir
}

#[test]
fn catalogue_fresh_is_private_and_sound_once_filled() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(state(temp.path()), CatalogueState::Fresh);
    assert_eq!(
        state(temp.path()),
        CatalogueState::Fresh,
        "nobody has filled it yet"
    );
    let mut catalogue = open(temp.path());
    catalogue.rebuild(&mut |_, _| {}).unwrap();
    assert_eq!(state(temp.path()), CatalogueState::Sound);
    for entry in std::fs::read_dir(temp.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.file_name());
    }
    assert_eq!(catalogue.fault().unwrap(), None);
}

#[test]
fn row_put_in_twice_is_there_once_as_it_was_last() {
    let temp = tempfile::tempdir().unwrap();
    let mut catalogue = open(temp.path());
    let mut work = row(1, "default", "work");
    work.summary.tags = vec!["x".into(), "it's".into()];
    catalogue.upsert(&work).unwrap();
    work.summary.name = "works".into();
    work.summary.size = u64::MAX;
    catalogue.upsert(&work).unwrap();
    let listed = catalogue.list(&Filter::default()).unwrap();
    work.summary.size = i64::MAX.unsigned_abs();
    assert_eq!(listed, [work.summary.clone()]);
    assert_eq!(listed[0].panes, 2);
    catalogue.remove(id(1)).unwrap();
    catalogue.remove(id(1)).unwrap();
    assert_eq!(catalogue.list(&Filter::default()).unwrap(), []);
}

#[test]
fn filtered_list_has_matching_sessions() {
    let temp = tempfile::tempdir().unwrap();
    let mut catalogue = open(temp.path());
    for (number, label, name, state, tag) in [
        (1, "default", "a", SessionState::Active, "red"),
        (2, "default", "b", SessionState::Hibernated, "green"),
        (3, "default", "c", SessionState::Archived, "red"),
        (4, "other", "d", SessionState::Active, "red"),
    ] {
        let mut row = row(number, label, name);
        row.summary.state = state;
        row.summary.tags = vec![tag.into()];
        catalogue.upsert(&row).unwrap();
    }
    let mut check = |filter: Filter, expected: &[&str]| {
        assert_eq!(names(&mut catalogue, &filter), expected, "{filter:?}");
    };
    let label = Some("default".to_owned());
    check(Filter::default(), &["a", "b", "c", "d"]);
    check(
        Filter {
            label: label.clone(),
            ..Filter::default()
        },
        &["a", "b", "c"],
    );
    check(
        Filter {
            tag: Some("red".into()),
            ..Filter::default()
        },
        &["a", "c", "d"],
    );
    let state = Some(SessionState::Archived);
    check(
        Filter {
            label,
            state,
            ..Filter::default()
        },
        &["c"],
    );
    check(
        Filter {
            name: Some("d".into()),
            ..Filter::default()
        },
        &["d"],
    );
    let bodies = catalogue.bodies("default", None, usize::MAX).unwrap().sound;
    let mut ids: Vec<StoreId> = bodies.iter().map(|body| body.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [id(1), id(2)], "the archive is not loaded");
    assert_eq!(bodies[0].stamp, FileStamp { mtime: 5, len: 7 });
    let stats = catalogue.stats().unwrap();
    let counts = (stats.active, stats.hibernated, stats.archived, stats.size);
    assert_eq!(counts, (2, 1, 1, 400));
}

#[test]
fn body_with_a_flipped_bit_is_left_out() {
    let temp = tempfile::tempdir().unwrap();
    let mut catalogue = open(temp.path());
    catalogue.upsert(&row(1, "default", "a")).unwrap();
    catalogue.upsert(&row(2, "default", "b")).unwrap();
    let flip = "UPDATE sessions SET body = CAST(replace(CAST(body AS TEXT), 'name', 'nane') AS BLOB) WHERE id = ?1";
    catalogue.connection.execute(flip, [id(1)]).unwrap();
    let bodies = catalogue.bodies("default", None, usize::MAX).unwrap().sound;
    assert_eq!(bodies.len(), 1);
    assert_eq!(bodies[0].id, id(2));
}

#[test]
fn rebuild_after_deletion_gives_everything_back() {
    let temp = tempfile::tempdir().unwrap();
    let body = |name: &str| description("default", &session(name, &[2, 1]));
    let asleep = hibernated(session("two", &[2, 1]));
    let dir = write_session(temp.path(), "sessions", 1, &body("one"));
    std::fs::create_dir(dir.join("0")).unwrap();
    std::fs::write(dir.join("0/history"), [0; 1000]).unwrap();
    write_session(temp.path(), "sessions", 2, &description("default", &asleep));
    write_session(temp.path(), "archive/2026-10", 3, &body("three"));
    let broken = write_session(temp.path(), "sessions", 4, &body("four"));
    std::fs::create_dir(temp.path().join("sessions/.gone-0000000000000000")).unwrap();
    std::fs::write(broken.join("session.json"), "{ \"body\": ").unwrap();

    let mut catalogue = open(temp.path());
    let mut heard = Vec::new();
    let rebuilt = catalogue
        .rebuild(&mut |done, total| heard.push((done, total)))
        .unwrap();
    assert_eq!(heard, [(1, 4), (2, 4), (3, 4), (4, 4)]);
    assert_eq!((rebuilt.sessions, rebuilt.unreadable), (3, vec![broken]));
    let before = catalogue.list(&Filter::default()).unwrap();
    let one = before.iter().find(|summary| summary.id == id(1)).unwrap();
    assert_eq!(
        (one.windows, one.panes, &one.tags[..]),
        (2, 3, &["t".to_owned()][..])
    );
    assert_eq!(
        (
            &one.label[..],
            &one.owner[..],
            &one.name[..],
            &one.origin[..]
        ),
        ("default", "77.1", "one", "user")
    );
    assert_eq!((one.created, one.activity), (10, 20));
    assert!(one.size > 1000, "{}", one.size);
    let states: Vec<_> = before
        .iter()
        .map(|summary| (summary.id, summary.state))
        .collect();
    let expected = [
        (id(1), SessionState::Active),
        (id(2), SessionState::Hibernated),
        (id(3), SessionState::Archived),
    ];
    assert_eq!(states, expected);
    let bodies = catalogue.bodies("default", None, usize::MAX).unwrap().sound;
    let stamp = FileStamp::of(&dir.join("session.json")).unwrap();
    let found = bodies.iter().find(|body| body.id == id(1)).unwrap();
    assert_eq!(found.stamp, stamp);

    drop(catalogue);
    for name in [
        FILE.to_owned(),
        format!("{FILE}-wal"),
        format!("{FILE}-shm"),
    ] {
        let _ = std::fs::remove_file(temp.path().join(name));
    }
    let Opened {
        mut catalogue,
        state,
    } = Catalogue::open(temp.path()).unwrap();
    assert_eq!(state, CatalogueState::Fresh);
    catalogue.rebuild(&mut |_, _| {}).unwrap();
    assert_eq!(catalogue.list(&Filter::default()).unwrap(), before);
    let mut again = catalogue.bodies("default", None, usize::MAX).unwrap().sound;
    again.sort_by_key(|body| body.id);
    assert_eq!(again.len(), bodies.len());
    assert_eq!(again[0], *found);
}

#[test]
fn rebuild_removes_deleted_sessions_and_keeps_newer_rows() {
    let temp = tempfile::tempdir().unwrap();
    let body = description("default", &session("old", &[]));
    write_session(temp.path(), "sessions", 1, &body);
    let mut catalogue = open(temp.path());
    let mut newer = row(1, "default", "renamed meanwhile");
    newer.stamp.mtime = i64::MAX;
    catalogue.upsert(&newer).unwrap();
    catalogue.upsert(&row(99, "default", "gone")).unwrap();
    catalogue.rebuild(&mut |_, _| {}).unwrap();
    assert_eq!(
        names(&mut catalogue, &Filter::default()),
        ["renamed meanwhile"]
    );
}

#[test]
fn broken_catalogue_is_moved_aside_and_replaced() {
    for damage in [
        &b"not a database, and long enough to be looked at as one: "[..],
        &[0xff; 8192],
    ] {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join(FILE), damage).unwrap();
        let Opened {
            mut catalogue,
            state,
        } = Catalogue::open(temp.path()).unwrap();
        let CatalogueState::Rebuilt { aside, why } = state else {
            panic!("{state:?}")
        };
        assert_eq!(why, Fault::Broken);
        assert_eq!(
            std::fs::read(&aside).unwrap(),
            damage,
            "not a byte of it is lost"
        );
        catalogue.upsert(&row(1, "default", "a")).unwrap();
        assert_eq!(names(&mut catalogue, &Filter::default()), ["a"]);
    }
}

#[test]
fn catalogue_of_a_later_version_is_unchanged_without_consent() {
    let temp = tempfile::tempdir().unwrap();
    let catalogue = open(temp.path());
    catalogue
        .connection
        .pragma_update(None, "user_version", 9)
        .unwrap();
    drop(catalogue);
    assert!(matches!(
        Catalogue::inspect(temp.path()),
        Some(Err(Fault::Version(9)))
    ));
    let path = temp.path().join(FILE);
    let before = std::fs::read(&path).unwrap();
    let error = Catalogue::open(temp.path()).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "was written by a later shellkeep (version 9, this one knows 2); it was left untouched"
        ),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let mut catalogue = Catalogue::replace_newer(temp.path()).unwrap();
    catalogue.upsert(&row(1, "default", "a")).unwrap();
    let asides = std::fs::read_dir(temp.path()).unwrap().flatten();
    let asides = asides.filter(|entry| std::fs::read(entry.path()).is_ok_and(|it| it == before));
    assert_eq!(asides.count(), 1, "not a byte of it is lost");
}

#[test]
fn catalogue_whose_server_ended_while_it_made_it_is_made_as_if_it_were_not_there() {
    let temp = tempfile::tempdir().unwrap();
    let begun = Connection::open(temp.path().join(FILE)).unwrap();
    super::tables::set_up(&begun).unwrap();
    drop(begun);
    assert!(std::fs::metadata(temp.path().join(FILE)).unwrap().len() > 0);
    assert!(Catalogue::inspect(temp.path()).is_none());
    assert_eq!(state(temp.path()), CatalogueState::Fresh);
}

#[test]
fn database_of_another_program_is_moved_aside() {
    let temp = tempfile::tempdir().unwrap();
    let other = Connection::open(temp.path().join(FILE)).unwrap();
    other.execute_batch("CREATE TABLE theirs (x)").unwrap();
    drop(other);
    assert!(matches!(state(temp.path()), CatalogueState::Rebuilt { .. }));
}

#[test]
fn every_page_overwritten_is_an_error_and_the_next_call_works() {
    let temp = tempfile::tempdir().unwrap();
    let mut catalogue = open(temp.path());
    for number in 0..200 {
        catalogue.upsert(&row(number, "default", "a")).unwrap();
    }
    drop(catalogue);
    let path = temp.path().join(FILE);
    let sound = std::fs::read(&path).unwrap();
    let pages = sound.len() / 4096;
    assert!(pages > 5, "{pages}");
    for page in 0..pages {
        let mut damaged = sound.clone();
        damaged[page * 4096..(page + 1) * 4096].fill(0xa5);
        std::fs::write(&path, &damaged).unwrap();
        let mut catalogue = open(temp.path());
        // Whatever was damaged: a result or an error, and afterwards a working catalogue.
        let _ = catalogue.bodies("default", None, usize::MAX);
        let _ = catalogue.list(&Filter::default());
        let _ = catalogue.upsert(&row(1001, "default", "x"));
        let _ = catalogue.note_event(&event(1));
        if catalogue.fault().unwrap().is_some() {
            catalogue.set_aside().unwrap();
        }
        catalogue.upsert(&row(1002, "default", "y")).unwrap();
        assert!(names(&mut catalogue, &Filter::default()).contains(&"y".to_owned()));
        drop(catalogue);
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn file_deleted_under_an_open_catalogue_is_replaced_by_the_next_write() {
    let temp = tempfile::tempdir().unwrap();
    let mut catalogue = open(temp.path());
    catalogue.upsert(&row(1, "default", "a")).unwrap();
    for name in [
        FILE.to_owned(),
        format!("{FILE}-wal"),
        format!("{FILE}-shm"),
    ] {
        std::fs::remove_file(temp.path().join(name)).unwrap();
    }
    catalogue.upsert(&row(2, "default", "b")).unwrap();
    assert_eq!(names(&mut open(temp.path()), &Filter::default()), ["b"]);
    assert_eq!(
        state(temp.path()),
        CatalogueState::Fresh,
        "it is known not to be whole"
    );
}

fn event(time: i64) -> Event {
    Event {
        time,
        session: Some(id(1)),
        kind: "hibernated".to_owned(),
        text: "after 5 minutes".to_owned(),
    }
}

#[test]
fn events_beyond_the_cap_push_the_oldest_out() {
    let temp = tempfile::tempdir().unwrap();
    let mut catalogue = open(temp.path());
    let fill = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MAX_EVENTS}) \
         INSERT INTO events (time, session, kind, text) SELECT i, NULL, 'k', '' FROM n"
    );
    catalogue.connection.execute_batch(&fill).unwrap();
    for time in 0..10 {
        catalogue.note_event(&event(time)).unwrap();
    }
    assert_eq!(catalogue.stats().unwrap().events, MAX_EVENTS.unsigned_abs());
    let last = catalogue.events(Some(id(1)), 3).unwrap();
    assert_eq!(last, [event(9), event(8), event(7)]);
    assert_eq!(catalogue.events(None, 11).unwrap().len(), 11);
}

#[test]
fn servers_that_write_at_once_lose_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    std::thread::scope(|scope| {
        for (first, label) in [(100, "one"), (200, "two"), (300, "three"), (400, "four")] {
            scope.spawn(move || {
                // Each opens it by itself, and at the very beginning there is none.
                let mut catalogue = open(root);
                for number in 0..50 {
                    catalogue.upsert(&row(first + number, label, "x")).unwrap();
                    catalogue.note_event(&event(i64::from(number))).unwrap();
                    if number % 5 == 0 {
                        catalogue.remove(id(first + number)).unwrap();
                    }
                }
            });
        }
        scope.spawn(|| {
            let mut catalogue = open(root);
            for _ in 0..20 {
                catalogue.list(&Filter::default()).unwrap();
            }
        });
    });
    let mut catalogue = open(root);
    assert_eq!(catalogue.list(&Filter::default()).unwrap().len(), 160);
    for label in ["one", "two", "three", "four"] {
        assert_eq!(
            catalogue
                .bodies(label, None, usize::MAX)
                .unwrap()
                .sound
                .len(),
            40
        );
    }
    assert_eq!(catalogue.stats().unwrap().events, 200);
    assert_eq!(catalogue.fault().unwrap(), None);
}

#[test]
fn processes_that_mend_it_at_once_move_it_aside_once() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    std::fs::write(root.join(FILE), [7; 5000]).unwrap();
    std::thread::scope(|scope| {
        for number in 0..8 {
            scope.spawn(move || {
                let mut catalogue = open(root);
                catalogue.upsert(&row(number, "default", "a")).unwrap();
            });
        }
    });
    assert_eq!(open(root).list(&Filter::default()).unwrap().len(), 8);
    let asides = std::fs::read_dir(root).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("catalogue.db.")
    });
    assert_eq!(asides.count(), 1);
}

#[test]
fn directory_without_permission_is_an_error_in_a_sentence() {
    let temp = tempfile::tempdir().unwrap();
    let missing = temp.path().join("not there");
    let error = Catalogue::open(&missing).unwrap_err().to_string();
    assert!(error.contains("not there"), "{error}");
}
