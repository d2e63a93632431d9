//! Stores input with a keeper that does not know input files: as notes that hold copies of their content.
//!
//! Such a keeper was started by an earlier version and lives until its last program ends. If a server dies after
//! writing input to a program and before deleting the notes, the next server types the input once more.

use std::collections::BTreeMap;
use std::sync::Arc;

use shellkeep_core::PaneId;

use crate::input_file::InputFile;

/// The prefix of these notes' keys. What follows it has been frozen since the first server that wrote such notes.
const PREFIX: &str = "typed/";

/// The most bytes of one note. A paste may have any size, but a frame may not.
const PIECE: usize = 1 << 20;

/// Only this much of a long input is noted, because all of it is sent again whenever something is added.
const MAX_NOTED: u64 = 4 << 20;

/// The notes that have to change to hold the content of a file. They are deleted if it is empty.
pub(super) fn changes(
    pane: PaneId,
    file: &InputFile,
    notes: &BTreeMap<String, Vec<u8>>,
) -> BTreeMap<String, Vec<u8>> {
    if file.waiting().unwrap_or(0) > MAX_NOTED {
        return BTreeMap::new();
    }
    let bytes = file.unsent().unwrap_or_default();
    let old = keys_of(pane, notes).into_iter();
    let mut changes: BTreeMap<_, _> = old.map(|key| (key, Vec::new())).collect();
    let pieces = bytes.chunks(PIECE).enumerate();
    changes.extend(pieces.map(|(number, piece)| (key(pane, number), piece.to_vec())));
    changes.retain(|key, value| notes.get(key) != Some(value));
    changes
}

/// The keys of all notes of a pane.
pub(super) fn keys_of(pane: PaneId, notes: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let keys = notes.keys().filter(|key| pane_of(key) == Some(pane));
    keys.cloned().collect()
}

/// Input files with what an earlier server has noted.
pub(super) fn files_of(notes: &BTreeMap<String, Vec<u8>>) -> BTreeMap<PaneId, Arc<InputFile>> {
    let mut typed: BTreeMap<PaneId, Vec<u8>> = BTreeMap::new();
    for (key, piece) in notes {
        if let Some(pane) = pane_of(key) {
            typed.entry(pane).or_default().extend_from_slice(piece);
        }
    }
    let files = typed.into_iter().filter_map(|(pane, bytes)| {
        let file = InputFile::with(&bytes);
        let file =
            file.inspect_err(|error| tracing::error!(%pane, %error, "what was typed is lost"));
        Some((pane, Arc::new(file.ok()?)))
    });
    files.collect()
}

/// The pane to which a note belongs, if it is one of these.
fn pane_of(key: &str) -> Option<PaneId> {
    let (pane, _) = key.strip_prefix(PREFIX)?.split_once('/')?;
    pane.parse().ok().map(PaneId)
}

/// The keys sort in the order in which the input was typed.
fn key(pane: PaneId, piece: usize) -> String {
    format!("{PREFIX}{}/{piece:010}", pane.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_a_file_give_the_file_again() {
        let bytes: Vec<u8> = (0..3 * PIECE + 7).map(|at| (at % 251) as u8).collect();
        let file = InputFile::with(&bytes).unwrap();
        let mut notes = changes(PaneId(1), &file, &BTreeMap::new());
        assert_eq!(notes.len(), 4);
        let other = InputFile::with(b"other").unwrap();
        notes.extend(changes(PaneId(11), &other, &notes));
        notes.insert("screen/1".to_owned(), b"no".to_vec());
        let files = files_of(&notes);
        assert_eq!(files.len(), 2);
        assert_eq!(files[&PaneId(1)].unsent().unwrap(), bytes);
        assert_eq!(files[&PaneId(11)].unsent().unwrap(), b"other");
        assert_eq!(keys_of(PaneId(1), &notes).len(), 4);
        // Only notes that have changed are sent.
        file.append(b"!").unwrap();
        assert_eq!(changes(PaneId(1), &file, &notes).len(), 1);
        while file.waiting().unwrap() > 1 {
            file.send_by(|bytes| Ok(bytes.len().min(PIECE) - usize::from(bytes.ends_with(b"!"))))
                .unwrap();
        }
        let changed = changes(PaneId(1), &file, &notes);
        let kept: Vec<&[u8]> = changed.values().map(Vec::as_slice).collect();
        assert_eq!(kept, [b"!", &b""[..], b"", b""]);
    }
}
