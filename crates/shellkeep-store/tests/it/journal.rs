//! The journal with real pipes, full disks and sudden ends.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;

use shellkeep_store::{Journal, JournalError, JournalStart, Record};

use crate::sample::{self, NOW, Said, every_record, new_pane, open, output, replayed, scratch};

/// A pipe in place of the transit pipe.
fn transit_pipe() -> (File, File) {
    let (reader, writer) = std::io::pipe().unwrap();
    let reader = File::from(std::os::fd::OwnedFd::from(reader));
    let writer = File::from(std::os::fd::OwnedFd::from(writer));
    (reader, writer)
}

/// Bytes without repetitions.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

#[test]
fn records_of_every_kind_come_back_in_order() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let mut journal = Journal::create(&pane, 1).unwrap();
    for record in every_record() {
        journal.append(&record, NOW).unwrap();
    }
    assert_eq!(journal.len(), journal.file().metadata().unwrap().len());
    let expected: Vec<_> = every_record()
        .iter()
        .map(|record| match *record {
            Record::Output { time, bytes } => Said::Output(time, bytes.to_vec()),
            other => Said::Other(format!("{other:?}")),
        })
        .collect();
    let mut recovery = pane.load().unwrap();
    assert_eq!(replayed(&mut recovery), expected);
    assert!(recovery.damage.is_empty());
    assert_eq!((recovery.last_journal, recovery.next_journal), (Some(1), 2));
}

#[test]
fn output_longer_than_a_record_is_cut_into_several() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let bytes = noise(200_000);
    let mut journal = Journal::create(&pane, 1).unwrap();
    journal
        .append(
            &Record::Output {
                time: NOW,
                bytes: &bytes,
            },
            NOW,
        )
        .unwrap();
    let mut recovery = pane.load().unwrap();
    assert!(output(&mut recovery) == bytes);
    assert!(recovery.damage.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn megabyte_through_a_pty_and_a_transit_pipe_is_in_the_buffer_and_in_the_journal() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let pty = nix::pty::openpty(None, None).unwrap();
    let mut raw = nix::sys::termios::tcgetattr(&pty.slave).unwrap();
    nix::sys::termios::cfmakeraw(&mut raw);
    nix::sys::termios::tcsetattr(&pty.slave, nix::sys::termios::SetArg::TCSANOW, &raw).unwrap();
    let sent = noise(1 << 20);
    let writing = std::thread::spawn({
        let mut slave = File::from(pty.slave);
        let sent = sent.clone();
        move || {
            slave.write_all(&sent).unwrap();
            slave
        }
    });
    let (reader, writer) = transit_pipe();
    let mut journal = Journal::create(&pane, 1).unwrap();
    let mut buffer = Vec::new();
    let mut now = NOW;
    while buffer.len() < sent.len() {
        let flags = nix::fcntl::SpliceFFlags::empty();
        let moved = nix::fcntl::splice(&pty.master, None, &writer, None, 1 << 16, flags).unwrap();
        now += 3;
        journal
            .take(reader.as_fd(), moved, now, &mut buffer)
            .unwrap();
    }
    assert!(buffer == sent);
    drop(writing.join().unwrap());
    // Not closed, because the server may end here as well as anywhere else.
    assert_eq!(journal.len(), journal.file().metadata().unwrap().len());
    let mut recovery = pane.load().unwrap();
    assert!(output(&mut recovery) == sent);
    assert!(recovery.damage.is_empty(), "{:?}", recovery.damage);
}

#[test]
fn open_record_at_a_sudden_end_is_kept_and_gone_on_with() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let (reader, mut writer) = transit_pipe();
    let mut journal = Journal::create(&pane, 1).unwrap();
    let mut buffer = Vec::new();
    for (text, now) in [("one ", NOW), ("two ", NOW + 5), ("three ", NOW + 100)] {
        writer.write_all(text.as_bytes()).unwrap();
        journal
            .take(reader.as_fd(), text.len(), now, &mut buffer)
            .unwrap();
    }
    // As with SIGKILL: nothing is closed.
    std::mem::forget(journal);
    assert_eq!(output(&mut pane.load().unwrap()), b"one two three ");
    let mut journal = Journal::reopen(&pane, 1).unwrap();
    journal.append(&Record::Reset, NOW).unwrap();
    writer.write_all(b"four").unwrap();
    journal
        .take(reader.as_fd(), 4, NOW + 200, &mut buffer)
        .unwrap();
    drop(journal);
    let mut recovery = pane.load().unwrap();
    let said = replayed(&mut recovery);
    assert_eq!(said[0], Said::Output(NOW, b"one two ".to_vec()));
    assert!(matches!(&said[1], Said::Output(_, bytes) if bytes == b"three "));
    assert_eq!(said[2], Said::Other("Reset".to_owned()));
    assert_eq!(said[3], Said::Output(NOW + 200, b"four".to_vec()));
    assert!(recovery.damage.is_empty());
}

