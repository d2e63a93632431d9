//! Looking after screens: syncing their journals once a second, and writing checkpoints when they are due.

use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use shellkeep_store::StoreError;

use crate::event::Event;
use crate::panes::screen::Screen;
use crate::persistence::record::{
    DeferredCheckpoint, Record, RecordWork, TakenCheckpoint, UnsettledCheckpoint,
};
use crate::persistence::recorder::pace::{RETRY_INTERVAL, SLICE, SYNC_INTERVAL};
use crate::persistence::recorder::packing::Parcel;
use crate::persistence::recorder::watched::take_checkpoint;
use crate::persistence::recorder::worker::Worker;

/// A pane without output for this long gets a checkpoint.
const QUIET_TIME: Duration = Duration::from_secs(5);
/// Why something was not written.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot sync a journal: {0}")]
    Sync(std::io::Error),
    #[error("{0}")]
    Refused(String),
}

impl Worker {
    /// Makes a screen due at once, if it is on the list.
    pub(crate) fn make_due(&mut self, screen: &Weak<Screen>) -> bool {
        let mut known = self.watched.iter_mut();
        let known = known.find(|each| each.screen.ptr_eq(screen));
        known.map(|known| known.due = Instant::now()).is_some()
    }

    /// Looks after the screens that are due.
    pub(crate) fn look_after_screens(&mut self, now: Instant) {
        for mut each in std::mem::take(&mut self.watched) {
            // Each one waits for the disk. The others stay due, and are done after the requests that came meanwhile.
            if each.due > now || now.elapsed() > SLICE {
                self.watched.push(each);
                continue;
            }
            let Some(screen) = each.screen.upgrade() else {
                continue;
            };
            let looked_after = self.look_after(&screen);
            if looked_after.is_err() != each.trouble.is_some() {
                self.events.send(Event::PaneGap(screen.pane()));
            }
            match looked_after {
                Ok(Some(due)) => {
                    (each.due, each.trouble) = (due, None);
                    self.watched.push(each);
                }
                Ok(None) => {}
                Err(error) => {
                    each.trouble = Some(error.to_string());
                    each.due = Instant::now() + RETRY_INTERVAL;
                    self.watched.push(each);
                }
            }
        }
        self.loaded.retain(|each| {
            if each.due > now {
                return true;
            }
            if let Some(screen) = each.screen.upgrade() {
                screen.unload_if_unused();
            }
            false
        });
    }

    /// Syncs a screen's journal, and writes a checkpoint if one is due. Returns when to look again, or never if nothing
    /// changes.
    fn look_after(&mut self, screen: &Arc<Screen>) -> Result<Option<Instant>, Failure> {
        if let Some(came_back) = screen.with_both(Record::restore_files) {
            self.is_store_gone |= came_back?;
        }
        if screen.with_record(|record| record.is_closed()) == Some(true) {
            return Ok(None);
        }
        if let Some(why) = screen.with_record(|record| record.refusal()).flatten() {
            // A pane without a program has nothing to write, so it leaves the list.
            let is_done = screen.with_record(Record::forget_unless_running);
            return match is_done {
                Some(false) => Err(Failure::Refused(why)),
                _ => Ok(None),
            };
        }
        if screen.with_both(Record::show_damage) == Some(true) {
            screen.changed();
        }
        let waits_until = screen.with_record(|record| record.waits_until());
        if let Some(due) = waits_until.flatten().filter(|due| *due > Instant::now()) {
            return Ok(Some(due));
        }
        let is_written = self.write_deferred(screen)?;
        let Some(state) = screen.with_record(Record::look_after) else {
            return Ok(None);
        };
        let RecordWork {
            file,
            program,
            is_long,
            is_broken,
            is_changed,
            quiet_for,
        } = state;
        if let Some(program) = program {
            let (pane, process) = (screen.pane(), program.process);
            let facts = program.facts();
            self.events.send(Event::Facts {
                pane,
                process,
                facts,
            });
        }
        if is_broken || (is_changed && quiet_for >= QUIET_TIME) {
            self.checkpoint(screen)?;
        } else if is_long {
            self.checkpoint_of_flood(screen)?;
        } else if let Some(file) = file.filter(|_| !is_written) {
            let began = Instant::now();
            file.sync_data().map_err(Failure::Sync)?;
            screen.with_record(|record| record.was_synced(began));
        }
        let is_done = screen.with_record(Record::forget_unless_changed);
        if is_done != Some(false) {
            return Ok(None);
        }
        let unsynced = screen.with_record(|record| record.unsynced()).flatten();
        let since = unsynced.filter(|_| is_written || is_long);
        Ok(Some(since.unwrap_or_else(Instant::now) + SYNC_INTERVAL))
    }

