use std::io::Write as _;

use shellkeep_core::PaneId;
use shellkeep_keeper::process::bytes_waiting;
use shellkeep_keeper::pty::Master;

use super::*;

/// A kept pane with a sluice, and the program's end of its terminal.
struct Kept {
    screen: Arc<Screen>,
    pty: Arc<dyn Pty>,
    program: File,
    store: Store,
    home: Home,
    _root: tempfile::TempDir,
}

impl Kept {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path(), "test").unwrap();
        let (events, _) = tokio::sync::mpsc::channel(16);
        let recorder = Recorder::start(store.clone(), events);
        let home = Home {
            session: StoreId::new(now()),
            pane: StoreId::new(now()),
        };
        let size = Size::new(24, 80);
        let mut record = Record::create(&store, &recorder, home, size, Config::default());
        let mut emulator = Emulator::new(size, Config::default());
        record.begin(&mut emulator);
        let screen = Screen::new(PaneId(0), emulator);
        screen.keep(record);
        let terminal = nix::pty::openpty(None, None).unwrap();
        let mut program = File::from(terminal.slave);
        let sluice = sluice::open().unwrap();
        let pty = Master::new(terminal.master, Some(sluice)).unwrap();
        // The first output begins the journal, and is in it at once.
        program.write_all(b"$ ").unwrap();
        let kept = Self {
            screen,
            pty: Arc::new(pty),
            program,
            store,
            home,
            _root: root,
        };
        kept.read();
        kept
    }

    /// Reads what the program has printed.
    fn read(&self) {
        let count = self.pty.try_sluice(1 << 14).unwrap();
        let (mut buffer, mut effects) = (Vec::new(), Effects::new());
        let mut screen = self.screen.lock();
        screen.take_in(&self.pty, count, &mut buffer, &mut effects);
    }

    fn in_sluice(&self) -> usize {
        bytes_waiting(self.pty.sluice().unwrap())
    }

    /// The journal as the next server would find it.
    fn on_disk(&self) -> String {
        let mut printed = Vec::new();
        let dir = self.store.open_pane(self.home.session, self.home.pane);
        dir.load().unwrap().replay(|entry| match entry {
            Entry::Output { bytes, .. } => printed.extend_from_slice(bytes),
            Entry::Title(title) => printed.extend_from_slice(format!("[{title}]").as_bytes()),
            _ => {}
        });
        String::from_utf8(printed).unwrap()
    }
}

#[tokio::test]
async fn little_output_is_shown_and_stays_in_the_sluice_until_it_is_written_down() {
    let mut kept = Kept::new();
    assert_eq!((kept.in_sluice(), kept.on_disk().as_str()), (0, "$ "));
    kept.program.write_all(b"l").unwrap();
    kept.read();
    assert_eq!(kept.screen.lock().cursor().col, 3, "it is shown");
    assert_eq!((kept.in_sluice(), kept.on_disk().as_str()), (1, "$ "));
    kept.screen.write_down();
    assert_eq!((kept.in_sluice(), kept.on_disk().as_str()), (0, "$ l"));
    kept.screen.write_down();
    assert_eq!(kept.on_disk(), "$ l", "once only");
}

#[tokio::test]
async fn little_output_is_written_before_whatever_comes_next() {
    let mut kept = Kept::new();
    kept.program.write_all(b"l").unwrap();
    kept.read();
    kept.program.write_all(b"s").unwrap();
    kept.read();
    kept.screen.lock().set_title("listing");
    assert_eq!(
        (kept.in_sluice(), kept.on_disk().as_str()),
        (0, "$ ls[listing]")
    );
    kept.program.write_all(b"x").unwrap();
    kept.read();
    drop(kept.screen.take_record());
    assert_eq!(
        (kept.in_sluice(), kept.on_disk().as_str()),
        (0, "$ ls[listing]x")
    );
}

#[tokio::test]
async fn little_output_is_in_the_checkpoint_and_not_in_the_sluice_or_the_journal_after_it() {
    let mut kept = Kept::new();
    kept.program.write_all(b"l").unwrap();
    kept.read();
    let cut = kept
        .screen
        .with_both(|record, emulator| record.cut(emulator, None));
    cut.unwrap().unwrap().write().unwrap();
    assert_eq!((kept.in_sluice(), kept.on_disk().as_str()), (0, ""));
    let dir = kept.store.open_pane(kept.home.session, kept.home.pane);
    let checkpoint = dir.load().unwrap().checkpoint.unwrap();
    let restored = Emulator::restore(&checkpoint.dump, Config::default()).unwrap();
    assert_eq!(restored.cursor().col, 3);
}
