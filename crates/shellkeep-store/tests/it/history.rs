//! Pages on disk: newer pages replace older ones, reading while writing, and the size of a build log.

use std::sync::Arc;

use shellkeep_store::{History, Journal, NewPage, Page, PagePacker, Unsynced};

use crate::sample::{self, new_pane, open, page, scratch};

#[test]
fn page_appended_again_replaces_the_earlier_one() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    history.append([page(0, "old"), page(1, "one")]).unwrap();
    let end = history.append([page(0, "new")]).unwrap();
    assert_eq!(history.end(), end);
    assert_eq!(history.append([]).unwrap(), end);
    for history in [history, History::open(&pane, end).unwrap()] {
        assert_eq!(history.page(0).unwrap(), b"new");
        assert_eq!(history.page(1).unwrap(), b"one");
        assert_eq!(history.page(2), None);
        let numbers: Vec<_> = history.index().iter().map(|entry| entry.number).collect();
        assert_eq!(numbers, [0, 1]);
        assert_eq!(
            (history.index()[1].lines, history.index()[1].longest),
            (3, 17)
        );
    }
}

#[test]
fn reader_gives_the_same_pages_in_any_order() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let text = |number: u64| {
        format!(
            "page {number} of a log in which much is alike {}",
            number * 7
        )
    };
    history.append((0..30).map(|n| page(n, &text(n)))).unwrap();
    history.append([page(5, "another fifth")]).unwrap();
    let orders: [Vec<u64>; 3] = [
        (0..30).collect(),
        (0..30).rev().collect(),
        (0..30).map(|n| n * 11 % 30).collect(),
    ];
    for order in orders {
        let mut reader = history.reader().unwrap();
        for number in order {
            assert_eq!(
                reader.page(number),
                history.page(number).as_deref(),
                "{number}"
            );
        }
        assert_eq!(reader.page(30), None);
    }
    // A damaged page does no harm to the others.
    let path = pane.path().join("history");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 0xff;
    std::fs::write(&path, bytes).unwrap();
    let mut reader = history.reader().unwrap();
    let read = (0..30).filter(|&n| reader.page(n).map(<[u8]>::to_vec) == history.page(n));
    assert_eq!(read.count(), 30);
    assert!((0..30).filter(|&n| reader.page(n).is_none()).count() < 30);
}

#[test]
fn page_compressed_before_is_read_like_another() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let text = |number: u64| format!("page {number} of a log in which much is alike");
    let mut packer = PagePacker::new().unwrap();
    // Alternately, so that some come between a page and its base, and some are the first.
    let pages = (0..40).map(|number| {
        let page = page(number, &text(number));
        match number % 7 {
            0 | 4 => NewPage::Packed(Arc::new(packer.pack(&page).unwrap())),
            _ => NewPage::Plain(page),
        }
    });
    let (appended, end) = history.append_unsynced(pages).unwrap();
    Unsynced::from(appended.unwrap()).finish().unwrap();
    for history in [history, History::open(&pane, end).unwrap()] {
        for number in 0..40 {
            let read = history.page(number).unwrap();
            assert_eq!(String::from_utf8(read).unwrap(), text(number));
        }
        assert_eq!(history.index().len(), 40);
    }
}

#[test]
fn history_after_its_checkpoint_is_cut() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let end = history.append([page(0, "kept")]).unwrap();
    history
        .append([page(0, "not yet"), page(1, "nor this")])
        .unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    let recovery = pane.load().unwrap();
    assert!(recovery.damage.is_empty());
    assert_eq!(recovery.history.page(0).unwrap(), b"kept");
    assert_eq!(recovery.history.index().len(), 1);
    assert_eq!(
        std::fs::metadata(pane.path().join("history"))
            .unwrap()
            .len(),
        end
    );
    assert!(
        !temp
            .path()
            .join(format!("quarantine/{}", sample::session_id()))
            .exists()
    );
}

