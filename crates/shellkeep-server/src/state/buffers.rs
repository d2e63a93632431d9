//! Paste buffers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Seconds;

/// As much of a buffer as lists show.
const SAMPLE: usize = 200;

/// Something that was copied.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) name: String,
    pub(crate) data: Arc<[u8]>,
    pub(crate) created: Seconds,
    /// Whether nobody gave it its name: then it goes when there are too many.
    pub(crate) is_automatic: bool,
    /// Grows with every change, so that the newest can be told.
    order: u64,
}

impl Buffer {
    /// Its beginning on one line, with what cannot be seen written out.
    pub(crate) fn sample(&self) -> String {
        let mut text = String::new();
        let mut is_cut = false;
        for chunk in self.data.utf8_chunks() {
            for c in chunk.valid().chars() {
                push_visible(c, &mut text);
            }
            for byte in chunk.invalid() {
                text.push_str(&format!("\\{byte:03o}"));
            }
            if text.len() > SAMPLE {
                is_cut = true;
                break;
            }
        }
        if is_cut {
            let end = (0..=SAMPLE).rev().find(|at| text.is_char_boundary(*at));
            let end = end.unwrap_or(0);
            text.truncate(end);
            text.push_str("...");
        }
        text
    }
}

/// As C would write it.
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
        c if c.is_ascii_control() => text.push_str(&format!("\\{:03o}", c as u32)),
        c => text.push(c),
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    by_name: BTreeMap<String, Buffer>,
    next_number: u64,
    next_order: u64,
}

impl Buffers {
    /// Adds a buffer under a name of its own, which begins with `prefix`. Of those like it, the oldest go when there are more
    /// than `limit`. Nothing is no buffer.
    pub(crate) fn add(
        &mut self,
        data: impl Into<Arc<[u8]>>,
        prefix: Option<&str>,
        limit: usize,
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
        self.insert(name.clone(), data, now);
        if let Some(buffer) = self.by_name.get_mut(&name) {
            buffer.is_automatic = true;
        }
        Some(name)
    }

    /// Lets the oldest go until there is room for one more.
    fn make_room(&mut self, limit: usize) {
        loop {
            let automatic = self.by_name.values().filter(|buffer| buffer.is_automatic);
            if automatic.clone().count() < limit {
                return;
            }
            let Some(name) = automatic.min_by_key(|b| b.order).map(|b| b.name.clone()) else {
                return;
            };
            self.by_name.remove(&name);
        }
    }

    /// Puts a buffer under a name, in place of the one that has it.
    ///
    /// # Errors
    /// One sentence, if that is no name.
    pub(crate) fn set(
        &mut self,
        name: &str,
        data: impl Into<Arc<[u8]>>,
        now: Seconds,
    ) -> Result<(), String> {
        if name.is_empty() {
            return Err("empty buffer name".to_owned());
        }
        let data = data.into();
        if !data.is_empty() {
            self.insert(name.to_owned(), data, now);
        }
        Ok(())
    }

    fn insert(&mut self, name: String, data: Arc<[u8]>, now: Seconds) {
        let order = self.next_order;
        self.next_order += 1;
        let buffer = Buffer {
            name: name.clone(),
            data,
            created: now,
            is_automatic: false,
            order,
        };
        self.by_name.insert(name, buffer);
    }

    /// Gives a buffer another name, under which it is kept.
    ///
    /// # Errors
    /// One sentence, if there is no such buffer or no such name.
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
            self.by_name.insert(new.to_owned(), buffer);
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.by_name.remove(name);
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Buffer> {
        self.by_name.get(name)
    }

    /// The one that was made last.
    pub(crate) fn newest(&self) -> Option<&Buffer> {
        self.by_name.values().max_by_key(|buffer| buffer.order)
    }

    /// The newest first.
    pub(crate) fn by_time(&self) -> Vec<&Buffer> {
        let mut buffers: Vec<&Buffer> = self.by_name.values().collect();
        buffers.sort_by_key(|buffer| std::cmp::Reverse(buffer.order));
        buffers
    }

    /// A buffer, or the newest; one sentence if there is none.
    ///
    /// # Errors
    /// In the words of `show-buffer`.
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
        buffers.add(*b"a", None, 2, 0);
        buffers.set("kept", *b"k", 0).unwrap();
        for data in [b"b", b"c", b"d"] {
            buffers.add(*data, None, 2, 0);
        }
        assert_eq!(names(&buffers), ["buffer3", "buffer2", "kept"]);
        assert_eq!(buffers.add(*b"", None, 2, 0), None);
        assert_eq!(
            buffers.add(*b"e", Some("x"), 2, 0).as_deref(),
            Some("x4"),
            "one count for all prefixes"
        );
    }

    #[test]
    fn rename_keeps_place_and_refuses_what_is_taken() {
        let mut buffers = Buffers::default();
        buffers.add(*b"a", None, 9, 0);
        buffers.add(*b"b", None, 9, 0);
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
        buffers.set("x", *b"a\n\t\x1b\xff\xc3\xa9", 0).unwrap();
        assert_eq!(buffers.get("x").unwrap().sample(), "a\\n\\t\\033\\377é");
        buffers.set("long", [b'a'; 300], 0).unwrap();
        let sample = buffers.get("long").unwrap().sample();
        assert_eq!(sample, format!("{}...", "a".repeat(200)));
    }
}
