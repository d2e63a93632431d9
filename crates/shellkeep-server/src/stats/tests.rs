use crate::stats::unit::{ago, bytes, took};
use crate::stats::*;

const MS: Duration = Duration::from_millis(1);

fn figures() -> Figures {
    let session = |name: &str, state, saved| SessionFigures {
        name: name.to_owned(),
        id: "$1".to_owned(),
        state,
        panes: 3,
        memory: 310 << 10,
        disk: 8300,
        saved,
    };
    let mut timings = Timings::default();
    timings.record(12 * MS);
    timings.record(40 * MS);
    Figures {
        server: ProcessFigures {
            pid: 4711,
            memory: Some(13 << 20),
        },
        keeper: Some(ProcessFigures {
            pid: 4712,
            memory: None,
        }),
        archived: 30,
        archived_disk: 3 << 20,
        sessions: vec![
            session("work", Life::Active, Saved::Ago(400 * MS)),
            session("日本語", Life::Hibernated, Saved::All),
            session("secret", Life::Active, Saved::Private),
            session(
                "late",
                Life::Active,
                Saved::Failing {
                    ago: 12_000 * MS,
                    why: "no room on the disk".to_owned(),
                },
            ),
        ],
        checkpoints: timings.summary(),
        ..Figures::default()
    }
}

#[test]
fn text_lists_totals_and_then_each_session() {
    let text = figures().to_text();
    let expected = "\
sessions      3 active, 1 hibernated, 30 archived
server        13 MB, process 4711
keeper        process 4712
on disk       3.0 MB
saved         12 s ago
checkpoints   2, half of them within 12 ms, 99 % within 40 ms
hibernations  none yet
revivals      none yet

SESSION  STATE       PANES    MEMORY      DISK  SAVED
work     active          3    310 KB    8.1 KB  0.4 s ago
日本語   hibernated      3         -    8.1 KB  all
secret   active          3    310 KB         -  never: private
late     active          3    310 KB    8.1 KB  12 s ago; now not: no room on the disk
";
    assert_eq!(text, expected);
}

#[test]
fn text_without_sessions_has_no_table() {
    let text = Figures::default().to_text();
    assert!(text.starts_with("sessions      0 active, 0 hibernated, 0 archived\n"));
    assert!(text.ends_with("revivals      none yet\n"), "{text}");
    assert!(text.contains("keeper        none\n") && text.contains("saved         all\n"));
}

#[test]
fn json_has_every_field_and_null_where_it_has_no_meaning() {
    let json = figures().to_json();
    assert_eq!(json["sessions_active"], 3);
    assert_eq!(json["server"]["memory"], 13 << 20);
    assert!(json["keeper"]["memory"].is_null());
    assert_eq!(json["saved_ago_ms"], 12_000);
    assert_eq!(json["checkpoints"]["p99_us"], 40_000);
    assert_eq!(json["revivals"]["count"], 0);
    assert!(json["revivals"]["median_us"].is_null());
    let saved: Vec<_> = json["sessions"].as_array().unwrap().iter().collect();
    assert_eq!(saved[0]["saved_ago_ms"], 400);
    assert_eq!(saved[1]["saved_ago_ms"], 0);
    assert!(saved[2]["saved_ago_ms"].is_null());
    assert_eq!(saved[2]["saved"], "private");
    assert_eq!(saved[3]["saved_error"], "no room on the disk");
    assert!(saved[0]["saved_error"].is_null());
}

#[test]
fn timings_empty_have_no_median() {
    assert_eq!(Timings::default().summary(), Timing::default());
}

#[test]
fn timings_give_median_and_p99_of_the_last_thousand() {
    let mut timings = Timings::default();
    for millis in (1..=100).rev() {
        timings.record(MS * millis);
    }
    let summary = timings.summary();
    assert_eq!(
        (summary.median, summary.p99),
        (Some(50 * MS), Some(99 * MS))
    );
    // Slow samples of long ago are dropped, but still counted.
    for _ in 0..2000 {
        timings.record(MS);
    }
    let summary = timings.summary();
    assert_eq!((summary.count, summary.p99), (2100, Some(MS)));
    let mut timings = Timings::default();
    timings.record(Duration::MAX);
    let longest = Duration::from_micros(u64::from(u32::MAX));
    assert_eq!(timings.summary().median, Some(longest));
}

#[test]
fn numbers_are_printed_in_the_unit_that_fits() {
    for (count, expected) in [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (10_180, "9.9 KB"),
        (10_240, "10 KB"),
        (1_048_000, "1023 KB"),
        (1_048_200, "1.0 MB"),
        (u64::MAX, "16777216 TB"),
    ] {
        assert_eq!(bytes(count), expected, "{count}");
    }
    for (micros, expected) in [
        (0, "0.00 ms"),
        (420, "0.42 ms"),
        (996, "1.0 ms"),
        (9_960, "10 ms"),
        (999_600, "1.0 s"),
    ] {
        assert_eq!(took(Duration::from_micros(micros)), expected, "{micros}");
    }
    for (seconds, expected) in [
        (0.44, "0.4 s ago"),
        (9.96, "10 s ago"),
        (119.0, "119 s ago"),
        (120.0, "2 min ago"),
        (7200.0, "2 h ago"),
        (1e6, "12 days ago"),
    ] {
        assert_eq!(ago(Duration::from_secs_f64(seconds)), expected, "{seconds}");
    }
}

#[test]
fn memory_of_a_process_is_known_while_it_lives() {
    assert!(memory_of(std::process::id()).is_some_and(|memory| memory > 1 << 16));
    assert_eq!(memory_of(u32::MAX), None);
}

#[test]
fn trouble_is_told_beside_what_is_saved() {
    let mut figures = Figures {
        trouble: Some("no room on the disk".to_owned()),
        ..Figures::default()
    };
    let told = "saved         all that was printed; now not: no room on the disk\n";
    assert!(figures.to_text().contains(told), "{}", figures.to_text());
    assert_eq!(figures.to_json()["saved_error"], "no room on the disk");
    figures.trouble = None;
    assert!(figures.to_text().contains("saved         all\n"));
}
