//! A store that is not there yet, or not ours to understand; and the limits of what is kept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use shellkeep_store::{Record, Store};
use shellkeep_testkit::real::{Output, Rig};

use crate::faults::{
    Dice, Snapshot, assert_no_panic, directory_of, doctor, file_below, names, rounds,
};
use crate::faults_disk::{read_only, wait_for_peace, wait_for_red, watch};
use crate::keeping::{everything, kill_both};
use crate::{rig, skip};

fn named(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A session whose program has said something.
fn say(rig: &Rig, session: &str, text: &str) {
    let script = format!("echo {text}; cat");
    rig.open(session, &script);
    rig.wait_for_pane("its text", session, |shown| shown.contains(text));
}

#[test]
fn store_that_cannot_be_opened_at_the_start_is_opened_later() {
    let rig = rig();
    // Nothing can be made where something else is.
    rig.write("state/shellkeep", "in the way");
    let Output { status, stderr, .. } = rig.run(&[
        "new",
        "-d",
        "-s",
        "work",
        "--",
        "sh",
        "-c",
        "echo before; cat",
    ]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.starts_with("sessions are not kept: "), "{stderr}");
    rig.wait_for_pane("its text", "work", |text| text.contains("before"));
    let terminal = watch(&rig, "work");
    wait_for_red(&terminal);
    let said = doctor(&rig);
    assert!(said.contains("state/shellkeep"), "{said}");
    say(&rig, "more", "born-late");
    rig.ok(&["new", "-d", "--private", "-s", "hidden", "--", "cat"]);
    rig.ok(&["set-buffer", "copied"]);
    terminal.enter("typed meanwhile");
    terminal.wait_for_text("typed meanwhile");

    std::fs::remove_file(rig.path("state/shellkeep")).unwrap();
    wait_for_peace(&terminal);
    drop(terminal);
    rig.wait_until("all to be kept", || !rig.ok(&["stats"]).contains("now not"));
    let before = [everything(&rig, "work"), everything(&rig, "more")];
    kill_both(&rig);
    assert_eq!(names(&rig), named(&["more", "work"]));
    let after = [everything(&rig, "work"), everything(&rig, "more")];
    assert_eq!(after, before);
    assert_eq!(rig.ok(&["show-buffer"]), "copied");
}

#[test]
fn read_only_disk_hurts_nobody_shows_what_is_there_and_is_caught_up_with() {
    let rig = rig();
    say(&rig, "old", "from-before");
    say(&rig, "lives", "goes-on");
    rig.ok(&["set-buffer", "copied"]);
    let Some(bound) = read_only(&rig) else {
        return;
    };
    // First the server alone, whose programs go on; then everything.
    rig.server().kill_9();
    for _ in 0..2 {
        assert_eq!(names(&rig), named(&["lives", "old"]));
        assert!(everything(&rig, "old").contains("from-before"));
        assert!(everything(&rig, "lives").contains("goes-on"));
        kill_both(&rig);
    }
    let terminal = watch(&rig, "lives");
    terminal.wait_for_text("goes-on");
    wait_for_red(&terminal);
    assert!(doctor(&rig).contains("read-only"));
    assert_eq!(rig.ok(&["show-buffer"]), "copied");
    say(&rig, "new", "born-late");
    drop(bound);
    wait_for_peace(&terminal);
    drop(terminal);
    rig.wait_until("all to be kept", || !rig.ok(&["stats"]).contains("now not"));
    let is_kept = |names: [&str; 3]| {
        let shown = || names.map(|name| everything(&rig, name));
        let before = shown();
        kill_both(&rig);
        assert_eq!(shown(), before);
    };
    is_kept(["lives", "new", "old"]);
    // One that becomes read-only while a server runs hurts nobody, either.
    say(&rig, "work", "before");
    let terminal = watch(&rig, "work");
    let Some(bound) = read_only(&rig) else {
        return;
    };
    rig.ok(&["rename", "-t", "work", "better"]);
    wait_for_red(&terminal);
    assert!(doctor(&rig).contains("read-only"));
    terminal.enter("typed meanwhile");
    terminal.wait_for_text("typed meanwhile");
    say(&rig, "more", "born-late");
    drop(bound);
    wait_for_peace(&terminal);
    drop(terminal);
    is_kept(["better", "more", "new"]);
    assert_no_panic(&rig);
}

// ---- from the future ----

/// The check that files of ours have.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1));
        }
    }
    !crc
}

