//! What is kept of one pane on disk: a checkpoint, and a journal of all that happened to its screen since.
//!
//! The journal is written here, by whoever changes the screen and under its lock, so that screen and journal never disagree. All
//! that takes longer (syncing, checkpoints) is the work of the recorder's thread.

mod cut;
mod damage;
mod intake;
mod program;
mod replay;
mod shelf;
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
use crate::persistence::record::damage::say;
use crate::persistence::record::intake::Unwritten;
use crate::persistence::record::shelf::Shelf;
use crate::persistence::record::stage::{Attention, Coverage, Refusal, Stage};
use crate::search::stored::Kept;

pub(crate) use crate::persistence::record::cut::{Coming, Cut, Settling, ShellFile, UnsyncedCut};
pub(crate) use crate::persistence::record::damage::dim_line;
pub(crate) use crate::persistence::record::intake::{LITTLE, read_exactly};
pub(crate) use crate::persistence::record::program::{Facts, Program};
pub(crate) use crate::persistence::record::replay::apply;
pub(crate) use crate::persistence::record::shelf::WaitingPage;
pub(crate) use crate::process::wall::now;
pub(crate) use shellkeep_store::schema::PaneHome as Home;

/// A journal as long as this is worth a checkpoint.
const LONG_JOURNAL: u64 = 4 << 20;

/// So long a checkpoint waits for its pages to be packed by somebody who has time for it. All that is printed meanwhile takes memory.
const PATIENCE: Duration = Duration::from_millis(250);

/// So much read back at the start of a server is, too: one that is killed again and again must not have more to do each time.
const LONG_REPLAY: u64 = 256 << 10;

/// What is kept of one pane.
pub(crate) struct Record {
    home: Home,
    dir: PaneDir,
    config: Config,
    /// How large its screen is, if nothing was written yet.
    size: Size,
    caretaker: Arc<dyn Caretaker>,
    screen: Weak<Screen>,
    shelf: Arc<Shelf>,
    stage: Stage,
    coverage: Coverage,
    attention: Attention,
    /// What is on the screen and not yet in the journal.
    unwritten: Option<Unwritten>,
    /// The number of the next journal.
    next_journal: u64,
    /// A checkpoint that is written when its pages are packed. All that it has is in journals as well.
    coming: Option<Coming>,
    /// Bytes that were read back when it was fetched, and have been in no checkpoint since.
    replayed: u64,
    last_entry: Option<Instant>,
    /// Since when something is in the system's memory only.
    unsynced: Option<Instant>,
    program: Option<Program>,
    /// Its pane is closed: its files may be elsewhere, and nothing is made anew.
    is_closed: bool,
    /// Why nothing can be written at the moment.
    trouble: Option<String>,
}