/// A screen says of its lines when they were printed, to the second: live as when it is read back.
#[test]
fn no_record_goes_on_into_another_second() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let (reader, mut writer) = transit_pipe();
    let mut journal = Journal::create(&pane, 1).unwrap();
    let second = NOW - NOW % 1000;
    let times = [
        second + 990,
        second + 999,
        second + 1000,
        second + 1001,
        second + 999,
    ];
    for time in times {
        writer.write_all(b"x").unwrap();
        journal
            .take(reader.as_fd(), 1, time, &mut Vec::new())
            .unwrap();
    }
    drop(journal);
    let said = replayed(&mut pane.load().unwrap());
    let expected = [(990, "xx"), (1000, "xx"), (999, "x")];
    let expected = expected.map(|(time, text)| Said::Output(second + time, text.into()));
    assert_eq!(said, expected);
}

#[test]
fn transit_pipe_with_less_than_announced_gives_its_content() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let (reader, mut writer) = transit_pipe();
    let mut journal = Journal::create(&pane, 1).unwrap();
    let mut buffer = Vec::new();
    writer.write_all(b"abc").unwrap();
    let error = journal
        .take(reader.as_fd(), 5, NOW, &mut buffer)
        .unwrap_err();
    assert!(matches!(error, JournalError::Dry { missing: 2 }));
    assert_eq!(buffer, b"abc");
    assert!(!journal.has_failed());
    drop(journal);
    assert_eq!(output(&mut pane.load().unwrap()), b"abc");
}

#[test]
fn journal_after_loss_is_replayed_without_its_checkpoint_and_the_gap_reported() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let said = |journal: &mut Journal, bytes: &[u8]| {
        journal
            .append(&Record::Output { time: NOW, bytes }, NOW)
            .unwrap();
    };
    pane.write_screen(&sample::checkpoint(1, 0)).unwrap();
    said(&mut Journal::create(&pane, 1).unwrap(), b"before");
    let apart = Journal::lay_out(&pane, 2).unwrap();
    said(
        &mut apart.begin(&pane, JournalStart::AfterLoss).unwrap(),
        b"after",
    );
    let look = shellkeep_store::Store::look(temp.path()).unwrap();
    let looked = look.pane(sample::session_id(), sample::pane_id());
    assert_eq!(output(&mut looked.load().unwrap()), b"beforeafter");
    assert!(pane.path().join("journal.2").exists());
    pane.write_screen(&sample::checkpoint(2, 0)).unwrap();
    assert_eq!(output(&mut pane.load().unwrap()), b"after");
    pane.write_screen(&sample::checkpoint(1, 0)).unwrap();
    let mut recovery = pane.load().unwrap();
    assert_eq!(output(&mut recovery), b"beforeafter");
    assert_eq!(recovery.next_journal, 3);
    let damage = &recovery.damage[0];
    assert_eq!(damage.what, "output before it is missing");
    assert_eq!(damage.file, pane.path().join("journal.2"));
    assert!(pane.path().join("journal.2").exists(), "it can be read");
}

#[test]
fn chain_of_journals_with_a_hole_is_replayed_and_the_hole_reported() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    for (generation, bytes) in [(4, b"old"), (5, b"one"), (6, b"two"), (8, b"not")] {
        let mut journal = Journal::create(&pane, generation).unwrap();
        journal
            .append(&Record::Output { time: NOW, bytes }, NOW)
            .unwrap();
    }
    pane.write_screen(&sample::checkpoint(5, 0)).unwrap();
    let mut recovery = pane.load().unwrap();
    assert_eq!(output(&mut recovery), b"onetwonot");
    assert_eq!(recovery.next_journal, 9);
    assert_eq!(recovery.damage.len(), 1);
    pane.settle(6, 0).unwrap();
    let left: Vec<_> = [4, 5, 6, 8]
        .into_iter()
        .filter(|generation| pane.path().join(format!("journal.{generation}")).exists())
        .collect();
    assert_eq!(left, [6, 8]);
}

