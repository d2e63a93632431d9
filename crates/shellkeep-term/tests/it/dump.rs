//! Dumping a terminal to bytes and restoring it.

use std::sync::Arc;

use shellkeep_term::{Config, Emulator, PageStore, RestoreError};

use crate::kit::{Term, term};
use crate::memory_store::{MemoryStore, kept, with_memory_store};

/// A session with some of everything, and incomplete input at its end.
const SESSION: &str = "\x1b]0;ti;tle\x07\x1b]7;file:///a\x07\x1b[22t\x1b]2;other\x07\x1b]4;3;#123456\x07\x1b]10;#fff\x07\
    plain 漢字 e\u{301} 👩‍🔧 \x1b[1;4:3;38;2;1;2;3;48;5;9;58;5;3mstyled\x1b[0m\r\n\x1b]8;id=i;http://l\x07link\x1b]8;;\x07\
    0123456789012345678901234567890123456789\r\n1\r\n2\r\n3\r\n\x1b]133;A\x07$ \x1b[3;5H\x1bH\x1b[?1;2004;1006;1002h\x1b[?7s\
    \x1b(0\x1b7\x1b[1\"q\x1b[?69h\x1b[2;9s\x1b[2;5r\x1b[?1049h\x1b[>5ualt\x1b[5 q\x1b[1;31mred";

/// Input that ends in the middle of something.
const TAILS: [&[u8]; 14] = [
    b"",
    b"\x1b",
    b"\x1b[",
    b"\x1b[?",
    b"\x1b[1;2",
    b"\x1b[38:2:",
    b"\x1b[1 ",
    b"\x1b]2;tit",
    b"\x1b]2;tit\x1b",
    b"\x1bP1$",
    b"\x1bP$qm",
    b"\x1b_Gabc",
    b"\xe6\xbc",
    b"\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34",
];

#[test]
fn restore_is_the_inverse_of_dump_in_the_middle_of_anything() {
    for tail in TAILS {
        let mut one = term(6, 20, SESSION);
        one.emulator.feed(tail, &mut one.effects);
        let dump = one.emulator.dump();
        let mut other = Emulator::restore(&dump, Config::default()).expect("sound");
        assert_eq!(other.dump(), dump, "{tail:?}");
        // Both continue in the same way.
        let rest = b"\xa2m\x07\x1b\\x\x1b[?1049l\x1b8qq\x1b[0mmore\r\nand more\t|\x1b[6n\x1b[?7r";
        let mut effects = Vec::new();
        one.effects.clear();
        one.emulator.feed(rest, &mut one.effects);
        other.feed(rest, &mut effects);
        assert_eq!(other.dump(), one.emulator.dump(), "{tail:?}");
        assert_eq!(effects, one.effects, "{tail:?}");
    }
}

#[test]
fn every_cut_of_a_session_restores() {
    for cut in 0..SESSION.len() {
        let mut one = Term::new(6, 20);
        one.emulator
            .feed(&SESSION.as_bytes()[..cut], &mut one.effects);
        let restored = Emulator::restore(&one.emulator.dump(), Config::default());
        let mut restored = restored.expect("sound");
        restored.feed(&SESSION.as_bytes()[cut..], &mut one.effects);
        assert!(
            restored.dump() == term(6, 20, SESSION).emulator.dump(),
            "cut at {cut}"
        );
    }
}

/// A cursor saved on an alternate screen that is gone has to follow a resize, or the dump would be refused.
#[test]
fn place_saved_on_the_alternate_screen_survives_a_smaller_size() {
    let mut one = term(10, 20, "\x1b[?1049h\x1b[9;15H\x1b7\x1b[?1049l");
    one.resize(3, 5);
    let dump = one.emulator.dump();
    let restored = Emulator::restore(&dump, Config::default()).expect("sound");
    assert!(restored.dump() == dump);
}