/// Makes a file one that a later version has written.
fn send_to_the_future(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    if name == "catalogue.db" {
        bytes[60..64].copy_from_slice(&9_u32.to_be_bytes());
    } else if name == "session.json" {
        let check = crc32(b"2\n{\"new\":true}");
        bytes = format!(
            "{{\"format\":\"shellkeep session\",\"version\":2,\"check\":\"{check:08x}\",\"body\":{{\"new\":true}}}}"
        )
        .into_bytes();
    } else {
        bytes[4..8].copy_from_slice(&9_u32.to_le_bytes());
        let check = crc32(&bytes[..12]);
        bytes[12..16].copy_from_slice(&check.to_le_bytes());
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn file_of_a_later_version_is_left_as_it_is_by_a_server_at_work() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "later", "-x", "80", "-y", "24"]);
    rig.wait_for_pane("a prompt", "later", |text| text.contains('$'));
    rig.enter("later", "seq 1 3000; echo all-$((1+1))");
    rig.wait_for_pane("the text", "later", |text| text.contains("all-2"));
    say(&rig, "other", "here-too");
    rig.ok(&["set-buffer", "copied"]);
    let state = rig.path("state/shellkeep");
    let find = |name: &str| {
        let sessions = std::fs::read_dir(state.join("sessions")).ok()?.flatten();
        let mut sessions = sessions.map(|entry| entry.path());
        let is_later = |path: &PathBuf| {
            let text = std::fs::read_to_string(path.join("session.json"));
            text.is_ok_and(|text| text.contains("\"name\": \"later\""))
        };
        let session = sessions.find(is_later)?;
        match name {
            "catalogue.db" => Some(state.join(name)).filter(|path| path.exists()),
            "buffer" => file_below(&state.join("buffers"), ""),
            // Not one that a checkpoint has made needless.
            // Nor one that was only laid out.
            "journal." => newest_journal(file_below(&session, name)?.parent()?),
            // Not the one before it.
            _ => file_below(&session, name)
                .map(|path| path.with_file_name(name))
                .filter(|path| path.exists()),
        }
    };
    let kinds = [
        "screen",
        "history",
        "journal.",
        "start",
        "session.json",
        "catalogue.db",
        "buffer",
    ];
    let is_written = |path: PathBuf| path.metadata().is_ok_and(|meta| meta.len() >= 16);
    rig.wait_until("a file of each kind", || {
        kinds.iter().all(|kind| find(kind).is_some_and(is_written))
    });
    kill_both(&rig);
    let snapshot = Snapshot::of(&rig, "state/shellkeep");
    for kind in kinds {
        let path = find(kind).unwrap();
        send_to_the_future(&path);
        let before = std::fs::read(&path).unwrap();
        let listed = rig.run(&["ls", "-F", "#{session_name}"]);
        let is_said = listed.stderr.contains("written by a later shellkeep");
        assert_eq!(is_said, kind == "session.json", "{kind}: {listed:?}");
        let there: BTreeSet<String> = listed.stdout.lines().map(str::to_owned).collect();
        assert!(there.contains("other"), "{kind}: {there:?}");
        assert!(everything(&rig, "other").contains("here-too"), "{kind}");
        if there.contains("later") {
            use_it(&rig, kind);
        }
        rig.ok(&["set-buffer", "another"]);
        kill_both(&rig);
        let log = rig.log();
        assert_eq!(std::fs::read(&path).ok(), Some(before), "{kind}\n{log}");
        assert!(log.contains("later shellkeep"), "{kind}\n{log}");
        assert_no_panic(&rig);
        snapshot.put_back(&rig);
    }
}

