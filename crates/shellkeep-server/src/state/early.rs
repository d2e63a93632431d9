//! What was typed before a program could take it.
//!
//! It is noted with the keeper, piece by piece, until a program has it: a server that dies while a pane wakes takes nothing of it along.

use std::collections::BTreeMap;

use shellkeep_core::PaneId;
use shellkeep_keeper::{Delivery, HostHandle, HostRequest};

/// The notes of all panes begin so.
const PREFIX: &str = "typed/";

/// More than this does not go into one note: a paste may be of any size, a note may not.
const PIECE: usize = 1 << 20;

/// What was typed into one pane.
#[derive(Default)]
pub(crate) struct Early {
    bytes: Vec<u8>,
    /// How many notes there are of it.
    pieces: usize,
    /// Whose notes, and with whom; none where nobody takes over.
    noted: Option<(PaneId, HostHandle)>,
}

impl Early {
    /// Nothing yet.
    pub(crate) fn new(pane: PaneId, keeper: HostHandle) -> Self {
        Self {
            noted: Some((pane, keeper)),
            ..Self::default()
        }
    }

    /// What an earlier server left of it, if it did.
    pub(crate) fn found(
        pane: PaneId,
        keeper: HostHandle,
        notes: &BTreeMap<String, Vec<u8>>,
    ) -> Self {
        let begin = format!("{PREFIX}{}/", pane.0);
        let notes = notes.range(begin.clone()..);
        let notes = notes.take_while(|(key, _)| key.starts_with(&begin));
        let pieces: Vec<&[u8]> = notes.map(|(_, piece)| piece.as_slice()).collect();
        Self {
            bytes: pieces.concat(),
            pieces: pieces.len(),
            noted: Some((pane, keeper)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds what was typed.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let Some((pane, keeper)) = &self.noted else {
            return;
        };
        for piece in bytes.chunks(PIECE) {
            keeper.request(HostRequest::Remember {
                key: key(*pane, self.pieces),
                value: piece.to_vec(),
            });
            self.pieces += 1;
        }
    }

    /// Hands it to `queue`, which puts it in line for a program and returns what gives it. The notes are forgotten right behind that.
    pub(crate) fn give<Give>(&mut self, queue: impl FnOnce(&[u8]) -> Give)
    where
        Give: FnOnce() + Send + 'static,
    {
        if self.is_empty() {
            return;
        }
        let give = queue(&std::mem::take(&mut self.bytes));
        let notes = self.take_notes();
        match &self.noted {
            Some((_, keeper)) => keeper.request(HostRequest::Deliver(Delivery::new(notes, give))),
            None => give(),
        }
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The pane is gone, and what was typed into it with it.
    pub(crate) fn forget(&mut self) {
        self.bytes = Vec::new();
        for key in self.take_notes() {
            if let Some((_, keeper)) = &self.noted {
                let value = Vec::new();
                keeper.request(HostRequest::Remember { key, value });
            }
        }
    }

    /// The names of all notes, of which there are none from now on.
    fn take_notes(&mut self) -> Vec<String> {
        let pieces = 0..std::mem::take(&mut self.pieces);
        let Some((pane, _)) = &self.noted else {
            return Vec::new();
        };
        pieces.map(|piece| key(*pane, piece)).collect()
    }
}

/// The pane that a note is of, if it is one of these.
pub(crate) fn pane_of(key: &str) -> Option<PaneId> {
    let (pane, _) = key.strip_prefix(PREFIX)?.split_once('/')?;
    pane.parse().ok().map(PaneId)
}

/// In the order in which they were typed.
fn key(pane: PaneId, piece: usize) -> String {
    format!("{PREFIX}{}/{piece:010}", pane.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes_of(
        requests: &mut tokio::sync::mpsc::UnboundedReceiver<HostRequest>,
    ) -> BTreeMap<String, Vec<u8>> {
        let mut notes = BTreeMap::new();
        while let Ok(HostRequest::Remember { key, value }) = requests.try_recv() {
            if value.is_empty() {
                notes.remove(&key);
            } else {
                notes.insert(key, value);
            }
        }
        notes
    }

    #[test]
    fn what_was_typed_is_found_by_the_next_server_until_a_program_has_it() {
        let (keeper, mut requests) = HostHandle::channel();
        let mut early = Early::new(PaneId(1), keeper.clone());
        for piece in 0..12 {
            early.push(format!("{piece} ").as_bytes());
        }
        early.push(&vec![b'x'; PIECE + 1]);
        let mut other = Early::new(PaneId(11), keeper.clone());
        other.push(b"not this");
        let notes = notes_of(&mut requests);
        let mut found = Early::found(PaneId(1), keeper, &notes);
        let (given, received) = std::sync::mpsc::channel();
        found.give(|bytes| {
            let bytes = bytes.to_vec();
            move || given.send(bytes).unwrap()
        });
        assert!(found.is_empty());
        assert!(received.try_recv().is_err(), "given before its turn");
        let Ok(HostRequest::Deliver(delivery)) = requests.try_recv() else {
            panic!("no delivery");
        };
        assert_eq!(delivery.carry_out().len(), 14, "notes to be forgotten");
        let given = received.try_recv().unwrap();
        assert!(given.starts_with(b"0 1 2 3 4 5 6 7 8 9 10 11 xxx"));
        assert_eq!(given.len(), 26 + PIECE + 1);
        assert_eq!(pane_of("typed/11/0000000000"), Some(PaneId(11)));
        assert_eq!(pane_of("screen/11"), None);
    }
}
