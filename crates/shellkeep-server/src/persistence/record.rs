//! The record of one pane on disk: a checkpoint, and a journal of everything that happened to its screen since.
//!
//! Whoever changes the screen appends to the journal here, under the screen's lock, so that screen and journal never
//! disagree. Syncing and writing checkpoints take longer, and are done by the recorder's thread.

mod damage;
mod history_pages;
mod intake;
mod pending_checkpoint;
mod program;
mod replay;
mod stage;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, UNIX_EPOCH};

use shellkeep_core::Size;
use shellkeep_keeper::{ProcessId, Pty};
use shellkeep_store::{
    Checkpoint, FIRST_JOURNAL, History, Journal, JournalStart, PaneDir, Record as Entry, Store,
    StoreError, StoreId,
};
use shellkeep_term::{Config, Emulator, RestoreError};

use crate::panes::screen::{Caretaker, Screen};
use crate::persistence::record::damage::print_line;
use crate::persistence::record::history_pages::HistoryPages;
use crate::persistence::record::intake::Unwritten;
use crate::persistence::record::stage::{Attention, Coverage, Refusal, Stage};
use crate::search::stored::Kept;

pub(crate) use crate::persistence::record::damage::dim_line;
pub(crate) use crate::persistence::record::history_pages::WaitingPage;
pub(crate) use crate::persistence::record::intake::{LITTLE_OUTPUT, read_exactly};
pub(crate) use crate::persistence::record::pending_checkpoint::{
    DeferredCheckpoint, ShellFile, TakenCheckpoint, UnsettledCheckpoint, UnsyncedCheckpoint,
};
pub(crate) use crate::persistence::record::program::{Facts, Program};
pub(crate) use crate::persistence::record::replay::{apply, set_time};
pub(crate) use crate::process::wall::now;
pub(crate) use shellkeep_store::schema::PaneHome as Home;

/// The length of a journal after which a checkpoint is made.
const LONG_JOURNAL: u64 = 4 << 20;

/// How long a checkpoint is deferred until its pages are packed on another thread. Until then they take memory.
const PACKING_TIMEOUT: Duration = Duration::from_millis(250);

/// The amount of output replayed at a load after which a checkpoint is made: a server that is killed again and again
/// must not have more to replay each time.
const LONG_REPLAY: u64 = 256 << 10;

pub(crate) struct Record {
    home: Home,
    dir: PaneDir,
    config: Config,
    /// The size of the screen, as long as nothing was written.
    size: Size,
    caretaker: Arc<dyn Caretaker>,
    screen: Weak<Screen>,
    history_pages: Arc<HistoryPages>,
    stage: Stage,
    coverage: Coverage,
    attention: Attention,
    /// Output that is on the screen and not yet in the journal.
    unwritten: Option<Unwritten>,
    /// The generation of the next journal.
    next_journal: u64,
    /// A checkpoint that is written when its pages are packed. Until then journals have all it contains.
    deferred: Option<DeferredCheckpoint>,
    /// How many bytes were replayed at the load and are in no checkpoint since.
    replayed: u64,
    last_entry: Option<Instant>,
    /// Since when there is output that was not synced.
    unsynced: Option<Instant>,
    program: Option<Program>,
    /// Its pane is closed: the files may have been moved, and must not be made anew.
    is_closed: bool,
    /// Why nothing can be written at the moment.
    trouble: Option<String>,
}

