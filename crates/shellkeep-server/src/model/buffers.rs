//! Paste buffers: their order, their names, and which of them are on disk. The recorder writes the files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shellkeep_store::{KeptBuffer, StoreId};

use crate::process::wall::Seconds;

/// How many bytes of a buffer a list shows.
const SAMPLE_BYTES: usize = 200;

#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) name: String,
    pub(crate) data: Arc<[u8]>,
    pub(crate) created: Seconds,
    /// The name was generated: the buffer is deleted when there are more than `buffer-limit`.
    pub(crate) is_automatic: bool,
    pub(crate) secrecy: Secrecy,
    /// Grows with every change, to find the newest.
    order: u64,
    /// The id of its file, if it has one.
    place: Option<StoreId>,
}

/// Whether a buffer may be on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Kept,
    /// It was copied in a private session, now or earlier.
    Private,
}

/// Buffers to be written, and files to be deleted.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) written: Vec<(StoreId, KeptBuffer)>,
    pub(crate) gone: Vec<StoreId>,
}

impl Buffer {
    /// The beginning of the buffer on one line, with invisible characters escaped.
    pub(crate) fn sample(&self) -> String {
        // Each byte of the buffer is at least one byte of the sample.
        let start = &self.data[..self.data.len().min(SAMPLE_BYTES + 4)];
        let mut text = visible(start);
        if text.len() > SAMPLE_BYTES {
            let end = (0..=SAMPLE_BYTES)
                .rev()
                .find(|at| text.is_char_boundary(*at));
            let end = end.unwrap_or(0);
            text.truncate(end);
            text.push_str("...");
        }
        text
    }
}

/// Text with invisible characters escaped as in C, and `$` before a name escaped as tmux does.
pub(crate) fn visible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut chars = chunk.valid().chars().peekable();
        while let Some(c) = chars.next() {
            let is_name = |c: &char| c.is_ascii_alphabetic() || matches!(c, '_' | '{');
            if c == '$' && chars.peek().is_some_and(is_name) {
                text.push('\\');
            }
            push_visible(c, &mut text);
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    text
}

/// Appends a character, escaped as in C.
fn push_visible(c: char, text: &mut String) {
    match c {
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        '\u{7}' => text.push_str("\\a"),
        '\u{8}' => text.push_str("\\b"),
        '\u{b}' => text.push_str("\\v"),
        '\u{c}' => text.push_str("\\f"),
        '\0' => text.push_str("\\0"),
        '\\' => text.push_str("\\\\"),
        c if c.is_control() => {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                text.push_str(&format!("\\{byte:03o}"));
            }
        }
        c => text.push(c),
    }
}

#[derive(Debug, Default)]
pub(crate) struct Buffers {
    by_name: BTreeMap<String, Buffer>,
    next_number: u64,
    next_order: u64,
    /// Names of the buffers that differ from their file, or have none.
    changed: BTreeSet<String>,
    /// Files of deleted buffers.
    gone: Vec<StoreId>,
}

impl Buffers {
    /// Adds a buffer with a generated name that begins with `prefix`, and deletes the oldest generated ones beyond
    /// `limit`. Empty data adds no buffer.
    pub(crate) fn add(
        &mut self,
        data: impl Into<Arc<[u8]>>,
        prefix: Option<&str>,
        limit: usize,
        secrecy: Secrecy,
        now: Seconds,
    ) -> Option<String> {
        let data = data.into();
        if data.is_empty() {
            return None;
        }
        self.make_room(limit.max(1));
        let prefix = prefix.unwrap_or("buffer");
        let name = loop {
            let name = format!("{prefix}{}", self.next_number);
            self.next_number += 1;
            if !self.by_name.contains_key(&name) {
                break name;
            }
        };
        self.insert(name.clone(), data, secrecy, now);
        if let Some(buffer) = self.by_name.get_mut(&name) {
            buffer.is_automatic = true;
        }
        Some(name)
    }

    /// Deletes the oldest generated buffers until there is room for one more.
    fn make_room(&mut self, limit: usize) {
        loop {
            let automatic = self.by_name.values().filter(|buffer| buffer.is_automatic);
            if automatic.clone().count() < limit {
                return;
            }
            let Some(name) = automatic.min_by_key(|b| b.order).map(|b| b.name.clone()) else {
                return;
            };
            self.remove(&name);
        }
    }

    /// Sets the buffer of this name.
    ///
    /// # Errors
    /// One sentence, if the name is empty.
    pub(crate) fn set(
        &mut self,
        name: &str,
        data: impl Into<Arc<[u8]>>,
        secrecy: Secrecy,
        now: Seconds,
    ) -> Result<(), String> {
        if name.is_empty() {
            return Err("empty buffer name".to_owned());
        }
        let data = data.into();
        if !data.is_empty() {
            self.insert(name.to_owned(), data, secrecy, now);
        }
        Ok(())
    }

