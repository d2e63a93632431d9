//! Takes over output that a server of the previous release left in `LABEL.slate`.
//!
//! That server read a key's echo into a page of memory shared with this file, and moved it into the journal a
//! millisecond later. If it was killed in between, the file holds the only copy. Once no such server can be running any
//! more, this module goes.
//!
//! ```text
//! "skslate1", session, pane, generation of the journal, its length     64 bytes, little-endian, padded with zeros
//! output                                                               ends with the last byte that is not zero
//! ```

use std::path::Path;

use shellkeep_files::MAX_SMALL;
use shellkeep_store::{Journal, Store, StoreError, StoreId};

use crate::persistence::record::now;
use crate::process::runtime_dir::beside;

const MAGIC: &[u8; 8] = b"skslate1";

const HEADER: usize = 64;

/// Appends the output to its journal and removes the file. If that fails the file stays, so that the next server tries
/// again.
pub(crate) fn take_over(socket: &Path, store: &Store) {
    let path = beside(socket, ".slate");
    let Ok(page) = shellkeep_files::read(&path, MAX_SMALL) else {
        return;
    };
    match Leftover::parse(&page).map_or(Ok(()), |leftover| leftover.save(store)) {
        Ok(()) => {
            let _ = std::fs::remove_file(&path);
        }
        Err(error) => {
            tracing::error!(%error, path = %path.display(), "the last output of the previous server cannot be saved");
        }
    }
}

/// Output that may be missing in its journal.
struct Leftover<'a> {
    session: StoreId,
    pane: StoreId,
    generation: u64,
    /// The length of the journal without the output.
    length: u64,
    output: &'a [u8],
}

impl<'a> Leftover<'a> {
    fn parse(page: &'a [u8]) -> Option<Self> {
        let body = page.get(HEADER..)?;
        let last = body.iter().rposition(|byte| *byte != 0)?;
        let header = page.strip_prefix(MAGIC)?;
        let (session, header) = header.split_first_chunk()?;
        let (pane, header) = header.split_first_chunk()?;
        let (generation, header) = header.split_first_chunk()?;
        let (length, _) = header.split_first_chunk()?;
        let id = |bits: &[u8; 16]| StoreId::from_bits(u128::from_le_bytes(*bits));
        Some(Self {
            session: id(session)?,
            pane: id(pane)?,
            generation: u64::from_le_bytes(*generation),
            length: u64::from_le_bytes(*length),
            output: &body[..=last],
        })
    }

    fn save(&self, store: &Store) -> Result<(), StoreError> {
        let session = store.home_of(self.session, self.pane);
        let pane = store.open_pane(session, self.pane);
        let (generation, length) = (self.generation, self.length);
        // A longer journal has the output already.
        let is_added = Journal::catch_up(&pane, generation, length, self.output, now())?;
        tracing::info!(pane = %self.pane, is_added, "output of the previous server was taken over");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_store::{FIRST_JOURNAL, Record};

    use super::*;

    /// A store with one pane that has printed a prompt, and a socket without a server.
    struct Fixture {
        root: tempfile::TempDir,
        store: Store,
        session: StoreId,
        pane: StoreId,
        /// The length of the journal.
        length: u64,
    }

    impl Fixture {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            let store = Store::open(root.path(), "test").unwrap();
            let (session, pane) = (StoreId::new(now()), StoreId::new(now()));
            let dir = store.open_pane(session, pane);
            dir.create().unwrap();
            let mut journal = Journal::create(&dir, FIRST_JOURNAL).unwrap();
            let (time, bytes) = (now(), b"$ ".as_slice());
            journal
                .append(&Record::Output { time, bytes }, time)
                .unwrap();
            journal.close_record().unwrap();
            let length = journal.len();
            Self {
                root,
                store,
                session,
                pane,
                length,
            }
        }

        /// The file as the previous release wrote it, byte by byte.
        fn page(&self, output: &[u8]) -> Vec<u8> {
            let mut page = b"skslate1".to_vec();
            page.extend(self.session.bits().to_le_bytes());
            page.extend(self.pane.bits().to_le_bytes());
            page.extend(FIRST_JOURNAL.to_le_bytes());
            page.extend(self.length.to_le_bytes());
            page.resize(64, 0);
            page.extend(output);
            page.resize(64 + 512, 0);
            page
        }

        /// Makes a new server find this file. Returns whether the file is gone afterwards.
        fn start_over(&self, page: &[u8]) -> bool {
            let path = self.root.path().join("default.slate");
            std::fs::write(&path, page).unwrap();
            take_over(&self.root.path().join("default"), &self.store);
            !path.exists()
        }

        fn printed(&self) -> String {
            let mut printed = Vec::new();
            let dir = self.store.open_pane(self.session, self.pane);
            dir.load().unwrap().replay(|entry| {
                if let Record::Output { bytes, .. } = entry {
                    printed.extend_from_slice(bytes);
                }
            });
            String::from_utf8(printed).unwrap()
        }
    }

    #[test]
    fn output_is_in_the_journal_once_however_often_servers_start() {
        let fixture = Fixture::new();
        let page = fixture.page(b"ls\x08 \0");
        for _ in 0..2 {
            assert!(fixture.start_over(&page));
            assert_eq!(fixture.printed(), "$ ls\x08 ");
        }
    }

    #[test]
    fn file_without_output_is_removed_and_adds_nothing() {
        let fixture = Fixture::new();
        let blank = fixture.page(b"");
        for page in [&b""[..], b"skslate1", &[b'x'; 600], &[0; 600], &blank] {
            assert!(fixture.start_over(page));
            assert_eq!(fixture.printed(), "$ ");
        }
    }

    #[test]
    fn server_that_finds_no_file_goes_on() {
        let fixture = Fixture::new();
        take_over(&fixture.root.path().join("default"), &fixture.store);
        assert_eq!(fixture.printed(), "$ ");
    }
}
