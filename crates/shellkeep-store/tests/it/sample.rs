//! A small pane, and the parts from which it is made.

use std::path::{Path, PathBuf};

use serde_json::json;
use shellkeep_store::schema::{SessionFile, StoredSession, StoredStart};
use shellkeep_store::{
    Checkpoint, Journal, KeptBuffer, Page, PaneDir, Record, Recovery, Store, StoreId,
};

/// A moment in November 2026.
pub(crate) const NOW: u64 = 1_794_000_000_000;

/// A temporary directory, in memory if possible, because these tests sync a lot.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// How a pane's program was started.
pub(crate) fn start() -> StoredStart {
    StoredStart {
        argv: vec![b"sh".to_vec(), b"\xff".to_vec()],
        shell: Some(b"/bin/sh".to_vec()),
        directory: b"/".to_vec(),
        environ: vec![b"LANG=C".to_vec()],
        umask: 0o22,
    }
}

pub(crate) fn session_id() -> StoreId {
    "01q6vhyg00000001".parse().unwrap()
}

/// The description of a session of this name.
pub(crate) fn description(name: &str) -> serde_json::Value {
    let session = StoredSession {
        name: name.to_owned(),
        ..StoredSession::default()
    };
    let file = SessionFile {
        session,
        ..SessionFile::default()
    };
    serde_json::to_value(file).unwrap()
}

pub(crate) fn pane_id() -> StoreId {
    "01q6vhyg00000002".parse().unwrap()
}

/// A paste buffer.
pub(crate) fn buffer() -> (StoreId, KeptBuffer) {
    let buffer = KeptBuffer {
        name: "buffer7".to_owned(),
        data: b"copied \xff\0\n".as_slice().into(),
        created: NOW / 1000,
        is_automatic: true,
        order: 12,
    };
    ("01q6vhyg00000003".parse().unwrap(), buffer)
}

pub(crate) fn open(root: &Path) -> Store {
    Store::open(root, "default").unwrap()
}

/// Makes a pane of the sample session.
pub(crate) fn new_pane(store: &Store) -> PaneDir {
    let pane = store.pane(session_id(), pane_id());
    pane.create().unwrap();
    pane
}

pub(crate) fn page(number: u64, text: &str) -> Page {
    Page {
        number,
        first_line: number * 3,
        lines: 3,
        cells: text.len() as u64,
        longest: 17,
        data: text.as_bytes().to_vec(),
    }
}

pub(crate) fn checkpoint(journal: u64, history_end: u64) -> Checkpoint {
    Checkpoint {
        journal,
        history_end,
        time: NOW + journal,
        facts: json!({"title": "vim", "rows": 24, "cols": 80}),
        dump: format!("the screen before journal {journal}").into_bytes(),
    }
}

/// A record that owns its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Output(u64, Vec<u8>),
    Other(String),
}

/// All records of a recovery, with output of the same time joined.
pub(crate) fn replayed(recovery: &mut Recovery) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    recovery.replay(|record| match record {
        Record::Output { time, bytes } => all.push(Said::Output(time, bytes.to_vec())),
        other => all.push(Said::Other(format!("{other:?}"))),
    });
    all
}

/// All output of a recovery, joined.
pub(crate) fn output(recovery: &mut Recovery) -> Vec<u8> {
    let mut all = Vec::new();
    recovery.replay(|record| {
        if let Record::Output { bytes, .. } = record {
            all.extend_from_slice(bytes);
        }
    });
    all
}

/// One of each record.
pub(crate) fn every_record() -> Vec<Record<'static>> {
    vec![
        Record::Output {
            time: NOW,
            bytes: b"hello\r\n",
        },
        Record::Resize {
            rows: 40,
            cols: 132,
        },
        Record::Title("résumé"),
        Record::ClearHistory,
        Record::Reset,
        Record::Trim,
        Record::HistoryLimit(5000),
        Record::Output {
            time: NOW + 7,
            bytes: b"bye\r\n",
        },
    ]
}

/// A pane with one of everything: two pages, a checkpoint and the one before it, two journals, start and shell.
pub(crate) fn whole_pane(store: &Store) -> PaneDir {
    let pane = new_pane(store);
    let recovery = pane.load().unwrap();
    let end = recovery
        .history
        .append([page(0, "one\ntwo\nthree\n"), page(1, "one\ntwo\nfour\n")])
        .unwrap();
    pane.write_screen(&checkpoint(1, 0)).unwrap();
    pane.write_screen(&checkpoint(2, end)).unwrap();
    let mut journal = Journal::create(&pane, 2).unwrap();
    for record in every_record() {
        journal.append(&record, NOW + 1).unwrap();
    }
    let mut journal = Journal::create(&pane, 3).unwrap();
    let bytes = b"$ ";
    journal
        .append(
            &Record::Output {
                time: NOW + 9,
                bytes,
            },
            NOW,
        )
        .unwrap();
    pane.write_start(&start()).unwrap();
    pane.write_shell(b"declare -x EDITOR=vim\n").unwrap();
    pane
}

/// Every file below a directory with its bytes, in order.
pub(crate) fn files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = vec![root.to_owned()];
    while let Some(dir) = left.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                found.push((path.strip_prefix(root).unwrap().to_owned(), bytes));
            }
        }
    }
    found.sort();
    found
}
