//! Searching one pane, newest lines first.

use std::sync::atomic::{AtomicBool, Ordering};

use shellkeep_term::TextLines;

use crate::search::index::Known;
use crate::search::reading::Reading;
use crate::search::show::painted;
use crate::search::{Hit, Kept, Paint, PaneHits, Query, SearchedPane, Text, Wants};

/// Buffers that are reused from pane to pane.
#[derive(Default)]
pub(crate) struct Scratch {
    text: TextLines,
}

#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) count: usize,
    pub(crate) hits: Vec<Hit>,
    /// There are older matches.
    pub(crate) is_cut: bool,
    /// Set if the pane was read as a whole and an index would have spared some of that.
    pub(crate) unindexed: Option<Kept>,
}

/// Searches a pane.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn search_pane(
    ground: &SearchedPane,
    query: &Query,
    cancel: &AtomicBool,
    scratch: &mut Scratch,
) -> Result<Lines, String> {
    match open(ground, query)? {
        Opened::Nowhere => Ok(Lines::default()),
        Opened::Reading(reading, unindexed) => Ok(Lines {
            unindexed,
            ..look_through(*reading, query, cancel, scratch)
        }),
    }
}

/// A pane that is about to be searched.
enum Opened {
    /// The index tells that nothing matches.
    Nowhere,
    /// Its text, and its place on disk if it has no index.
    Reading(Box<Reading>, Option<Kept>),
}

impl Opened {
    fn plain(reading: Reading) -> Self {
        Self::Reading(Box::new(reading), None)
    }
}

fn open(ground: &SearchedPane, query: &Query) -> Result<Opened, String> {
    let screen = match &ground.text {
        Text::Kept(kept) => return open_kept(kept.clone(), query),
        Text::Screen(screen) => screen,
    };
    if let Some(reading) = screen.reading() {
        return Ok(Opened::plain(reading));
    }
    let Some(kept) = screen.at_rest() else {
        // The pane is awake, so its screen will be in memory soon anyway.
        let printed = screen.lock().printed();
        return Ok(Opened::plain(Reading::new(printed, None)));
    };
    let opened = open_kept(kept, query);
    // If the screen was loaded meanwhile, its files may have changed while they were read.
    match screen.reading() {
        Some(reading) => Ok(Opened::plain(reading)),
        None => opened,
    }
}

fn open_kept(kept: Kept, query: &Query) -> Result<Opened, String> {
    let filtered = query.pattern.can_be_filtered();
    let known = filtered
        .then(|| Known::of(&kept.dir, &query.pattern))
        .flatten();
    if known.as_ref().is_some_and(Known::is_nowhere) {
        return Ok(Opened::Nowhere);
    }
    let mut reading = kept.read()?;
    let unindexed = (filtered && known.is_none()).then_some(kept);
    reading.known = known.unwrap_or_default();
    Ok(Opened::Reading(Box::new(reading), unindexed))
}

fn look_through(
    mut reading: Reading,
    query: &Query,
    cancel: &AtomicBool,
    scratch: &mut Scratch,
) -> Lines {
    let mut lines = Lines::default();
    // Newest first: part, line within it, and its text.
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut bytes = 0;
    for part in (0..reading.printed.parts()).rev() {
        if cancel.load(Ordering::Relaxed) {
            return Lines::default();
        }
        if reading.known.is_not_at(reading.printed.first_line(part)) {
            continue;
        }
        reading.read(part, &mut scratch.text);
        let text = &scratch.text;
        let ranges = query.pattern.lines(text.text());
        let begin = found.len();
        for range in ranges {
            if query.printed.is_some() && !query.is_in_time(text.time(text.line_at(range.start))) {
                continue;
            }
            lines.count += 1;
            match query.wants {
                Wants::Panes => return lines,
                Wants::Counts => {}
                Wants::Lines => {
                    bytes += range.len() + size_of::<Hit>();
                    found.push((part, text.line_at(range.start)));
                }
            }
        }
        found[begin..].reverse();
        if found.len() > query.limit || bytes > query.room {
            lines.is_cut = found.len() > query.limit || part > 0;
            found.truncate(query.limit);
            lines.count = found.len();
            break;
        }
    }
    found.reverse();
    let mut writer = Writer {
        reading,
        query,
        cached: Vec::new(),
        last: None,
        out: Vec::with_capacity(found.len()),
    };
    for (at, &place) in found.iter().enumerate() {
        writer.add(place, found.get(at + 1).copied());
    }
    lines.hits = writer.out;
    lines
}