#[test]
fn older_checkpoint_cuts_the_history_that_journals_give_again() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let end = history.append([page(0, "kept")]).unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    // The journal produces again what is cut off.
    Journal::create(&pane, 1).unwrap();
    let end = history.append([page(1, "newer")]).unwrap();
    pane.write_screen(&sample::checkpoint(2, end)).unwrap();
    std::fs::write(pane.path().join("screen"), "broken").unwrap();
    let recovery = pane.load().unwrap();
    assert_eq!(
        recovery.checkpoint,
        Some(sample::checkpoint(1, recovery.history.end()))
    );
    assert_eq!(recovery.history.index().len(), 1);
    let aside: Vec<_> = sample::files(&temp.path().join("quarantine"))
        .into_iter()
        .map(|(path, bytes)| (path.file_stem().unwrap().to_owned(), bytes.len() as u64))
        .collect();
    assert_eq!(aside, [("screen".into(), 6)], "no line is missing");
}

#[test]
fn pages_of_a_first_checkpoint_that_was_not_finished_are_not_set_aside() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let mut journal = Journal::create(&pane, 1).unwrap();
    let (time, bytes) = (sample::NOW, &b"all of it"[..]);
    let output = shellkeep_store::Record::Output { time, bytes };
    journal.append(&output, time).unwrap();
    // The server was killed after it wrote the pages and before the checkpoint was in its place.
    let history = pane.load().unwrap().history;
    history.append([page(0, "all of it")]).unwrap();
    Journal::create(&pane, 2).unwrap();
    let mut recovery = pane.load().unwrap();
    assert_eq!(sample::output(&mut recovery), b"all of it");
    assert_eq!(
        (recovery.damage, recovery.history.index().len()),
        (vec![], 0)
    );
    assert!(
        !temp
            .path()
            .join("quarantine")
            .join(sample::session_id().to_string())
            .exists()
    );
}

#[test]
fn pages_that_nothing_gives_again_stay_when_checkpoints_are_lost() {
    for (has_old, damage) in [(true, "broken"), (false, "broken"), (false, "gone")] {
        let temp = scratch();
        let pane = new_pane(&open(temp.path()));
        let history = pane.load().unwrap().history;
        if has_old {
            let end = history.append([page(0, "kept")]).unwrap();
            pane.write_screen(&sample::checkpoint(1, end)).unwrap();
        } else {
            history.append([page(0, "kept")]).unwrap();
        }
        let end = history.append([page(1, "newer")]).unwrap();
        pane.write_screen(&sample::checkpoint(2, end)).unwrap();
        Journal::create(&pane, 2).unwrap();
        let screen = pane.path().join("screen");
        match damage {
            "gone" => std::fs::remove_file(screen).unwrap(),
            _ => std::fs::write(screen, damage).unwrap(),
        }
        for _ in 0..2 {
            let recovery = pane.load().unwrap();
            assert_eq!(recovery.checkpoint, None);
            assert_eq!(recovery.history.page(0).unwrap(), b"kept");
            assert_eq!(recovery.history.page(1).unwrap(), b"newer");
            assert_eq!(recovery.history.end(), end);
            assert_eq!(recovery.last_journal, Some(2));
        }
    }
}

#[test]
fn damaged_page_is_skipped_and_the_others_are_found() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    // Too long to be a base, so each is compressed on its own.
    let long = |number: u64| page(number, &format!("{number} {}", "x".repeat(300_000)));
    let first = history.append([long(0)]).unwrap();
    let end = history.append([long(1), long(2)]).unwrap();
    pane.write_screen(&sample::checkpoint(1, end)).unwrap();
    let path = pane.path().join("history");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[first as usize + 5] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    let recovery = pane.load().unwrap();
    assert_eq!(recovery.damage.len(), 1, "{:?}", recovery.damage);
    assert_eq!(recovery.history.page(0), Some(long(0).data));
    assert_eq!(recovery.history.page(1), None);
    assert_eq!(recovery.history.page(2), Some(long(2).data));
    let end = recovery.history.append([long(1)]).unwrap();
    assert_eq!(
        History::open(&pane, end).unwrap().page(1),
        Some(long(1).data)
    );
}

