use std::io::Write as _;
use std::ops::Range;

use shellkeep_core::PaneId;
use shellkeep_keeper::process::bytes_waiting;
use shellkeep_keeper::pty::Master;
use shellkeep_keeper::transit_pipe;
use shellkeep_term::{Effects, Keep};

use crate::persistence::record::*;
use crate::persistence::recorder::Recorder;

fn config() -> Config {
    Config {
        keep: Keep::Store,
        history_limit: usize::MAX,
        ..Config::default()
    }
}

/// A pane with a record and a transit pipe, and the slave side of its terminal.
struct Kept {
    screen: Arc<Screen>,
    recorder: Recorder,
    pty: Arc<dyn Pty>,
    program: File,
    store: Store,
    home: Home,
    config: Config,
    _root: tempfile::TempDir,
}

impl Kept {
    fn new() -> Self {
        Self::with_config(config())
    }

    fn with_config(config: Config) -> Self {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path(), "test").unwrap();
        let (_, events, _) = crate::inbox::channels(1);
        let recorder = Recorder::start(store.clone(), events);
        let home = Home {
            session: StoreId::new(now()),
            pane: StoreId::new(now()),
        };
        let size = Size::new(24, 80);
        let mut record = Record::create(&store, &recorder, home, size, config.clone());
        let mut emulator = Emulator::new(size, config.clone());
        record.begin(&mut emulator);
        let screen = Screen::new(PaneId(0), emulator);
        screen.keep(record);
        let terminal = nix::pty::openpty(None, None).unwrap();
        let mut program = File::from(terminal.slave);
        let transit_pipe = transit_pipe::open().unwrap();
        let pty = Master::new(terminal.master, Some(transit_pipe)).unwrap();
        // The first output begins the journal, and is in it at once.
        program.write_all(b"$ ").unwrap();
        let kept = Self {
            screen,
            recorder,
            pty: Arc::new(pty),
            program,
            store,
            home,
            config,
            _root: root,
        };
        kept.read();
        kept
    }

    /// Reads what the program has printed.
    fn read(&self) {
        let count = self.pty.try_transit(1 << 14).unwrap();
        let (mut buffer, mut effects) = (Vec::new(), Effects::new());
        let mut screen = self.screen.lock();
        screen.take_in(&self.pty, count, &mut buffer, &mut effects);
    }

    /// Prints these lines as fast as they are read.
    fn flood(&mut self, lines: Range<usize>) {
        for line in lines {
            self.program.write_all(line_of(line).as_bytes()).unwrap();
            self.program.write_all(b"\n").unwrap();
            self.read();
        }
    }

    /// The screen as the next server loads it.
    fn loaded(&self) -> Emulator {
        self.loaded_at(Size::new(24, 80))
    }

    /// The same with this size noted last. Loading removes leftover files, so this record is dropped first.
    fn loaded_at(&self, size: Size) -> Emulator {
        drop(self.screen.take_record());
        let (_, events, _) = crate::inbox::channels(1);
        let recorder = Recorder::start(self.store.clone(), events);
        let config = self.config.clone();
        Record::found(&self.store, &recorder, self.home, size, config).load()
    }

    /// The path of one of its files.
    fn path(&self, name: &str) -> std::path::PathBuf {
        let dir = self.store.open_pane(self.home.session, self.home.pane);
        dir.path().join(name)
    }

    fn has_checkpoint(&self) -> bool {
        self.path("screen").exists()
    }

    /// Makes the recorder write a checkpoint, and waits for it.
    fn checkpoint(&self) {
        let (done, wait) = std::sync::mpsc::channel();
        self.recorder
            .checkpoint(self.screen.clone(), ShellFile::Stays, move |result| {
                done.send(result).unwrap();
            });
        assert_eq!(wait.recv().unwrap(), Ok(()));
    }

    fn in_transit_pipe(&self) -> usize {
        bytes_waiting(self.pty.transit_pipe().unwrap())
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

/// Long enough that a long journal does not need very many lines.
fn line_of(number: usize) -> String {
    format!(
        "{number:06}{}",
        " of a log in which much is alike".repeat(30)
    )
}

/// When each of its lines was printed.
fn line_times(emulator: &Emulator) -> Vec<Option<u32>> {
    let lines = emulator.lines(emulator.line_numbers(), u16::MAX);
    lines.iter().map(|row| row.time()).collect()
}

#[tokio::test]
async fn lines_that_are_read_back_have_the_times_they_were_shown_with() {
    let mut kept = Kept::new();
    kept.flood(0..2000);
    kept.screen.lock().feed(b"of ours\r\n", &mut Effects::new());
    let little = b"a little, not in the journal yet";
    kept.program.write_all(little).unwrap();
    kept.read();
    assert_eq!(kept.in_transit_pipe(), little.len());
    let shown = line_times(&kept.screen.lock());
    assert_eq!(shown.len(), 2002);
    let is_known = |time: &Option<u32>| time.is_some_and(|time| time > 1_700_000_000);
    assert!(shown.iter().all(is_known));
    assert_eq!(line_times(&kept.loaded()), shown);
}

#[tokio::test]
async fn checkpoint_of_a_flood_comes_when_its_pages_are_packed_and_nothing_is_missing() {
    let mut kept = Kept::new();
    let lines = LONG_JOURNAL as usize / line_of(0).len() + 300;
    kept.flood(0..lines);
    while !kept.has_checkpoint() {
        tokio::task::yield_now().await;
    }
    kept.flood(lines..lines + 100);
    let loaded = kept.loaded();
    assert_eq!(loaded.history_lines(), kept.screen.lock().history_lines());
    // The first line has a prompt before it, and the last may reach into the screen.
    for line in 1..loaded.history_lines() - 1 {
        let text = loaded.history_text(line as u64).unwrap();
        assert_eq!(text, Some(line_of(line)));
    }
}

#[tokio::test]
async fn checkpoint_that_somebody_asks_for_takes_the_place_of_one_that_is_to_come() {
    let mut kept = Kept::new();
    kept.flood(0..200);
    let checkpoint = |kept: &Kept| {
        let checkpoint = kept
            .screen
            .with_both(|record, emulator| record.take_checkpoint(emulator, None));
        checkpoint.unwrap().unwrap()
    };
    let deferred = DeferredCheckpoint {
        checkpoint: checkpoint(&kept),
        taken: Instant::now(),
        took: Duration::ZERO,
    };
    let is_written = kept.screen.with_record(|record| {
        record.defer_checkpoint(deferred);
        record.is_written()
    });
    assert_eq!(is_written, Some(false), "it is in journals only");
    kept.flood(200..300);
    let unsettled = checkpoint(&kept).write().unwrap();
    unsettled.settle(0).unwrap();
    let left = kept.screen.with_record(Record::take_deferred);
    assert!(left.flatten().is_none());
    assert_eq!(kept.on_disk(), "", "no journal is left");
    assert_eq!(
        kept.loaded().history_lines(),
        kept.screen.lock().history_lines()
    );
}

#[tokio::test]
async fn history_file_of_a_limited_pane_is_short_after_200_000_lines() {
    let mut kept = Kept::with_config(Config {
        history_limit: 100,
        ..config()
    });
    // Multiplied by a large odd number, they compress badly.
    let text = |line: u64| {
        let mixed = line.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let noise = |turn: u32| format!("{:016x}", mixed.rotate_left(turn) ^ mixed);
        let noise: String = [7, 13, 29, 47].map(noise).concat();
        format!("{line:06} {noise}")
    };
    for round in 0..100 {
        for part in 0..40 {
            let first = round * 2000 + part * 50;
            let lines = (first..first + 50).map(|line| text(line) + "\n");
            let lines: String = lines.collect();
            kept.program.write_all(lines.as_bytes()).unwrap();
            kept.read();
        }
        kept.checkpoint();
    }
    let dir = kept.store.open_pane(kept.home.session, kept.home.pane);
    let written = dir.read_screen().unwrap().unwrap().history_end;
    let length = std::fs::metadata(kept.path("history")).unwrap().len();
    assert!(
        length < 300 << 10 && 300 << 10 < written,
        "{length} of {written}"
    );
    let loaded = kept.loaded();
    let lines = loaded.history_lines();
    assert!((90..=100).contains(&lines), "{lines}");
    let first = loaded.first_history_line();
    for line in first..first + lines as u64 {
        assert_eq!(loaded.history_text(line).unwrap(), Some(text(line)));
    }
}

#[tokio::test]
async fn little_output_is_shown_and_stays_in_the_transit_pipe_until_it_is_written_down() {
    let mut kept = Kept::new();
    assert_eq!((kept.in_transit_pipe(), kept.on_disk().as_str()), (0, "$ "));
    kept.program.write_all(b"l").unwrap();
    kept.read();
    assert_eq!(kept.screen.lock().cursor().col, 3, "it is shown");
    assert_eq!((kept.in_transit_pipe(), kept.on_disk().as_str()), (1, "$ "));
    kept.screen.write_down();
    assert_eq!(
        (kept.in_transit_pipe(), kept.on_disk().as_str()),
        (0, "$ l")
    );
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
        (kept.in_transit_pipe(), kept.on_disk().as_str()),
        (0, "$ ls[listing]")
    );
    kept.program.write_all(b"x").unwrap();
    kept.read();
    drop(kept.screen.take_record());
    assert_eq!(
        (kept.in_transit_pipe(), kept.on_disk().as_str()),
        (0, "$ ls[listing]x")
    );
}