#[test]
fn journals_since_the_checkpoint_before_stay_until_the_next_one() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let names = || {
        let names = sample::files(pane.path()).into_iter();
        let names = names.map(|(name, _)| name.to_str().unwrap().to_owned());
        names
            .filter(|name| name.starts_with("journal"))
            .collect::<Vec<_>>()
    };
    let say = |generation: u64| {
        let mut journal = Journal::create(&pane, generation).unwrap();
        let bytes = format!("said-{generation} ");
        let bytes = bytes.as_bytes();
        journal
            .append(&Record::Output { time: NOW, bytes }, NOW)
            .unwrap();
    };
    say(1);
    for (generation, left) in [
        (2, &["journal.1.old", "journal.2"][..]),
        (3, &["journal.2.old", "journal.3"]),
        (4, &["journal.3.old", "journal.4"]),
    ] {
        say(generation);
        pane.write_screen(&sample::checkpoint(generation, 0))
            .unwrap();
        pane.settle(generation, 0).unwrap();
        assert_eq!(names(), left);
    }
    // The newest checkpoint is damaged: the previous one and the output since then restore everything.
    for content in [Some("broken"), None] {
        let screen = pane.path().join("screen");
        match content {
            Some(content) => std::fs::write(screen, content).unwrap(),
            None => drop(std::fs::remove_file(screen)),
        }
        let mut recovery = pane.load().unwrap();
        assert_eq!(recovery.checkpoint, Some(sample::checkpoint(3, 0)));
        assert!(recovery.damage.iter().all(|damage| damage.is_harmless));
        assert_eq!(recovery.damage.len(), usize::from(content.is_some()));
        assert_eq!(output(&mut recovery), b"said-3 said-4 ");
        assert_eq!(recovery.next_journal, 5);
    }
}

#[test]
fn first_checkpoint_that_is_damaged_or_gone_costs_nothing() {
    for content in [Some("broken"), None] {
        let temp = scratch();
        let pane = new_pane(&open(temp.path()));
        let say = |generation: u64, bytes: &[u8]| {
            let mut journal = Journal::create(&pane, generation).unwrap();
            let record = Record::Output { time: NOW, bytes };
            journal.append(&record, NOW).unwrap();
        };
        say(1, b"one ");
        let history = pane.load().unwrap().history;
        let end = history.append([sample::page(0, "page")]).unwrap();
        pane.write_screen(&sample::checkpoint(2, end)).unwrap();
        say(2, b"two ");
        pane.settle(2, 0).unwrap();
        let screen = pane.path().join("screen");
        match content {
            Some(content) => std::fs::write(screen, content).unwrap(),
            None => std::fs::remove_file(screen).unwrap(),
        }
        for _ in 0..2 {
            let mut recovery = pane.load().unwrap();
            assert_eq!(recovery.checkpoint, None);
            assert!(recovery.damage.iter().all(|damage| damage.is_harmless));
            assert_eq!(output(&mut recovery), b"one two ");
            // The journals produce the page again.
            assert_eq!(recovery.history.page(0), None);
            assert_eq!(recovery.next_journal, 3);
        }
    }
}

#[test]
fn journal_that_exists_is_not_begun_again() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    Journal::create(&pane, 1).unwrap();
    let error = Journal::create(&pane, 1).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot create ") && error.contains("journal.1"),
        "{error}"
    );
}

#[test]
fn record_that_is_damaged_costs_that_record_only() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let mut journal = Journal::create(&pane, 1).unwrap();
    for bytes in [b"one", b"two", b"six"] {
        journal
            .append(&Record::Output { time: NOW, bytes }, NOW)
            .unwrap();
    }
    drop(journal);
    Journal::create(&pane, 2).unwrap();
    let path = pane.path().join("journal.1");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() - 24;
    bytes[at] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let mut recovery = pane.load().unwrap();
    assert_eq!(output(&mut recovery), b"one\x18six");
    assert_eq!((recovery.last_journal, recovery.next_journal), (Some(2), 3));
    let mut copy = Vec::new();
    let kept_at = recovery.damage[0].kept_at.clone().unwrap();
    File::open(kept_at).unwrap().read_to_end(&mut copy).unwrap();
    assert_eq!(copy, bytes);
    let mut journal = Journal::create(&pane, recovery.next_journal).unwrap();
    journal
        .append(
            &Record::Output {
                time: NOW,
                bytes: b"more",
            },
            NOW,
        )
        .unwrap();
    let mut recovery = pane.load().unwrap();
    assert_eq!(
        output(&mut recovery),
        b"one\x18\0\0sixmore",
        "the place of the damaged one is filled"
    );
    assert!(recovery.damage.is_empty());
}

#[test]
fn clock_that_jumps_neither_loses_nor_reorders_output() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let mut journal = Journal::create(&pane, 1).unwrap();
    let (reader, mut writer) = transit_pipe();
    let mut buffer = Vec::new();
    let year = 365 * 24 * 3_600_000;
    for time in [NOW, NOW + year, NOW - year, 0, u64::MAX, NOW] {
        writer.write_all(format!("at {time};").as_bytes()).unwrap();
        let count = format!("at {time};").len();
        journal
            .take(reader.as_fd(), count, time, &mut buffer)
            .unwrap();
    }
    drop(journal);
    let mut recovery = pane.load().unwrap();
    assert!(output(&mut recovery) == buffer);
    assert!(recovery.damage.is_empty());
}