#[test]
fn damage_is_reported_once_and_the_file_copied_to_the_quarantine() {
    // In the page's header, in its content, and the same in the last page.
    for (number, place) in [(1, 5), (1, 90), (3, 90)] {
        let temp = scratch();
        let pane = new_pane(&open(temp.path()));
        let history = pane.load().unwrap().history;
        let long = |number: u64| page(number, &format!("{number} {}", "x".repeat(300_000)));
        let mut ends = vec![16];
        for number in 0..4 {
            ends.push(history.append([long(number)]).unwrap());
        }
        pane.write_screen(&sample::checkpoint(1, ends[4])).unwrap();
        drop(history);
        let path = pane.path().join("history");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[ends[number as usize] as usize + place] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(pane.inspect().unwrap().len(), 1);
        let recovery = pane.load().unwrap();
        let found = recovery.history.give_up_unread(&pane).unwrap();
        let reported: Vec<_> = recovery.damage.iter().chain(&found).collect();
        assert_eq!(reported.len(), 1, "{number} {place}: {reported:?}");
        let aside = reported[0].kept_at.as_ref().unwrap();
        assert!(std::fs::read(aside).unwrap() == bytes);
        assert_eq!(recovery.history.give_up_unread(&pane).unwrap(), None);
        for _ in 0..2 {
            assert_eq!(pane.inspect().unwrap(), []);
            let recovery = pane.load().unwrap();
            assert_eq!(recovery.damage, []);
            for each in 0..4 {
                let wanted = (each != number).then(|| long(each).data);
                assert_eq!(recovery.history.page(each), wanted);
            }
        }
        let asides = std::fs::read_dir(aside.parent().unwrap()).unwrap();
        assert_eq!(asides.count(), 1);
        // The history continues after it.
        let history = pane.load().unwrap().history;
        let end = history.append([long(4)]).unwrap();
        pane.write_screen(&sample::checkpoint(1, end)).unwrap();
        let history = pane.load().unwrap().history;
        assert_eq!(history.page(4), Some(long(4).data));
        // Damage beside a range that was given up is reported.
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[ends[number as usize] as usize + 40] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(pane.inspect().unwrap().len(), 1);
    }
}

#[test]
fn pages_are_read_while_others_are_appended() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let text = |number: u64| format!("line {number} of many, much alike\n").repeat(20);
    let reading = std::thread::spawn({
        let history = history.clone();
        move || {
            while history.index().len() < 100 {
                for entry in history.index() {
                    let data = history.page(entry.number).unwrap();
                    assert_eq!(data, text(entry.number).as_bytes());
                }
            }
        }
    });
    for number in 0..100 {
        history.append([page(number, &text(number))]).unwrap();
    }
    reading.join().unwrap();
    let reopened = History::open(&pane, history.end()).unwrap();
    let all = (0..100).all(|number| reopened.page(number).unwrap() == text(number).as_bytes());
    assert!(all);
}

#[test]
fn page_that_looks_like_a_dictionary_is_kept_all_the_same() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let mut odd = page(0, "????0123456789");
    odd.data[..4].copy_from_slice(&0xEC30_A437u32.to_le_bytes());
    history.append([odd.clone(), page(1, "after")]).unwrap();
    history.append([page(2, "it")]).unwrap();
    assert_eq!(history.page(0).unwrap(), odd.data);
    assert_eq!(history.page(1).unwrap(), b"after");
    assert_eq!(history.page(2).unwrap(), b"it");
}