/// The journal that is being written.
fn newest_journal(pane: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(pane).ok()?.flatten();
    let journals = entries.filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number: u64 = name.strip_prefix("journal.")?.parse().ok()?;
        Some((number, entry.path()))
    });
    journals.max().map(|(_, path)| path)
}

/// Does all that would be written down.
fn use_it(rig: &Rig, kind: &str) {
    let text = everything(rig, "later");
    if ["screen", "history", "journal."].contains(&kind) {
        assert!(text.contains("later shellkeep"), "{kind}:\n{text}");
    }
    rig.enter("later", "echo awake-$((40+2))");
    rig.wait_for_pane("a shell", "later", |text| text.contains("awake-42"));
    rig.ok(&["resize-window", "-t", "later", "-x", "90", "-y", "30"]);
    rig.ok(&["clear-history", "-t", "later"]);
    // A checkpoint of everything.
    let server = rig.server();
    server.signal(Signal::SIGTERM);
    server.wait_gone();
    assert!(names(rig).contains("later"), "{kind}");
}

// ---- every record ----

/// Where the records of a file begin, and its end.
fn records(name: &str, bytes: &[u8]) -> Vec<usize> {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    // Where the first begins, the length of its head, and where in that the length of the rest stands.
    let (first, head, length_at) = match name {
        "journal." => (28, 20, 0),
        "history" => (16, 64, 4),
        "catalogue.db" => (0, 4096, usize::MAX),
        _ => (16, bytes.len(), usize::MAX),
    };
    let mut starts = vec![0];
    let mut at = first;
    while at + head.min(bytes.len()) <= bytes.len() && at > *starts.last().unwrap() {
        starts.push(at);
        let rest = if length_at == usize::MAX {
            0
        } else {
            number(at + length_at)
        };
        at += head + rest;
    }
    starts.push(bytes.len());
    starts
}

/// Every record cut and flipped, in its head and in its middle.
fn damaged(name: &str, bytes: &[u8], dice: &mut Dice) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let starts = records(name, bytes);
    for part in starts.windows(2).filter(|part| part[0] < part[1]) {
        let (start, length) = (part[0], part[1] - part[0]);
        let head = start + dice.below(length.min(16));
        let middle = start + dice.below(length);
        for at in [head, middle] {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << dice.below(8);
            all.push((format!("{name} flipped at {at}"), flipped));
        }
        for at in [start, middle] {
            all.push((format!("{name} cut at {at}"), bytes[..at].to_vec()));
        }
    }
    if name == "session.json" {
        // Within its very first words, too.
        all.push((format!("{name} cut at 20"), bytes[..20].to_vec()));
    }
    all
}

/// All that a pane has shown, but for what we say there ourselves.
fn shown(rig: &Rig, pane: &str) -> Vec<String> {
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", pane, "-S", "-"]);
    let lines = text.lines().map(|line| line.trim_end().to_owned());
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("[shellkeep: "))
        .collect()
}

/// Whether all of these lines are among the others, in the same order.
fn is_part(some: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    some.iter().all(|line| all.any(|other| other == line))
}

