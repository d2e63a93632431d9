//! Files truncated at every byte and with every bit flipped: never a panic, a wrong byte or an unreported loss.

use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use serde_json::json;
use shellkeep_store::{Checkpoint, Damage, Journal, JournalStart, PaneDir, Store, StoreError};

use crate::sample::{
    self, Said, files, new_pane, open, pane_id, replayed, scratch, session_id, whole_pane,
};

const PAGES: [&[u8]; 2] = [b"one\ntwo\nthree\n", b"one\ntwo\nfour\n"];

/// What was read from a pane.
struct Given {
    checkpoint: Option<Checkpoint>,
    said: Vec<Said>,
    pages: Vec<Option<Vec<u8>>>,
    complaints: usize,
}

fn give(pane: &PaneDir) -> Result<Given, StoreError> {
    let mut recovery = pane.load()?;
    let said = replayed(&mut recovery);
    Ok(Given {
        said,
        pages: (0..2).map(|number| recovery.history.page(number)).collect(),
        complaints: recovery.damage.len(),
        checkpoint: recovery.checkpoint,
    })
}

/// The sample pane, and what is read from it when nothing is damaged.
struct Truth {
    files: Vec<(std::path::PathBuf, Vec<u8>)>,
    given: Given,
}

fn truth(store: &Store) -> Truth {
    let pane = whole_pane(store);
    let given = give(&pane).unwrap();
    assert_eq!((given.said.len(), given.complaints), (9, 0));
    assert_eq!(given.checkpoint.as_ref().unwrap().journal, 2);
    Truth {
        files: files(pane.path()),
        given,
    }
}

fn lay_out(truth: &Truth, root: &Path, pane: &Path) {
    let _ = std::fs::remove_dir_all(pane);
    let _ = std::fs::remove_dir_all(root.join(format!("quarantine/{}", session_id())));
    std::fs::create_dir_all(pane).unwrap();
    for (name, bytes) in &truth.files {
        std::fs::write(pane.join(name), bytes).unwrap();
    }
}

/// Compares what was read from a damaged pane with the truth.
fn compare(truth: &Truth, given: &Given, case: &str) {
    let full = &truth.given;
    for (number, page) in given.pages.iter().enumerate() {
        assert!(
            page.as_deref().is_none_or(|page| page == PAGES[number]),
            "{case}"
        );
    }
    let is_whole = given.said == full.said;
    // It cannot be known that the last journal was longer.
    let is_prefix = full.said.starts_with(&given.said);
    assert!(is_prefix || given.complaints > 0, "{case}");
    assert!(
        is_within(&given.said, &full.said),
        "{case}: {:?}",
        given.said
    );
    match &given.checkpoint {
        Some(checkpoint) if Some(checkpoint) == full.checkpoint.as_ref() => {}
        Some(older) => {
            assert_eq!(older, &sample::checkpoint(1, 0), "{case}");
            assert!(is_whole && given.complaints > 0, "{case}");
        }
        None => assert!(given.complaints > 0, "{case}"),
    }
}

/// Whether some records are a subsequence of others.
fn is_within(some: &[Said], all: &[Said]) -> bool {
    let mut all = all.iter();
    // The filler for damaged records has no effect.
    let is_filler = |said: &Said| matches!(said, Said::Output(0, _));
    let mut some = some.iter().filter(|said| !is_filler(said));
    some.all(|said| all.any(|other| other == said))
}

/// Writes a damaged file, and inspects the pane without changing it.
fn look(truth: &Truth, root: &Path, name: &Path, broken: &[u8], case: &str) {
    let store = Store::look(root).unwrap();
    let pane = store.pane(session_id(), pane_id());
    let path = pane.path().join(name);
    std::fs::write(&path, broken).unwrap();
    read(truth, &pane, name, case);
    let (_, whole) = truth.files.iter().find(|(found, _)| found == name).unwrap();
    assert!(std::fs::read(&path).unwrap() == broken, "{case}");
    std::fs::write(&path, whole).unwrap();
}

/// Writes a damaged file, and recovers the pane.
fn take_over(truth: &Truth, store: &Store, name: &Path, broken: &[u8], case: &str) {
    let pane = store.pane(session_id(), pane_id());
    lay_out(truth, store.root(), pane.path());
    std::fs::write(pane.path().join(name), broken).unwrap();
    read(truth, &pane, name, case);
    nothing_lost(store.root(), name, broken, case);
    let again = give(&pane).unwrap();
    let is_older = again.checkpoint != truth.given.checkpoint;
    assert!(
        is_older || is_within(&again.said, &truth.given.said),
        "{case}"
    );
}

/// One damaged byte costs one record of a journal, and nothing in a checkpoint.
fn assert_costs_little(truth: &Truth, given: &Given, name: &Path, case: &str) {
    let lost = |said: &Said| !given.said.contains(said);
    let lost = truth.given.said.iter().filter(|said| lost(said)).count();
    let is_journal = name.to_string_lossy().starts_with("journal");
    assert!(lost <= usize::from(is_journal), "{case}: {:?}", given.said);
}