    fn checkpoint(&mut self, screen: &Arc<Screen>) -> Result<(), StoreError> {
        let taken = Instant::now();
        match take_checkpoint(screen) {
            Some(checkpoint) => self.write(screen, checkpoint, taken, taken.elapsed()),
            None => Ok(()),
        }
    }

    /// Takes a checkpoint of a screen whose journal is long. If it has many pages, they are packed first on another
    /// thread, and it is written the next time the screen is looked after.
    fn checkpoint_of_flood(&mut self, screen: &Arc<Screen>) -> Result<(), StoreError> {
        let taken = Instant::now();
        match take_checkpoint(screen) {
            Some(Ok(checkpoint)) if self.is_packed_elsewhere(screen, &checkpoint) => {
                let took = taken.elapsed();
                screen.with_record(|record| {
                    record.defer_checkpoint(DeferredCheckpoint {
                        checkpoint,
                        taken,
                        took,
                    })
                });
                Ok(())
            }
            Some(checkpoint) => self.write(screen, checkpoint, taken, taken.elapsed()),
            None => Ok(()),
        }
    }

    /// Whether the packing thread has accepted the pages of a checkpoint.
    fn is_packed_elsewhere(&mut self, screen: &Arc<Screen>, checkpoint: &TakenCheckpoint) -> bool {
        let parcel = Parcel::of(screen, checkpoint.pages());
        let caretaker = screen.with_record(|record| record.caretaker());
        let both = parcel.zip(caretaker);
        both.is_some_and(|(parcel, caretaker)| self.packer.take(parcel, caretaker))
    }

    /// Writes the deferred checkpoint, whether its pages are packed or not. Returns whether there is one.
    fn write_deferred(&mut self, screen: &Arc<Screen>) -> Result<bool, StoreError> {
        let deferred = screen.with_record(Record::take_deferred).flatten();
        let Some(DeferredCheckpoint {
            checkpoint,
            taken,
            took,
        }) = deferred
        else {
            return Ok(false);
        };
        self.write(screen, Ok(checkpoint), taken, took)
            .map(|()| true)
    }

    /// Writes a checkpoint that was taken at this time; `took` is the time already spent on it.
    fn write(
        &mut self,
        screen: &Arc<Screen>,
        checkpoint: Result<TakenCheckpoint, StoreError>,
        taken: Instant,
        took: Duration,
    ) -> Result<(), StoreError> {
        let began = Instant::now();
        let result = checkpoint.and_then(TakenCheckpoint::write);
        self.checkpoint_ended(screen, &result, taken, took + began.elapsed());
        self.settle_later(result?);
        Ok(())
    }

    /// A checkpoint was written, or has failed.
    pub(crate) fn checkpoint_ended<T>(
        &mut self,
        screen: &Arc<Screen>,
        result: &Result<T, StoreError>,
        taken: Instant,
        took: Duration,
    ) {
        let home = screen.with_record(|record| {
            record.checkpoint_ended(result, taken);
            record.home()
        });
        if let Some(home) = home {
            self.grown.insert(home.session);
        }
        let mut status = self
            .shared
            .status
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        status.checkpoints.record(took);
    }

    /// Settles a checkpoint later. No command waits for that of an awake pane, and with the journals before it, it is
    /// as safe as a settled one.
    fn settle_later(&mut self, unsettled: UnsettledCheckpoint) {
        let mut known = self.unsettled.iter_mut();
        match known.find(|(known, _)| known.is_of_same_pane(&unsettled)) {
            Some((known, _)) => *known = unsettled,
            None => self
                .unsettled
                .push((unsettled, Instant::now() + SYNC_INTERVAL)),
        }
    }

    pub(crate) fn settle(&mut self, until: Instant) {
        let record_limit = self
            .shared
            .record_limit
            .load(std::sync::atomic::Ordering::Relaxed);
        self.unsettled.retain(|(unsettled, due)| {
            if *due > until {
                return true;
            }
            if let Err(error) = unsettled.settle(record_limit) {
                // Its old journals are ignored, and are dropped with the next checkpoint.
                tracing::debug!(%error, "cannot drop the journals before a checkpoint");
            }
            false
        });
    }
}
