//! A client's view of its panes: which rows have changed since its last frame.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_core::PaneId;
use shellkeep_term::Dirty;
use tokio::sync::Notify;

use crate::display::frame_pacer::{FramePacer, Now};
use crate::panes::screen::ScreenViewer;

/// Tracks which rows have changed in each pane that a client shows, and has them painted.
pub(crate) struct DamageTracker {
    /// A short list: the panes of one window.
    damage: Mutex<Vec<(PaneId, Damage)>>,
    changed: Notify,
    pacer: FramePacer,
}

impl DamageTracker {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            damage: Mutex::new(Vec::new()),
            changed: Notify::new(),
            pacer: FramePacer::new(),
        })
    }

    /// The pacer of the client's terminal.
    pub(crate) fn pacer(&self) -> &FramePacer {
        &self.pacer
    }

    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Takes the rows of a pane that have changed since the last call. To be called under its emulator's lock.
    pub(crate) fn take(&self, pane: PaneId) -> Damage {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        let found = damage.iter_mut().find(|(known, _)| *known == pane);
        found.map_or_else(Damage::default, |(_, damage)| std::mem::take(damage))
    }
}

impl ScreenViewer for DamageTracker {
    fn note(&self, pane: PaneId, dirty: &Dirty) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        match damage.iter_mut().find(|(known, _)| *known == pane) {
            Some((_, damage)) => damage.add(dirty),
            None => {
                let mut first = Damage::default();
                first.add(dirty);
                damage.push((pane, first));
            }
        }
    }

    fn wake(&self) {
        self.changed.notify_one();
    }

    fn hurry(&self) {
        self.pacer.hurry();
    }

    fn show_now(&self) {
        // A panic in painting is a bug of the client's part, and must not end the pane's task that runs this.
        let painted = catch_unwind(AssertUnwindSafe(|| self.pacer.paint_now(self)));
        if painted.unwrap_or(Now::Left) == Now::Left {
            self.wake();
        }
    }
}

/// The rows of a screen that have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// These rows, ascending and without duplicates.
    Rows(Vec<u16>),
    /// All rows, or an unknown set.
    All,
}

impl Default for Damage {
    fn default() -> Self {
        Self::Rows(Vec::new())
    }
}

impl Damage {
    fn add(&mut self, dirty: &Dirty) {
        match dirty {
            Dirty::None => {}
            Dirty::Rows(rows) => self.add_rows(rows),
            Dirty::All => *self = Self::All,
        }
    }

    fn add_rows(&mut self, more: &[u16]) {
        if let Self::Rows(rows) = self {
            rows.extend_from_slice(more);
            rows.sort_unstable();
            rows.dedup();
        }
    }

    /// Adds rows of a pane that is drawn from row `top` on.
    pub(crate) fn add_below(&mut self, top: u16, other: &Self) {
        match other {
            Self::Rows(more) => {
                let more: Vec<u16> = more.iter().map(|row| row.saturating_add(top)).collect();
                self.add_rows(&more);
            }
            Self::All => *self = Self::All,
        }
    }

    /// The rows that have changed in either.
    pub(crate) fn union(mut self, other: &Self) -> Self {
        match other {
            Self::Rows(rows) => self.add_rows(rows),
            Self::All => self = Self::All,
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_gathers_rows_until_all_is_damaged() {
        let mut damage = Damage::default();
        damage.add(&Dirty::Rows(vec![3, 5]));
        damage.add(&Dirty::None);
        damage.add(&Dirty::Rows(vec![1, 5]));
        assert_eq!(damage, Damage::Rows(vec![1, 3, 5]));
        assert_eq!(
            damage.clone().union(&Damage::Rows(vec![0])),
            Damage::Rows(vec![0, 1, 3, 5])
        );
        assert_eq!(damage.clone().union(&Damage::All), Damage::All);
        damage.add(&Dirty::All);
        damage.add(&Dirty::Rows(vec![1]));
        assert_eq!(damage, Damage::All);
    }
}
