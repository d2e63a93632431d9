//! A session: a named set of links to windows, with an environment and options of its own.

use std::collections::BTreeMap;

use shellkeep_core::{SessionId, WindowId};
use shellkeep_store::StoreId;

use crate::model::buffers::visible;
use crate::model::environ::Environ;
use crate::model::idleness::Idleness;
use crate::model::options::Options;
use crate::process::wall::Seconds;

pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) name: String,
    pub(crate) created: Seconds,
    /// How long nothing was typed in it, if `lock-after-time` is set.
    pub(crate) idleness: Option<Idleness>,
    /// When a client last attached or typed.
    pub(crate) activity: Seconds,
    /// The number of that use, which orders uses of the same second; 0 if it was under an earlier server.
    pub(crate) used: u64,
    pub(crate) last_attached: Option<Seconds>,
    /// The directory of its new windows.
    pub(crate) cwd: Vec<u8>,
    pub(crate) links: BTreeMap<u32, Link>,
    /// The index of its current window.
    pub(crate) current: u32,
    /// The indexes of earlier current windows, the latest first.
    pub(crate) last: Vec<u32>,
    /// Variables it adds to the server's environment.
    pub(crate) environ: Environ,
    pub(crate) options: Options,
    /// The group with which it shares its windows.
    pub(crate) group: Option<String>,
    pub(crate) standing: Standing,
}

/// What shellkeep itself adds to a session: where it is stored, and whether it may sleep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Its id in the store. None if nothing of it may be on disk.
    pub(crate) kept: Option<StoreId>,
    /// Nothing of it may be on disk.
    pub(crate) is_private: bool,
    /// What has made it: `user`, or the name of a tool.
    pub(crate) origin: Option<String>,
    pub(crate) tags: Vec<String>,
    /// The policy never puts it to sleep.
    pub(crate) is_pinned: bool,
    /// It was reopened from the archive and not used since.
    pub(crate) is_reopened: bool,
}

/// A window's link in a session. A window can be linked to several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) window: WindowId,
    /// What happened in the window since it was last the current one.
    pub(crate) alerts: Alerts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alerts {
    pub(crate) bell: bool,
    pub(crate) activity: bool,
    pub(crate) silence: bool,
}

impl Alerts {
    pub(crate) fn any(self) -> bool {
        self != Self::default()
    }

    /// The flags behind a window's name in the status line.
    pub(crate) fn signs(self) -> String {
        let signs = [(self.activity, '#'), (self.bell, '!'), (self.silence, '~')];
        let signs = signs
            .into_iter()
            .filter_map(|(is_set, sign)| is_set.then_some(sign));
        signs.collect()
    }
}

impl Session {
    /// The key that orders sessions by their last use.
    pub(crate) fn recency(&self) -> (Seconds, u64, SessionId) {
        (self.activity, self.used, self.id)
    }

    /// Its name for the log: that of a private session must not be on disk.
    pub(crate) fn name_for_log(&self) -> &str {
        if self.standing.is_private {
            "(private)"
        } else {
            &self.name
        }
    }

    pub(crate) fn current_link(&self) -> Option<&Link> {
        self.links.get(&self.current)
    }

    /// Makes another of its windows the current one.
    pub(crate) fn select(&mut self, index: u32) {
        if index == self.current || !self.links.contains_key(&index) {
            return;
        }
        self.last
            .retain(|last| *last != index && *last != self.current);
        self.last.insert(0, self.current);
        self.current = index;
        if let Some(link) = self.links.get_mut(&index) {
            link.alerts = Alerts::default();
        }
    }

    pub(crate) fn link(&mut self, index: u32, window: WindowId) {
        let alerts = Alerts::default();
        self.links.insert(index, Link { window, alerts });
    }

    /// Removes the window at an index. If it was current, the previous one becomes current, or a neighbour.
    pub(crate) fn unlink(&mut self, index: u32) -> Option<WindowId> {
        let link = self.links.remove(&index)?;
        self.last.retain(|last| *last != index);
        if self.current == index {
            self.current = self.after_unlink(index);
            self.last.retain(|last| *last != self.current);
        }
        Some(link.window)
    }

    /// The window that becomes current when `index` is gone: the previous one, or the one before it, or the one after
    /// it.
    fn after_unlink(&self, index: u32) -> u32 {
        let known = self.last.iter().find(|last| self.links.contains_key(last));
        let before = || self.links.range(..index).next_back().map(|(at, _)| at);
        let last = || self.links.keys().next_back();
        *known.or_else(before).or_else(last).unwrap_or(&index)
    }

    /// The lowest free index from `base` on.
    pub(crate) fn free_index(&self, base: u32) -> Option<u32> {
        (base..=i32::MAX.unsigned_abs()).find(|index| !self.links.contains_key(index))
    }

    /// Frees the index before or after a window by moving those in the way up by one. Returns the free index; none
    /// without such a window.
    pub(crate) fn make_room(&mut self, at: u32, side: Side) -> Option<u32> {
        if !self.links.contains_key(&at) {
            return None;
        }
        let wanted = match side {
            Side::Before => at,
            Side::After => at.checked_add(1)?,
        };
        let free = self.free_index(wanted)?;
        self.renumber(|index| index + u32::from((wanted..free).contains(&index)));
        Some(wanted)
    }

