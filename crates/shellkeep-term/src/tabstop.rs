//! Tab stops: every eight columns until a program changes them.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TabStops {
    /// One bit a column; `None` while the stops are the default ones.
    set: Option<Vec<u64>>,
}

const USUAL: u64 = 0x0101_0101_0101_0101;

impl TabStops {
    /// The words, if the stops are not the default ones.
    pub(crate) fn words(&self) -> Option<&[u64]> {
        self.set.as_deref()
    }

    pub(crate) fn from_words(words: Option<Vec<u64>>) -> Self {
        Self { set: words }
    }

    pub(crate) fn is_stop(&self, col: u16) -> bool {
        let word = self
            .set
            .as_ref()
            .map_or(Some(USUAL), |set| set.get(usize::from(col / 64)).copied())
            // Columns that a wider screen has added get the default stops.
            .unwrap_or(USUAL);
        word >> (col % 64) & 1 != 0
    }

    fn word_mut(&mut self, col: u16) -> &mut u64 {
        let set = self.set.get_or_insert_default();
        let at = usize::from(col / 64);
        if set.len() <= at {
            set.resize(at + 1, USUAL);
        }
        &mut set[at]
    }

    pub(crate) fn set(&mut self, col: u16) {
        if !self.is_stop(col) {
            *self.word_mut(col) |= 1 << (col % 64);
        }
    }

    pub(crate) fn clear(&mut self, col: u16) {
        if self.is_stop(col) {
            *self.word_mut(col) &= !(1 << (col % 64));
        }
    }

    /// Clears all stops, including those of columns beyond the present width.
    pub(crate) fn clear_all(&mut self) {
        self.set = Some(vec![0; usize::from(shellkeep_core::Size::MAX) / 64 + 1]);
    }

    /// The next stop to the right of `col`, at most `last`.
    pub(crate) fn next(&self, col: u16, last: u16) -> u16 {
        (col + 1..last).find(|&at| self.is_stop(at)).unwrap_or(last)
    }

    /// The next stop to the left of `col`, at least `first`.
    pub(crate) fn previous(&self, col: u16, first: u16) -> u16 {
        (first..col)
            .rev()
            .find(|&at| self.is_stop(at))
            .unwrap_or(first)
    }
}