#[test]
fn every_record_cut_or_flipped_costs_no_session_and_shows_no_wrong_byte() {
    let rig = rig();
    let print = "n=0; while [ $n -lt 1500 ]; do n=$((n+1)); echo \"line $n of it\"; done; cat";
    rig.ok(&[
        "new", "-d", "-s", "alpha", "-x", "80", "-y", "24", "--", "sh", "-c", print,
    ]);
    rig.wait_for_pane("the lines", "alpha", |text| {
        text.contains("line 1500 of it")
    });
    say(&rig, "beta", "here-too");
    let server = rig.server();
    server.signal(Signal::SIGTERM);
    server.wait_gone();
    for number in 0..4 {
        let word = format!("said-{number}");
        rig.enter("alpha", &word);
        rig.wait_for_pane("it", "alpha", |text| text.matches(&word).count() == 2);
    }
    let truth = [shown(&rig, "alpha"), shown(&rig, "beta")];
    assert!(truth[0].len() > 1500);
    let state = rig.path("state/shellkeep");
    rig.wait_until("a catalogue", || state.join("catalogue.db").exists());
    kill_both(&rig);
    let snapshot = Snapshot::of(&rig, "state/shellkeep");
    let mut dice = Dice::new(2718);
    for name in [
        "journal.",
        "history",
        "screen",
        "start",
        "session.json",
        "store.json",
        "catalogue.db",
    ] {
        let path = match name {
            "store.json" | "catalogue.db" => state.join(name),
            _ => file_below(&directory_of(&state, "alpha"), name).unwrap(),
        };
        let bytes = std::fs::read(&path).unwrap();
        for (what, damaged) in damaged(name, &bytes, &mut dice) {
            std::fs::write(&path, damaged).unwrap();
            let there = names(&rig);
            assert!(
                there.len() == 2 && there.contains("beta"),
                "{what}: {there:?}"
            );
            assert_eq!(shown(&rig, "beta"), truth[1], "{what}");
            let alpha = there.iter().find(|name| *name != "beta").unwrap();
            let lines = shown(&rig, alpha);
            assert!(is_part(&lines, &truth[0]), "{what}: {lines:#?}");
            // What is in the history does not depend on it.
            assert!(name != "screen" || lines.len() > 1000, "{what}: {lines:#?}");
            assert_no_panic(&rig);
            snapshot.put_back(&rig);
        }
    }
}

// ---- time ----

#[test]
fn clock_that_jumps_costs_no_session_and_no_line() {
    const YEAR: i64 = 365 * 24 * 60 * 60 * 1000;
    let rig = rig();
    if !cfg!(debug_assertions) {
        return skip("the clock of a release cannot be made to lie");
    }
    std::fs::create_dir_all(rig.path("run/shellkeep")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(rig.path("run/shellkeep"), mode).unwrap();
    rig.write("run/shellkeep/default.clock", "0");
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -s archive-after 0\n",
    );
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    rig.wait_for_pane("a prompt", "work", |text| text.contains('$'));
    let mut said = Vec::new();
    // Ahead, back behind the beginning, before 1970, and right again; while all run, while the server dies, and while all do.
    for (round, jump) in [10 * YEAR, -9 * YEAR, -80 * YEAR, YEAR, 0]
        .into_iter()
        .enumerate()
    {
        rig.write("run/shellkeep/default.clock", &jump.to_string());
        for death in ["none", "server", "both"] {
            let word = format!("said-{round}-{death}");
            rig.enter("work", &format!("echo {word}"));
            rig.wait_for_pane("it", "work", |text| text.matches(&word).count() >= 2);
            said.push(word);
            match death {
                "none" => {}
                "server" => rig.server().kill_9(),
                _ => kill_both(&rig),
            }
            assert_eq!(names(&rig), named(&["work"]), "{round} {death}");
            let text = rig.ok(&["capture-pane", "-p", "-t", "work", "-S", "-"]);
            let found: Vec<&String> = said
                .iter()
                .filter(|word| text.contains(&word[..]))
                .collect();
            assert_eq!(found.len(), said.len(), "{round} {death}: {text}");
        }
        // New ones are made, closed and come back as at any time.
        let name = format!("new{round}");
        say(&rig, &name, "here");
        rig.ok(&["kill-session", "-t", &name]);
        assert_eq!(rig.ok(&["reopen", &name]), format!("{name}\n"));
        rig.ok(&["forget", "-y", &name]);
    }
    assert_no_panic(&rig);
}

// ---- processes ----