/// Reads the pane of a damaged file, and compares it with the truth.
fn read(truth: &Truth, pane: &PaneDir, name: &Path, case: &str) {
    if name == Path::new("start") {
        assert!(pane.read_start().is_err(), "{case}");
    } else if name == Path::new("shell") {
        assert!(pane.read_shell().is_err(), "{case}");
    } else {
        match give(pane) {
            Ok(given) => {
                compare(truth, &given, case);
                if case.ends_with("flipped") {
                    assert_costs_little(truth, &given, name, case);
                }
            }
            Err(error) => panic!("{case}: {error}"),
        }
    }
}

/// The damaged file still exists, in its place or in the quarantine.
fn nothing_lost(root: &Path, name: &Path, broken: &[u8], case: &str) {
    // The header of a history has no information of its own, and is rewritten in place.
    let of_interest = match name == Path::new("history") {
        true => broken.get(16..).unwrap_or_default(),
        false => broken,
    };
    let is_there = files(root)
        .iter()
        .any(|(_, bytes)| bytes.ends_with(of_interest));
    assert!(is_there, "{case}");
}

#[test]
fn pane_with_any_file_cut_anywhere_gives_a_prefix_of_the_truth() {
    let temp = scratch();
    let store = open(temp.path());
    let truth = truth(&store);
    for (name, bytes) in &truth.files {
        for length in 0..bytes.len() {
            let case = format!("{} cut to {length} of {}", name.display(), bytes.len());
            take_over(&truth, &store, name, &bytes[..length], &case);
        }
    }
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut broken = bytes.to_vec();
    broken[bit / 8] ^= 1 << (bit % 8);
    broken
}

#[test]
fn pane_with_any_bit_flipped_never_gives_a_wrong_byte() {
    let temp = scratch();
    let truth = truth(&open(temp.path()));
    let is_read = |name: &Path| name != Path::new("screen.old");
    for (name, bytes) in truth.files.iter().filter(|(name, _)| is_read(name)) {
        for bit in 0..bytes.len() * 8 {
            let case = format!("{} with bit {bit} flipped", name.display());
            look(&truth, temp.path(), name, &flipped(bytes, bit), &case);
        }
    }
}

#[test]
fn pane_with_any_byte_changed_is_taken_over_without_a_wrong_byte() {
    let temp = scratch();
    let store = open(temp.path());
    let truth = truth(&store);
    for (name, bytes) in &truth.files {
        for byte in 0..bytes.len() {
            let bit = byte * 8 + byte * 5 % 8;
            let case = format!("{} with bit {bit} flipped", name.display());
            take_over(&truth, &store, name, &flipped(bytes, bit), &case);
        }
    }
}

