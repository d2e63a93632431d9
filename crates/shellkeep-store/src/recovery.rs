//! What is left of a pane after its server ended: a checkpoint, and the output since then.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use shellkeep_files::Access;

use crate::disk;
use crate::error::StoreError;
use crate::format::HEADER;
use crate::format::journal::{Begins, CANCEL, Record, encode_header, filler};
use crate::format::screen::Checkpoint;
use crate::format::sealed;
use crate::history::{Excess, History, end_of_file};
use crate::journal::MAX_JOURNAL;
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
    chain: Vec<Part>,
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
    /// Other files have all that it had.
    pub is_harmless: bool,
}

impl Damage {
    pub(crate) fn new(file: &Path, what: String, kept_at: Option<PathBuf>) -> Self {
        Self {
            file: file.to_owned(),
            what,
            kept_at,
            is_harmless: false,
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
    /// The newest is broken or missing, or none was written yet.
    Older,
}

impl Recovery {
    pub(crate) fn of(dir: &PaneDir) -> Result<Self, StoreError> {
        let mut damage = Vec::new();
        let (mut checkpoint, found) = newest(dir, &mut damage)?;
        let mut excess = Excess::Cut;
        let mut start = checkpoint.as_ref().map(|checkpoint| checkpoint.journal);
        if found == Found::Older {
            match bridge(dir, checkpoint.as_ref())? {
                Bridge::Whole => {
                    start = start.or(Some(FIRST_JOURNAL));
                    damage.iter_mut().for_each(|each| each.is_harmless = true);
                }
                Bridge::NothingBeyond => {}
                Bridge::None => {
                    excess = Excess::Keep;
                    // What it shows is in the pages that were written since.
                    (checkpoint, start) = (None, None);
                    if damage.is_empty() {
                        damage.push(Damage::noted(&dir.file(SCREEN), "it is not there"));
                    }
                }
            }
        }
        // Whatever is refused must be refused before anything is cut.
        let Chain { parts, broken } = chain(dir, start, &mut damage)?;
        let end = checkpoint
            .as_ref()
            .map_or(0, |checkpoint| checkpoint.history_end);
        let history = History::recover(dir, end, excess, &mut damage)?;
        let last_journal = parts.last().map(|part| part.generation);
        let next_journal = last_journal.map_or(start.unwrap_or(FIRST_JOURNAL), |last| last + 1);
        let mut recovery = Self {
            checkpoint,
            history,
            next_journal,
            last_journal,
            damage,
            dir: dir.clone(),
            chain: parts,
        };
        for (path, why) in broken {
            recovery.set_journal_aside(&path, &why);
        }
        Ok(recovery)
    }

    /// Gives the records of all journals since the checkpoint, in order. What is damaged is skipped, and given up once a copy of the journal is
    /// in the quarantine.
    pub fn replay(&mut self, mut each: impl FnMut(Record<'_>)) {
        for part in std::mem::take(&mut self.chain) {
            match replay_one(&part.path, &mut each) {
                Ok(None) => {}
                Ok(Some(flaws)) => self.mend(&part.path, &flaws),
                Err(why) => self.damage.push(Damage::new(&part.path, why, None)),
            }
        }
    }

    fn mend(&mut self, path: &Path, flaws: &Flaws) {
        let mut kept_at = None;
        if self.dir.may_write() {
            // Given up only once the copy is safe; otherwise it is found damaged again next time.
            kept_at = self.dir.set_aside_copy(path).ok();
            if kept_at.is_some()
                && let Ok(Some(file)) = disk::open_as(path, Access::Write, MAX_JOURNAL)
            {
                let _ = flaws.give_up(&file);
            }
        }
        let what = flaws.why.clone();
        self.damage.push(Damage::new(path, what, kept_at));
    }

    fn set_journal_aside(&mut self, path: &Path, what: &str) {
        let kept_at = match self.dir.may_write() {
            true => self.dir.set_aside(path).ok(),
            false => None,
        };
        self.damage
            .push(Damage::new(path, what.to_owned(), kept_at));
    }
}

/// What is damaged in a journal.
struct Flaws {
    /// What is wrong first.
    why: String,
    /// What is skipped.
    holes: Vec<Range<u64>>,
    /// Where it is cut, if nothing good follows.
    cut: Option<u64>,
}

impl Flaws {
    /// Puts records that say nothing in the places of those that are damaged, so that the journal is good again.
    fn give_up(&self, file: &File) -> io::Result<()> {
        for hole in &self.holes {
            let bytes = match hole.start {
                0 => Some(encode_header(Begins::After(0))),
                _ => filler(hole.end - hole.start),
            };
            if let Some(bytes) = bytes {
                file.write_all_at(&bytes, hole.start)?;
            }
        }
        self.cut.map_or(Ok(()), |end| file.set_len(end))
    }
}

/// Replays what is good of a journal, and says what is not.
fn replay_one(path: &Path, each: &mut impl FnMut(Record<'_>)) -> Result<Option<Flaws>, String> {
    let mut reader = Reader::open(path).map_err(|error| error.to_string())?;
    let mut flaws: Option<Flaws> = None;
    loop {
        let why = match reader.step().map_err(|error| error.to_string())? {
            Step::Record(record) => {
                each(record);
                continue;
            }
            Step::End => return Ok(flaws),
            Step::Damage(why) => why.to_string(),
        };
        let flaws = flaws.get_or_insert(Flaws {
            why,
            holes: Vec::new(),
            cut: None,
        });
        match reader.skip_damage().map_err(|error| error.to_string())? {
            Some(hole) => {
                // As if the filler stood there already.
                let (time, bytes) = (0, &[CANCEL][..]);
                each(Record::Output { time, bytes });
                flaws.holes.push(hole);
            }
            None => flaws.cut = Some(reader.good_end()),
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
            Ok(None) => {}
            Err(StoreError::Broken { path, why }) => {
                let kept_at = match dir.may_write() {
                    true => Some(dir.set_aside(&path)?),
                    false => None,
                };
                damage.push(Damage::new(&path, why.to_string(), kept_at));
            }
            Err(error) => return Err(error),
        }
        found = Found::Older;
    }
    Ok((None, found))
}

/// How an older checkpoint, or none, leads up to what was shown last.
enum Bridge {
    /// The journals since then are all there: nothing is missing.
    Whole,
    /// They are not, but no page was written since.
    NothingBeyond,
    None,
}

fn bridge(dir: &PaneDir, checkpoint: Option<&Checkpoint>) -> Result<Bridge, StoreError> {
    let Some(checkpoint) = checkpoint else {
        return Ok(match is_young(dir)? || had_one_checkpoint(dir)? {
            true => Bridge::Whole,
            false => Bridge::None,
        });
    };
    if leads_on(dir, checkpoint.journal)? {
        return Ok(Bridge::Whole);
    }
    Ok(match has_pages_beyond(dir, checkpoint.history_end) {
        true => Bridge::None,
        false => Bridge::NothingBeyond,
    })
}

/// Whether the journals from this one on are all there, and good but for the last, of which there is no other copy.
fn leads_on(dir: &PaneDir, first: u64) -> Result<bool, StoreError> {
    let mut damage = Vec::new();
    let Chain { parts, broken } = chain(dir, Some(first), &mut damage)?;
    if !damage.is_empty() || !broken.is_empty() {
        return Ok(false);
    }
    let Some((_, before)) = parts.split_last() else {
        return Ok(false);
    };
    let is_good = |part: &Part| matches!(replay_one(&part.path, &mut |_| {}), Ok(None));
    Ok(before.iter().all(is_good))
}

/// Whether a pane without a checkpoint never had one, so that its journals are all that was shown in it.
fn is_young(dir: &PaneDir) -> Result<bool, StoreError> {
    match dir.journals()?.first().copied() {
        Some(FIRST_JOURNAL) => is_the_beginning(&dir.journal_path(FIRST_JOURNAL)),
        // The others begin with a checkpoint.
        Some(_) => Ok(false),
        // The first one is made before anybody writes how the program was started.
        None => Ok(!has_pages_beyond(dir, 0) && !dir.file(sealed::START.name).exists()),
    }
}

/// Whether a pane without a checkpoint had only one, so that all journals from the first on are still there.
fn had_one_checkpoint(dir: &PaneDir) -> Result<bool, StoreError> {
    if dir.old_journals()?.first() != Some(&FIRST_JOURNAL) {
        return Ok(false);
    }
    let first = dir.old_journal_path(FIRST_JOURNAL);
    Ok(is_the_beginning(&first)? && leads_on(dir, FIRST_JOURNAL)?)
}

/// Whether a first journal begins with an empty pane, and not with a checkpoint after something was lost.
fn is_the_beginning(first_journal: &Path) -> Result<bool, StoreError> {
    match Reader::open(first_journal) {
        Ok(first) => Ok(first.begins() != Begins::Apart),
        Err(StoreError::Broken { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn has_pages_beyond(dir: &PaneDir, end: u64) -> bool {
    end_of_file(dir) > end.max(HEADER as u64)
}

/// A journal to be replayed.
#[derive(Debug)]
struct Part {
    generation: u64,
    path: PathBuf,
}

/// The journals that go on from a checkpoint.
struct Chain {
    parts: Vec<Part>,
    /// What lies in the place of one and is none, and why.
    broken: Vec<(PathBuf, String)>,
}

/// The journals from `start` on, or all of them. Where output between two of them is missing, that is noted; what follows is as good as it can be.
fn chain(dir: &PaneDir, start: Option<u64>, damage: &mut Vec<Damage>) -> Result<Chain, StoreError> {
    let mut found: BTreeMap<u64, PathBuf> = BTreeMap::new();
    if start.is_some() {
        // Without a checkpoint, it is not known whether the pages have what is in these.
        let old = dir.old_journals()?.into_iter();
        found.extend(old.map(|generation| (generation, dir.old_journal_path(generation))));
    }
    let journals = dir.journals()?.into_iter();
    found.extend(journals.map(|generation| (generation, dir.journal_path(generation))));
    let mut chain = Chain {
        parts: Vec::new(),
        broken: Vec::new(),
    };
    let mut next = start;
    let mut length = None;
    for (generation, path) in found.split_off(&start.unwrap_or(0)) {
        let begins = match Reader::open(&path) {
            Ok(reader) => reader.begins(),
            Err(StoreError::Broken { why, .. }) => {
                chain.broken.push((path, why.to_string()));
                continue;
            }
            Err(error) => return Err(error),
        };
        let follows = match (begins, length) {
            (_, None) => true,
            (Begins::After(whole), Some(length)) => whole <= length,
            (Begins::Apart, Some(_)) => false,
        };
        let is_next = next.is_none_or(|next| next == generation);
        if !(follows && is_next) && chain.broken.is_empty() {
            damage.push(Damage::noted(&path, "output before it is missing"));
        }
        let meta = std::fs::metadata(&path).map_err(StoreError::io("look at", &path))?;
        (next, length) = (Some(generation + 1), Some(meta.len()));
        chain.parts.push(Part { generation, path });
    }
    Ok(chain)
}
