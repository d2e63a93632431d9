use shellkeep_core::{PaneId, Size};
use shellkeep_shell::ShellState;
use shellkeep_store::KeptBuffer;
use shellkeep_store::schema::StoredSession;
use shellkeep_term::{Config, Emulator, Keep};

use crate::event::Event;
use crate::inbox;
use crate::inbox::Inbox;
use crate::persistence::record::Record;
use crate::persistence::recorder::*;

/// How often a session changes while nothing can be written.
const CHANGES: u32 = 200;

/// A session with a number to recognise it by.
fn numbered(number: u32) -> SessionFile {
    SessionFile {
        session: StoredSession {
            id: number,
            ..StoredSession::default()
        },
        ..SessionFile::default()
    }
}

/// A recorder whose thread is blocked, and the loop's end of its events.
struct HeldUp {
    recorder: Recorder,
    go_on: Sender<()>,
    inbox: Inbox,
    /// Keeps the inbox open.
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

    /// Changes a session. Returns the version that is to be written.
    fn change(&self, id: StoreId, number: u32) -> Weak<SessionFile> {
        self.change_as(id, number, Begun::No)
    }

    fn change_as(&self, id: StoreId, number: u32, begun: Begun) -> Weak<SessionFile> {
        let version = self.recorder.next_version(numbered(number));
        let body = Arc::downgrade(&version.body);
        self.recorder.write_version(id, version, begun);
        body
    }

    /// Lets the recorder do everything that was requested.
    fn catch_up(&self) {
        self.go_on.send(()).unwrap();
        self.recorder.settle();
    }

    fn number_on_disk(&self, id: StoreId) -> Option<u64> {
        let sessions = self.store.sessions().sessions;
        let session = sessions.iter().find(|session| session.id == id)?;
        session.body["session"]["id"].as_u64()
    }
}

#[test]
fn recorder_that_is_held_up_holds_one_version_of_a_session() {
    let held_up = HeldUp::new();
    let (id, other) = (StoreId::new(now()), StoreId::new(now()));
    // The thread for the page cache is blocked, too: it cannot finish the session before this one while the lock is
    // held.
    let newest = held_up.recorder.shared.newest.clone();
    let alive = newest.unless_newer(StoreId::new(now()), 0, || {
        held_up.change(other, 0);
        let versions: Vec<_> = (0..CHANGES).map(|n| held_up.change(id, n)).collect();
        let alive = versions.iter().filter(|body| body.strong_count() > 0);
        alive.count()
    });
    assert_eq!(alive, Some(1));
    assert_eq!(held_up.recorder.shared.unwritten.sessions.count(), 2);
    held_up.catch_up();
    assert_eq!(held_up.recorder.shared.unwritten.sessions.count(), 0);
    let last = CHANGES - 1;
    assert_eq!(held_up.number_on_disk(id), Some(last.into()));
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
        let body = vec![(id, numbered(number))];
        let done = move |result: Result<(), String>| noted.send(result).unwrap();
        held_up.recorder.write_sessions_now(body, done);
    }
    held_up.change(id, 10);
    assert_eq!(held_up.recorder.shared.unwritten.sessions.count(), 1);
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
        let numbers: Vec<_> = archived
            .iter()
            .map(|it| &it.body["session"]["id"])
            .collect();
        assert_eq!(numbers, [1]);
        store.reopen(id)
    });
    // Only the recorder writes this version: the thread for the page cache runs, and would write it before the archive.
    held_up.change_as(id, 2, Begun::Yes);
    // Work on a session comes after its newest version, which would otherwise wait for others.
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
            data: vec![b'x'; number as usize].into(),
            created: 0,
            is_automatic: true,
            order: number.into(),
        };
        let change = vec![(id, BufferChange::Write(buffer))];
        held_up.recorder.write_buffers(change, number.into());
    }
    assert_eq!(held_up.recorder.shared.unwritten.buffers.count(), 1);
    held_up.go_on.send(()).unwrap();
    for expected in 0..CHANGES {
        let Some(Event::Kept { number, left }) = held_up.inbox.recv().await else {
            panic!("no answer");
        };
        assert_eq!((number, left), (expected.into(), None));
    }
    let kept = held_up.store.buffers().buffers;
    let sizes: Vec<usize> = kept.iter().map(|(_, kept)| kept.data.len()).collect();
    assert_eq!(sizes, [CHANGES as usize - 1]);
}

/// A pane with a record, and its recorder.
struct KeptPane {
    recorder: Recorder,
    screen: Arc<Screen>,
    home: Home,
    store: Store,
    inbox: Inbox,
    _tasks: tokio::sync::mpsc::Sender<Event>,
    _root: tempfile::TempDir,
}

