//! A screen on the recorder's list, and how a checkpoint of it is taken.

use std::sync::{Arc, Weak};
use std::time::Instant;

use shellkeep_store::{Journal, StoreError};

use crate::panes::screen::Screen;
use crate::persistence::record::Cut;

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
pub(crate) fn cut(screen: &Arc<Screen>) -> Option<Result<Cut, StoreError>> {
    // Create the next journal's file before taking the lock: that may take long, and the pane's output would wait for
    // it.
    let coming = screen.with_record(|record| record.coming_journal());
    let coming = coming.flatten();
    let laid_out = coming
        .as_ref()
        .and_then(|(dir, generation)| Journal::lay_out(dir, *generation).ok());
    let cut = screen.with_both(|record, emulator| record.cut(emulator, laid_out));
    if cut.is_none()
        && let Some((dir, generation)) = coming
    {
        let _ = dir.remove_journal(generation);
    }
    cut
}
