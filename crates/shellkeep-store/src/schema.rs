//! The schema of everything that is kept as JSON: `session.json`, how a pane's program was started (`start`), and the notes
//! that a server leaves with the keeper for the next one.
//!
//! These are plain data. The server converts its model into them and back; nothing of the model is ever serialised itself,
//! so that a change of the model cannot change a file by accident. A change here is a change of format: an added field needs
//! a default, anything else a new version and a step in `migration.rs`.

mod keeper_notes;
pub(crate) mod migration;
mod pane;
mod session;
mod text_bytes;

pub use keeper_notes::{NotedBinding, NotedClients, NotedServer, NotedServerStart};
pub use pane::{
    PaneHome, StoredCause, StoredFacts, StoredPane, StoredProgram, StoredSleep, StoredStart,
};
pub use session::{NOTE_VERSION, SessionFile, StoredSession, StoredStanding, StoredWindow};
pub use text_bytes::TextBytes;

/// Seconds since 1970.
pub type Seconds = i64;

/// Milliseconds since 1970.
pub type Millis = u64;

/// Options that are set, as `set-option` takes them: names and values.
pub type Settings = Vec<(String, String)>;

/// Variables of an environment; one without a value is removed from what programs get.
pub type Variables = Vec<(TextBytes, Option<TextBytes>)>;
