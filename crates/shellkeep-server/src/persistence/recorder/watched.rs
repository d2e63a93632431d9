//! A screen on the recorder's list, and how a checkpoint of it is taken.

use std::sync::{Arc, Weak};
use std::time::Instant;

use shellkeep_store::{Journal, StoreError};

use crate::panes::screen::Screen;
use crate::persistence::record::TakenCheckpoint;

/// A screen that has changed since its last checkpoint.
pub(crate) struct Watched {
    pub(crate) screen: Weak<Screen>,
    pub(crate) due: Instant,
    /// Why it could not be looked after.
    pub(crate) trouble: Option<String>,
}

impl Watched {
    pub(crate) fn new(screen: Weak<Screen>, due: Instant) -> Self {
        Self {
            screen,
            due,
            trouble: None,
        }
    }
}

/// Takes a checkpoint of a screen. None if it has no record.
pub(crate) fn take_checkpoint(screen: &Arc<Screen>) -> Option<Result<TakenCheckpoint, StoreError>> {
    // Create the next journal's file before taking the lock: that may take long, and the pane's output would wait for
    // it.
    let upcoming = screen.with_record(|record| record.upcoming_journal());
    let upcoming = upcoming.flatten();
    let laid_out = upcoming
        .as_ref()
        .and_then(|(dir, generation)| Journal::lay_out(dir, *generation).ok());
    let checkpoint =
        screen.with_both(|record, emulator| record.take_checkpoint(emulator, laid_out));
    if checkpoint.is_none()
        && let Some((dir, generation)) = upcoming
    {
        let _ = dir.remove_journal(generation);
    }
    checkpoint
}
