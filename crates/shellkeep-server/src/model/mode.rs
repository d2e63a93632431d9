//! What a pane shows in place of its screen.

use std::ops::RangeInclusive;
use std::sync::Arc;

use shellkeep_copy::{CopyMode, Frozen, FrozenText, Spot, Text};
use shellkeep_core::Size;
use shellkeep_render::Frame;
use shellkeep_term::TextLines;
use shellkeep_term::view::RowView;

use crate::modes::overlay::tree::Tree;
use crate::panes::screen::Screen;

/// What is shown, and takes the keys.
pub(crate) enum Mode {
    /// What was printed, to be looked through and copied from.
    Copy(Box<Copy>),
    /// What a command printed, to be looked through in the same way.
    View(Box<Copy>),
    /// A clock.
    Clock,
    /// A tree to choose from.
    Tree(Box<Tree>),
}

impl Mode {
    /// What formats call it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Copy(_) => "copy-mode",
            Self::Tree(tree) => tree.setup.kind.mode_name(),
            Self::View(_) => "view-mode",
            Self::Clock => "clock-mode",
        }
    }

    /// Copy mode, if it is that.
    pub(crate) fn copy(&self) -> Option<&Copy> {
        match self {
            Self::Copy(copy) | Self::View(copy) => Some(copy),
            Self::Clock | Self::Tree(_) => None,
        }
    }

    /// Copy mode, if it is that.
    pub(crate) fn copy_mut(&mut self) -> Option<&mut Copy> {
        match self {
            Self::Copy(copy) | Self::View(copy) => Some(copy),
            Self::Clock | Self::Tree(_) => None,
        }
    }
}

/// Copy mode.
pub(crate) struct Copy {
    /// Where the user is and what was printed; `None` while a long search works on it.
    pub(crate) reading: Option<Reading>,
    /// Whose text it is: mostly the pane's own screen.
    pub(crate) screen: Arc<Screen>,
    /// How often the next command is repeated, if that was said before.
    pub(crate) count: Option<u32>,
    /// Where the cursor was in the text before the pane got another size.
    pub(crate) spot: Option<Spot>,
    /// What is shown while a long search goes on.
    pub(crate) picture: Option<Arc<Frame>>,
    /// Tells one search from the next.
    pub(crate) ticket: u64,
}

/// A user's place in what was printed.
pub(crate) struct Reading {
    pub(crate) place: CopyMode,
    pub(crate) frozen: Frozen,
}

impl Copy {
    /// The pane is about to get another size: remembers what the cursor is on.
    pub(crate) fn before_resize(&mut self) {
        if let Some(reading) = &self.reading
            && self.spot.is_none()
        {
            let emulator = self.screen.lock();
            self.spot = Some(reading.frozen.spot(&emulator, reading.place.cursor()));
        }
    }

    /// Lets somebody read the text, with the place in it.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&CopyMode, &FrozenText<'_>) -> T) -> Option<T> {
        let reading = self.reading.as_ref()?;
        let emulator = self.screen.lock();
        Some(look(&reading.place, &reading.frozen.text(&emulator)))
    }

    /// Lets somebody move in the text.
    pub(crate) fn go<T>(
        &mut self,
        act: impl FnOnce(&mut CopyMode, &FrozenText<'_>) -> T,
    ) -> Option<T> {
        let reading = self.reading.as_mut()?;
        let emulator = self.screen.lock();
        let text = reading.frozen.text(&emulator);
        Some(act(&mut reading.place, &text))
    }

    /// The size of what is shown.
    pub(crate) fn size(&self) -> Size {
        self.screen.lock().size()
    }
}

/// A text that is read while its pane goes on: the screen is locked until a row is found. Not longer: whoever reads it may
/// ask for something else meanwhile, and would wait for himself.
pub(crate) struct SharedText<'a> {
    pub(crate) frozen: &'a Frozen,
    pub(crate) screen: &'a Screen,
}

impl Text for SharedText<'_> {
    fn cols(&self) -> u16 {
        self.frozen.cols()
    }

    fn screen_rows(&self) -> u16 {
        self.frozen.screen_rows()
    }

    fn history_rows(&self) -> usize {
        self.frozen.text(&self.screen.lock()).history_rows()
    }

    fn count_history(&self) -> usize {
        self.frozen.text(&self.screen.lock()).count_history()
    }

    fn page_text(&self, row: i64, out: &mut TextLines) -> Option<RangeInclusive<i64>> {
        self.frozen.text(&self.screen.lock()).page_text(row, out)
    }

    fn with_row(&self, row: i64, read: &mut dyn FnMut(RowView<'_>)) {
        let found = self.frozen.row(&self.screen.lock(), row);
        if let Some(row) = found {
            row.lend(read);
        }
    }
}
