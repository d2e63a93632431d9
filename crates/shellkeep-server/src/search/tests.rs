use shellkeep_core::Size;
use shellkeep_search::{Case, Kind};
use shellkeep_store::{Checkpoint, Journal, JournalStart, Page, Record, Store};
use shellkeep_term::{Config, Effects, Emulator, Keep};

use crate::search::*;

fn query(text: &str, limit: usize) -> Query {
    Query {
        pattern: Pattern::new(text, Kind::Text, Case::Smart).unwrap(),
        limit,
        room: MAX_BYTES,
        before: 0,
        after: 0,
        printed: None,
        wants: Wants::Lines,
        paint: Paint::Plain,
    }
}

fn place(session: &str) -> Arc<PanePlace> {
    Arc::new(PanePlace {
        session: session.to_owned(),
        window: 0,
        window_name: "shell".to_owned(),
        number: 0,
        pane: Some(PaneId(7)),
        life: Life::Active,
        archived: None,
        directory: PathBuf::from("/src"),
        used: 0,
    })
}

fn emulator(keep: Keep) -> Emulator {
    let config = Config {
        keep,
        history_limit: usize::MAX,
        ..Config::default()
    };
    Emulator::new(Size::new(4, 30), config)
}

/// A pane in memory that has printed this.
fn ground(session: &str, text: &str) -> SearchedPane {
    let mut emulator = emulator(Keep::Memory);
    emulator.feed(text.as_bytes(), &mut Effects::new());
    SearchedPane {
        place: place(session),
        text: Text::Screen(Screen::new(PaneId(7), emulator)),
    }
}

fn numbered(count: usize) -> String {
    (1..=count).map(|n| format!("line {n}\r\n")).collect()
}

/// All matching lines, with their panes.
fn lines(found: &SearchResults) -> Vec<String> {
    let lines = found.panes.iter().flat_map(|pane| {
        let hits = pane.hits.iter();
        hits.map(|hit| format!("{}:{}", pane.place.session, hit.text))
    });
    lines.collect()
}

fn go(grounds: &[SearchedPane], query: &Query) -> SearchResults {
    run(grounds, query, &AtomicBool::new(false))
}

#[test]
fn limit_takes_the_newest_lines_of_the_newest_panes() {
    let grounds = [
        ground("new", "line 1\r\nline 2\r\nother\r\n"),
        ground("empty", ""),
        ground("old", &numbered(2000)),
    ];
    let found = go(&grounds, &query("line", 4));
    assert_eq!(
        lines(&found),
        ["old:line 1999", "old:line 2000", "new:line 1", "new:line 2"]
    );
    assert!(found.is_cut);
    let found = go(&grounds, &query("line", 2));
    assert_eq!(lines(&found), ["new:line 1", "new:line 2"]);
    assert!(found.is_cut);
    let found = go(&grounds, &query("line", 2002));
    assert!(!found.is_cut);
    assert_eq!(found.panes[0].count, 2000);
}

#[test]
fn counting_needs_no_lines_and_knows_no_limit() {
    let grounds = [ground("a", &numbered(700)), ground("b", "line\r\n")];
    let mut query = query("line", 1);
    query.wants = Wants::Counts;
    let found = go(&grounds, &query);
    let counts: Vec<usize> = found.panes.iter().map(|pane| pane.count).collect();
    assert_eq!((counts, found.is_cut), (vec![1, 700], false));
    assert_eq!(lines(&found), [""; 0]);
    query.wants = Wants::Panes;
    assert_eq!(
        as_lines(&go(&grounds, &query), Wants::Panes, Show::Lines),
        "b:0.0\na:0.0\n"
    );
}

#[test]
fn lines_are_found_by_when_they_were_printed() {
    let mut emulator = emulator(Keep::Memory);
    for line in 0..2000 {
        // The first lines have no known time.
        let time = if line < 100 { 0 } else { 1_000 + line / 10 };
        emulator.set_time(time);
        emulator.feed(format!("line {line}\r\n").as_bytes(), &mut Effects::new());
    }
    let grounds = [SearchedPane {
        place: place("a"),
        text: Text::Screen(Screen::new(PaneId(7), emulator)),
    }];
    let found = |printed: Option<Range<Seconds>>| {
        let mut query = query("line", usize::MAX);
        query.printed = printed;
        let found = go(&grounds, &query);
        let hits = found.panes.into_iter().flat_map(|pane| pane.hits);
        hits.map(|hit| (hit.line, hit.time)).collect::<Vec<_>>()
    };
    let lines = |lines: Range<u64>| -> Vec<_> {
        let known = |line: u64| (line >= 100).then(|| 1_000 + line as u32 / 10);
        lines.map(|line| (line, known(line))).collect()
    };
    assert_eq!(found(None), lines(0..2000));
    assert_eq!(found(Some(1_050..1_052)), lines(500..520));
    assert_eq!(found(Some(1_198..Seconds::MAX)), lines(1980..2000));
    assert_eq!(found(Some(Seconds::MIN..1_011)), lines(100..110));
    assert_eq!(found(Some(0..1)), []);
}

