//! What is left of a pane after its server ended: a checkpoint, and the output since then.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::StoreError;
use crate::format::HEADER;
use crate::format::journal::{Begins, Record};
use crate::format::screen::Checkpoint;
use crate::format::sealed;
use crate::history::{Excess, History};
use crate::journal::reader::{Reader, Step};
use crate::pane::{HISTORY, PaneDir, SCREEN};

/// The generation of a pane's first journal.
pub const FIRST_JOURNAL: u64 = 1;

/// All that is kept of a pane.
#[derive(Debug)]
pub struct Recovery {
    /// The newest good checkpoint, if there is any that leads up to what is there.
    pub checkpoint: Option<Checkpoint>,
    /// The pages that belong to it; without one, all that there are, unless the journals give them again.
    pub history: History,
    /// The generation for the next new journal.
    pub next_journal: u64,
    /// The newest of the journals to be replayed, to be gone on with by [`crate::Journal::reopen`].
    pub last_journal: Option<u64>,
    /// What was found broken.
    pub damage: Vec<Damage>,
    dir: PaneDir,
    chain: Vec<u64>,
}

/// A file that was found broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// Where it, or a copy of it, was set aside.
    pub kept_at: Option<PathBuf>,
}

impl Damage {
    pub(crate) fn new(file: &Path, what: String, kept_at: Option<PathBuf>) -> Self {
        Self {
            file: file.to_owned(),
            what,
            kept_at,
        }
    }

    pub(crate) fn noted(file: &Path, what: &str) -> Self {
        Self::new(file, what.to_owned(), None)
    }

    /// Whether it is the lines of long ago that are damaged, which nobody reads before he looks at them.
    #[must_use]
    pub fn is_of_history(&self) -> bool {
        self.file.ends_with(HISTORY)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is damaged: {}", self.file.display(), self.what)?;
        match &self.kept_at {
            Some(place) => write!(f, " (set aside as {})", place.display()),
            None => Ok(()),
        }
    }
}

/// Where the checkpoint came from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// It is the newest that was written.
    Newest,
    /// There is none that replaced it: the server ended between the two renames, or that one was set aside before.
    Unreplaced,
    /// Newer ones are broken or missing.
    Older,
}

impl Recovery {
    pub(crate) fn of(dir: &PaneDir) -> Result<Self, StoreError> {
        let mut damage = Vec::new();
        let (mut checkpoint, found) = newest(dir, &mut damage)?;
        let excess = match found {
            Found::Newest => Excess::Cut,
            _ if !is_bridged(dir, checkpoint.as_ref())? => Excess::Keep,
            Found::Unreplaced => Excess::Cut,
            Found::Older => Excess::SetAside,
        };
        if excess == Excess::Keep {
            // What it shows is in the pages that were written since.
            checkpoint = None;
            if damage.is_empty() {
                damage.push(Damage::noted(&dir.file(SCREEN), "it is not there"));
            }
        }
        let start = checkpoint.as_ref().map(|checkpoint| checkpoint.journal);
        // Whatever is refused must be refused before anything is cut.
        let (chain, apart) = chain(dir, start)?;
        let end = checkpoint
            .as_ref()
            .map_or(0, |checkpoint| checkpoint.history_end);
        let history = History::recover(dir, end, excess, &mut damage)?;
        let last_journal = chain.last().copied();
        let next_journal = last_journal.map_or(start.unwrap_or(FIRST_JOURNAL), |last| last + 1);
        let mut recovery = Self {
            checkpoint,
            history,
            next_journal,
            last_journal,
            damage,
            dir: dir.clone(),
            chain,
        };
        for (generation, why) in apart {
            recovery.set_journal_aside(generation, &why);
        }
        Ok(recovery)
    }

