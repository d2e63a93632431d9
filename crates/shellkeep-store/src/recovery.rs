//! Recovers a pane after its server ended, from a checkpoint and the output since then.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use shellkeep_files::Access;

use crate::damage::Damage;
use crate::disk;
use crate::error::StoreError;
use crate::history::{Excess, History, end_of_file};
use crate::journal::reader::{JournalReader, Step};
use crate::pane::{FIRST_JOURNAL, PaneDir};
use crate::schema::header::HEADER;
use crate::schema::journal::{Begins, CANCEL, MAX_FILE, Record, encode_header, filler};
use crate::schema::layout::SCREEN;
use crate::schema::screen::Checkpoint;
use crate::schema::sealed;

/// Everything that is stored of a pane.
#[derive(Debug)]
pub struct Recovery {
    /// The newest good checkpoint from which the journals lead to the last output, if there is one.
    pub checkpoint: Option<Checkpoint>,
    /// The pages up to the checkpoint. Without a checkpoint all pages, unless the journals produce them again.
    pub history: History,
    /// The generation for the next new journal.
    pub next_journal: u64,
    /// The last journal of the replay; [`crate::Journal::reopen`] continues it.
    pub last_journal: Option<u64>,
    /// The damaged files.
    pub damage: Vec<Damage>,
    dir: PaneDir,
    chain: Vec<Part>,
}

/// Which checkpoint is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CheckpointAge {
    /// The last one that was written.
    Newest,
    /// The previous one, or none, because the newest is damaged or missing.
    Older,
}

impl PaneDir {
    /// Reads everything that is stored of the pane: the newest good checkpoint and what follows it. Broken files are
    /// moved to the quarantine and reported, and so is a link in place of the directory, whose target must not be read
    /// or written.
    ///
    /// # Errors
    /// When something cannot be read, or was written by a later version.
    pub fn load(&self) -> Result<Recovery, StoreError> {
        let link = self.set_link_aside()?;
        let mut recovery = Recovery::of(self)?;
        recovery.damage.extend(link);
        Ok(recovery)
    }
}

impl Recovery {
    fn of(dir: &PaneDir) -> Result<Self, StoreError> {
        let mut damage = Vec::new();
        let (mut checkpoint, found) = newest(dir, &mut damage)?;
        let mut excess = Excess::Cut;
        let mut start = checkpoint.as_ref().map(|checkpoint| checkpoint.journal);
        if found == CheckpointAge::Older {
            match bridge(dir, checkpoint.as_ref())? {
                Bridge::Whole => {
                    start = start.or(Some(FIRST_JOURNAL));
                    damage.iter_mut().for_each(|each| each.is_harmless = true);
                }
                Bridge::NothingBeyond => {}
                Bridge::None => {
                    excess = Excess::Keep;
                    // The lines of this checkpoint are also in pages that were written later, so they would be shown
                    // twice.
                    (checkpoint, start) = (None, None);
                    if damage.is_empty() {
                        damage.push(Damage::noted(&dir.file(SCREEN), "it is not there"));
                    }
                }
            }
        }
        // A file of a later version must be refused before any other file is cut.
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

    /// Passes the records of all journals since the checkpoint to `each`, in order. Damage is skipped, and removed from
    /// the journal once a copy of it is in the quarantine.
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
            // Only after the copy is safe. Otherwise the damage is found again the next time.
            kept_at = self.dir.set_aside_copy(path).ok();
            if kept_at.is_some()
                && let Ok(Some(file)) = disk::open_as(path, Access::Write, MAX_FILE)
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

/// The damage in a journal.
struct Flaws {
    /// The first fault.
    why: String,
    /// The ranges that are skipped.
    holes: Vec<Range<u64>>,
    /// The length that it is cut to, if no good record follows the damage.
    cut: Option<u64>,
}

impl Flaws {
    /// Replaces damaged records with filler records, so that the journal can be read again.
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

/// Replays the good records of a journal, and returns the damage.
fn replay_one(path: &Path, each: &mut impl FnMut(Record<'_>)) -> Result<Option<Flaws>, String> {
    let mut reader = JournalReader::open(path).map_err(|error| error.to_string())?;
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
                // The content of the filler record.
                let (time, bytes) = (0, &[CANCEL][..]);
                each(Record::Output { time, bytes });
                flaws.holes.push(hole);
            }
            None => flaws.cut = Some(reader.good_end()),
        }
    }
}

/// The newest good checkpoint. Broken ones are moved to the quarantine.
fn newest(
    dir: &PaneDir,
    damage: &mut Vec<Damage>,
) -> Result<(Option<Checkpoint>, CheckpointAge), StoreError> {
    let mut found = CheckpointAge::Newest;
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
        found = CheckpointAge::Older;
    }
    Ok((None, found))
}

/// How an older checkpoint, or none, leads to the last output.
enum Bridge {
    /// All journals since then exist: nothing is missing.
    Whole,
    /// Journals are missing, but no page was written since.
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

/// Whether all journals from this one on exist and are good. The last one may be damaged, since there is no other copy
/// of it.
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

/// Whether a pane without a checkpoint never had one, so that its journals have everything that it showed.
fn is_young(dir: &PaneDir) -> Result<bool, StoreError> {
    match dir.journals()?.first().copied() {
        Some(FIRST_JOURNAL) => is_the_beginning(&dir.journal_path(FIRST_JOURNAL)),
        // Other journals begin with a checkpoint.
        Some(_) => Ok(false),
        // The first journal is made before `start` is written.
        None => Ok(!has_pages_beyond(dir, 0) && !dir.file(sealed::START.name).exists()),
    }
}

/// Whether a pane without a checkpoint had only one, so that all journals from the first on still exist.
fn had_one_checkpoint(dir: &PaneDir) -> Result<bool, StoreError> {
    if dir.old_journals()?.first() != Some(&FIRST_JOURNAL) {
        return Ok(false);
    }
    let first = dir.old_journal_path(FIRST_JOURNAL);
    Ok(is_the_beginning(&first)? && leads_on(dir, FIRST_JOURNAL)?)
}

/// Whether the first journal starts with an empty pane, and not with a checkpoint after a loss.
fn is_the_beginning(first_journal: &Path) -> Result<bool, StoreError> {
    match JournalReader::open(first_journal) {
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

/// The journals that continue a checkpoint.
struct Chain {
    parts: Vec<Part>,
    /// Files in place of journals that are none, and the reasons.
    broken: Vec<(PathBuf, String)>,
}

/// The journals from `start` on, or all. Missing output between two of them is recorded as damage, and what follows is
/// replayed as well as possible.
fn chain(dir: &PaneDir, start: Option<u64>, damage: &mut Vec<Damage>) -> Result<Chain, StoreError> {
    let mut found: BTreeMap<u64, PathBuf> = BTreeMap::new();
    if start.is_some() {
        // Without a checkpoint it is unknown whether the pages contain the output in these.
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
        let begins = match JournalReader::open(&path) {
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