/// The part of a line, and its number in it.
type Spot = (usize, usize);

/// Collects matching lines, with their context.
struct Writer<'a> {
    reading: Reading,
    query: &'a Query,
    /// The parts read last, the newest first.
    cached: Vec<(usize, TextLines)>,
    /// The last line that was added.
    last: Option<Spot>,
    out: Vec<Hit>,
}

/// How many parts are cached: the current one and its neighbours.
const CACHED_PARTS: usize = 3;

impl Writer<'_> {
    fn add(&mut self, spot: Spot, next: Option<Spot>) {
        let mut before = Vec::new();
        let mut at = spot;
        while before.len() < self.query.before
            && let Some(earlier) = self.neighbour(at, Way::Back)
            && self.last.is_none_or(|last| earlier > last)
        {
            before.push(earlier);
            at = earlier;
        }
        for spot in before.into_iter().rev() {
            self.push(spot, Role::Context);
        }
        self.push(spot, Role::SearchResults);
        let mut at = spot;
        for _ in 0..self.query.after {
            match self.neighbour(at, Way::On) {
                Some(later) if next.is_none_or(|next| later < next) => {
                    self.push(later, Role::Context);
                    at = later;
                }
                _ => break,
            }
        }
    }

    fn part(&mut self, part: usize) -> &TextLines {
        if let Some(at) = self.cached.iter().position(|(known, _)| *known == part) {
            self.cached[..=at].rotate_right(1);
        } else {
            let mut text = TextLines::default();
            self.reading.read(part, &mut text);
            self.cached.truncate(CACHED_PARTS - 1);
            self.cached.insert(0, (part, text));
        }
        &self.cached[0].1
    }

    /// The line before or after another one.
    fn neighbour(&mut self, (mut part, line): Spot, way: Way) -> Option<Spot> {
        match way {
            Way::Back if line > 0 => Some((part, line - 1)),
            Way::Back => loop {
                part = part.checked_sub(1)?;
                if let Some(last) = self.part(part).len().checked_sub(1) {
                    return Some((part, last));
                }
            },
            Way::On if line + 1 < self.part(part).len() => Some((part, line + 1)),
            Way::On => loop {
                part += 1;
                if part >= self.reading.printed.parts() {
                    return None;
                }
                if !self.part(part).is_empty() {
                    return Some((part, 0));
                }
            },
        }
    }

    fn push(&mut self, spot: Spot, role: Role) {
        let (part, line) = spot;
        let lines = self.part(part);
        let time = lines.time(line);
        let text = String::from_utf8_lossy(lines.line(line)).into_owned();
        let spans = match role {
            Role::SearchResults => self.query.pattern.spans(text.as_bytes()),
            Role::Context => Vec::new(),
        };
        let is_colored = matches!(self.query.paint, Paint::Colors | Paint::ColorsAndMarks);
        let needs_cells = is_colored || !text.is_ascii();
        let rows = needs_cells.then(|| self.reading.printed.rows(part, line));
        let start = spans.first().map_or(0, |span| span.start);
        let column = match &rows {
            Some(rows) => crate::search::show::column(rows, start),
            None => start,
        };
        let shown = painted(&text, &spans, rows.as_ref(), self.query.paint);
        let is_next = match self.last {
            Some(last) => self.neighbour(last, Way::On) == Some(spot),
            None => true,
        };
        self.last = Some(spot);
        self.out.push(Hit {
            line: self.reading.printed.first_line(part) + line as u64,
            time,
            column,
            text,
            spans,
            shown,
            is_context: role == Role::Context,
            is_apart: !is_next,
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    On,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    SearchResults,
    Context,
}

/// Drops all but the newest lines of a pane. Returns whether any were dropped.
pub(crate) fn keep_newest(pane: &mut PaneHits, most: usize) -> bool {
    let Some(excess) = pane.count.checked_sub(most).filter(|excess| *excess > 0) else {
        return false;
    };
    let mut found = (0..pane.hits.len()).filter(|at| !pane.hits[*at].is_context);
    // Keep the context before the first line that stays.
    let first = found.nth(excess).unwrap_or(pane.hits.len());
    let context = pane.hits[..first].iter().rev();
    let context = context
        .take_while(|hit| hit.is_context && !hit.is_apart)
        .count();
    pane.hits.drain(..first - context);
    pane.count = most;
    true
}
