//! Looking for lines in all that was ever printed: in panes that live, in those that sleep, and in the archive.
//!
//! None of this is for the event loop. A search is a list of panes, the one used last first, and a query; threads of its own take
//! one pane after the other, and what they find comes back as one value. Nothing is woken: what is on disk only is read
//! from there, past the screen it belongs to, and let go of again.

pub(crate) mod done;
mod index;
pub(crate) mod leash;
mod lines;
pub(crate) mod reading;
pub(crate) mod requests;
mod show;
pub(crate) mod stored;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use shellkeep_core::PaneId;
use shellkeep_search::Pattern;
use shellkeep_store::StoreId;

use crate::panes::screen::Screen;
use crate::process::wall::Seconds;

pub(crate) use crate::search::index::refresh as refresh_index;
pub(crate) use crate::search::show::{Paint, Show, as_json, as_lines, json_with, variables};
pub(crate) use crate::search::stored::Kept;

/// All that is found may take so much memory; beyond it the oldest lines are left out.
pub(crate) const MOST_BYTES: usize = 32 << 20;

/// More threads than these would have the disk wait, not us.
const MOST_THREADS: usize = 8;

/// What is looked for, and what is wanted of it.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) pattern: Pattern,
    /// The most lines; of more the newest.
    pub(crate) limit: usize,
    /// The most bytes, so that there is an end without a limit, too.
    pub(crate) room: usize,
    /// Lines of context before and after each.
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) wants: Wants,
    /// How lines are made ready to be shown.
    pub(crate) paint: Paint,
}

/// What is wanted of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    /// The lines.
    Lines,
    /// How many in each pane.
    Counts,
    /// In which panes.
    Panes,
}

/// Whether a session lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Active,
    Hibernated,
    Archived,
}

impl Life {
    /// As `#{session_state}` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Hibernated => "hibernated",
            Self::Archived => "archived",
        }
    }

    /// By its name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Self::Active, Self::Hibernated, Self::Archived];
        all.into_iter().find(|life| life.name() == name)
    }
}

/// Which pane it is, and where.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) session: String,
    pub(crate) window: u32,
    pub(crate) window_name: String,
    /// Its number in the window.
    pub(crate) number: usize,
    /// None in the archive: it has none until it is opened again.
    pub(crate) pane: Option<PaneId>,
    pub(crate) life: Life,
    /// The session's id in the archive.
    pub(crate) archived: Option<StoreId>,
    /// The directory it is in.
    pub(crate) directory: PathBuf,
    /// When its session was last used.
    pub(crate) used: Seconds,
}

impl Place {
    /// As a target names it.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}.{}", self.session, self.window, self.number)
    }
}

/// A pane to be looked through.
pub(crate) struct Ground {
    pub(crate) place: Arc<Place>,
    pub(crate) text: Text,
}

/// Where the text of a pane is.
pub(crate) enum Text {
    /// With the server, in memory or on disk.
    Screen(Arc<Screen>),
    /// On disk.
    Kept(Kept),
}

/// A line that was found, or stands beside one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Counted through the pane's life from 0.
    pub(crate) line: u64,
    /// The first cell of what fits.
    pub(crate) column: usize,
    pub(crate) text: String,
    /// Where in the text it fits; nowhere in a line of context.
    pub(crate) spans: Vec<std::ops::Range<usize>>,
    /// The same as it is to be shown, if that is not the text.
    pub(crate) shown: Option<String>,
    /// Whether it is a line of context.
    pub(crate) is_context: bool,
    /// Whether the line before it is another one than in the pane.
    pub(crate) is_apart: bool,
}

impl Hit {
    fn bytes(&self) -> usize {
        self.text.len() + self.shown.as_ref().map_or(0, String::len) + size_of::<Self>()
    }

    /// What fits first.
    pub(crate) fn fitting(&self) -> &str {
        let first = self.spans.first().cloned().unwrap_or_default();
        self.text.get(first).unwrap_or_default()
    }
}

