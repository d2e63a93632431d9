//! The commands that ran in a pane: the file `commands`, which is only appended to.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::FileExt as _;

use shellkeep_files::{ANY_SIZE, Access};

use crate::disk;
use crate::error::StoreError;
use crate::pane::PaneDir;
use crate::schema::commands::{self, CommandBegan, CommandEnded, CommandEntry, FILE, MAX_LINE};

/// The end of a file in which the last command is looked for: longer than the longest line of a shell.
const TAIL: u64 = 256 << 10;

/// The most bytes that are read at once, so that a file of any size needs limited memory.
const MAX_READ: u64 = 4 << 20;

/// A part of the commands that ran in a pane.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CommandEntries {
    /// In the order in which they were written.
    pub entries: Vec<CommandEntry>,
    /// The position of the next part.
    pub end: u64,
    /// Whether there may be more entries after it.
    pub has_more: bool,
    /// The number of damaged lines, which were skipped.
    pub damaged: usize,
}

impl PaneDir {
    /// Appends entries. They survive the death of every process, but not a power cut.
    ///
    /// # Errors
    /// When it cannot be written, or was begun by a later version.
    pub fn append_commands(&self, entries: &[CommandEntry]) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.file(FILE);
        let failed = || StoreError::io("write", &path);
        let Some(mut file) = disk::open_as(&path, Access::Make, ANY_SIZE)? else {
            return Ok(());
        };
        let length = file.seek(SeekFrom::End(0)).map_err(failed())?;
        let mut text = String::new();
        if length == 0 {
            text.push_str(&commands::title());
        } else {
            let mut begin = [0; 32];
            let read = file.read_at(&mut begin, 0).map_err(failed())?;
            commands::check_title(&begin[..read]).map_err(|why| StoreError::format(&path, why))?;
            let mut last = [0];
            file.read_exact_at(&mut last, length - 1)
                .map_err(failed())?;
            if last != [b'\n'] {
                // A process was killed inside a line. Only that line is damaged.
                text.push('\n');
            }
        }
        text.extend(entries.iter().map(commands::encode));
        file.write_all(text.as_bytes()).map_err(failed())
    }

    /// The complete lines from this position on, or from the beginning; some megabytes at most.
    ///
    /// # Errors
    /// When it cannot be read, is another kind of file, or was written by a later version.
    pub fn read_commands(&self, from: u64) -> Result<CommandEntries, StoreError> {
        let path = self.file(FILE);
        self.refuse_links()?;
        let mut found = CommandEntries {
            end: from,
            ..CommandEntries::default()
        };
        let Some(mut file) = disk::open(&path)? else {
            return Ok(found);
        };
        let failed = || StoreError::io("read", &path);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from)).map_err(failed())?;
        let read = file.take(MAX_READ).read_to_end(&mut bytes);
        found.has_more = read.map_err(failed())? as u64 == MAX_READ;
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
        if from == 0
            && let Some(title) = lines.next_if(|line| line.ends_with(b"\n"))
        {
            commands::check_title(title).map_err(|why| StoreError::format(&path, why))?;
            found.end += title.len() as u64;
        }
        for line in lines {
            let Some(text) = line.strip_suffix(b"\n") else {
                // The line may still be incomplete. A longer one is not ours.
                if line.len() > MAX_LINE {
                    found.end += line.len() as u64;
                    found.damaged += 1;
                } else if found.end == from {
                    found.has_more = false;
                }
                break;
            };
            found.end += line.len() as u64;
            match commands::decode(text) {
                Ok(entry) => found.entries.push(entry),
                Err(_) => found.damaged += usize::from(!text.is_empty()),
            }
        }
        Ok(found)
    }

    /// The last command that began, and how it ended, if it has; from the end of the file, however long that is.
    ///
    /// # Errors
    /// As [`PaneDir::read_commands`].
    pub fn last_command(&self) -> Result<(Option<CommandBegan>, Option<CommandEnded>), StoreError> {
        let from = self.commands_length().saturating_sub(TAIL);
        let (mut began, mut ended) = (None, None);
        for entry in self.read_commands(from)?.entries {
            match entry {
                CommandEntry::Began(it) => (began, ended) = (Some(it), None),
                CommandEntry::Ended(it)
                    if began.as_ref().is_some_and(|began| began.id == it.id) =>
                {
                    ended = Some(it);
                }
                CommandEntry::Ended(_) | CommandEntry::Repository(_) => {}
            }
        }
        Ok((began, ended))
    }

    /// How long the file is; 0 if there is none.
    #[must_use]
    pub fn commands_length(&self) -> u64 {
        let metadata = self.file(FILE).symlink_metadata();
        metadata.map_or(0, |found| found.len())
    }
}
