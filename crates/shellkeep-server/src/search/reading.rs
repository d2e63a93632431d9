//! The text of a pane at one moment.

use shellkeep_store::{History, PageReader};
use shellkeep_term::{Printed, TextLines};

use crate::search::index::Known;

pub(crate) struct Reading {
    pub(crate) printed: Printed,
    /// The pages on disk, to be read one after another.
    pub(crate) pages: Option<PageReader>,
    /// What the index tells about them.
    pub(crate) known: Known,
}

impl Reading {
    pub(crate) fn new(printed: Printed, history: Option<&History>) -> Self {
        let pages = history.and_then(History::reader);
        Self {
            printed,
            pages,
            known: Known::default(),
        }
    }

    pub(crate) fn read(&mut self, part: usize, out: &mut TextLines) {
        out.clear();
        if let Some(number) = self.printed.page_away(part)
            && let Some(bytes) = self.pages.as_mut().and_then(|pages| pages.page(number))
            && self.printed.push_page(part, bytes, out)
        {
            return;
        }
        self.printed.push_text(part, out);
    }
}