#[tokio::test]
async fn little_output_is_in_the_checkpoint_and_not_in_the_transit_pipe_or_the_journal_after_it() {
    let mut kept = Kept::new();
    kept.program.write_all(b"l").unwrap();
    kept.read();
    let checkpoint = kept
        .screen
        .with_both(|record, emulator| record.take_checkpoint(emulator, None));
    checkpoint.unwrap().unwrap().write().unwrap();
    assert_eq!((kept.in_transit_pipe(), kept.on_disk().as_str()), (0, ""));
    let dir = kept.store.open_pane(kept.home.session, kept.home.pane);
    let checkpoint = dir.load().unwrap().checkpoint.unwrap();
    let restored = Emulator::restore(&checkpoint.dump, Config::default()).unwrap();
    assert_eq!(restored.cursor().col, 3);
}

#[tokio::test]
async fn journal_that_breaks_while_its_checkpoint_is_written_is_not_taken_for_whole() {
    let kept = Kept::new();
    let both = |work: fn(&mut Record, &mut Emulator)| kept.screen.with_both(work).unwrap();
    both(|record, emulator| {
        let taken = Instant::now();
        let written = record
            .take_checkpoint(emulator, None)
            .and_then(TakenCheckpoint::write);
        record.broke(&std::io::Error::from(std::io::ErrorKind::FileTooLarge));
        record.checkpoint_ended(&written, taken);
        assert!(!record.is_whole() && record.lag().1.is_some());
        let written = record
            .take_checkpoint(emulator, None)
            .and_then(TakenCheckpoint::write);
        record.checkpoint_ended(&written, taken);
        assert!(record.is_whole() && record.lag().1.is_none());
    });
}