#[test]
fn search_that_is_cancelled_finds_nothing_more() {
    let cancel_on_drop = cancel_on_drop::CancelOnDrop::default();
    let cancel = cancel_on_drop.flag();
    drop(cancel_on_drop);
    let found = run(&[ground("a", "line\r\n")], &query("line", 9), &cancel);
    assert!(found.panes.is_empty());
}

#[test]
fn lines_that_are_too_many_for_memory_are_left_out() {
    const ROOM: usize = 20_000;
    let long = format!("{}\r\n", "line ".repeat(20)).repeat(10);
    let all: Vec<SearchedPane> = (0..90).map(|n| ground(&format!("s{n}"), &long)).collect();
    let mut query = query("line", usize::MAX);
    query.room = ROOM;
    let found = go(&all, &query);
    assert!(found.is_cut);
    let bytes: usize = found
        .panes
        .iter()
        .flat_map(|pane| &pane.hits)
        .map(Hit::bytes)
        .sum();
    assert!((ROOM..ROOM * 2).contains(&bytes), "{bytes}");
    // Those that are there are the newest.
    assert_eq!(found.panes.last().unwrap().place.session, "s0");
}

#[test]
fn context_of_what_is_cut_goes_with_it() {
    let mut query = query("line 5", 1);
    (query.before, query.after) = (1, 1);
    let found = go(
        &[ground(
            "a",
            "line 4\r\nline 5\r\nx\r\ny\r\nline 55\r\nz\r\n",
        )],
        &query,
    );
    assert_eq!(lines(&found), ["a:y", "a:line 55", "a:z"]);
}

#[test]
fn people_see_groups() {
    let mut query = query("ine", 10);
    query.paint = Paint::Marks;
    let found = go(
        &[ground("b", "x\r\nline 2\r\n"), ground("a", "a line\r\n")],
        &query,
    );
    assert_eq!(
        as_lines(&found, Wants::Lines, Show::ColoredGroups),
        "\x1b[1;35ma:0.0\x1b[m \x1b[2m(%7, /src)\x1b[m\n\x1b[32m1\x1b[m  a l\x1b[1;31mine\x1b[m\n\n\
         \x1b[1;35mb:0.0\x1b[m \x1b[2m(%7, /src)\x1b[m\n\x1b[32m2\x1b[m  l\x1b[1;31mine\x1b[m 2\n"
    );
    assert_eq!(
        as_lines(&found, Wants::Counts, Show::Groups),
        "      1 a:0.0 (%7, /src)\n      1 b:0.0 (%7, /src)\n"
    );
}

#[test]
fn colours_and_marks_are_drawn_on_each_other() {
    let mut query = query("本 g", 10);
    query.paint = Paint::ColorsAndMarks;
    let found = go(&[ground("a", "\x1b[31m日本\x1b[m green\r\n")], &query);
    let hit = &found.panes[0].hits[0];
    assert_eq!(hit.column, 2);
    assert_eq!(
        hit.shown.as_deref(),
        Some("\x1b[31m日\x1b[7m本\x1b[39m g\x1b[0m\x1b[39m\x1b[49mreen")
    );
}

/// A pane on disk: some pages, a screen, and a journal after it.
struct OnDisk {
    _temp: tempfile::TempDir,
    kept: Kept,
}