#[test]
fn inspection_names_whichever_file_is_damaged_and_touches_nothing() {
    let temp = scratch();
    let store = open(temp.path());
    let truth = truth(&store);
    let pane = store.pane(session_id(), pane_id());
    assert_eq!(pane.inspect().unwrap(), []);
    let names = ["screen", "history", "start", "shell"];
    for (name, bytes) in &truth.files {
        if !names.contains(&name.to_str().unwrap()) {
            continue;
        }
        let path = pane.path().join(name);
        let flips = (0..bytes.len()).map(|byte| flipped(bytes, byte * 8 + byte * 5 % 8));
        let cuts = (0..bytes.len()).map(|length| bytes[..length].to_vec());
        for (case, broken) in flips.chain(cuts).enumerate() {
            std::fs::write(&path, &broken).unwrap();
            let before = files(temp.path());
            let damage = pane.inspect().unwrap();
            assert!(
                damage.iter().any(|damage| damage.file == path),
                "{} {case}: {damage:?}",
                name.display()
            );
            assert!(files(temp.path()) == before, "{} {case}", name.display());
        }
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(pane.inspect().unwrap(), []);
}

#[test]
fn session_with_a_damaged_description_is_the_one_before_or_the_same() {
    let temp = scratch();
    let store = open(temp.path());
    let id = session_id();
    let old = json!({"name": "one"});
    let new = json!({"name": "two", "tags": ["a", "b"], "made": 1.5});
    store.write_session(id, &old).unwrap();
    store.write_session(id, &new).unwrap();
    let dir = temp.path().join(format!("sessions/{id}"));
    let whole = files(&dir);
    let (_, bytes) = whole
        .iter()
        .find(|(name, _)| name == Path::new("session.json"))
        .unwrap();
    let cut = (0..bytes.len()).map(|length| bytes[..length].to_vec());
    let flipped = (0..bytes.len() * 8).map(|bit| flipped(bytes, bit));
    for broken in cut.chain(flipped) {
        for (name, bytes) in &whole {
            std::fs::write(dir.join(name), bytes).unwrap();
        }
        std::fs::write(dir.join("session.json"), &broken).unwrap();
        let sweep = store.sessions();
        let body = &sweep.sessions[0].body;
        let is_new = *body == new && sweep.complaints.is_empty();
        let is_old = *body == old && sweep.complaints.len() == 1;
        assert!(is_new || is_old, "{:?}", String::from_utf8_lossy(&broken));
    }
}

#[test]
fn pane_without_any_one_file_still_loads() {
    let temp = scratch();
    let store = open(temp.path());
    let truth = truth(&store);
    for (name, _) in &truth.files {
        let pane = store.pane(session_id(), pane_id());
        lay_out(&truth, temp.path(), pane.path());
        std::fs::remove_file(pane.path().join(name)).unwrap();
        let given = give(&pane).unwrap();
        compare(&truth, &given, &format!("without {}", name.display()));
    }
}

/// The damage that is reported when a pane is recovered, and when it is only inspected.
fn complaints(pane: &PaneDir) -> Vec<String> {
    let said = |damage: &Damage| {
        damage
            .to_string()
            .replace(&*pane.path().to_string_lossy(), "")
    };
    let looked: Vec<_> = pane.inspect().unwrap().iter().map(said).collect();
    let taken: Vec<_> = pane.load().unwrap().damage.iter().map(said).collect();
    assert_eq!(looked, taken);
    taken
}

#[test]
fn checkpoint_that_is_gone_is_missed_also_where_there_never_was_any_history() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    let missed = ["/screen is damaged: it is not there"];
    // There is no checkpoint yet, and then the first journal has everything.
    assert_eq!(complaints(&pane), [""; 0]);
    Journal::create(&pane, 1).unwrap();
    pane.write_start(&sample::start()).unwrap();
    assert_eq!(complaints(&pane), [""; 0]);
    // The checkpoint is gone, and then the journal before it as well.
    pane.write_screen(&sample::checkpoint(2, 0)).unwrap();
    Journal::create(&pane, 2).unwrap();
    pane.settle(2, 0).unwrap();
    assert_eq!(complaints(&pane), [""; 0]);
    std::fs::remove_file(pane.path().join("screen")).unwrap();
    assert_eq!(complaints(&pane), [""; 0]);
    std::fs::remove_file(pane.path().join("journal.1.old")).unwrap();
    assert_eq!(complaints(&pane), missed);
    pane.remove_journal(2).unwrap();
    assert_eq!(complaints(&pane), missed);
    // A journal that had to begin with a checkpoint.
    let apart = Journal::lay_out(&pane, 1).unwrap();
    apart.begin(&pane, JournalStart::AfterLoss).unwrap();
    assert_eq!(complaints(&pane), missed);
}

#[test]
fn pipe_or_directory_in_place_of_a_file_holds_up_nobody_and_goes_aside() {
    let temp = scratch();
    let store = open(temp.path());
    let truth = truth(&store);
    let pane = store.pane(session_id(), pane_id());
    for (name, _) in &truth.files {
        for kind in ["pipe", "directory"] {
            let case = format!("{kind} in place of {}", name.display());
            lay_out(&truth, temp.path(), pane.path());
            let path = pane.path().join(name);
            std::fs::remove_file(&path).unwrap();
            match kind {
                "pipe" => mkfifo(&path, Mode::S_IRWXU).unwrap(),
                _ => std::fs::create_dir(&path).unwrap(),
            }
            let found = pane.inspect().unwrap();
            let is_named = found
                .iter()
                .any(|damage| damage.file == path && damage.what == "it is not a plain file");
            // The previous checkpoint is not read while the newest is good.
            assert!(
                is_named || name == Path::new("screen.old"),
                "{case}: {found:?}"
            );
            compare(&truth, &give(&pane).unwrap(), &case);
            for read in [pane.read_start().map(drop), pane.read_shell().map(drop)] {
                assert!(
                    matches!(read, Ok(()) | Err(StoreError::Broken { .. })),
                    "{case}"
                );
            }
            assert!(!path.exists() || path.is_file() || !is_named, "{case}");
        }
    }
}

#[test]
fn random_bytes_in_every_file_are_survived() {
    let temp = scratch();
    let store = open(temp.path());
    let truth = truth(&store);
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let pane = store.pane(session_id(), pane_id());
    for round in 0..300 {
        lay_out(&truth, temp.path(), pane.path());
        for (name, bytes) in &truth.files {
            let mut broken = bytes.clone();
            for _ in 0..4 {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let at = (seed >> 8) as usize % broken.len();
                broken[at] = seed as u8;
            }
            std::fs::write(pane.path().join(name), broken).unwrap();
        }
        if let Ok(given) = give(&pane) {
            for (number, page) in given.pages.iter().enumerate() {
                assert!(
                    page.as_deref().is_none_or(|page| page == PAGES[number]),
                    "round {round}"
                );
            }
            let checkpoint = given.checkpoint.as_ref();
            assert!(checkpoint.is_none_or(|found| found.dump.starts_with(b"the screen before")));
        }
    }
}
