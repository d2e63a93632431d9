//! Sessions and their windows.

use serde::{Deserialize, Serialize};

use super::{PaneHome, Seconds, Settings, StoredPane, Variables, text_bytes};
use crate::StoreId;

/// The version of sessions and windows. Version 1 had no layout and was never released.
pub const NOTE_VERSION: u32 = 2;

/// The body of `session.json`: a session with everything that belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionFile {
    /// The session itself.
    pub session: StoredSession,
    /// Its windows, in any order; [`StoredSession::links`] has the order.
    pub windows: Vec<StoredWindow>,
    /// For a pane that was closed and is stored as a session of its own: the session in which it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<StoreId>,
}

impl SessionFile {
    /// Parses the body of a description.
    ///
    /// # Errors
    /// When it is not the JSON of one.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Where its panes are stored, each with the id of its window.
    pub fn homes(&self) -> impl Iterator<Item = (u32, PaneHome)> {
        let panes = |window: &StoredWindow| {
            let homes: Vec<_> = window.panes.iter().filter_map(|pane| pane.home).collect();
            let id = window.id;
            homes.into_iter().map(move |home| (id, home))
        };
        self.windows.iter().flat_map(panes)
    }
}

/// The label and owner of a session, which the store adds to the body of `session.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SessionOwner {
    /// The label of the server that the session belongs to.
    pub label: String,
    /// The server that owns it, or owned it last.
    pub owner: String,
}

impl SessionOwner {
    /// Reads them from the body of a description. The store writes them before everything else, so the rest need not be
    /// parsed: a server may start with thousands of sessions. The words that are searched cannot occur inside a string,
    /// where quotation marks are escaped.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let before = text.find(",\"session\":").map(|end| &text[..end]);
        let owner = before.and_then(|before| serde_json::from_str(&format!("{before}}}")).ok());
        owner.or_else(|| serde_json::from_str(text).ok())
    }
}

/// A session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredSession {
    /// [`NOTE_VERSION`] of the build that wrote it.
    pub version: u32,
    /// Its id, as in `$1`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Seconds,
    /// When a client last attached or typed.
    pub activity: Seconds,
    /// When a client last attached.
    pub last_attached: Option<Seconds>,
    /// The directory in which its new windows start.
    #[serde(with = "text_bytes::one")]
    pub cwd: Vec<u8>,
    /// Pairs of an index and the id of the window at that index.
    pub links: Vec<(u32, u32)>,
    /// The index of the current window.
    pub current: u32,
    /// The indexes of earlier current windows, the latest first.
    pub last: Vec<u32>,
    /// Its session options.
    pub options: Settings,
    /// Its environment, which is added to the server's.
    pub environ: Variables,
    /// Names of variables that programs do not get.
    #[serde(default, with = "text_bytes::list")]
    pub hidden: Vec<Vec<u8>>,
    /// The group with which it shares its windows.
    pub group: Option<String>,
    /// Where it is stored, and how it was made.
    #[serde(default)]
    pub standing: StoredStanding,
}

/// Where a session is stored, and how it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredStanding {
    /// Its directory in the store; `None` if nothing of it may be on disk.
    pub kept: Option<StoreId>,
    /// Nothing of it may be on disk.
    pub is_private: bool,
    /// Who made it: `user`, or the name of a tool.
    pub origin: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Never hibernated by a timer or by memory pressure.
    pub is_pinned: bool,
    /// It was reopened from the archive, and not used since.
    pub is_reopened: bool,
}

/// A window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredWindow {
    /// [`NOTE_VERSION`] of the build that wrote it.
    pub version: u32,
    /// Its id, as in `@1`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Seconds,
    /// Its layout, as in `#{window_layout}`.
    pub layout: String,
    /// Its panes, in their order.
    pub panes: Vec<StoredPane>,
    /// The id of the active pane.
    pub active: u32,
    /// The panes that were active before, the latest first.
    pub last_panes: Vec<u32>,
    /// The active pane fills the window.
    pub is_zoomed: bool,
    /// Its window options.
    pub options: Settings,
    /// Rows and columns set by `resize-window`.
    #[serde(default)]
    pub manual_size: Option<(u16, u16)>,
    /// The name of the layout that was applied last.
    #[serde(default)]
    pub preset: Option<String>,
    /// The layout before that, for `select-layout -o`.
    #[serde(default)]
    pub old_layout: Option<String>,
}
