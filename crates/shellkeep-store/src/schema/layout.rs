//! The names of files and directories in the state directory.
//!
//! ```text
//! store.json                      the version of the store
//! servers/OWNER.lock              locked while a server lives
//! sessions/SESSION/session.json   a session, its windows and panes
//! sessions/SESSION/closed         the session was closed and is to be archived
//! sessions/SESSION/PANE/screen    the last checkpoint
//! sessions/SESSION/PANE/journal.N output since then
//! sessions/SESSION/PANE/history   lines that left the screen
//! sessions/SESSION/PANE/start     how the program was started
//! sessions/SESSION/PANE/shell     the captured state of the shell
//! sessions/SESSION/PANE/commands  what was run in it
//! sessions/SESSION/PANE/recording journals that are kept for a replay
//! sessions/SESSION/PANE/index     where a search need not look
//! archive/MONTH/SESSION           as in `sessions`
//! buffers/BUFFER                  a paste buffer
//! quarantine/SESSION              files that were found damaged
//! catalogue.db                    an index over all sessions
//! ```
//!
//! `NAME.old` is the file before the last one that was written.

/// Open sessions.
pub(crate) const SESSIONS: &str = "sessions";
/// Archived sessions, by month.
pub(crate) const ARCHIVE: &str = "archive";
/// Damaged files, moved out of the way.
pub(crate) const QUARANTINE: &str = "quarantine";
/// Locks of servers.
pub(crate) const SERVERS: &str = "servers";
/// Paste buffers.
pub(crate) const BUFFERS: &str = "buffers";
/// The version of the store.
pub(crate) const STORE: &str = "store.json";
/// The description of a session.
pub(crate) const SESSION: &str = "session.json";
/// Beside `session.json` from the time when a session is closed until it is archived.
pub(crate) const CLOSED: &str = "closed";
/// The checkpoint of a pane.
pub(crate) const SCREEN: &str = "screen";
/// The pages that left a pane's screen.
pub(crate) const HISTORY: &str = "history";
/// Filters over a pane's text.
pub(crate) const INDEX: &str = "index";
