//! Searching everything that panes have ever printed: awake, asleep and archived ones.
//!
//! It must not run on the event loop. A search is a query and a list of panes, the one used last first; its own threads
//! take one pane after another, and return a single result. No pane is woken: text on disk is read there, without its
//! screen, and dropped afterwards.

pub(crate) mod cancel_on_drop;
pub(crate) mod done;
mod index;
mod lines;
pub(crate) mod reading;
pub(crate) mod requests;
mod show;
pub(crate) mod stored;

use std::ops::Range;
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

/// How many bytes of lines a search keeps; beyond it the oldest are dropped.
pub(crate) const MAX_BYTES: usize = 32 << 20;

/// How many threads a search has: with more, the disk would be the limit.
const MAX_THREADS: usize = 8;

/// A query, and what is wanted of its results.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) pattern: Pattern,
    /// How many lines are wanted; the newest are kept.
    pub(crate) limit: usize,
    /// How many bytes are kept, for queries without a limit.
    pub(crate) room: usize,
    /// How many lines of context before and after each.
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// Only lines printed in this range of times, in seconds since 1970. Lines without a known time are left out then.
    pub(crate) printed: Option<Range<Seconds>>,
    pub(crate) wants: Wants,
    /// How lines are prepared to be shown.
    pub(crate) paint: Paint,
}

/// What is wanted of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    Lines,
    /// The number of lines in each pane.
    Counts,
    /// The panes with lines.
    Panes,
}

/// The state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Active,
    Hibernated,
    Archived,
}

impl Life {
    /// The name as in `#{session_state}`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Hibernated => "hibernated",
            Self::Archived => "archived",
        }
    }

    /// The state of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [Self::Active, Self::Hibernated, Self::Archived];
        all.into_iter().find(|life| life.name() == name)
    }
}

/// Which pane it is, and where.
#[derive(Clone, Debug)]
pub(crate) struct PanePlace {
    pub(crate) session: String,
    pub(crate) window: u32,
    pub(crate) window_name: String,
    /// Its index in the window.
    pub(crate) number: usize,
    /// Its id; none in the archive.
    pub(crate) pane: Option<PaneId>,
    pub(crate) life: Life,
    /// The id of its session in the archive.
    pub(crate) archived: Option<StoreId>,
    /// The directory of its program.
    pub(crate) directory: PathBuf,
    /// When its session was last used.
    pub(crate) used: Seconds,
}

impl PanePlace {
    /// Its target in text.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}.{}", self.session, self.window, self.number)
    }
}

pub(crate) struct SearchedPane {
    pub(crate) place: Arc<PanePlace>,
    pub(crate) text: Text,
}

/// Where the text of a pane is.
pub(crate) enum Text {
    /// In the server: in memory or on disk.
    Screen(Arc<Screen>),
    /// On disk.
    Kept(Kept),
}

/// A line that matches, or a line of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Its number, counted from the pane's first line.
    pub(crate) line: u64,
    /// When it was printed, if known.
    pub(crate) time: Option<u32>,
    /// The column of the first match.
    pub(crate) column: usize,
    pub(crate) text: String,
    /// The matches as byte ranges; none in a line of context.
    pub(crate) spans: Vec<Range<usize>>,
    /// The line with escape sequences, if that differs from the text.
    pub(crate) shown: Option<String>,
    /// It is a line of context.
    pub(crate) is_context: bool,
    /// Lines between it and the previous one were left out.
    pub(crate) is_apart: bool,
}

impl Query {
    /// Whether a line printed at this time matches `printed`.
    fn is_in_time(&self, time: Option<u32>) -> bool {
        self.printed
            .as_ref()
            .is_none_or(|printed| time.is_some_and(|time| printed.contains(&time.into())))
    }
}

impl Hit {
    fn bytes(&self) -> usize {
        self.text.len() + self.shown.as_ref().map_or(0, String::len) + size_of::<Self>()
    }

    /// The text of the first match.
    pub(crate) fn fitting(&self) -> &str {
        let first = self.spans.first().cloned().unwrap_or_default();
        self.text.get(first).unwrap_or_default()
    }
}

#[derive(Debug)]
pub(crate) struct PaneHits {
    pub(crate) place: Arc<PanePlace>,
    /// How many lines match. At least this many, if lines are wanted instead of counts.
    pub(crate) count: usize,
    /// Lines, the oldest first.
    pub(crate) hits: Vec<Hit>,
}

#[derive(Debug, Default)]
pub(crate) struct SearchResults {
    /// Panes, the one used last at the end.
    pub(crate) panes: Vec<PaneHits>,
    /// Some results were dropped.
    pub(crate) is_cut: bool,
    /// Panes that could not be read, and why.
    pub(crate) unread: Vec<String>,
    /// Panes at rest without an index.
    pub(crate) unindexed: Vec<Kept>,
}

/// What the threads of a search share.
struct Work<'a> {
    grounds: &'a [SearchedPane],
    query: &'a Query,
    cancel: &'a AtomicBool,
    next: AtomicUsize,
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    /// The results by position in the list; None while a pane is being searched.
    panes: Vec<Option<PaneHits>>,
    /// How many panes at the beginning of the list are done, and their lines and bytes.
    first: usize,
    lines: usize,
    bytes: usize,
    /// Enough was found.
    is_enough: bool,
    is_cut: bool,
    unread: Vec<String>,
    unindexed: Vec<Kept>,
}

/// Searches panes, the one used last first. Returns nothing if it is cancelled.
pub(crate) fn run(grounds: &[SearchedPane], query: &Query, cancel: &AtomicBool) -> SearchResults {
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
    let threads = threads.min(MAX_THREADS).min(grounds.len().max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let thread = std::thread::Builder::new().name("search".to_owned());
            // If no thread can be started, this one does everything.
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
            let found = lines::search_pane(ground, self.query, self.cancel, &mut scratch);
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
        ground: &SearchedPane,
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

    /// The results, the newest last.
    fn found(self, query: &Query) -> SearchResults {
        let mut found = SearchResults {
            is_cut: self.is_cut,
            unread: self.unread,
            unindexed: self.unindexed,
            ..SearchResults::default()
        };
        let (mut lines, mut bytes) = (0, 0);
        let all = self.panes.len();
        for (at, pane) in self.panes.into_iter().enumerate() {
            // A pane that was not searched may have matches.
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