fn on_disk(count: usize) -> OnDisk {
    let temp = tempfile::tempdir().unwrap();
    let store = Store::open(temp.path(), "default").unwrap();
    let dir = store.pane(StoreId::new(1), StoreId::new(2));
    dir.create().unwrap();
    let mut emulator = emulator(Keep::Store);
    emulator.feed(numbered(count).as_bytes(), &mut Effects::new());
    let history = dir.load().unwrap().history;
    let pages = emulator.take_sealed().into_iter().map(|page| Page {
        number: page.number,
        first_line: page.first_line,
        lines: page.lines,
        cells: page.cells,
        longest: page.longest,
        data: page.bytes(),
    });
    let history_end = history.append(pages.collect::<Vec<_>>()).unwrap();
    dir.write_screen(&Checkpoint {
        journal: 3,
        history_end,
        time: 0,
        facts: serde_json::Value::Null,
        dump: emulator.dump(),
    })
    .unwrap();
    OnDisk {
        _temp: temp,
        kept: Kept::plain(dir),
    }
}

impl OnDisk {
    fn ground(&self) -> SearchedPane {
        SearchedPane {
            place: place("kept"),
            text: Text::Kept(self.kept.clone()),
        }
    }

    fn count(&self, text: &str) -> usize {
        let found = go(&[self.ground()], &query(text, usize::MAX));
        assert!(found.unread.is_empty(), "{:?}", found.unread);
        found.panes.first().map_or(0, |pane| pane.count)
    }

    fn print(&self, text: &str) {
        let journal = Journal::lay_out(&self.kept.own, 3).unwrap();
        let mut journal = journal
            .begin(&self.kept.own, JournalStart::Continues)
            .unwrap();
        let bytes = text.as_bytes();
        journal
            .append(&Record::Output { time: 1, bytes }, 1)
            .unwrap();
        journal.close_record().unwrap();
    }
}

#[test]
fn kept_pane_is_found_with_and_without_an_index() {
    // More pages than one filter covers.
    let disk = on_disk(30_000);
    let counts = |disk: &OnDisk| ["line", "line 29999", "line 12", "absent"].map(|t| disk.count(t));
    let expected = [30_000, 1, 1111, 0];
    assert_eq!(counts(&disk), expected);
    let found = go(&[disk.ground()], &query("absent", 9));
    assert_eq!(found.unindexed.len(), 1);
    refresh_index(&found.unindexed[0]);
    assert!(disk.kept.dir.read_index().unwrap().len() > 1);
    assert_eq!(counts(&disk), expected);
    assert!(
        go(&[disk.ground()], &query("absent", 9))
            .unindexed
            .is_empty()
    );
    // A pattern that filters cannot use must not ask for an index.
    assert!(go(&[disk.ground()], &query("zz", 9)).unindexed.is_empty());
}

#[test]
fn index_counts_only_for_what_it_was_made_of() {
    let disk = on_disk(1000);
    refresh_index(&disk.kept);
    assert!(disk.kept.dir.read_index().is_some());
    assert_eq!(disk.count("printed later"), 0);
    disk.print("printed later\r\n");
    assert!(disk.kept.dir.read_index().is_none());
    assert_eq!((disk.count("printed later"), disk.count("line")), (1, 1000));
    // The pane is not at rest, so it gets no index.
    refresh_index(&disk.kept);
    assert!(disk.kept.dir.rest_mark().is_none());
    assert!(disk.kept.dir.read_index().is_none());
}

#[test]
fn reading_a_kept_pane_changes_no_file() {
    let disk = on_disk(1000);
    disk.print("more\r\n");
    let look = || {
        let entries = std::fs::read_dir(disk.kept.dir.path()).unwrap().flatten();
        let files = entries.map(|entry| (entry.path(), std::fs::read(entry.path()).unwrap()));
        files.collect::<std::collections::BTreeMap<_, _>>()
    };
    let before = look();
    assert_eq!(disk.count("more"), 1);
    assert_eq!(look(), before);
}

#[test]
fn pane_that_cannot_be_read_is_told_and_the_others_are_found() {
    let disk = on_disk(10);
    let screen = disk.kept.dir.path().join("screen");
    let mut bytes = std::fs::read(&screen).unwrap();
    // A later version, with a valid checksum.
    bytes[4] = 9;
    let check = crc32(&bytes[..12]);
    bytes[12..16].copy_from_slice(&check.to_le_bytes());
    std::fs::write(&screen, &bytes).unwrap();
    let found = go(&[disk.ground(), ground("a", "line\r\n")], &query("line", 9));
    assert_eq!(lines(&found), ["a:line"]);
    assert_eq!(found.unread.len(), 1);
    assert!(
        found.unread[0].starts_with("kept:0.0: "),
        "{:?}",
        found.unread
    );
}

/// The checksum of files, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !crc
}