    /// Gives the records of all journals since the checkpoint, in order, up to the first damage. A journal that is
    /// damaged is copied to the quarantine and cut; those after it are moved there.
    pub fn replay(&mut self, mut each: impl FnMut(Record<'_>)) {
        for at in 0..self.chain.len() {
            let generation = self.chain[at];
            let path = self.dir.journal_path(generation);
            let Err(stop) = replay_one(&path, &mut each) else {
                continue;
            };
            self.stop_at(&path, stop);
            for later in self.chain.split_off(at + 1) {
                self.set_journal_aside(later, APART);
            }
            self.last_journal = Some(generation);
            self.next_journal = generation + 1;
            return;
        }
    }

    fn stop_at(&mut self, path: &Path, stop: Stop) {
        let mut kept_at = None;
        if let (Some(good_end), true) = (stop.good_end, self.dir.may_write()) {
            // Cut only once the copy is safe; otherwise it is found damaged again next time.
            kept_at = self.dir.set_aside_copy(path).ok();
            if kept_at.is_some() {
                let file = std::fs::OpenOptions::new().write(true).open(path);
                let _ = file.and_then(|file| file.set_len(good_end));
            }
        }
        self.damage.push(Damage::new(path, stop.why, kept_at));
    }

    fn set_journal_aside(&mut self, generation: u64, what: &str) {
        let path = self.dir.journal_path(generation);
        let kept_at = match self.dir.may_write() {
            true => self.dir.set_aside(&path).ok(),
            false => None,
        };
        self.damage
            .push(Damage::new(&path, what.to_owned(), kept_at));
    }
}

/// Why a replay ended early.
struct Stop {
    why: String,
    /// Up to where the file is good, if it is the file that is bad.
    good_end: Option<u64>,
}

fn replay_one(path: &Path, each: &mut impl FnMut(Record<'_>)) -> Result<(), Stop> {
    let unread = |why: String| Stop {
        why,
        good_end: None,
    };
    let mut reader = Reader::open(path).map_err(|error| unread(error.to_string()))?;
    loop {
        match reader.step() {
            Ok(Step::Record(record)) => each(record),
            Ok(Step::End) => return Ok(()),
            Ok(Step::Damage(why)) => {
                return Err(Stop {
                    why: why.to_string(),
                    good_end: Some(reader.good_end()),
                });
            }
            Err(error) => return Err(unread(error.to_string())),
        }
    }
}

/// The newest good checkpoint. Broken ones are set aside.
fn newest(
    dir: &PaneDir,
    damage: &mut Vec<Damage>,
) -> Result<(Option<Checkpoint>, Found), StoreError> {
    let mut found = Found::Newest;
    for name in [SCREEN, &disk::old_name(SCREEN)] {
        match dir.read_checkpoint(name) {
            Ok(Some(checkpoint)) => return Ok((Some(checkpoint), found)),
            Ok(None) => found = Found::Unreplaced,
            Err(StoreError::Broken { path, why }) => {
                found = Found::Older;
                let kept_at = match dir.may_write() {
                    true => Some(dir.set_aside(&path)?),
                    false => None,
                };
                damage.push(Damage::new(&path, why.to_string(), kept_at));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((None, Found::Older))
}

/// Whether an older checkpoint, or none, is enough: the journals since then are still there, or no page was written since.
fn is_bridged(dir: &PaneDir, checkpoint: Option<&Checkpoint>) -> Result<bool, StoreError> {
    let journals = dir.journals()?;
    let Some(checkpoint) = checkpoint else {
        return is_young(dir, journals.first().copied());
    };
    let is_led_up_to = journals.contains(&checkpoint.journal);
    Ok(is_led_up_to || !has_pages_beyond(dir, checkpoint.history_end))
}

/// Whether a pane without a checkpoint never had one, so that its journals are all that was shown in it.
fn is_young(dir: &PaneDir, first_journal: Option<u64>) -> Result<bool, StoreError> {
    match first_journal {
        Some(FIRST_JOURNAL) => match Reader::open(&dir.journal_path(FIRST_JOURNAL)) {
            Ok(first) => Ok(first.begins() != Begins::Apart),
            Err(StoreError::Broken { .. }) => Ok(false),
            Err(error) => Err(error),
        },
        // The others begin with a checkpoint.
        Some(_) => Ok(false),
        // The first one is made before anybody writes how the program was started.
        None => Ok(!has_pages_beyond(dir, 0) && !dir.file(sealed::START.name).exists()),
    }
}

fn has_pages_beyond(dir: &PaneDir, end: u64) -> bool {
    let written = std::fs::metadata(dir.file(HISTORY)).map_or(0, |meta| meta.len());
    written > end.max(HEADER as u64)
}

/// Why a journal is of no use.
const APART: &str = "output before it is missing";

/// Journals that are of no use, and why.
type Apart = Vec<(u64, String)>;

/// The journals that go on from a checkpoint, and those that lie beyond a hole, or are none.
fn chain(dir: &PaneDir, start: Option<u64>) -> Result<(Vec<u64>, Apart), StoreError> {
    let journals = dir.journals()?;
    let Some(start) = start.or_else(|| journals.first().copied()) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let mut chain = Vec::new();
    let mut apart = Vec::new();
    let mut length = 0;
    for generation in journals.into_iter().filter(|&found| found >= start) {
        let path = dir.journal_path(generation);
        let begins = match Reader::open(&path) {
            Ok(reader) => reader.begins(),
            Err(StoreError::Broken { why, .. }) => {
                apart.push((generation, why.to_string()));
                continue;
            }
            Err(error) => return Err(error),
        };
        let next = chain.last().map_or(start, |last| last + 1);
        let follows = chain.is_empty() || matches!(begins, Begins::After(whole) if whole <= length);
        if apart.is_empty() && generation == next && follows {
            chain.push(generation);
            let meta = std::fs::metadata(&path).map_err(StoreError::io("look at", &path))?;
            length = meta.len();
        } else {
            apart.push((generation, APART.to_owned()));
        }
    }
    Ok((chain, apart))
}
