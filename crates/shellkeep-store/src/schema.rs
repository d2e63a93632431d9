//! The format of everything on disk, and of the notes that a server leaves with the keeper for the next one.
//!
//! | file | module | version | read from earlier versions |
//! |---|---|---|---|
//! | `session.json` | `envelope` (version, check), `session`, `pane` | 1 | `migration` |
//! | `store.json` | `envelope` | 1 | |
//! | `screen` | `screen` | 1 | |
//! | `journal.N` | `journal` | 1 | |
//! | `history` | `history` | 2 if pages were cut off, else 1 | version 1 is read as it is |
//! | `start` | `sealed`, `pane` ([`StoredStart`]) | 1 | added fields have defaults |
//! | `shell` | `sealed`; the content is that of `State` in `shellkeep-shell` | 1 | |
//! | `recording/N` | `sealed`; the content is a journal | 1 | as `journal.N` |
//! | `commands` | `commands` | 1 | added fields have defaults |
//! | `buffers/ID` | `sealed`, `buffer` | 1 | |
//! | `index` | `index` | 1 | made again |
//! | `catalogue.db` | `catalogue` | 1 | made again |
//! | notes with the keeper | `keeper_notes`, `session`, `pane` | [`NOTE_VERSION`] | added fields have defaults |
//!
//! `layout` has the names of the files, `header` what every binary file begins with. All of it is pure: nothing here
//! opens a file, and nothing panics or allocates on the word of a file, whatever its bytes are.
//!
//! Types here are plain data. The server converts its model into them and back; the model is never serialised itself,
//! so that a change of the model cannot change a file by accident. A change here is a change of format: an added field
//! of JSON needs a default, anything else a new version and a step in `migration`, or a new version of the binary
//! header that the earlier one is read beside.

pub(crate) mod buffer;
pub(crate) mod catalogue;
pub(crate) mod commands;
pub(crate) mod envelope;
pub(crate) mod header;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod journal;
mod keeper_notes;
pub(crate) mod layout;
pub(crate) mod migration;
pub(crate) mod packed;
mod pane;
pub(crate) mod screen;
pub(crate) mod sealed;
mod session;
mod text_bytes;

pub use commands::{CommandBegan, CommandEnded, CommandEntry, CommandLines, CommandRepository};
pub use keeper_notes::{NotedBinding, NotedClients, NotedServer, NotedServerStart};
pub use pane::{
    PaneHome, StoredCause, StoredFacts, StoredPane, StoredProgram, StoredSleep, StoredStart,
};
pub use session::{
    NOTE_VERSION, SessionFile, SessionOwner, StoredSession, StoredStanding, StoredWindow,
};
pub use text_bytes::TextBytes;

/// Seconds since 1970.
pub type Seconds = i64;

/// Milliseconds since 1970.
pub type Millis = u64;

/// Options that are set, as `set-option` takes them: names and values.
pub type Settings = Vec<(String, String)>;

/// Variables of an environment; one without a value is removed from what programs get.
pub type Variables = Vec<(TextBytes, Option<TextBytes>)>;
