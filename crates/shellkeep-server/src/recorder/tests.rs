use serde_json::json;
use shellkeep_store::KeptBuffer;

use super::*;
use crate::inbox::{self, Inbox};

/// How often a session changes while nothing can be written.
const CHANGES: usize = 200;

/// A recorder whose thread is held up, and the end of the loop it reports to.
struct HeldUp {
    recorder: Recorder,
    go_on: Sender<()>,
    inbox: Inbox,
    /// The inbox is closed without it.
    _tasks: tokio::sync::mpsc::Sender<Event>,
    store: Store,
    _root: tempfile::TempDir,
}

impl HeldUp {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path(), "test").unwrap();
        let (tasks, events, inbox) = inbox::channels(1);
        let recorder = Recorder::start(store.clone(), events);
        let (go_on, wait) = mpsc::channel();
        let (began, has_begun) = mpsc::channel();
        recorder.run(StoreId::new(now()), move |_| {
            began.send(()).unwrap();
            wait.recv().unwrap();
            Ok(())
        });
        has_begun.recv().unwrap();
        Self {
            recorder,
            go_on,
            inbox,
            _tasks: tasks,
            store,
            _root: root,
        }
    }

    /// Changes a session; the version that is to be written.
    fn change(&self, id: StoreId, number: usize) -> Weak<Value> {
        self.change_as(id, number, Begun::No)
    }

    fn change_as(&self, id: StoreId, number: usize, begun: Begun) -> Weak<Value> {
        let version = self.recorder.next_version(json!({ "number": number }));
        let body = Arc::downgrade(&version.body);
        self.recorder.write_version(id, version, begun);
        body
    }

    /// Lets the recorder do all that it was asked for.
    fn catch_up(&self) {
        self.go_on.send(()).unwrap();
        self.recorder.settle();
    }

    fn number_on_disk(&self, id: StoreId) -> Option<u64> {
        let sessions = self.store.sessions().sessions;
        let session = sessions.iter().find(|session| session.id == id)?;
        session.body["number"].as_u64()
    }
}

#[test]
fn recorder_that_is_held_up_holds_one_version_of_a_session() {
    let held_up = HeldUp::new();
    let (id, other) = (StoreId::new(now()), StoreId::new(now()));
    // The page cache's thread is held up as well: it cannot finish the session before this one while the lock is held.
    let newest = held_up.recorder.newest.clone();
    let alive = newest.unless_newer(StoreId::new(now()), 0, || {
        held_up.change(other, 0);
        let versions: Vec<_> = (0..CHANGES).map(|n| held_up.change(id, n)).collect();
        let alive = versions.iter().filter(|body| body.strong_count() > 0);
        alive.count()
    });
    assert_eq!(alive, Some(1));
    assert_eq!(held_up.recorder.unwritten.sessions.count(), 2);
    held_up.catch_up();
    assert_eq!(held_up.recorder.unwritten.sessions.count(), 0);
    let last = u64::try_from(CHANGES - 1).unwrap();
    assert_eq!(held_up.number_on_disk(id), Some(last));
    assert_eq!(held_up.number_on_disk(other), Some(0));
}

#[test]
fn command_that_waits_for_a_session_waits_for_the_newest_version() {
    let held_up = HeldUp::new();
    let id = StoreId::new(now());
    held_up.change(id, 1);
    let (noted, heard) = mpsc::channel();
    for number in 2..10 {
        let noted = noted.clone();
        let body = vec![(id, json!({ "number": number }))];
        let done = move |result: Result<(), String>| noted.send(result).unwrap();
        held_up.recorder.write_sessions_now(body, done);
    }
    held_up.change(id, 10);
    assert_eq!(held_up.recorder.unwritten.sessions.count(), 1);
    held_up.go_on.send(()).unwrap();
    for _ in 2..10 {
        assert_eq!(heard.recv().unwrap(), Ok(()));
        assert_eq!(held_up.number_on_disk(id), Some(10));
    }
}

#[test]
fn session_that_is_opened_again_is_not_written_into_the_archive() {
    let held_up = HeldUp::new();
    let id = StoreId::new(now());
    held_up.change(id, 1);
    held_up.recorder.archive(id, || ());
    let store = held_up.store.clone();
    held_up.recorder.run(id, move |_| {
        let archived = store.archived().sessions;
        let numbers: Vec<_> = archived.iter().map(|it| &it.body["number"]).collect();
        assert_eq!(numbers, [1]);
        store.reopen(id)
    });
    // Only the recorder writes this one: the page cache's thread is not held up and would write it before the archive.
    held_up.change_as(id, 2, Begun::Yes);
    // Work on a session comes behind its newest version, which would wait for others otherwise.
    held_up.recorder.run(id, |_| Ok(()));
    held_up.catch_up();
    assert_eq!(held_up.number_on_disk(id), Some(2));
}

#[tokio::test]
async fn recorder_that_is_held_up_holds_one_change_of_a_buffer() {
    let mut held_up = HeldUp::new();
    let id = StoreId::new(now());
    for number in 0..CHANGES {
        let buffer = KeptBuffer {
            name: "buffer0".to_owned(),
            data: vec![b'x'; number].into(),
            created: 0,
            is_automatic: true,
            order: number as u64,
        };
        let change = vec![(id, BufferChange::Write(buffer))];
        held_up.recorder.write_buffers(change, number as u64);
    }
    assert_eq!(held_up.recorder.unwritten.buffers.count(), 1);
    held_up.go_on.send(()).unwrap();
    for expected in 0..CHANGES {
        let Some(Event::Kept { number, left }) = held_up.inbox.recv().await else {
            panic!("no answer");
        };
        assert_eq!((number, left), (expected as u64, None));
    }
    let kept = held_up.store.buffers().buffers;
    let sizes: Vec<usize> = kept.iter().map(|(_, kept)| kept.data.len()).collect();
    assert_eq!(sizes, [CHANGES - 1]);
}