#[test]
fn keeper_killed_just_before_its_server_leaves_no_other_behind() {
    let rig = rig();
    for name in ["one", "two"] {
        say(&rig, name, "here");
    }
    let mut dice = Dice::new(99);
    for round in 0..rounds(12) {
        let (server, keeper) = (rig.server(), rig.keeper());
        keeper.signal(Signal::SIGKILL);
        // The server is about to start another one, or has just done so.
        let until = Instant::now() + Duration::from_micros(dice.below(4000) as u64);
        while Instant::now() < until {
            std::thread::yield_now();
        }
        server.kill_9();
        assert_eq!(names(&rig), named(&["one", "two"]), "round {round}");
        // Somebody types, so that a program runs in it. A shell that has not come to its prompt is ended by whoever takes over: all
        // that its pane has is on disk, and it is started again for the next who looks. So it must have what was typed.
        let typed = format!("x{round}.");
        rig.enter("one", &typed);
        rig.wait_for_pane("its echo", "one", |text| text.contains(&typed));
        rig.wait_until("one keeper", || rig.keepers().len() == 1);
        // And it is the one that the next server finds.
        let pids = || rig.ok(&["list-panes", "-a", "-F", "#{pane_pid}"]);
        let before = pids();
        rig.server().kill_9();
        assert_eq!(pids(), before, "round {round}");
    }
    let servers = std::fs::read_dir(rig.path("state/shellkeep/servers")).unwrap();
    assert_eq!(servers.count(), 1, "each was the heir of the one before");
    assert_no_panic(&rig);
}

// ---- limits ----

#[test]
fn archive_is_listed_when_nothing_else_is_left_and_deleted_when_its_time_is_over() {
    let rig = rig();
    for name in ["one", "two"] {
        say(&rig, name, "here");
        rig.ok(&["kill-session", "-t", name]);
    }
    let end = || rig.wait_until("the server's end", || rig.find_server().is_none());
    end();
    let listed = rig.ok(&["ls", "-a"]);
    assert!(
        listed.contains("one: ") && listed.contains("two: "),
        "{listed}"
    );
    rig.ok(&["forget", "-y", "one"]);
    assert_eq!(rig.ok(&["reopen"]), "two\n");
    rig.ok(&["forget", "-y", "two"]);
    end();
    let none = rig.run(&["ls", "-a"]).fails();
    assert!(none.starts_with("no server running"), "{none}");
    // What was archived for so long is deleted, and that is said.
    for name in ["stays", "young", "old"] {
        say(&rig, name, &format!("marker-{name}"));
    }
    rig.ok(&["kill-session", "-t", "old"]);
    rig.wait_until("it in the archive", || {
        rig.ok(&["ls", "-a"]).contains("old: ")
    });
    rig.ok(&["set", "-s", "archive-keep", "1s"]);
    rig.wait_until("it to be gone", || !rig.ok(&["ls", "-a"]).contains("old: "));
    rig.wait_until("a word about it", || {
        rig.ok(&["show-messages"]).contains("deleted old (")
    });
    rig.ok(&["set", "-s", "archive-keep", "1h"]);
    rig.ok(&["kill-session", "-t", "young"]);
    let left = rig.ok(&["ls", "-a"]);
    assert!(
        left.contains("young: ") && left.contains("stays: "),
        "{left}"
    );
    // The next server is told by its configuration.
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -s archive-keep 1s\n",
    );
    kill_both(&rig);
    rig.wait_until("the rest to be gone", || {
        !rig.ok(&["ls", "-a"]).contains("young: ")
    });
    assert_eq!(names(&rig), named(&["stays"]));
}

#[test]
fn record_limit_keeps_what_was_printed_with_its_times() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "cat"]);
    rig.ok(&["set", "-s", "record-limit", "1"]);
    rig.enter("work", "recorded-4711");
    rig.wait_for_pane("its echo", "work", |text| text.contains("recorded-4711"));
    let state = rig.path("state/shellkeep");
    rig.wait_until("it in the recording", || {
        recorded(&state).is_some_and(|printed| printed.contains("recorded-4711"))
    });
}

/// All that was recorded of the only pane there is.
fn recorded(state: &Path) -> Option<String> {
    let store = Store::look(state).ok()?;
    let session = store.sessions().sessions.pop()?;
    let pane = store.pane(session.id, *session.panes.first()?);
    let mut printed = Vec::new();
    for generation in pane.recording().ok()? {
        let each = |record: Record<'_>| {
            if let Record::Output { time, bytes } = record {
                assert!(time > 1_700_000_000_000, "{time}");
                printed.extend_from_slice(bytes);
            }
        };
        pane.read_recording(generation, each).unwrap();
    }
    Some(String::from_utf8_lossy(&printed).into_owned())
}
