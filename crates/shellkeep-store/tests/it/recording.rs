//! Journals that are kept for replay.

use shellkeep_store::{Journal, PaneDir, Record};

use crate::sample::{self, NOW, new_pane, open, scratch};

/// Noise, so that compression does not change its size by much.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed * 2 + 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

/// A journal with this output, and the next checkpoint.
fn print(pane: &PaneDir, generation: u64, bytes: &[u8], limit: u64) {
    let mut journal = Journal::create(pane, generation).unwrap();
    let time = NOW + generation;
    if !bytes.is_empty() {
        let output = Record::Output { time, bytes };
        journal.append(&output, time).unwrap();
    }
    drop(journal);
    let next = generation + 1;
    pane.write_screen(&sample::checkpoint(next, 0)).unwrap();
    pane.settle(next, limit).unwrap();
}

fn recorded(pane: &PaneDir, generation: u64) -> Vec<(u64, Vec<u8>)> {
    let mut records = Vec::new();
    pane.read_recording(generation, |record| {
        if let Record::Output { time, bytes } = record {
            records.push((time, bytes.to_vec()));
        }
    })
    .unwrap();
    records
}

#[test]
fn journals_of_before_the_checkpoint_are_recorded_with_their_times() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    print(&pane, 1, b"first", 1 << 20);
    print(&pane, 2, b"", 1 << 20);
    print(&pane, 3, b"third", 1 << 20);
    assert_eq!(pane.recording().unwrap(), [1, 3]);
    assert_eq!(recorded(&pane, 1), [(NOW + 1, b"first".to_vec())]);
    assert_eq!(recorded(&pane, 3), [(NOW + 3, b"third".to_vec())]);
    assert!(!pane.path().join("journal.3").exists());
}

#[test]
fn recording_beyond_its_limit_loses_the_oldest() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    for generation in 1..=6 {
        print(&pane, generation, &noise(generation, 10_000), 35_000);
    }
    assert_eq!(pane.recording().unwrap(), [4, 5, 6]);
    // With a limit of 0, nothing is kept.
    print(&pane, 7, b"more", 0);
    assert_eq!(pane.recording().unwrap(), Vec::<u64>::new());
    assert!(!pane.path().join("recording").exists());
}

#[test]
fn damaged_recording_is_reported_and_affects_nothing_else() {
    let temp = scratch();
    let pane = new_pane(&open(temp.path()));
    print(&pane, 1, b"first", 1 << 20);
    let path = pane.path().join("recording/1");
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        let error = pane.read_recording(1, |_| {}).unwrap_err().to_string();
        assert!(error.contains("recording/1"), "{error}");
        std::fs::write(&path, &whole[..at]).unwrap();
        pane.read_recording(1, |_| {}).unwrap_err();
    }
    assert!(pane.load().unwrap().damage.is_empty());
}
