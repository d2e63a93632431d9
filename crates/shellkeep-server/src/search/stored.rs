//! Reading a pane that is on disk alone, without changing its files.

use std::sync::Arc;

use shellkeep_core::Size;
use shellkeep_store::{History, PaneDir, StoreError};
use shellkeep_term::{Config, Emulator, Keep, PageStore, TakenPage};

use crate::persistence::record::apply;
use crate::search::reading::Reading;

/// A pane on disk, for reading.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// Its directory, opened for reading only.
    pub(crate) dir: PaneDir,
    /// Its directory as its owner uses it.
    pub(crate) own: PaneDir,
    pub(crate) size: Size,
    pub(crate) config: Config,
}

impl Kept {
    /// A pane for which no server has told size or options.
    pub(crate) fn plain(own: PaneDir) -> Self {
        Self {
            dir: own.only_look(),
            own,
            size: Size::default(),
            config: Config {
                keep: Keep::Store,
                history_limit: usize::MAX,
                ..Config::default()
            },
        }
    }

    /// All its text, for a search.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(&self) -> Result<Reading, String> {
        let (emulator, history) = self.load()?;
        Ok(Reading::new(emulator.printed(), Some(&history)))
    }

    /// Its terminal as it is on disk.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn emulator(&self) -> Result<Emulator, String> {
        self.load().map(|(emulator, _)| emulator)
    }

    fn load(&self) -> Result<(Emulator, History), String> {
        let sentence = |error: StoreError| error.to_string();
        let mut recovery = self.dir.load().map_err(sentence)?;
        let history = recovery.history.clone();
        let pages = Arc::new(Pages(history.clone()));
        let (config, index) = (self.config.clone(), taken(&history));
        let mut emulator = match recovery.checkpoint.take() {
            Some(checkpoint) => {
                let restored = Emulator::restore_kept(&checkpoint.dump, config, &index, pages);
                restored.map_err(|error| error.to_string())?
            }
            None => Emulator::over_pages(self.size, config, &index, pages),
        };
        recovery.replay(|entry| apply(&mut emulator, &entry));
        Ok((emulator, history))
    }
}

fn taken(history: &History) -> Vec<TakenPage> {
    let pages = history.index().into_iter().map(|page| TakenPage {
        number: page.number,
        first_line: page.first_line,
        lines: page.lines,
        cells: page.cells,
        longest: page.longest,
    });
    pages.collect()
}

/// The pages of a history, one at a time.
#[derive(Debug)]
struct Pages(History);

impl PageStore for Pages {
    fn page(&self, number: u64) -> Option<Vec<u8>> {
        self.0.page(number)
    }
}
