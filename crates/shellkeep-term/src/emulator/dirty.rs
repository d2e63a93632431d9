//! Which rows changed since the changes were last taken.

use crate::view::Dirty;

/// A bit for each changed row, and a count of changes.
#[derive(Clone, Debug)]
pub(crate) struct DirtyRows {
    bits: Vec<u64>,
    rows: u16,
    all: bool,
    pub(crate) generation: u64,
}

impl DirtyRows {
    pub(crate) fn new(rows: u16) -> Self {
        Self {
            bits: vec![0; usize::from(rows).div_ceil(64)],
            rows,
            all: true,
            generation: 0,
        }
    }

    #[inline]
    pub(crate) fn row(&mut self, row: u16) {
        self.generation += 1;
        if let Some(word) = self.bits.get_mut(usize::from(row / 64)) {
            *word |= 1 << (row % 64);
        }
    }

    /// Rows `top..=bottom`.
    #[inline]
    pub(crate) fn rows(&mut self, top: u16, bottom: u16) {
        self.generation += 1;
        if self.all || (top == 0 && bottom + 1 >= self.rows) {
            self.all = true;
            return;
        }
        for row in top..=bottom {
            if let Some(word) = self.bits.get_mut(usize::from(row / 64)) {
                *word |= 1 << (row % 64);
            }
        }
    }

    /// Records another visible change: of the cursor or a mode.
    #[inline]
    pub(crate) fn cursor(&mut self) {
        self.generation += 1;
    }

    pub(crate) fn all(&mut self) {
        self.generation += 1;
        self.all = true;
    }

    pub(crate) fn resize(&mut self, rows: u16) {
        let generation = self.generation + 1;
        *self = Self::new(rows);
        self.generation = generation;
    }

    pub(crate) fn take(&mut self) -> Dirty {
        let all = std::mem::take(&mut self.all);
        let mut rows = Vec::new();
        for (at, word) in self.bits.iter_mut().enumerate() {
            let mut bits = std::mem::take(word);
            while bits != 0 && !all {
                rows.push((at * 64) as u16 + bits.trailing_zeros() as u16);
                bits &= bits - 1;
            }
        }
        match (all, rows.is_empty()) {
            (true, _) => Dirty::All,
            (false, true) => Dirty::None,
            (false, false) => Dirty::Rows(rows),
        }
    }
}
