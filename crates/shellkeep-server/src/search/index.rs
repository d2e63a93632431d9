//! Indexes of panes at rest: filters that tell a search which lines cannot match.
//!
//! They are written after a search has missed them, and when a session falls asleep or is archived, always on a thread.
//! A pane without an index, or one that has changed since, is read.

use std::ops::Range;

use shellkeep_search::{Filter, FilterBuilder, Pattern};
use shellkeep_store::{IndexBlock, PaneDir};
use shellkeep_term::TextLines;

use crate::search::stored::Kept;

/// How many pages share a filter: some ten thousand lines. Smaller filters take more room than they save time.
const PAGES_PER_FILTER: usize = 40;

/// What the index tells about a pane.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// Ranges of lines without a match.
    empty: Vec<Range<u64>>,
    /// How many lines may have matches.
    others: usize,
}

impl Known {
    /// What the index of a pane tells about a pattern; None without an index.
    pub(crate) fn of(dir: &PaneDir, pattern: &Pattern) -> Option<Self> {
        let mut known = Self::default();
        for block in dir.read_index()? {
            let filter = Filter::from_bytes(&block.filter)?;
            match pattern.may_be_in(&filter) {
                true => known.others += 1,
                false => known.empty.push(block.first_line..block.end_line),
            }
        }
        Some(known)
    }

    /// Whether no line matches.
    pub(crate) fn is_nowhere(&self) -> bool {
        self.others == 0
    }

    /// Whether no line of the page that begins with this line matches.
    pub(crate) fn is_not_at(&self, line: u64) -> bool {
        self.empty.iter().any(|lines| lines.contains(&line))
    }
}

/// Writes the index of a pane at rest, unless it has a valid one. Does nothing for other panes.
pub(crate) fn refresh(kept: &Kept) {
    if kept.dir.read_index().is_some() {
        return;
    }
    let Some(mark) = kept.dir.rest_mark() else {
        return;
    };
    let Ok(blocks) = blocks(kept) else {
        return;
    };
    // If the pane has changed meanwhile, the filters may be wrong.
    if kept.dir.rest_mark() == Some(mark)
        && let Err(error) = kept.own.write_index(&mark, &blocks)
    {
        tracing::debug!(%error, "cannot write a search index");
    }
}

fn blocks(kept: &Kept) -> Result<Vec<IndexBlock>, String> {
    let mut reading = kept.read()?;
    let parts = reading.printed.parts();
    let mut text = TextLines::default();
    let mut builder = FilterBuilder::default();
    let mut blocks: Vec<IndexBlock> = Vec::new();
    let mut first_line = 0;
    for part in 0..parts {
        // The screen belongs to the same block as the page before it, whose last line may continue there.
        if part > 0 && part % PAGES_PER_FILTER == 0 && part + PAGES_PER_FILTER / 2 < parts {
            let end_line = reading.printed.first_line(part);
            blocks.push(block(first_line..end_line, &mut builder));
            first_line = end_line;
        }
        reading.read(part, &mut text);
        builder.add(text.text());
    }
    blocks.push(block(first_line..u64::MAX, &mut builder));
    Ok(blocks)
}

fn block(lines: Range<u64>, builder: &mut FilterBuilder) -> IndexBlock {
    IndexBlock {
        first_line: lines.start,
        end_line: lines.end,
        filter: builder.finish().as_bytes().to_vec(),
    }
}