#[tokio::test]
async fn pane_that_got_another_size_before_its_first_checkpoint_is_as_it_was() {
    let mut kept = Kept::new();
    let far = "left\x1b[1;50Hright-hand\x1b[1;70Hfar-right\x1b[3;1Hend";
    kept.program.write_all(far.as_bytes()).unwrap();
    kept.read();
    kept.screen.lock().resize(Size::new(24, 40));
    let texts = |emulator: &Emulator| -> Vec<String> {
        (0..24).map(|row| emulator.row(row).text()).collect()
    };
    let shown = texts(&kept.screen.lock());
    assert!(shown.concat().contains("right-hand"), "{shown:?}");
    // The next server knows the last size only.
    assert_eq!(texts(&kept.loaded_at(Size::new(24, 40))), shown);
}

#[tokio::test]
async fn checkpoint_of_a_quiet_pane_that_failed_is_tried_again() {
    let kept = Kept::new();
    let recorder = &kept.recorder;
    recorder.flush(1);
    // The first call is answered before the pane is taken off the recorder's list, the second one after that.
    recorder.settle();
    recorder.settle();
    let failed: Result<(), _> = Err(StoreError::Waiting("no room".to_owned()));
    kept.screen
        .with_record(|record| record.checkpoint_ended(&failed, Instant::now()));
    recorder.flush(2);
    recorder.settle();
    let trouble = kept
        .screen
        .with_record(|record| record.lag().1.map(str::to_owned));
    assert_eq!(trouble, Some(None));
}