#[test]
fn damaged_dumps_are_refused_or_sound() {
    let dump = term(6, 20, SESSION).emulator.dump();
    for cut in 0..dump.len() {
        assert!(
            Emulator::restore(&dump[..cut], Config::default()).is_err(),
            "cut at {cut}"
        );
    }
    for at in 0..dump.len() {
        for flip in [0x01, 0xff] {
            let mut bad = dump.clone();
            bad[at] ^= flip;
            if let Ok(mut emulator) = Emulator::restore(&bad, Config::default()) {
                emulator.feed(b"x\r\n\x1b[2J\x1b8\x1b[?1049l\x1b[5S", &mut Vec::new());
                emulator.resize(shellkeep_core::Size::new(9, 9));
                let _ = emulator.dump();
            }
        }
    }
}

#[test]
fn wrong_beginnings_are_named() {
    let refused = |bytes: &[u8]| Emulator::restore(bytes, Config::default()).err();
    assert_eq!(refused(b"hello"), Some(RestoreError::NotADump));
    assert_eq!(refused(b""), Some(RestoreError::NotADump));
    assert_eq!(refused(b"SKTM\x63"), Some(RestoreError::Newer(99)));
    assert_eq!(refused(b"SKTM\x01"), Some(RestoreError::Damaged));
}

#[test]
fn history_is_part_of_it() {
    let mut one = term(3, 20, "");
    for n in 0..2000 {
        one.feed(&format!("\x1b[3{}mline {n}\r\n", n % 8));
    }
    let dump = one.emulator.dump();
    let restored = Emulator::restore(&dump, Config::default()).expect("sound");
    assert_eq!(restored.history_lines(), 1998);
    assert_eq!(restored.history_text(5), Ok(Some("line 5".into())));
    assert!(dump.len() < 60_000, "{}", dump.len());
}

/// What version 2 added.
const LATER: &str =
    "\x1b]5;1;#123456\x07\x1b]17;#654321\x07\x1b[1#{\x1b G\x1b[63\"p\x1b]133;D\x07\x1b]133;A\x07";

/// Dumps and pages of older versions must stay readable forever.
#[test]
fn version_one_is_still_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/dump-v1");
    let golden = std::fs::read(path).expect("the golden dump is there");
    let mut restored = Emulator::restore(&golden, Config::default()).expect("still read");
    restored.feed(b"\x1b[?2004l", &mut Vec::new());
    // Version 1 did not record that a program reads a line.
    let mut now = term(6, 20, &SESSION.replace(";2004;", ";"));
    now.feed("\x1b[?2004l");
    assert!(restored.dump() == now.emulator.dump());
}

#[test]
fn versions_two_and_three_are_still_read() {
    let now = term(6, 20, &format!("{LATER}{SESSION}"));
    for name in ["dump-v2", "dump-v3"] {
        let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
        let golden = std::fs::read(path).expect("the golden dump is there");
        let mut restored = Emulator::restore(&golden, Config::default()).expect("still read");
        // These versions did not record where a prompt began that will be redrawn after a command without marks.
        let mut now = now.emulator.clone();
        for emulator in [&mut restored, &mut now] {
            emulator.feed(b"\x1b]133;C\x07", &mut Vec::new());
        }
        assert!(restored.dump() == now.dump(), "{name}");
    }
}

/// Reads a golden file. With `SHELLKEEP_BLESS=1`, writes it.
fn golden(name: &str, now: &[u8]) -> Vec<u8> {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SHELLKEEP_BLESS").is_some() {
        std::fs::write(&path, now).expect("writable");
    }
    std::fs::read(&path).expect("the golden file is there")
}

/// A golden file that is not written any more.
fn old(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the golden file is there")
}

/// What version 5 makes of a dump of version 4: the time at its end is not known.
fn as_version_five(dump: &[u8]) -> Vec<u8> {
    let mut now = dump.to_vec();
    now[4] = 5;
    now.push(0);
    now
}