    /// Renumbers the windows from `base` on, without gaps.
    pub(crate) fn close_gaps(&mut self, base: u32) {
        let numbers: BTreeMap<u32, u32> = self.links.keys().copied().zip(base..).collect();
        self.renumber(|index| numbers.get(&index).copied().unwrap_or(index));
    }

    /// Gives every window a new index. `number` must not return the same index twice.
    fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        let links = std::mem::take(&mut self.links).into_iter();
        self.links = links.map(|(index, link)| (number(index), link)).collect();
        self.current = number(self.current);
        for last in &mut self.last {
            *last = number(*last);
        }
    }

    /// Takes over the windows of its group.
    pub(crate) fn take_links(&mut self, links: &BTreeMap<u32, Link>) {
        if !links.contains_key(&self.current) {
            self.links.clone_from(links);
            self.current = self.after_unlink(self.current);
        }
        self.links.clone_from(links);
        let current = self.current;
        self.last
            .retain(|last| links.contains_key(last) && *last != current);
    }

    pub(crate) fn index_of(&self, window: WindowId) -> Option<u32> {
        if self
            .current_link()
            .is_some_and(|link| link.window == window)
        {
            return Some(self.current);
        }
        let found = self.links.iter().find(|(_, link)| link.window == window);
        found.map(|(index, _)| *index)
    }

    /// The index of the next or previous window, wrapping around.
    pub(crate) fn step(&self, from: u32, step: Step) -> Option<u32> {
        let (after, before) = (self.links.range(from + 1..), self.links.range(..from));
        let found = match step {
            Step::Next => after.chain(before).next(),
            Step::Previous => before.rev().chain(after.rev()).next(),
        };
        found.map(|(index, _)| *index)
    }
}

/// On which side of a window another one is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Next,
    Previous,
}

/// A name as tmux cleans it: without colon and dot, which could not be typed in a target, and with invisible characters
/// escaped. `None` if nothing is left.
pub(crate) fn clean_name(name: &str) -> Option<String> {
    let clean = visible(name.replace([':', '.'], "_").as_bytes());
    Some(clean).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(indexes: &[u32]) -> Session {
        let mut session = Session {
            id: SessionId(0),
            name: "work".to_owned(),
            created: 0,
            idleness: None,
            activity: 0,
            used: 0,
            last_attached: None,
            cwd: Vec::new(),
            links: BTreeMap::new(),
            current: indexes[0],
            last: Vec::new(),
            environ: Environ::default(),
            options: Options::default(),
            group: None,
            standing: Standing::default(),
        };
        for index in indexes {
            session.link(*index, WindowId(*index));
        }
        session
    }

    #[test]
    fn name_is_made_safe_to_target_and_print() {
        assert_eq!(clean_name("a:b.c\u{1b}[m").as_deref(), Some("a_b_c\\033[m"));
        assert_eq!(clean_name(""), None);
    }

    #[test]
    fn window_gone_leaves_the_one_shown_before_or_a_neighbour() {
        let mut session = session(&[0, 2, 5]);
        session.select(5);
        session.select(2);
        assert_eq!(session.last, [5, 0]);
        session.unlink(2);
        assert_eq!((session.current, &session.last[..]), (5, &[0][..]));
        session.last.clear();
        session.unlink(5);
        assert_eq!(session.current, 0);
    }

    #[test]
    fn room_is_made_up_to_the_next_gap_only() {
        let mut session = session(&[0, 1, 2, 5]);
        session.select(2);
        assert_eq!(session.make_room(0, Side::After), Some(1));
        let indexes: Vec<u32> = session.links.keys().copied().collect();
        assert_eq!(indexes, [0, 2, 3, 5]);
        assert_eq!((session.current, &session.last[..]), (3, &[0][..]));
        assert_eq!(session.make_room(5, Side::Before), Some(5));
        assert_eq!(session.make_room(9, Side::Before), None);
        session.close_gaps(1);
        let windows: Vec<(u32, u32)> = session
            .links
            .iter()
            .map(|(index, link)| (*index, link.window.0))
            .collect();
        assert_eq!(windows, [(1, 0), (2, 1), (3, 2), (4, 5)]);
        assert_eq!((session.current, &session.last[..]), (3, &[1][..]));
    }

    #[test]
    fn links_taken_over_keep_what_is_shown_if_it_is_still_there() {
        let mut one = session(&[0, 1, 2]);
        one.select(2);
        let mut other = session(&[0, 2]);
        one.take_links(&other.links);
        assert_eq!((one.current, &one.last[..]), (2, &[0][..]));
        other.unlink(2);
        one.take_links(&other.links);
        assert_eq!((one.current, one.last.is_empty()), (0, true));
    }

    #[test]
    fn step_goes_around() {
        let session = session(&[1, 4, 9]);
        assert_eq!(session.step(9, Step::Next), Some(1));
        assert_eq!(session.step(1, Step::Previous), Some(9));
        assert_eq!(session.step(4, Step::Next), Some(9));
        assert_eq!(session.step(4, Step::Previous), Some(1));
        assert_eq!(session.free_index(1), Some(2));
    }
}