impl Record {
    /// The record of a new pane. If its directory cannot be made, that is retried later.
    pub(crate) fn create(
        store: &Store,
        caretaker: &(impl Caretaker + Clone + 'static),
        home: Home,
        size: Size,
        config: Config,
    ) -> Self {
        let mut record = Self::found(store, caretaker, home, size, config);
        if let Err(error) = record.dir.create() {
            tracing::error!(pane = %home.pane, %error, "cannot make the pane's directory yet");
            record.stage = Stage::Broken;
            record.coverage.lose();
            record.trouble = Some(error.to_string());
        }
        record
    }

    /// The record of a pane that is on disk.
    pub(crate) fn found(
        store: &Store,
        caretaker: &(impl Caretaker + Clone + 'static),
        home: Home,
        size: Size,
        config: Config,
    ) -> Self {
        let dir = store.open_pane(home.session, home.pane);
        Self {
            home,
            config,
            size,
            caretaker: Arc::new(caretaker.clone()),
            screen: Weak::new(),
            history_pages: Arc::new(HistoryPages::new(dir.clone())),
            dir,
            stage: Stage::Idle,
            coverage: Coverage::Journaled,
            attention: Attention::None,
            unwritten: None,
            next_journal: FIRST_JOURNAL,
            deferred: None,
            replayed: 0,
            last_entry: None,
            unsynced: None,
            program: None,
            is_closed: false,
            trouble: None,
        }
    }

    pub(crate) fn belongs_to(&mut self, screen: Weak<Screen>) {
        self.screen = screen;
    }

    /// Begins with an emulator that had no record so far.
    pub(crate) fn begin(&mut self, emulator: &mut Emulator) {
        self.size = emulator.size();
        let fresh = Emulator::new(self.size, self.config.clone());
        let dump = emulator.dump();
        // What is on its screen already is in no journal.
        let is_used = dump != fresh.dump();
        if is_used {
            self.coverage.lose();
        }
        *emulator = if is_used {
            Emulator::restore(&dump, self.config.clone()).unwrap_or(fresh)
        } else {
            fresh
        };
        self.connect_pages(emulator);
        if is_used && !self.stage.needs_checkpoint() {
            // A popup that became a pane: its screen is in memory alone, so write it now instead of waiting for the
            // recorder.
            let taken = Instant::now();
            let written = self
                .take_checkpoint(emulator, None)
                .and_then(TakenCheckpoint::write);
            self.checkpoint_ended(&written, taken);
        }
        if is_used || self.coverage.has_gap() {
            self.noticed();
            self.hurry();
        }
    }

    /// Notifies the caretaker when pages of the history are found damaged.
    fn watch_for_damage(&self) {
        let (caretaker, screen) = (self.caretaker.clone(), self.screen.clone());
        self.history_pages
            .on_damage(move || caretaker.hurry(screen.clone()));
    }

    fn connect_pages(&self, emulator: &mut Emulator) {
        self.watch_for_damage();
        emulator.set_page_store(self.history_pages.clone());
    }

    fn use_pages(&mut self, history_pages: HistoryPages) {
        self.history_pages.retire();
        self.history_pages = Arc::new(history_pages);
    }

    pub(crate) fn caretaker(&self) -> Arc<dyn Caretaker> {
        self.caretaker.clone()
    }

    pub(crate) fn home(&self) -> Home {
        self.home
    }

    pub(crate) fn dir(&self) -> &PaneDir {
        &self.dir
    }

    /// A handle for reading it from disk without loading the screen.
    pub(crate) fn kept(&self) -> Kept {
        Kept {
            dir: self.dir.only_look(),
            own: self.dir.clone(),
            size: self.size,
            config: self.config.clone(),
        }
    }

    /// The pages on disk, if they were opened.
    pub(crate) fn pages(&self) -> Option<History> {
        self.history_pages.on_disk()
    }

    /// Moves its directory to another session's, while the record is locked. Returns the session it was in.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub(crate) fn move_to(
        &mut self,
        store: &Store,
        session: StoreId,
    ) -> Result<StoreId, StoreError> {
        self.write_down();
        self.drop_deferred();
        let from = self.home.session;
        store.rename_pane(from, session, self.home.pane)?;
        self.home.session = session;
        self.dir = store.pane(session, self.home.pane);
        self.history_pages.moved(self.dir.clone());
        Ok(from)
    }

    /// Its program runs, and can be asked for its directory.
    pub(crate) fn runs(&mut self, process: ProcessId, pty: Arc<dyn Pty>) {
        self.program = Some(Program { process, pty });
        if self.stage.is_refused() {
            self.watch();
        }
    }

    pub(crate) fn program(&self) -> Option<Program> {
        self.program.clone()
    }

    pub(crate) fn ended(&mut self) {
        self.program = None;
    }

    /// Its pane is closed, and its files are about to be moved or removed.
    pub(crate) fn close_for_good(&mut self) {
        self.write_down();
        self.is_closed = true;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Makes the recorder check its files, if they are gone.
    pub(crate) fn check_files(&mut self) {
        if !self.dir.is_there() {
            self.hurry();
        }
    }

    /// If its files were removed, makes its directory anew and returns true. The next checkpoint writes everything
    /// again, including the pages: they are read from the old file, which exists while it is open.
    ///
    /// # Errors
    /// If nothing can be created there; it is retried then.
    pub(crate) fn restore_files(&mut self, emulator: &mut Emulator) -> Result<bool, StoreError> {
        if self.is_closed {
            return Ok(false);
        }
        if let Stage::Refused(why) = self.stage {
            return self.replace_unreadable(why, emulator).map(|()| false);
        }
        if !matches!(self.stage, Stage::Astray) && self.dir.is_there() {
            return Ok(false);
        }
        tracing::warn!(pane = %self.home.pane, "the pane's files are gone; making them again");
        self.write_down();
        self.deferred = None;
        self.stage = Stage::Astray;
        self.coverage.lose();
        self.dir.create()?;
        self.use_pages(self.history_pages.copied_to(&self.dir)?);
        self.connect_pages(emulator);
        self.stage = Stage::Broken;
        Ok(true)
    }

    /// A program runs in a pane whose files could not be read: sets those files aside and starts afresh.
    fn replace_unreadable(
        &mut self,
        why: Refusal,
        emulator: &mut Emulator,
    ) -> Result<(), StoreError> {
        if why == Refusal::Newer || self.program.is_none() {
            return Ok(());
        }
        self.dir.set_screen_aside()?;
        tracing::warn!(pane = %self.home.pane, "set the pane's unreadable files aside");
        self.use_pages(HistoryPages::new(self.dir.clone()));
        self.connect_pages(emulator);
        self.stage = Stage::Broken;
        self.coverage.lose();
        Ok(())
    }

    /// Why nothing is written until the user acts.
    pub(crate) fn refusal(&self) -> Option<String> {
        match self.stage.is_refused() {
            true => self.trouble.clone(),
            false => None,
        }
    }

    /// The files cannot be read. They stay as they are, and the screen shows the reason.
    fn refuse(&mut self, why: Refusal, error: &dyn std::error::Error) -> Emulator {
        tracing::error!(pane = %self.home.pane, %error, "cannot read the pane's files");
        self.stage = Stage::Refused(why);
        self.coverage = Coverage::Checkpointed;
        self.trouble = Some(error.to_string());
        // A program in this pane starts with an empty screen; a sleeping pane is read again the next time.
        self.use_pages(HistoryPages::new(self.dir.clone()));
        let mut emulator = Emulator::new(self.size, self.config.clone());
        print_line(
            &mut emulator,
            &format!("what was kept cannot be read: {error}"),
        );
        self.caretaker.loaded(self.screen.clone());
        self.watch();
        emulator
    }

    /// Appends what is about to happen to the screen.
    pub(crate) fn append(&mut self, entry: &Entry<'_>) {
        self.write_down();
        self.noticed();
        if let Some(journal) = self.journal()
            && let Err(error) = journal.append(entry, now())
        {
            self.broke(&error);
        }
    }

    /// Notes that the screen is about to change.
    fn noticed(&mut self) {
        if self.stage.is_refused() {
            return;
        }
        self.coverage.change();
        let now = Instant::now();
        self.last_entry = Some(now);
        self.unsynced.get_or_insert(now);
        self.watch();
        if self.is_long() {
            self.hurry();
        }
    }

    /// Whether replaying the journal takes long.
    fn is_long(&self) -> bool {
        let written = self.stage.journal().map_or(0, Journal::len);
        written > LONG_JOURNAL || self.replayed > LONG_REPLAY
    }

    /// Puts it on the recorder's list.
    fn watch(&mut self) {
        if self.attention == Attention::None {
            self.attention = Attention::Watched;
            self.caretaker.watch(self.screen.clone());
        }
    }

    /// Makes the recorder write a checkpoint soon.
    fn hurry(&mut self) {
        if self.attention != Attention::Hurried {
            self.attention = Attention::Hurried;
            self.caretaker.hurry(self.screen.clone());
        }
    }

    fn journal(&mut self) -> Option<&mut Journal> {
        if matches!(self.stage, Stage::Idle) {
            match self.next(self.next_journal) {
                Ok(journal) => {
                    self.stage = Stage::Writing(journal);
                    self.write_first_size();
                    self.next_journal += 1;
                }
                Err(error) => self.broke(&error),
            }
        }
        self.stage.journal_mut()
    }

    /// Begins the first journal with the present size of the screen. There is no checkpoint to replay it over, and the
    /// session has only the latest size.
    fn write_first_size(&mut self) {
        let (rows, cols) = (self.size.rows(), self.size.cols());
        if self.next_journal == FIRST_JOURNAL
            && let Some(journal) = self.stage.journal_mut()
            && let Err(error) = journal.append(&Entry::Resize { rows, cols }, now())
        {
            self.broke(&error);
        }
    }

    /// Creates the journal of a new pane while its program starts. Otherwise the first output would have to wait for a
    /// new file.
    pub(crate) fn lay_out(&mut self) {
        let _ = self.journal();
    }

    /// A new journal. After a gap it is marked, so that it is not replayed as the continuation of the one before.
    fn next(&self, generation: u64) -> Result<Journal, StoreError> {
        Journal::lay_out(&self.dir, generation)?.begin(&self.dir, self.journal_start())
    }

    fn journal_start(&self) -> JournalStart {
        match self.coverage.has_gap() {
            true => JournalStart::AfterLoss,
            false => JournalStart::Continues,
        }
    }

    /// The next journal, for the recorder to create before it takes a checkpoint. None if the screen may begin that
    /// journal first.
    pub(crate) fn upcoming_journal(&self) -> Option<(PaneDir, u64)> {
        self.stage
            .journal()
            .map(|_| (self.dir.clone(), self.next_journal))
    }

    fn broke(&mut self, error: &dyn std::error::Error) {
        tracing::warn!(pane = %self.home.pane, %error, "cannot write the journal");
        self.stage = Stage::Broken;
        self.coverage.lose();
        self.trouble = Some(error.to_string());
        self.hurry();
    }

    /// Whether output that is on the screen is missing on disk.
    pub(crate) fn has_gap(&self) -> bool {
        self.coverage.has_gap()
    }

    /// When the screen last changed.
    pub(crate) fn last_entry(&self) -> Option<Instant> {
        self.last_entry
    }

    /// Everything that was written before this time was synced.
    pub(crate) fn was_synced(&mut self, when: Instant) {
        let is_any_later = self.last_entry.is_some_and(|last| last >= when);
        self.unsynced = is_any_later.then_some(when);
    }

    /// Since when there is output that a power cut would lose.
    pub(crate) fn unsynced(&self) -> Option<Instant> {
        self.unsynced
    }

    /// For how long there has been such output, and why it cannot be written.
    pub(crate) fn lag(&self) -> (Option<Duration>, Option<&str>) {
        let lag = self.unsynced.map(|since| since.elapsed());
        (lag, self.trouble.as_deref())
    }

    /// Whether the checkpoint has everything.
    pub(crate) fn is_written(&self) -> bool {
        self.coverage == Coverage::Checkpointed && self.deferred.is_none()
    }

    /// Whether nothing is missing on disk.
    pub(crate) fn is_whole(&self) -> bool {
        !self.coverage.has_gap()
    }

    /// When output last came, for a pane that this server has only seen asleep.
    pub(crate) fn last_written(&self) -> u64 {
        let entries = std::fs::read_dir(self.dir.path());
        let entries = entries.into_iter().flatten().flatten();
        let written = entries.filter_map(|entry| {
            let name = entry.file_name();
            let is_journal = name.to_string_lossy().starts_with("journal.");
            let is_screen = name == "screen";
            let when = entry.metadata().ok()?.modified().ok()?;
            let when = when.duration_since(UNIX_EPOCH).ok()?;
            // A checkpoint is made some seconds after the pane has become quiet.
            let when = match is_screen {
                true => when.saturating_sub(Duration::from_secs(5)),
                false => when,
            };
            (is_journal || is_screen).then_some(when)
        });
        let last = written.max().unwrap_or_default();
        u64::try_from(last.as_millis()).unwrap_or(u64::MAX)
    }

    /// Closes its files. They are opened again when needed.
    pub(crate) fn close(&mut self) {
        self.write_down();
        if !matches!(self.stage, Stage::Astray) {
            self.stage = Stage::Idle;
        }
        self.use_pages(HistoryPages::new(self.dir.clone()));
    }

    /// Loads the screen: the checkpoint, and the journals since.
    pub(crate) fn load(&mut self) -> Emulator {
        self.history_pages.retire();
        let mut recovery = match self.dir.load() {
            Ok(recovery) => recovery,
            Err(error @ StoreError::Newer { .. }) => return self.refuse(Refusal::Newer, &error),
            Err(error) => return self.refuse(Refusal::Unreadable, &error),
        };
        self.use_pages(HistoryPages::with_history(
            self.dir.clone(),
            recovery.history.clone(),
        ));
        self.watch_for_damage();
        let checkpoint = recovery.checkpoint.take();
        self.coverage.take();
        let mut emulator = match self.restore(checkpoint.as_ref()) {
            Ok(emulator) => emulator,
            Err(error @ RestoreError::Newer(_)) => return self.refuse(Refusal::Newer, &error),
            Err(error) => return self.refuse(Refusal::Unreadable, &error),
        };
        recovery.replay(|entry| {
            self.coverage.change();
            if let Entry::Output { bytes, .. } = entry {
                self.replayed += bytes.len() as u64;
            }
            apply(&mut emulator, &entry);
        });
        self.next_journal = recovery.next_journal;
        for damage in &recovery.damage {
            tracing::error!(pane = %self.home.pane, %damage, "the pane's files are damaged");
            self.coverage.change();
            if damage.is_harmless {
                // A new checkpoint replaces the damaged one.
                self.hurry();
                continue;
            }
            self.coverage.lose();
            print_line(&mut emulator, &damage.to_string());
        }
        self.caretaker.loaded(self.screen.clone());
        if self.is_long() || self.coverage.has_gap() {
            // Otherwise the next server would have to replay all of it, and more.
            self.hurry();
        }
        emulator
    }

    fn restore(&self, checkpoint: Option<&Checkpoint>) -> Result<Emulator, RestoreError> {
        let (config, pages) = (self.config.clone(), self.history_pages.index());
        let Some(checkpoint) = checkpoint else {
            let history_pages = self.history_pages.clone();
            return Ok(Emulator::over_pages(
                self.size,
                config,
                &pages,
                history_pages,
            ));
        };
        Emulator::restore_kept(&checkpoint.dump, config, &pages, self.history_pages.clone())
    }

    /// Ends the journal's open entry, so that it can be synced. Returns what the recorder has to do.
    pub(crate) fn look_after(&mut self) -> RecordWork {
        self.write_down();
        let mut file = None;
        let is_long = self.is_long();
        let mut failed = None;
        if let Some(journal) = self.stage.journal_mut() {
            failed = journal.close_record().err();
            file = Some(journal.file());
        }
        if let Some(error) = failed {
            self.broke(&error);
        }
        RecordWork {
            file,
            program: self.program.clone(),
            is_long,
            is_broken: self.coverage.has_gap() || self.trouble.is_some(),
            is_changed: self.coverage.is_changed(),
            quiet_for: self.last_entry.map_or(Duration::MAX, |last| last.elapsed()),
        }
    }

    /// Takes a checkpoint of the screen, in memory. From here on a new journal is written, which may have been created
    /// already.
    ///
    /// # Errors
    /// If that journal cannot be created.
    pub(crate) fn take_checkpoint(
        &mut self,
        emulator: &mut Emulator,
        laid_out: Option<Journal>,
    ) -> Result<TakenCheckpoint, StoreError> {
        self.write_down();
        if let Some(why) = self.refusal() {
            return Err(StoreError::Waiting(why));
        }
        if matches!(self.stage, Stage::Astray) {
            // Without the pages of the history, the checkpoint would pass for a complete one.
            return Err(StoreError::Waiting(
                "its files were removed, and are not made anew yet".to_owned(),
            ));
        }
        // This checkpoint includes what the deferred one has.
        self.deferred = None;
        let generation = self.next_journal;
        if let Some(journal) = self.stage.journal_mut() {
            // What does not reach the old journal is in the checkpoint.
            let _ = journal.close_record();
        }
        let journal = match laid_out.filter(|journal| journal.generation() == generation) {
            Some(journal) => journal.begin(&self.dir, self.journal_start()),
            None => self.next(generation),
        };
        let journal = journal.inspect_err(|_| {
            // The emulator could not drop these pages any more, and nothing would limit them; in the record they are
            // limited.
            self.history_pages.add_waiting(emulator.take_sealed());
        })?;
        self.stage = Stage::Writing(journal);
        self.next_journal = generation + 1;
        self.coverage.take();
        self.attention = self.attention.min(Attention::Watched);
        self.replayed = 0;
        self.history_pages.add_waiting(emulator.take_sealed());
        Ok(TakenCheckpoint {
            dir: self.dir.clone(),
            generation,
            history_pages: self.history_pages.clone(),
            first_page: emulator.first_page_within_limit(),
            dump: emulator.dump(),
        })
    }

    /// Defers a checkpoint until its pages are packed, or another one is taken.
    pub(crate) fn defer_checkpoint(&mut self, deferred: DeferredCheckpoint) {
        self.deferred = Some(deferred);
    }

    /// Until when a checkpoint may be deferred.
    pub(crate) fn waits_until(&self) -> Option<Instant> {
        let deferred = self
            .deferred
            .as_ref()
            .filter(|_| !self.coverage.has_gap())?;
        (!deferred.is_packed()).then_some(deferred.taken + PACKING_TIMEOUT)
    }

    pub(crate) fn take_deferred(&mut self) -> Option<DeferredCheckpoint> {
        self.deferred.take()
    }

    /// Drops a deferred checkpoint, whose directory is about to move. A new one is taken later.
    fn drop_deferred(&mut self) {
        if self.deferred.take().is_some() {
            self.coverage.change();
        }
    }

    /// The checkpoint that was taken at this time was written, or has failed.
    pub(crate) fn checkpoint_ended<T>(&mut self, result: &Result<T, StoreError>, taken: Instant) {
        match result {
            Ok(_) => {
                // An error since the checkpoint was taken is not repaired by it.
                if !self.stage.needs_checkpoint() {
                    self.coverage.close_gap();
                    self.trouble = None;
                }
                match self.coverage.is_changed() {
                    true => self.was_synced(taken),
                    false => self.unsynced = None,
                }
            }
            Err(_) if self.refusal().is_some() => {}
            Err(error) => {
                self.coverage.change();
                self.trouble = Some(error.to_string());
                self.history_pages.trim();
                if self.coverage.has_gap()
                    && let Some(journal) = self.stage.journal()
                {
                    // The new journal continues nothing that is on disk: it would only take space on a full disk.
                    let _ = self.dir.remove_journal(journal.generation());
                    self.stage = Stage::Broken;
                }
                // A quiet pane may be on no list. Without this, its checkpoint would never be retried, and no orderly
                // end be possible.
                if !self.is_closed {
                    self.watch();
                }
            }
        }
    }

    /// Takes an unreadable record off the recorder's list, unless a program runs in its pane.
    pub(crate) fn forget_unless_running(&mut self) -> bool {
        self.forget_unless(self.program.is_some())
    }

    /// Takes it off the recorder's list, unless it has changed meanwhile.
    pub(crate) fn forget_unless_changed(&mut self) -> bool {
        self.forget_unless(!self.is_written())
    }

    fn forget_unless(&mut self, has_more: bool) -> bool {
        let is_done = self.is_closed || !has_more;
        self.attention = match is_done {
            true => Attention::None,
            false => self.attention.max(Attention::Watched),
        };
        is_done
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        // Otherwise the next server would read this output from the transit pipe and show it again.
        self.write_down();
        // A session that is reopened has another record, whose file must not be replaced.
        self.history_pages.retire();
    }
}

/// What the recorder has to do for a record.
pub(crate) struct RecordWork {
    /// The journal to be synced.
    pub(crate) file: Option<Arc<File>>,
    /// The program, whose facts are read without holding the lock.
    pub(crate) program: Option<Program>,
    pub(crate) is_long: bool,
    pub(crate) is_broken: bool,
    pub(crate) is_changed: bool,
    pub(crate) quiet_for: Duration,
}
