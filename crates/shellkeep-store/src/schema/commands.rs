//! The file `commands`: the commands that ran in a pane, as lines that a person can read.
//!
//! ```text
//! shellkeep commands 1
//! 5a3f09c1 {"began":{"id":"0cbr…","line":"make -j8","cwd":"/src","started":1790000000000,"by":"user"}}
//! 71e2d430 {"repository":{"id":"0cbr…","branch":"main","commit":"1f0c…"}}
//! 0b99aa12 {"ended":{"id":"0cbr…","ended":1790000004200,"exit":0,"lines":{"first":120,"end":164}}}
//! ```
//!
//! Each line begins with a check (CRC-32, hexadecimal) of the rest. The file is only appended to, a whole line at a
//! time, so a process that is killed leaves half a line at most. What has a wrong check is passed over, and the lines
//! behind it are read: no entry needs the one before it.

use serde::{Deserialize, Serialize};

use super::header::FormatError;
use super::{Millis, text_bytes};
use crate::id::StoreId;

/// Its name in the directory of a pane.
pub(crate) const FILE: &str = "commands";

const TITLE: &str = "shellkeep commands ";
const VERSION: u32 = 1;

/// The longest line that is read. A longer one is not ours.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// A fact about a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandEntry {
    /// It began.
    Began(CommandBegan),
    /// It began in a repository.
    Repository(CommandRepository),
    /// It ended, or its shell did.
    Ended(CommandEnded),
}

/// The start of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandBegan {
    /// Its name in the store.
    pub id: StoreId,
    /// As typed.
    pub line: String,
    /// The directory in which it began.
    #[serde(default, with = "text_bytes::one")]
    pub cwd: Vec<u8>,
    /// When it began.
    pub started: Millis,
    /// Who made its session: `user`, or the name of a program.
    #[serde(default)]
    pub by: String,
    /// The pid of its shell, and its number among the shell's commands.
    #[serde(default)]
    pub shell: Option<(u32, u64)>,
}

/// The state of the repository in which a command began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRepository {
    /// The command's id.
    pub id: StoreId,
    /// The branch; `None` with a detached head.
    #[serde(default)]
    pub branch: Option<String>,
    /// The commit; `None` before the first one.
    #[serde(default)]
    pub commit: Option<String>,
}

/// The end of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandEnded {
    /// The command's id.
    pub id: StoreId,
    /// When it ended.
    pub ended: Millis,
    /// Its exit status; `None` if its shell ended, or reported none.
    #[serde(default)]
    pub exit: Option<i32>,
    /// Its output; none if that is not known.
    #[serde(default)]
    pub lines: Option<CommandLines>,
}

/// Which lines of a pane are the output of a command. Lines count from the beginning of the pane's life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLines {
    /// The first.
    pub first: u64,
    /// The line behind the last.
    pub end: u64,
    /// How many cells of the last line are output, if the next prompt stands behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_cells: Option<usize>,
}

impl CommandEntry {
    /// The command to which it belongs.
    #[must_use]
    pub fn id(&self) -> StoreId {
        match self {
            Self::Began(it) => it.id,
            Self::Repository(it) => it.id,
            Self::Ended(it) => it.id,
        }
    }
}

/// The first line of the file.
pub(crate) fn title() -> String {
    format!("{TITLE}{VERSION}\n")
}

/// Refuses a file of a later version, and a file that is not ours.
pub(crate) fn check_title(bytes: &[u8]) -> Result<(), FormatError> {
    let rest = bytes.strip_prefix(TITLE.as_bytes());
    let line = rest.and_then(|rest| rest.split(|byte| *byte == b'\n').next());
    let version = line.and_then(|line| std::str::from_utf8(line).ok()?.parse().ok());
    match version {
        Some(VERSION) => Ok(()),
        Some(found) if found > VERSION => Err(FormatError::Newer {
            found,
            known: VERSION,
        }),
        _ => Err(FormatError::Value("first line")),
    }
}

/// An entry as a line.
pub(crate) fn encode(entry: &CommandEntry) -> String {
    let text = serde_json::to_string(entry).unwrap_or_default();
    format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()))
}

/// The entry of a line without its end.
pub(crate) fn decode(line: &[u8]) -> Result<CommandEntry, FormatError> {
    let (check, text) = line.split_at_checked(9).ok_or(FormatError::Short)?;
    let check = std::str::from_utf8(check).ok();
    let check = check.and_then(|check| u32::from_str_radix(check.strip_suffix(' ')?, 16).ok());
    if check != Some(crc32fast::hash(text)) {
        return Err(FormatError::Check);
    }
    serde_json::from_slice(text).map_err(|_| FormatError::Value("entry"))
}