/// What was found in a pane.
#[derive(Debug)]
pub(crate) struct PaneHits {
    pub(crate) place: Arc<Place>,
    /// How many lines, context aside; at least, if it is not all that is counted.
    pub(crate) count: usize,
    /// Oldest first.
    pub(crate) hits: Vec<Hit>,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The pane used last is the last.
    pub(crate) panes: Vec<PaneHits>,
    /// There is more, which is left out.
    pub(crate) is_cut: bool,
    /// Panes that could not be read, and why.
    pub(crate) unread: Vec<String>,
    /// Panes at rest that had no index.
    pub(crate) unindexed: Vec<Kept>,
}

/// What the threads of a search share.
struct Work<'a> {
    grounds: &'a [Ground],
    query: &'a Query,
    cancel: &'a AtomicBool,
    next: AtomicUsize,
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    /// By the pane's place in the list; nothing while it is looked through.
    panes: Vec<Option<PaneHits>>,
    /// So many of the first panes are done, and have so many lines and bytes.
    first: usize,
    lines: usize,
    bytes: usize,
    /// All that is wanted is there.
    is_enough: bool,
    is_cut: bool,
    unread: Vec<String>,
    unindexed: Vec<Kept>,
}

/// Looks through panes, the one used last first. Nothing is found once it is cancelled.
pub(crate) fn run(grounds: &[Ground], query: &Query, cancel: &AtomicBool) -> Found {
    let work = Work {
        grounds,
        query,
        cancel,
        next: AtomicUsize::new(0),
        done: Mutex::new(Done {
            panes: grounds.iter().map(|_| None).collect(),
            ..Done::default()
        }),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(MOST_THREADS).min(grounds.len().max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let thread = std::thread::Builder::new().name("search".to_owned());
            // Where none is to be had, this one does it alone.
            let _ = thread.spawn_scoped(scope, || work.go());
        }
        work.go();
    });
    let done = work
        .done
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    done.found(query)
}

impl Work<'_> {
    fn go(&self) {
        let mut scratch = lines::Scratch::default();
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(ground) = self.grounds.get(at) else {
                return;
            };
            if self.cancel.load(Ordering::Relaxed) || self.lock().is_enough {
                return;
            }
            let found = lines::look(ground, self.query, self.cancel, &mut scratch);
            self.lock().add(at, ground, found, self.query);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Done {
    fn add(
        &mut self,
        at: usize,
        ground: &Ground,
        found: Result<lines::Lines, String>,
        query: &Query,
    ) {
        let lines = found.unwrap_or_else(|error| {
            self.unread
                .push(format!("{}: {error}", ground.place.name()));
            lines::Lines::default()
        });
        self.is_cut |= lines.is_cut;
        self.unindexed.extend(lines.unindexed);
        self.panes[at] = Some(PaneHits {
            place: ground.place.clone(),
            count: lines.count,
            hits: lines.hits,
        });
        while let Some(Some(pane)) = self.panes.get(self.first) {
            self.first += 1;
            self.lines += pane.count;
            self.bytes += pane.hits.iter().map(Hit::bytes).sum::<usize>();
        }
        let is_full = self.lines >= query.limit || self.bytes >= query.room;
        self.is_enough = query.wants == Wants::Lines && is_full;
    }

    /// What was found, the newest last.
    fn found(self, query: &Query) -> Found {
        let mut found = Found {
            is_cut: self.is_cut,
            unread: self.unread,
            unindexed: self.unindexed,
            ..Found::default()
        };
        let (mut lines, mut bytes) = (0, 0);
        let all = self.panes.len();
        for (at, pane) in self.panes.into_iter().enumerate() {
            // What was not looked through may have had something.
            let Some(mut pane) = pane else {
                found.is_cut |= self.is_enough && at < all;
                continue;
            };
            if pane.count == 0 {
                continue;
            }
            if query.wants == Wants::Lines {
                if lines >= query.limit || bytes >= query.room {
                    found.is_cut = true;
                    break;
                }
                found.is_cut |= lines::keep_newest(&mut pane, query.limit - lines);
                lines += pane.count;
                bytes += pane.hits.iter().map(Hit::bytes).sum::<usize>();
            }
            found.panes.push(pane);
        }
        found.panes.reverse();
        found
    }
}

#[cfg(test)]
mod tests;
