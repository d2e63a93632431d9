//! Where not to look: filters over the text of panes at rest, kept beside it.
//!
//! They are made after a search has missed them, and when a session has fallen asleep or was archived, always by a thread that
//! nobody waits for. Whatever has none, or has changed since, is read.

use std::ops::Range;

use shellkeep_search::{Filter, FilterBuilder, Pattern};
use shellkeep_store::{IndexBlock, PaneDir};
use shellkeep_term::TextLines;

use crate::search::stored::Kept;

/// So many pages share a filter: some ten thousand lines. With fewer the filters take more room than they save time.
const PAGES: usize = 40;

/// What is known of a pane's text before it is read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// Lines among which it is not.
    empty: Vec<Range<u64>>,
    /// Lines among which it may be.
    others: usize,
}

impl Known {
    /// What the index of a pane says of a pattern; nothing if there is none.
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

    /// Whether it is nowhere.
    pub(crate) fn is_nowhere(&self) -> bool {
        self.others == 0
    }

    /// Whether it is not among the lines that begin with this one, up to the next page.
    pub(crate) fn is_not_at(&self, line: u64) -> bool {
        self.empty.iter().any(|lines| lines.contains(&line))
    }
}

/// Makes the index of a pane at rest, if it has none that is good; of another nothing.
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
    // If it has changed meanwhile, nobody knows what was read.
    if kept.dir.rest_mark() == Some(mark)
        && let Err(error) = kept.own.write_index(&mark, &blocks)
    {
        tracing::debug!(%error, "an index cannot be written");
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
        // The screens stay with the pages before them, whose last line goes on there.
        if part > 0 && part % PAGES == 0 && part + PAGES / 2 < parts {
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
