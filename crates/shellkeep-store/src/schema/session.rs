//! Sessions and their windows.

use serde::{Deserialize, Serialize};

use super::{PaneHome, Seconds, Settings, StoredPane, Variables, text_bytes};
use crate::StoreId;

/// The version that sessions and windows carry. Version 1 had no layout in it and was never released.
pub const NOTE_VERSION: u32 = 2;

/// The body of `session.json`: a session with all that belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionFile {
    /// The session itself.
    pub session: StoredSession,
    /// Its windows, in no order: [`StoredSession::links`] has that.
    pub windows: Vec<StoredWindow>,
    /// For a pane that was closed and is kept as a session of its own: the session it was closed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<StoreId>,
}

impl SessionFile {
    /// Reads the body of a description.
    ///
    /// # Errors
    /// When it is not the JSON of one.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Where its panes are kept, each with the number of its window.
    pub fn homes(&self) -> impl Iterator<Item = (u32, PaneHome)> {
        let panes = |window: &StoredWindow| {
            let homes: Vec<_> = window.panes.iter().filter_map(|pane| pane.home).collect();
            let id = window.id;
            homes.into_iter().map(move |home| (id, home))
        };
        self.windows.iter().flat_map(panes)
    }
}

/// The label and the owner of a session. The store adds them to the body of `session.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SessionOwner {
    /// The label of the server that the session belongs to.
    pub label: String,
    /// The server that has it, or had it last.
    pub owner: String,
}

impl SessionOwner {
    /// Reads them from the body of a description. The store writes them before the session, so the rest need not be parsed: there are
    /// thousands of sessions at a start. The searched words cannot occur within a text, where each quotation mark has a backslash.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let before = text.find(",\"session\":").map(|end| &text[..end]);
        let owner = before.and_then(|before| serde_json::from_str(&format!("{before}}}")).ok());
        owner.or_else(|| serde_json::from_str(text).ok())
    }
}

/// A session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredSession {
    /// [`NOTE_VERSION`] when it was written.
    pub version: u32,
    /// Its number: `$1`.
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
    /// Pairs of an index and the number of the window that has it.
    pub links: Vec<(u32, u32)>,
    /// The index of the current window.
    pub current: u32,
    /// The indexes of the windows that were current before, the latest first.
    pub last: Vec<u32>,
    /// Options set for it alone.
    pub options: Settings,
    /// What it adds to the server's environment.
    pub environ: Variables,
    /// Names of variables that programs do not get.
    #[serde(default, with = "text_bytes::list")]
    pub hidden: Vec<Vec<u8>>,
    /// The group it shares its windows with.
    pub group: Option<String>,
    /// What it is to its owner.
    #[serde(default)]
    pub standing: StoredStanding,
}

/// What a session is to its owner, and where it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredStanding {
    /// Its directory in the store; none if nothing of it may be on disk.
    pub kept: Option<StoreId>,
    /// Nothing of it may be on disk.
    pub is_private: bool,
    /// Its maker: `user`, or the name of a tool.
    pub origin: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Never put to sleep by a timer or by pressure.
    pub is_pinned: bool,
    /// Brought back from the archive, and not used since.
    pub is_reopened: bool,
}

/// A window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredWindow {
    /// [`NOTE_VERSION`] when it was written.
    pub version: u32,
    /// Its number: `@1`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Seconds,
    /// As `#{window_layout}` has it.
    pub layout: String,
    /// Its panes, in their order.
    pub panes: Vec<StoredPane>,
    /// The number of the active pane.
    pub active: u32,
    /// The panes that were active before, the latest first.
    pub last_panes: Vec<u32>,
    /// The active pane fills the window.
    pub is_zoomed: bool,
    /// Options set for it alone.
    pub options: Settings,
    /// Rows and columns that were set by `resize-window`.
    #[serde(default)]
    pub manual_size: Option<(u16, u16)>,
    /// The name of the layout it was given last.
    #[serde(default)]
    pub preset: Option<String>,
    /// The layout before the last one, for `select-layout -o`.
    #[serde(default)]
    pub old_layout: Option<String>,
}
