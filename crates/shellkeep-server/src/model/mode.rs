//! The mode of a pane: what it shows in place of its screen.

use std::ops::RangeInclusive;
use std::sync::Arc;

use shellkeep_copy::{CopyMode, Frozen, FrozenText, Spot, Text};
use shellkeep_core::Size;
use shellkeep_render::Frame;
use shellkeep_term::TextLines;
use shellkeep_term::view::RowView;

use crate::modes::overlay::tree::Tree;
use crate::panes::screen::Screen;

/// What a pane shows in place of its screen, and what takes its keys.
pub(crate) enum Mode {
    /// The pane's own screen and history, to read and copy from.
    Copy(Box<Copy>),
    /// A command's output, to read and copy from.
    View(Box<Copy>),
    Clock,
    /// A tree to choose from.
    Tree(Box<Tree>),
}

impl Mode {
    /// The name that formats use.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Copy(_) => "copy-mode",
            Self::Tree(tree) => tree.setup.kind.mode_name(),
            Self::View(_) => "view-mode",
            Self::Clock => "clock-mode",
        }
    }

    /// The state of copy or view mode.
    pub(crate) fn copy(&self) -> Option<&Copy> {
        match self {
            Self::Copy(copy) | Self::View(copy) => Some(copy),
            Self::Clock | Self::Tree(_) => None,
        }
    }

    pub(crate) fn copy_mut(&mut self) -> Option<&mut Copy> {
        match self {
            Self::Copy(copy) | Self::View(copy) => Some(copy),
            Self::Clock | Self::Tree(_) => None,
        }
    }
}

pub(crate) struct Copy {
    /// The position and the text. `None` while a long search runs on another thread, which has them.
    pub(crate) reading: Option<Reading>,
    /// The screen that is read: in copy mode mostly the pane's own.
    pub(crate) screen: Arc<Screen>,
    /// The repeat count that was typed for the next command.
    pub(crate) count: Option<u32>,
    /// The text position of the cursor before the pane was resized.
    pub(crate) spot: Option<Spot>,
    /// The frame that is shown while a long search runs.
    pub(crate) search_frame: Option<Arc<Frame>>,
    /// Names the current search: results of earlier ones are ignored.
    pub(crate) ticket: u64,
}

/// A frozen text and the user's position in it.
pub(crate) struct Reading {
    pub(crate) place: CopyMode,
    pub(crate) frozen: Frozen,
}

impl Copy {
    pub(crate) fn new(reading: Reading, screen: Arc<Screen>) -> Self {
        Self {
            reading: Some(reading),
            screen,
            count: None,
            spot: None,
            search_frame: None,
            ticket: 0,
        }
    }

    /// Remembers which text the cursor is on, before the pane is resized.
    pub(crate) fn before_resize(&mut self) {
        if let Some(reading) = &self.reading
            && self.spot.is_none()
        {
            let emulator = self.screen.lock();
            self.spot = Some(reading.frozen.spot(&emulator, reading.place.cursor()));
        }
    }

    /// Calls `look` with the position and the text. None while a long search runs.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&CopyMode, &FrozenText<'_>) -> T) -> Option<T> {
        let reading = self.reading.as_ref()?;
        let emulator = self.screen.lock();
        Some(look(&reading.place, &reading.frozen.text(&emulator)))
    }

    /// Calls a function that may move the position. None while a long search runs.
    pub(crate) fn go<T>(
        &mut self,
        act: impl FnOnce(&mut CopyMode, &FrozenText<'_>) -> T,
    ) -> Option<T> {
        let reading = self.reading.as_mut()?;
        let emulator = self.screen.lock();
        let text = reading.frozen.text(&emulator);
        Some(act(&mut reading.place, &text))
    }

    /// The size of the text area.
    pub(crate) fn size(&self) -> Size {
        self.screen.lock().size()
    }
}

/// A text that is read while its pane's program prints. The screen is locked for one row at a time: a reader that asked
/// for another row while holding the lock would deadlock with itself.
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