/// Ten thousand lines in the style of cargo: crates being built, warnings with code, test results.
#[expect(clippy::too_many_lines, reason = "mostly tables of words")]
fn build_log() -> Vec<String> {
    const STEMS: &[&str] = &[
        "serde",
        "tokio",
        "hyper",
        "regex",
        "syn",
        "quote",
        "proc-macro2",
        "libc",
        "rand",
        "clap",
        "tracing",
        "bytes",
        "futures",
        "http",
        "url",
        "idna",
        "time",
        "chrono",
        "memchr",
        "aho-corasick",
        "parking-lot",
        "crossbeam",
        "rayon",
        "indexmap",
        "hashbrown",
        "tower",
        "axum",
        "rustls",
        "ring",
        "webpki",
        "openssl",
        "zstd",
        "flate2",
        "log",
        "anyhow",
    ];
    const TAILS: &[&str] = &[
        "", "-core", "-util", "-macros", "-derive", "-sys", "-io", "-channel", "-types", "-service",
    ];
    const WORDS: &[&str] = &[
        "buffer", "index", "result", "config", "state", "handle", "client", "request", "response",
        "session", "window", "parser", "token", "stream", "reader", "writer", "cursor", "offset",
        "length", "entry", "value", "option", "error",
    ];
    let mut seed = 88_172_645_463_325_252u64;
    let mut pick = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let mut lines = Vec::new();
    while lines.len() < 10_000 {
        let (stem, tail) = (STEMS[pick(STEMS.len())], TAILS[pick(TAILS.len())]);
        let (one, two) = (WORDS[pick(WORDS.len())], WORDS[pick(WORDS.len())]);
        match pick(20) {
            0..=9 => {
                let verb = ["Compiling", "Checking ", "Downloaded"][pick(3)];
                let version = format!("v{}.{}.{}", pick(3), pick(40), pick(200));
                lines.push(format!(
                    "   \x1b[1m\x1b[32m{verb}\x1b[0m {stem}{tail} {version}"
                ));
            }
            10..=14 => {
                let (line, column) = (pick(1500) + 1, pick(60) + 1);
                let margin = line.to_string();
                let pad = " ".repeat(margin.len());
                lines.push(format!(
                    "\x1b[1m\x1b[33mwarning\x1b[0m: unused variable: `{one}_{two}`"
                ));
                lines.push(format!(
                    "{pad}--> crates/{stem}{tail}/src/{one}/{two}.rs:{line}:{column}"
                ));
                lines.push(format!("{pad} |"));
                lines.push(format!(
                    "{margin} |     let {one}_{two} = self.{two}.{one}({});",
                    pick(5000)
                ));
                let marks = "^".repeat(one.len() + two.len() + 1);
                lines.push(format!("{pad} |         {marks} help: if this is intentional, prefix it with an underscore: `_{one}_{two}`"));
                lines.push(format!("{pad} |"));
                lines.push(format!(
                    "{pad} = note: `#[warn(unused_variables)]` on by default"
                ));
                lines.push(String::new());
            }
            15..=18 => {
                lines.push(format!(
                    "test {one}::tests::{two}_with_{one}_{} ... \x1b[32mok\x1b[0m",
                    pick(900)
                ));
            }
            _ => lines.push(format!(
                "    Finished `dev` profile [unoptimized + debuginfo] target(s) in {}.{:02}s",
                pick(90),
                pick(100)
            )),
        }
    }
    lines.truncate(10_000);
    lines
}

#[test]
fn build_log_of_ten_thousand_lines_takes_a_hundred_kilobytes_at_most() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let history = pane.load().unwrap().history;
    let lines = build_log();
    let plain: usize = lines.iter().map(|line| line.len() + 1).sum();
    let pages: Vec<_> = lines
        .chunks(256)
        .enumerate()
        .map(|(number, lines)| Page {
            number: number as u64,
            first_line: number as u64 * 256,
            lines: lines.len() as u32,
            cells: 0,
            longest: 0,
            data: lines.join("\n").into_bytes(),
        })
        .collect();
    // As in a build: a few pages for each checkpoint.
    for some in pages.chunks(3) {
        history.append(some.iter().cloned()).unwrap();
    }
    let reopened = History::open(&pane, history.end()).unwrap();
    for page in &pages {
        assert!(reopened.page(page.number).unwrap() == page.data);
    }
    println!("{plain} bytes of build log in {} on disk", history.end());
    assert!(history.end() <= 100_000, "{}", history.end());
}