impl Record {
    /// Begins to keep a new pane. If its directory cannot be made, that is tried again later.
    pub(crate) fn create(
        store: &Store,
        caretaker: &(impl Caretaker + Clone + 'static),
        home: Home,
        size: Size,
        config: Config,
    ) -> Self {
        let mut record = Self::found(store, caretaker, home, size, config);
        if let Err(error) = record.dir.create() {
            tracing::error!(pane = %home.pane, %error, "cannot be kept yet");
            record.stage = Stage::Broken;
            record.coverage.lose();
            record.trouble = Some(error.to_string());
        }
        record
    }

    /// The record of a pane that was kept before.
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
            shelf: Arc::new(Shelf::new(dir.clone())),
            dir,
            stage: Stage::Idle,
            coverage: Coverage::Journaled,
            attention: Attention::None,
            unwritten: None,
            next_journal: FIRST_JOURNAL,
            coming: None,
            replayed: 0,
            last_entry: None,
            unsynced: None,
            program: None,
            is_closed: false,
            trouble: None,
        }
    }

    /// Says whose record it is.
    pub(crate) fn belongs_to(&mut self, screen: Weak<Screen>) {
        self.screen = screen;
    }

    /// Begins with an emulator that nobody kept before.
    pub(crate) fn begin(&mut self, emulator: &mut Emulator) {
        self.size = emulator.size();
        let fresh = Emulator::new(self.size, self.config.clone());
        let dump = emulator.dump();
        // What is on it already is in no journal.
        let is_used = dump != fresh.dump();
        if is_used {
            self.coverage.lose();
        }
        *emulator = if is_used {
            Emulator::restore(&dump, self.config.clone()).unwrap_or(fresh)
        } else {
            fresh
        };
        self.outfit(emulator);
        if is_used && !self.stage.needs_checkpoint() {
            // A popup that became a pane: until the recorder gets to it, what it showed would be in our memory alone.
            let taken = Instant::now();
            let written = self.cut(emulator, None).and_then(Cut::write);
            self.was_cut(&written, taken);
        }
        if is_used || self.coverage.has_gap() {
            self.noticed();
            self.hurry();
        }
    }

    /// Has the caretaker told when pages of its history are found damaged.
    fn have_damage_told(&self) {
        let (caretaker, screen) = (self.caretaker.clone(), self.screen.clone());
        self.shelf.tells(move || caretaker.hurry(screen.clone()));
    }

    /// Gives an emulator its history's place.
    fn outfit(&self, emulator: &mut Emulator) {
        self.have_damage_told();
        emulator.set_page_store(self.shelf.clone());
    }

    /// Has its history in another place from now on.
    fn use_shelf(&mut self, shelf: Shelf) {
        self.shelf.let_go();
        self.shelf = Arc::new(shelf);
    }

    /// Who looks after it.
    pub(crate) fn caretaker(&self) -> Arc<dyn Caretaker> {
        self.caretaker.clone()
    }

    pub(crate) fn home(&self) -> Home {
        self.home
    }

    pub(crate) fn dir(&self) -> &PaneDir {
        &self.dir
    }

    /// Where it can be read by somebody who does not want it in memory.
    pub(crate) fn kept(&self) -> Kept {
        Kept {
            dir: self.dir.only_look(),
            own: self.dir.clone(),
            size: self.size,
            config: self.config.clone(),
        }
    }

    /// The pages that are on disk, if it was fetched from there or some were written.
    pub(crate) fn pages(&self) -> Option<History> {
        self.shelf.on_disk()
    }

    /// Moves its directory to another session's, where nobody can look for it meanwhile; the session it was in.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub(crate) fn move_to(
        &mut self,
        store: &Store,
        session: StoreId,
    ) -> Result<StoreId, StoreError> {
        self.write_down();
        self.give_up_coming();
        let from = self.home.session;
        store.rename_pane(from, session, self.home.pane)?;
        self.home.session = session;
        self.dir = store.pane(session, self.home.pane);
        self.shelf.moved(self.dir.clone());
        Ok(from)
    }

    /// Its program runs, and can be asked where it is.
    pub(crate) fn runs(&mut self, process: ProcessId, pty: Arc<dyn Pty>) {
        self.program = Some(Program { process, pty });
        if self.stage.is_refused() {
            self.watch();
        }
    }

    /// What can be asked where its program is, if one runs.
    pub(crate) fn program(&self) -> Option<Program> {
        self.program.clone()
    }

    /// Its program runs no more.
    pub(crate) fn ended(&mut self) {
        self.program = None;
    }

    /// Its pane is closed, and its files are about to be moved or removed.
    pub(crate) fn close_for_good(&mut self) {
        self.write_down();
        self.is_closed = true;
    }

    /// Whether its pane is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Has the recorder look whether its files are there.
    pub(crate) fn check_files(&mut self) {
        if !self.dir.is_there() {
            self.hurry();
        }
    }

    /// If somebody has removed its files, makes a new place for them; whether that was so. All that was kept comes back with
    /// the next checkpoint, the pages too: they are read from the old file, which is there while it is open.
    ///
    /// # Errors
    /// When nothing can be made there; it is tried again then.
    pub(crate) fn come_back(&mut self, emulator: &mut Emulator) -> Result<bool, StoreError> {
        if self.is_closed {
            return Ok(false);
        }
        if let Stage::Refused(why) = self.stage {
            return self.begin_anew(why, emulator).map(|()| false);
        }
        if !matches!(self.stage, Stage::Astray) && self.dir.is_there() {
            return Ok(false);
        }
        tracing::warn!(pane = %self.home.pane, "its files are gone, and are made anew");
        self.write_down();
        self.coming = None;
        self.stage = Stage::Astray;
        self.coverage.lose();
        self.dir.create()?;
        self.use_shelf(self.shelf.made_anew(&self.dir)?);
        self.outfit(emulator);
        self.stage = Stage::Broken;
        Ok(true)
    }

    /// A program goes on in a pane of which nothing could be read: what is there is set aside, as soon as that is possible.
    fn begin_anew(&mut self, why: Refusal, emulator: &mut Emulator) -> Result<(), StoreError> {
        if why == Refusal::Newer || self.program.is_none() {
            return Ok(());
        }
        self.dir.set_screen_aside()?;
        tracing::warn!(pane = %self.home.pane, "what could not be read was set aside");
        self.use_shelf(Shelf::new(self.dir.clone()));
        self.outfit(emulator);
        self.stage = Stage::Broken;
        self.coverage.lose();
        Ok(())
    }

    /// Why nothing is written to disk until somebody does something about it.
    pub(crate) fn refusal(&self) -> Option<String> {
        match self.stage.is_refused() {
            true => self.trouble.clone(),
            false => None,
        }
    }

    /// What is kept cannot be shown. It stays as it is, and whoever looks is told.
    fn refuse(&mut self, why: Refusal, error: &dyn std::error::Error) -> Emulator {
        tracing::error!(pane = %self.home.pane, %error, "cannot read what was kept");
        self.stage = Stage::Refused(why);
        self.coverage = Coverage::Checkpointed;
        self.trouble = Some(error.to_string());
        // A program that runs here has a screen of its own from now on; a sleeping one is read again the next time.
        self.use_shelf(Shelf::new(self.dir.clone()));
        let mut emulator = Emulator::new(self.size, self.config.clone());
        say(
            &mut emulator,
            &format!("what was kept cannot be read: {error}"),
        );
        self.caretaker.loaded(self.screen.clone());
        self.watch();
        emulator
    }

    /// Writes down what is about to happen to the screen.
    pub(crate) fn append(&mut self, entry: &Entry<'_>) {
        self.write_down();
        self.noticed();
        if let Some(journal) = self.journal()
            && let Err(error) = journal.append(entry, now())
        {
            self.broke(&error);
        }
    }

    /// Notes that something happens to the screen.
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

    /// Whether it takes long to do again what happened since the checkpoint.
    fn is_long(&self) -> bool {
        let written = self.stage.journal().map_or(0, Journal::len);
        written > LONG_JOURNAL || self.replayed > LONG_REPLAY
    }

    /// Has the recorder look after it, if it does not already.
    fn watch(&mut self) {
        if self.attention == Attention::None {
            self.attention = Attention::Watched;
            self.caretaker.watch(self.screen.clone());
        }
    }

    /// Has the recorder make a checkpoint soon.
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
                    self.say_first_size();
                    self.next_journal += 1;
                }
                Err(error) => self.broke(&error),
            }
        }
        self.stage.journal_mut()
    }

    /// A first journal begins with the size that its screen has now: whoever replays it finds no checkpoint, and knows the last size only.
    fn say_first_size(&mut self) {
        let (rows, cols) = (self.size.rows(), self.size.cols());
        if self.next_journal == FIRST_JOURNAL
            && let Some(journal) = self.stage.journal_mut()
            && let Err(error) = journal.append(&Entry::Resize { rows, cols }, now())
        {
            self.broke(&error);
        }
    }

    /// Makes the journal of a new pane while its program starts: the first that it prints would have to wait for a new file.
    pub(crate) fn lay_out(&mut self) {
        let _ = self.journal();
    }

    /// A new journal. After a gap, the one before must not lead on to it.
    fn next(&self, generation: u64) -> Result<Journal, StoreError> {
        Journal::lay_out(&self.dir, generation)?.begin(&self.dir, self.place())
    }

    fn place(&self) -> JournalStart {
        match self.coverage.has_gap() {
            true => JournalStart::AfterLoss,
            false => JournalStart::Continues,
        }
    }

    /// The next journal, for the recorder to lay out before it makes a checkpoint. None if somebody else might begin it first.
    pub(crate) fn coming_journal(&self) -> Option<(PaneDir, u64)> {
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

    /// When something last happened to the screen.
    pub(crate) fn last_entry(&self) -> Option<Instant> {
        self.last_entry
    }

    /// All that was written before this is on the disk.
    pub(crate) fn was_synced(&mut self, when: Instant) {
        let is_any_later = self.last_entry.is_some_and(|last| last >= when);
        self.unsynced = is_any_later.then_some(when);
    }

    /// Since when something is not safe from a power cut.
    pub(crate) fn unsynced(&self) -> Option<Instant> {
        self.unsynced
    }

    /// Since when something is not safe from a power cut, and why nothing can be done about it.
    pub(crate) fn lag(&self) -> (Option<Duration>, Option<&str>) {
        let lag = self.unsynced.map(|since| since.elapsed());
        (lag, self.trouble.as_deref())
    }

    /// Whether all that happened is in the checkpoint.
    pub(crate) fn is_written(&self) -> bool {
        self.coverage == Coverage::Checkpointed && self.coming.is_none()
    }

    /// Whether the screen is all that was there.
    pub(crate) fn is_whole(&self) -> bool {
        !self.coverage.has_gap()
    }

    /// When something was last printed, for a pane that this server never saw awake.
    pub(crate) fn last_written(&self) -> u64 {
        let entries = std::fs::read_dir(self.dir.path());
        let entries = entries.into_iter().flatten().flatten();
        let written = entries.filter_map(|entry| {
            let name = entry.file_name();
            let is_journal = name.to_string_lossy().starts_with("journal.");
            let is_screen = name == "screen";
            let when = entry.metadata().ok()?.modified().ok()?;
            let when = when.duration_since(UNIX_EPOCH).ok()?;
            // A checkpoint is made some seconds after a pane has fallen quiet.
            let when = match is_screen {
                true => when.saturating_sub(Duration::from_secs(5)),
                false => when,
            };
            (is_journal || is_screen).then_some(when)
        });
        let last = written.max().unwrap_or_default();
        u64::try_from(last.as_millis()).unwrap_or(u64::MAX)
    }

    /// Lets go of its files; they are opened again when they are wanted.
    pub(crate) fn close(&mut self) {
        self.write_down();
        if !matches!(self.stage, Stage::Astray) {
            self.stage = Stage::Idle;
        }
        self.use_shelf(Shelf::new(self.dir.clone()));
    }

    /// Fetches the screen from disk: the checkpoint, and what happened since.
    pub(crate) fn load(&mut self) -> Emulator {
        self.shelf.let_go();
        let mut recovery = match self.dir.load() {
            Ok(recovery) => recovery,
            Err(error @ StoreError::Newer { .. }) => return self.refuse(Refusal::Newer, &error),
            Err(error) => return self.refuse(Refusal::Unreadable, &error),
        };
        self.use_shelf(Shelf::over(self.dir.clone(), recovery.history.clone()));
        self.have_damage_told();
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
            tracing::error!(pane = %self.home.pane, %damage, "damaged");
            self.coverage.change();
            if damage.is_harmless {
                // A new checkpoint takes the place of the damaged one.
                self.hurry();
                continue;
            }
            self.coverage.lose();
            say(&mut emulator, &damage.to_string());
        }
        self.caretaker.loaded(self.screen.clone());
        if self.is_long() || self.coverage.has_gap() {
            // Or the next server would have it all to do again, and more.
            self.hurry();
        }
        emulator
    }

    fn restore(&self, checkpoint: Option<&Checkpoint>) -> Result<Emulator, RestoreError> {
        let (config, pages) = (self.config.clone(), self.shelf.index());
        let Some(checkpoint) = checkpoint else {
            let shelf = self.shelf.clone();
            return Ok(Emulator::over_pages(self.size, config, &pages, shelf));
        };
        Emulator::restore_kept(&checkpoint.dump, config, &pages, self.shelf.clone())
    }

    /// Closes what is being written for the moment, so that it can be synced; the recorder's look at it.
    pub(crate) fn look_after(&mut self) -> State {
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
        State {
            file,
            program: self.program.clone(),
            is_long,
            is_broken: self.coverage.has_gap() || self.trouble.is_some(),
            is_changed: self.coverage.is_changed(),
            quiet_for: self.last_entry.map_or(Duration::MAX, |last| last.elapsed()),
        }
    }

    /// Takes the screen as it is for a checkpoint. From here on, a new journal is written, which may have been laid out already.
    ///
    /// # Errors
    /// When that journal cannot be made.
    pub(crate) fn cut(
        &mut self,
        emulator: &mut Emulator,
        laid_out: Option<Journal>,
    ) -> Result<Cut, StoreError> {
        self.write_down();
        if let Some(why) = self.refusal() {
            return Err(StoreError::Waiting(why));
        }
        if matches!(self.stage, Stage::Astray) {
            // A checkpoint without the pages of the history would pass for a whole one.
            return Err(StoreError::Waiting(
                "its files were removed, and are not made anew yet".to_owned(),
            ));
        }
        // This one has all that it had.
        self.coming = None;
        let generation = self.next_journal;
        if let Some(journal) = self.stage.journal_mut() {
            // What does not reach the old journal is in the checkpoint.
            let _ = journal.close_record();
        }
        let journal = match laid_out.filter(|journal| journal.generation() == generation) {
            Some(journal) => journal.begin(&self.dir, self.place()),
            None => self.next(generation),
        };
        let journal = journal.inspect_err(|_| {
            // In memory they would be of no more use, and could not be counted.
            self.shelf.hold(emulator.take_sealed());
        })?;
        self.stage = Stage::Writing(journal);
        self.next_journal = generation + 1;
        self.coverage.take();
        self.attention = self.attention.min(Attention::Watched);
        self.replayed = 0;
        self.shelf.hold(emulator.take_sealed());
        Ok(Cut {
            dir: self.dir.clone(),
            generation,
            shelf: self.shelf.clone(),
            first_page: emulator.first_page_within_limit(),
            dump: emulator.dump(),
        })
    }

    /// A checkpoint is written later, unless another one is taken before.
    pub(crate) fn comes_later(&mut self, coming: Coming) {
        self.coming = Some(coming);
    }

    /// Until when a checkpoint can wait for its pages to be packed.
    pub(crate) fn waits_until(&self) -> Option<Instant> {
        let coming = self.coming.as_ref().filter(|_| !self.coverage.has_gap())?;
        (!coming.is_packed()).then_some(coming.taken + PATIENCE)
    }

    /// The checkpoint that was to be written later.
    pub(crate) fn take_coming(&mut self) -> Option<Coming> {
        self.coming.take()
    }

    /// What was to be written later has lost its place; it is taken anew.
    fn give_up_coming(&mut self) {
        if self.coming.take().is_some() {
            self.coverage.change();
        }
    }

    /// The checkpoint that was taken at that time is on disk, or not.
    pub(crate) fn was_cut<T>(&mut self, result: &Result<T, StoreError>, taken: Instant) {
        match result {
            Ok(_) => {
                // What broke since it was taken is not in it.
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
                self.shelf.trim();
                if self.coverage.has_gap()
                    && let Some(journal) = self.stage.journal()
                {
                    // Nothing leads up to it: it would only take room that is wanting already.
                    let _ = self.dir.remove_journal(journal.generation());
                    self.stage = Stage::Broken;
                }
                // A quiet pane that was to sleep is on no list: nobody would try again, and no end could be in order any more.
                if !self.is_closed {
                    self.watch();
                }
            }
        }
    }

    /// The recorder takes one of which nothing can be read off its list, unless a program goes on in it.
    pub(crate) fn forget_unless_running(&mut self) -> bool {
        self.forget_unless(self.program.is_some())
    }

    /// The recorder takes it off its list, unless something has happened meanwhile.
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
        // The next server reads what is left in the transit pipe, and must not show this output again.
        self.write_down();
        // A session that is opened again has another record.
        self.shelf.let_go();
    }
}

/// What the recorder finds when it looks.
pub(crate) struct State {
    /// To be synced.
    pub(crate) file: Option<Arc<File>>,
    /// To be asked about, when nobody waits for the screen.
    pub(crate) program: Option<Program>,
    pub(crate) is_long: bool,
    pub(crate) is_broken: bool,
    pub(crate) is_changed: bool,
    pub(crate) quiet_for: Duration,
}
