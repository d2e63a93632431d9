//! A pane's screen, shared between the task that feeds it and the clients that look at it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shellkeep_core::PaneId;
use shellkeep_term::{Dirty, Emulator};
use tokio::sync::Notify;

/// The emulator of a pane, and whom to wake when it has changed.
pub(crate) struct Screen {
    pane: PaneId,
    emulator: Mutex<Emulator>,
    watchers: Mutex<Vec<Arc<Watcher>>>,
    /// Whether the event loop wants to hear of the next output.
    is_output_news: AtomicBool,
}

impl Screen {
    pub(crate) fn new(pane: PaneId, emulator: Emulator) -> Arc<Self> {
        Arc::new(Self {
            pane,
            emulator: Mutex::new(emulator),
            watchers: Mutex::new(Vec::new()),
            is_output_news: AtomicBool::new(true),
        })
    }

    /// Whose it is.
    pub(crate) fn pane(&self) -> PaneId {
        self.pane
    }

    /// The emulator, for a moment: it is locked meanwhile, so never across an await.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Emulator> {
        // A panic in the engine would be a bug, but one bad pane must not hurt the others.
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says who looks at this pane from now on.
    pub(crate) fn set_watchers(&self, watchers: Vec<Arc<Watcher>>) {
        *self.watchers.lock().unwrap_or_else(PoisonError::into_inner) = watchers;
    }

    /// Has the event loop told when something is printed next.
    pub(crate) fn tell_of_output(&self) {
        self.is_output_news.store(true, Ordering::Relaxed);
    }

    /// Something was printed: whether the event loop is to be told. Only once, until it asks again.
    pub(crate) fn is_output_news(&self) -> bool {
        self.is_output_news.load(Ordering::Relaxed)
            && self.is_output_news.swap(false, Ordering::Relaxed)
    }

    /// Tells everybody who looks what has changed.
    pub(crate) fn changed(&self) {
        // Under the emulator's lock, so that nobody composes between the change and the news of it.
        let mut emulator = self.lock();
        let watchers = self.watchers.lock().unwrap_or_else(PoisonError::into_inner);
        let dirty = emulator.take_dirty();
        for watcher in watchers.iter() {
            watcher.tell(self.pane, &dirty);
        }
    }
}

/// One who looks at some screens, and what has changed in each since it last looked.
pub(crate) struct Watcher {
    /// Few at a time: the panes of one window.
    damage: Mutex<Vec<(PaneId, Damage)>>,
    changed: Notify,
}

impl Watcher {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            damage: Mutex::new(Vec::new()),
            changed: Notify::new(),
        })
    }

    fn tell(&self, pane: PaneId, dirty: &Dirty) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        match damage.iter_mut().find(|(known, _)| *known == pane) {
            Some((_, damage)) => damage.add(dirty),
            None => {
                let mut first = Damage::default();
                first.add(dirty);
                damage.push((pane, first));
            }
        }
        self.changed.notify_one();
    }

    /// Waits for a change.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// What has changed in a pane since the last call. To be called under its emulator's lock.
    pub(crate) fn take(&self, pane: PaneId) -> Damage {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        let found = damage.iter_mut().find(|(known, _)| *known == pane);
        found.map_or_else(Damage::default, |(_, damage)| std::mem::take(damage))
    }
}

/// Rows of a screen that have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// These, ascending, each once.
    Rows(Vec<u16>),
    /// All, or nobody knows.
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

    /// What has changed in either.
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