#[test]
fn version_four_is_still_read() {
    let now = term(6, 20, &format!("{LATER}{SESSION}")).emulator.dump();
    let golden = old("dump-v4");
    assert!(now == as_version_five(&golden));
    let restored = Emulator::restore(&golden, Config::default()).expect("still read");
    // The session left the line-drawing set selected.
    assert_eq!(restored.row(0).text(), "▒┌├⎼␊␍");
    assert_eq!(restored.title(), "other");
    assert!(restored.rows().all(|row| row.time().is_none()));
    assert!(restored.dump() == now);
}

/// If the bytes of a new dump change, the version has to change as well.
#[test]
fn version_five_is_read_and_written() {
    let mut now = Term::new(6, 20);
    for (time, text) in [(1_795_059_000, LATER), (1_795_059_077, SESSION)] {
        now.emulator.set_time(time);
        now.feed(text);
    }
    let golden = golden("dump-v5", &now.emulator.dump());
    assert!(
        now.emulator.dump() == golden,
        "the format changed without its version"
    );
    let restored = Emulator::restore(&golden, Config::default()).expect("still read");
    assert_eq!(restored.row(0).text(), "▒┌├⎼␊␍");
    assert_eq!(restored.row(0).time(), Some(1_795_059_077));
    assert!(restored.dump() == golden);
}

/// Fills a terminal and its store. The time is known if that is wanted.
fn with_pages_taken(has_times: bool) -> (Term, Arc<MemoryStore>) {
    let (mut screen, memory_store) = with_memory_store(2, 20, kept());
    for n in 0..1500 {
        if has_times {
            screen.emulator.set_time(1_795_059_000 + n / 100);
        }
        screen.feed(&format!(
            "\x1b[3{}m{n} 漢 e\u{301}\x1b[0m\x1b[44m\x1b[K\x1b[0m\r\n",
            n % 8
        ));
        if n == 900 {
            memory_store.put(screen.emulator.take_sealed());
        }
    }
    (screen, memory_store)
}

/// The same for a pane that left pages with a store, and for the first of those pages.
#[test]
fn version_five_with_pages_taken_is_read_and_written() {
    let (screen, memory_store) = with_pages_taken(true);
    let page = memory_store.page(0).expect("was taken");
    let golden_page = golden("page-v2-plain", &page);
    assert!(
        page == golden_page,
        "the format changed without its version"
    );
    let golden = golden("dump-v5-taken", &screen.emulator.dump());
    let restored =
        Emulator::restore_kept(&golden, kept(), &memory_store.taken(), memory_store.clone());
    let restored = restored.expect("still read");
    assert!(restored.dump() == golden);
    for n in [7, 800, 1400] {
        let line = restored.lines(n..n + 1, 20);
        let row = line.row(0).expect("it is there");
        assert_eq!(row.text(), format!("{n} 漢 e\u{301}"));
        assert_eq!(row.time(), Some(1_795_059_000 + n as u32 / 100));
    }
}

/// A page of lines whose times are not known is written as it was by version 1.
#[test]
fn version_four_with_pages_taken_is_still_read() {
    let (_, memory_store) = with_pages_taken(false);
    let page = memory_store.page(0).expect("was taken");
    let golden_page = golden("page-v1-plain", &page);
    assert!(
        page == golden_page,
        "the format changed without its version"
    );
    // The compression of pages in a dump may change; their content must not.
    let golden = old("dump-v4-taken");
    let restored =
        Emulator::restore_kept(&golden, kept(), &memory_store.taken(), memory_store.clone());
    let restored = restored.expect("still read");
    let golden = as_version_five(&golden);
    assert!(restored.dump() == golden);
    let older = old("dump-v3-taken");
    let older = Emulator::restore_kept(&older, kept(), &memory_store.taken(), memory_store.clone());
    assert!(older.expect("still read").dump() == golden);
    for n in [7, 800, 1400] {
        let text = format!("{n} 漢 e\u{301}");
        assert_eq!(restored.history_text(n), Ok(Some(text)));
    }
}
