//! What a thread still has to write, with only the newest form of each thing.
//!
//! A session changes with each of its windows, and its description names all of them. If every version waited in the
//! queue of a thread that is behind, a burst of a thousand windows would take gigabytes. So the queue holds slots, and
//! the thread takes the newest version from the slot.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A place in the queue for the newest form of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot(u64);

/// The newest form of each thing that is not written yet, shared by the threads that ask and the one that writes.
pub(crate) struct Unwritten<K, V>(Arc<Mutex<Slots<K, V>>>);

struct Slots<K, V> {
    forms: BTreeMap<Slot, (K, V)>,
    /// The slot that takes the next form of each thing.
    open: BTreeMap<K, Slot>,
    next: u64,
}

impl<K, V> Clone for Unwritten<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Default for Unwritten<K, V> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Slots {
            forms: BTreeMap::new(),
            open: BTreeMap::new(),
            next: 0,
        })))
    }
}

impl<K: Clone + Ord, V> Unwritten<K, V> {
    fn lock(&self) -> MutexGuard<'_, Slots<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the newest form. Returns a slot for the queue, or none if one is queued already.
    #[must_use = "a slot that is in no queue is never taken, nor are the forms that follow"]
    pub(crate) fn put(&self, key: K, newest: V) -> Option<Slot> {
        let slots = &mut *self.lock();
        if let Some(slot) = slots.open.get(&key) {
            slots.forms.insert(*slot, (key, newest));
            return None;
        }
        let slot = Slot(slots.next);
        slots.next += 1;
        slots.open.insert(key.clone(), slot);
        slots.forms.insert(slot, (key, newest));
        Some(slot)
    }

    /// Takes the form out of a slot that has come up in the queue. Later forms get a new slot.
    pub(crate) fn take(&self, slot: Slot) -> Option<V> {
        let slots = &mut *self.lock();
        let (key, form) = slots.forms.remove(&slot)?;
        if slots.open.get(&key) == Some(&slot) {
            slots.open.remove(&key);
        }
        Some(form)
    }

    /// Makes later forms get a new slot, behind what is queued next: they must not be written before it.
    pub(crate) fn seal(&self, key: &K) {
        self.lock().open.remove(key);
    }

    /// Drops the newest form of a thing that is not to be written any more.
    pub(crate) fn forget(&self, key: &K) {
        let slots = &mut *self.lock();
        if let Some(slot) = slots.open.remove(key) {
            slots.forms.remove(&slot);
        }
    }

    /// How many forms are held.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().forms.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_form_of_each_is_held() {
        let unwritten = Unwritten::default();
        let (a, b) = (unwritten.put("a", 1).unwrap(), unwritten.put("b", 2));
        assert_eq!(unwritten.put("a", 3), None, "its slot is in the queue");
        assert_eq!(unwritten.count(), 2);
        assert_eq!(unwritten.take(a), Some(3));
        assert_eq!(unwritten.take(a), None);
        let again = unwritten.put("a", 4).unwrap();
        assert_eq!(unwritten.take(again), Some(4));
        assert_eq!(unwritten.take(b.unwrap()), Some(2));
        assert_eq!(unwritten.count(), 0);
    }

    #[test]
    fn sealed_form_is_not_replaced() {
        let unwritten = Unwritten::default();
        let before = unwritten.put("a", 1).unwrap();
        unwritten.seal(&"a");
        let after = unwritten.put("a", 2).unwrap();
        assert_eq!(unwritten.take(before), Some(1));
        assert_eq!(unwritten.put("a", 3), None, "the later slot is still open");
        assert_eq!(unwritten.take(after), Some(3));
    }

    #[test]
    fn forgotten_form_is_not_found() {
        let unwritten = Unwritten::default();
        let slot = unwritten.put("a", 1).unwrap();
        unwritten.forget(&"a");
        assert_eq!(unwritten.take(slot), None);
        assert!(unwritten.put("a", 2).is_some());
    }
}
