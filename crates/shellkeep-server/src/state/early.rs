//! What was typed before a program could take it.
//!
//! It is noted with the keeper, piece by piece, until a program has it: a server that dies while a pane wakes takes nothing of it along.
//! Giving it to the program and forgetting the notes are two steps. So it is noted first that the one begins, and how many commands the shell has
//! run until then: a server that finds that note sees by the shell whether it has got its input, and types nothing twice.

use std::collections::BTreeMap;

use shellkeep_core::PaneId;
use shellkeep_keeper::{Delivery, HostHandle, HostRequest};

/// The notes of all panes begin so.
const PREFIX: &str = "typed/";

/// The notes of what is being given to a program begin so. Apart from the others, which earlier versions take for what was typed.
const GIVING: &str = "giving/";

/// More than this does not go into one note: a paste may be of any size, a note may not.
const PIECE: usize = 1 << 20;

/// What was typed into one pane.
#[derive(Default)]
pub(crate) struct Early {
    bytes: Vec<u8>,
    /// How many notes there are of it.
    pieces: usize,
    /// How many commands the shell had run when an earlier server was about to give it to the shell.
    given_at: Option<u64>,
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
    pub(crate) fn found(pane: PaneId, keeper: HostHandle, all: &BTreeMap<String, Vec<u8>>) -> Self {
        let begin = format!("{PREFIX}{}/", pane.0);
        let notes = all.range(begin.clone()..);
        let notes = notes.take_while(|(key, _)| key.starts_with(&begin));
        let pieces: Vec<&[u8]> = notes.map(|(_, piece)| piece.as_slice()).collect();
        let giving = all.get(&giving_key(pane));
        let given_at = giving.and_then(|note| std::str::from_utf8(note).ok()?.parse().ok());
        if giving.is_some() && pieces.is_empty() {
            // All of it was given. The note would be taken for one about what is typed next.
            keeper.request(HostRequest::Remember {
                key: giving_key(pane),
                value: Vec::new(),
            });
        }
        Self {
            bytes: pieces.concat(),
            pieces: pieces.len(),
            given_at: given_at.filter(|_| !pieces.is_empty()),
            noted: Some((pane, keeper)),
        }
    }

    /// Whether an earlier server was about to give it to a shell that had run so many commands.
    pub(crate) fn given_at(&self) -> Option<u64> {
        self.given_at
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

    /// Hands it to `queue`, which puts it in line for a program and returns what gives it. The notes are forgotten right behind that. If the
    /// program is a shell that tells of itself, it has run so many commands until now.
    pub(crate) fn give<Give>(&mut self, commands: Option<u64>, queue: impl FnOnce(&[u8]) -> Give)
    where
        Give: FnOnce() + Send + 'static,
    {
        if self.is_empty() {
            return;
        }
        let give = queue(&std::mem::take(&mut self.bytes));
        if let (Some(commands), Some((pane, keeper))) = (commands, &self.noted) {
            keeper.request(HostRequest::Remember {
                key: giving_key(*pane),
                value: commands.to_string().into_bytes(),
            });
            self.given_at = Some(commands);
        }
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
        let giving = self.given_at.take();
        let Some((pane, _)) = &self.noted else {
            return Vec::new();
        };
        let pieces = pieces.map(|piece| key(*pane, piece));
        // Last: as long as there is anything to be typed, it has to be known that it was about to be.
        pieces.chain(giving.map(|_| giving_key(*pane))).collect()
    }
}

/// The pane that a note is of, if it is one of these.
pub(crate) fn pane_of(key: &str) -> Option<PaneId> {
    let (pane, _) = key.strip_prefix(PREFIX)?.split_once('/')?;
    pane.parse().ok().map(PaneId)
}

fn giving_key(pane: PaneId) -> String {
    format!("{GIVING}{}", pane.0)
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
        found.give(None, |bytes| {
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

    #[test]
    fn server_that_dies_while_it_gives_input_tells_the_next_one_so() {
        let (keeper, mut requests) = HostHandle::channel();
        let mut early = Early::new(PaneId(1), keeper.clone());
        early.push(b"make\r");
        let before = notes_of(&mut requests);
        early.give(Some(7), |_| || {});
        let Ok(HostRequest::Remember { key, value }) = requests.try_recv() else {
            panic!("it is noted first");
        };
        let mut during = before.clone();
        during.insert(key, value);
        assert_eq!(
            Early::found(PaneId(1), keeper.clone(), &before).given_at(),
            None
        );
        let found = Early::found(PaneId(1), keeper.clone(), &during);
        assert_eq!((found.bytes(), found.given_at()), (&b"make\r"[..], Some(7)));
        let Ok(HostRequest::Deliver(delivery)) = requests.try_recv() else {
            panic!("no delivery");
        };
        for key in delivery.carry_out() {
            assert!(during.remove(&key).is_some(), "{key}");
        }
        assert!(during.is_empty(), "nothing is left of it: {during:?}");
    }
}