impl KeptPane {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path(), "test").unwrap();
        let (tasks, events, inbox) = inbox::channels(1);
        let recorder = Recorder::start(store.clone(), events);
        let home = Home {
            session: StoreId::new(now()),
            pane: StoreId::new(now()),
        };
        let config = Config {
            keep: Keep::Store,
            ..Config::default()
        };
        let size = Size::new(24, 80);
        let record = Record::create(&store, &recorder, home, size, config.clone());
        let screen = Screen::new(PaneId(0), Emulator::new(size, config));
        screen.keep(record);
        Self {
            recorder,
            screen,
            home,
            store,
            inbox,
            _tasks: tasks,
            _root: root,
        }
    }

    /// Its shell reports a state. Returns what is to be in the file.
    fn tells(&self, captured: &Arc<Captured>, status: u8) -> Vec<u8> {
        let text = format!("shellkeep shell state 1\nbash\nstatus 1\n{status}\nend 0\n\n");
        let state = ShellState::decode(text.as_bytes()).unwrap();
        let bytes = state.encode();
        let (screen, captured) = (self.screen.clone(), captured.clone());
        self.recorder
            .keep_captured(self.home.session, screen, captured, (state, 7));
        bytes
    }

    /// Closes it, as a pane is closed before it goes to the archive.
    fn closes(&self, captured: Arc<Captured>) {
        self.screen.with_record(Record::close_for_good);
        let last = self.recorder.checkpoint_last(self.screen.clone());
        self.recorder.end_record(self.home.session, last, captured);
    }

    /// Writes everything that can be written, whether a retry is due or not.
    async fn flush(&mut self) -> Option<String> {
        self.recorder.flush(1);
        loop {
            if let Some(Event::Flushed { left, .. }) = self.inbox.recv().await {
                return left;
            }
        }
    }

    fn shell_path(&self) -> PathBuf {
        let dir = self.store.pane(self.home.session, self.home.pane);
        dir.path().join("shell")
    }

    fn shell(&self) -> Option<Vec<u8>> {
        let dir = self.store.pane(self.home.session, self.home.pane);
        dir.read_shell().unwrap()
    }
}

#[tokio::test]
async fn state_that_waits_behind_something_is_written_before_its_pane_is_let_go() {
    let mut pane = KeptPane::new();
    let has_room = Arc::new(AtomicBool::new(false));
    let room = has_room.clone();
    pane.recorder.run(StoreId::new(now()), move |_| {
        match room.load(Ordering::Relaxed) {
            true => Ok(()),
            false => Err(StoreError::Waiting("no room".to_owned())),
        }
    });
    let captured = Arc::default();
    let state = pane.tells(&captured, 3);
    pane.closes(captured);
    assert_eq!(pane.flush().await.as_deref(), Some("no room"));
    assert_eq!(pane.shell(), None);
    has_room.store(true, Ordering::Relaxed);
    assert_eq!(pane.flush().await, None);
    assert_eq!(pane.shell(), Some(state));
    assert!(!pane.screen.is_kept(), "it is let go of");
}

#[tokio::test]
async fn state_that_could_not_be_written_is_written_when_its_pane_is_closed() {
    let mut pane = KeptPane::new();
    // A file cannot be renamed to where a directory is.
    std::fs::create_dir_all(pane.shell_path()).unwrap();
    let captured: Arc<Captured> = Arc::default();
    let state = pane.tells(&captured, 3);
    pane.recorder.settle();
    assert!(captured.take_failure() && captured.at().is_none());
    pane.closes(captured.clone());
    assert!(pane.flush().await.is_some(), "it is waited for");
    std::fs::remove_dir(pane.shell_path()).unwrap();
    assert_eq!(pane.flush().await, None);
    assert_eq!(pane.shell(), Some(state));
    assert_eq!(captured.at(), Some(7));
}

#[tokio::test]
async fn state_that_could_not_be_written_is_not_written_over_a_later_one() {
    let mut pane = KeptPane::new();
    std::fs::create_dir_all(pane.shell_path()).unwrap();
    let captured: Arc<Captured> = Arc::default();
    pane.tells(&captured, 3);
    pane.recorder.settle();
    std::fs::remove_dir(pane.shell_path()).unwrap();
    // As when the pane falls asleep.
    let dir = pane.store.pane(pane.home.session, pane.home.pane);
    dir.write_shell(b"what it is by now").unwrap();
    captured.is_superseded();
    pane.closes(captured);
    assert_eq!(pane.flush().await, None);
    assert_eq!(pane.shell().unwrap(), b"what it is by now");
}

#[tokio::test]
async fn starts_that_come_together_are_written_together_and_the_last_counts() {
    let mut pane = KeptPane::new();
    let start = |word: &[u8]| StoredStart {
        argv: vec![word.to_vec()],
        shell: None,
        directory: b"/".to_vec(),
        environ: Vec::new(),
        umask: 0o22,
    };
    let other = Home {
        session: pane.home.session,
        pane: StoreId::new(now()),
    };
    pane.store.pane(other.session, other.pane).create().unwrap();
    pane.recorder.write_start(pane.home, start(b"first"));
    pane.recorder.write_start(other, start(b"other"));
    pane.recorder.write_start(pane.home, start(b"last"));
    let gone = Home {
        session: StoreId::new(now()),
        pane: StoreId::new(now()),
    };
    pane.recorder
        .write_start(gone, start(b"of a pane that is gone"));
    assert_eq!(pane.flush().await, None);
    for (home, word) in [(pane.home, b"last".as_slice()), (other, b"other")] {
        let dir = pane.store.pane(home.session, home.pane);
        assert_eq!(dir.read_start().unwrap(), Some(start(word)));
    }
}