    fn insert(&mut self, name: String, data: Arc<[u8]>, secrecy: Secrecy, now: Seconds) {
        let order = self.next_order;
        self.next_order += 1;
        let old = self.by_name.get(&name);
        let was_private = old.is_some_and(|old| old.secrecy == Secrecy::Private);
        let mut buffer = Buffer {
            name: name.clone(),
            data,
            created: now,
            is_automatic: false,
            // The new data may be the old, edited or appended to, so it stays private.
            secrecy: if was_private {
                Secrecy::Private
            } else {
                secrecy
            },
            order,
            place: old.and_then(|old| old.place),
        };
        if buffer.secrecy == Secrecy::Private {
            self.gone.extend(buffer.place.take());
        }
        self.changed.insert(name.clone());
        self.by_name.insert(name, buffer);
    }

    /// Renames a buffer. It counts as named by the user from then on.
    ///
    /// # Errors
    /// One sentence, if there is no such buffer, or the new name is empty or taken.
    pub(crate) fn rename(&mut self, old: &str, new: &str) -> Result<(), String> {
        if new.is_empty() {
            return Err("new name is empty".to_owned());
        }
        if !self.by_name.contains_key(old) {
            return Err(format!("no buffer {old}"));
        }
        if old != new && self.by_name.contains_key(new) {
            return Err(format!("buffer {new} already exists"));
        }
        if let Some(mut buffer) = self.by_name.remove(old) {
            new.clone_into(&mut buffer.name);
            buffer.is_automatic = false;
            self.changed.remove(old);
            self.changed.insert(new.to_owned());
            self.by_name.insert(new.to_owned(), buffer);
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.changed.remove(name);
        let removed = self.by_name.remove(name);
        self.gone.extend(removed.and_then(|buffer| buffer.place));
    }

    pub(crate) fn clear(&mut self) {
        let all = std::mem::take(&mut self.by_name);
        self.gone
            .extend(all.into_values().filter_map(|buffer| buffer.place));
        self.changed.clear();
    }

    // ---- on disk ----

    /// Marks every buffer as not on disk.
    pub(crate) fn all_changed(&mut self) {
        self.changed.extend(self.by_name.keys().cloned());
    }

    /// What has changed since the last call; `new_place` makes ids of files.
    pub(crate) fn take_changes(&mut self, new_place: impl Fn() -> StoreId) -> Changes {
        let mut changes = Changes {
            written: Vec::new(),
            gone: std::mem::take(&mut self.gone),
        };
        for name in std::mem::take(&mut self.changed) {
            let Some(buffer) = self.by_name.get_mut(&name) else {
                continue;
            };
            if buffer.secrecy == Secrecy::Private {
                continue;
            }
            let place = *buffer.place.get_or_insert_with(&new_place);
            let kept = KeptBuffer {
                name,
                data: buffer.data.clone(),
                created: u64::try_from(buffer.created).unwrap_or(0),
                is_automatic: buffer.is_automatic,
                order: buffer.order,
            };
            changes.written.push((place, kept));
        }
        changes
    }

    /// Adds the buffers that are in the store, the oldest first.
    pub(crate) fn restore(&mut self, kept: Vec<(StoreId, KeptBuffer)>) {
        for (place, kept) in kept {
            let mut known = self.by_name.values();
            if known.any(|buffer| buffer.place == Some(place)) {
                continue;
            }
            let mut name = kept.name;
            if self.by_name.contains_key(&name) {
                // Two earlier servers used the same name. Both buffers are kept.
                let others = (2..).map(|number| format!("{name}-{number}"));
                let mut free = others.filter(|name| !self.by_name.contains_key(name));
                name = free.next().unwrap_or(name);
                self.changed.insert(name.clone());
            }
            if kept.is_automatic {
                let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
                let number = digits.parse::<u64>().unwrap_or(0);
                self.next_number = self.next_number.max(number.saturating_add(1));
            }
            let order = self.next_order.max(kept.order);
            self.next_order = order + 1;
            let buffer = Buffer {
                name: name.clone(),
                data: kept.data,
                created: Seconds::try_from(kept.created).unwrap_or_default(),
                is_automatic: kept.is_automatic,
                secrecy: Secrecy::Kept,
                order,
                place: Some(place),
            };
            self.by_name.insert(name, buffer);
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Buffer> {
        self.by_name.get(name)
    }

    pub(crate) fn newest(&self) -> Option<&Buffer> {
        self.by_name.values().max_by_key(|buffer| buffer.order)
    }

    /// All buffers, the newest first.
    pub(crate) fn by_time(&self) -> Vec<&Buffer> {
        let mut buffers: Vec<&Buffer> = self.by_name.values().collect();
        buffers.sort_by_key(|buffer| std::cmp::Reverse(buffer.order));
        buffers
    }

    /// The buffer of this name, or the newest.
    ///
    /// # Errors
    /// The message of `show-buffer`.
    pub(crate) fn find(&self, name: Option<&str>) -> Result<&Buffer, String> {
        match name {
            Some(name) => self.get(name).ok_or_else(|| format!("no buffer {name}")),
            None => self.newest().ok_or_else(|| "no buffers".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(buffers: &Buffers) -> Vec<String> {
        let all = buffers.by_time();
        all.iter().map(|buffer| buffer.name.clone()).collect()
    }

    #[test]
    fn add_beyond_the_limit_drops_the_oldest_automatic() {
        let mut buffers = Buffers::default();
        buffers.add(*b"a", None, 2, Secrecy::Kept, 0);
        buffers.set("kept", *b"k", Secrecy::Kept, 0).unwrap();
        for data in [b"b", b"c", b"d"] {
            buffers.add(*data, None, 2, Secrecy::Kept, 0);
        }
        assert_eq!(names(&buffers), ["buffer3", "buffer2", "kept"]);
        assert_eq!(buffers.add(*b"", None, 2, Secrecy::Kept, 0), None);
        assert_eq!(
            buffers
                .add(*b"e", Some("x"), 2, Secrecy::Kept, 0)
                .as_deref(),
            Some("x4"),
            "one count for all prefixes"
        );
    }

    #[test]
    fn rename_keeps_place_and_refuses_what_is_taken() {
        let mut buffers = Buffers::default();
        buffers.add(*b"a", None, 9, Secrecy::Kept, 0);
        buffers.add(*b"b", None, 9, Secrecy::Kept, 0);
        assert_eq!(
            buffers.rename("buffer0", "buffer1"),
            Err("buffer buffer1 already exists".to_owned())
        );
        buffers.rename("buffer0", "old").unwrap();
        assert_eq!(names(&buffers), ["buffer1", "old"]);
        assert!(!buffers.get("old").unwrap().is_automatic);
    }

    #[test]
    fn sample_of_anything_is_one_line() {
        let mut buffers = Buffers::default();
        buffers
            .set("x", *b"a\n\t\x1b\xff\xc3\xa9", Secrecy::Kept, 0)
            .unwrap();
        assert_eq!(buffers.get("x").unwrap().sample(), "a\\n\\t\\033\\377é");
        buffers.set("long", [b'a'; 300], Secrecy::Kept, 0).unwrap();
        let sample = buffers.get("long").unwrap().sample();
        assert_eq!(sample, format!("{}...", "a".repeat(200)));
    }

    fn places(changes: &Changes) -> Vec<(&str, bool)> {
        let written = changes.written.iter();
        written
            .map(|(_, kept)| (&kept.name[..], kept.is_automatic))
            .collect()
    }

    #[test]
    fn changes_are_told_once_and_with_one_file_a_buffer() {
        let mut buffers = Buffers::default();
        let place = || StoreId::new(1);
        buffers.add(*b"a", None, 9, Secrecy::Kept, 0);
        buffers.set("name", *b"n", Secrecy::Kept, 0).unwrap();
        buffers.set("secret", *b"s", Secrecy::Private, 0).unwrap();
        let first = buffers.take_changes(place);
        assert_eq!(places(&first), [("buffer0", true), ("name", false)]);
        assert!(buffers.take_changes(place).written.is_empty());
        // Other data goes into the same file; private data deletes the file.
        buffers.set("name", *b"m", Secrecy::Kept, 0).unwrap();
        let second = buffers.take_changes(place);
        assert_eq!(second.written[0].0, first.written[1].0);
        buffers.set("name", *b"x", Secrecy::Private, 0).unwrap();
        buffers.set("name", *b"y", Secrecy::Kept, 0).unwrap();
        let third = buffers.take_changes(place);
        assert_eq!((third.written.len(), third.gone.len()), (0, 1));
        buffers.remove("buffer0");
        assert_eq!(buffers.take_changes(place).gone, [first.written[0].0]);
    }

    #[test]
    fn restored_buffers_keep_order_and_numbers() {
        let mut buffers = Buffers::default();
        for data in [b"a", b"b", b"c"] {
            buffers.add(*data, None, 9, Secrecy::Kept, 0);
        }
        buffers.set("name", *b"n", Secrecy::Kept, 0).unwrap();
        buffers.remove("buffer0");
        let mut kept = buffers.take_changes(|| StoreId::new(1)).written;
        kept.sort_by_key(|(_, kept)| kept.order);
        let mut restored = Buffers::default();
        restored.restore(kept);
        assert_eq!(names(&restored), ["name", "buffer2", "buffer1"]);
        let next = restored.add(*b"d", None, 9, Secrecy::Kept, 0);
        assert_eq!(next.as_deref(), Some("buffer3"));
    }
}
