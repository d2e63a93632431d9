//! Cuts off the pages beyond a pane's history limit at the front of the file.

use std::sync::{Arc, PoisonError};

use super::{History, Mode};
use crate::error::StoreError;
use crate::pane::PaneDir;

/// Freeing less is not worth waiting for the disk.
const MIN_RELEASED: u64 = 256 << 10;

impl History {
    /// Cuts off the pages before this one if they are at least half of the file, so that a page is copied once on
    /// average, and if that frees enough. No checkpoint that is still used may need them. `dir` is where the pane is
    /// now; no other history of the pane may be open for writing.
    ///
    /// # Errors
    /// When the shorter file cannot be written. The pages cannot be found any more nevertheless.
    pub fn release_before(&self, number: u64, dir: &PaneDir) -> Result<(), StoreError> {
        let shared = &self.0;
        let rewriting = shared.rewriting.lock();
        let _rewriting = rewriting.unwrap_or_else(PoisonError::into_inner);
        let tail = *shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = self.opened_for(Mode::Write).filter(|_| !tail.is_growing) else {
            return Ok(());
        };
        let first_kept = self.first_kept(number);
        let (dead, living) = (
            first_kept.saturating_sub(file.start()),
            tail.end.saturating_sub(first_kept),
        );
        if dead < MIN_RELEASED || dead < living {
            return Ok(());
        }
        dir.check_writable()?;
        let mut pages = shared.pages.write().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|_, page| page.at >= first_kept);
        drop(pages);
        let (shorter, safe) = file.shortened_to(first_kept..tail.end, dir)?;
        self.now_in(Arc::new(shorter));
        safe
    }

    /// The position of the first page that is still needed, as a page or as the base of one.
    fn first_kept(&self, number: u64) -> u64 {
        let shared = &self.0;
        let tail = *shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = shared.pages.read().unwrap_or_else(PoisonError::into_inner);
        let kept = pages.range(number..).map(|(_, page)| {
            let base = Some(page.header.base).filter(|base| *base != 0);
            base.unwrap_or(page.at).min(page.at)
        });
        kept.chain(tail.base).fold(tail.end, u64::min)
    }
}
