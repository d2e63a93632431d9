//! The notes that a server leaves with the keeper besides sessions and windows. They are lost with the keeper, and
//! later versions read them.

use serde::{Deserialize, Serialize};

use super::{Settings, Variables, text_bytes};

/// Everything that concerns the whole server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NotedServer {
    /// [`super::NOTE_VERSION`] of the build that wrote it.
    pub version: u32,
    /// The number of the next session.
    pub next_session: u32,
    /// The number of the next window.
    pub next_window: u32,
    /// The number of the next pane.
    pub next_pane: u32,
    /// Server options; in notes of version 1, those of all sessions as well.
    pub options: Settings,
    /// Global session options.
    #[serde(default)]
    pub session_options: Settings,
    /// Global window options.
    #[serde(default)]
    pub window_options: Settings,
    /// The global environment.
    pub environ: Variables,
    /// Names of variables that programs do not get.
    #[serde(default, with = "text_bytes::list")]
    pub hidden: Vec<Vec<u8>>,
    /// How the server was started.
    #[serde(default)]
    pub birth: Option<NotedServerStart>,
}

/// How the server was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedServerStart {
    /// Its directory.
    #[serde(with = "text_bytes::one")]
    pub cwd: Vec<u8>,
    /// Its umask.
    pub umask: u32,
}

/// A key binding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedBinding {
    /// The key table.
    pub table: String,
    /// The key's name.
    pub key: String,
    /// Bound with `-r`.
    pub repeats: bool,
    /// The note of `bind-key -N`.
    pub note: Option<String>,
    /// The commands, as they are typed.
    pub commands: String,
}

/// The order in which clients were used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedClients {
    /// The processes of attached clients; the one used last is at the end.
    pub used: Vec<u32>,
    /// Pairs of a window and the process of the client that was used last in it.
    pub latest: Vec<(u32, u32)>,
}
