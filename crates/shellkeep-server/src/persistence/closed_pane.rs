//! A pane that was closed, until the recorder has it.

use std::sync::Arc;

use shellkeep_store::StoreId;
use shellkeep_store::schema::SessionFile;

use crate::panes::screen::Screen;
use crate::persistence::record::Home;
use crate::persistence::recorder::Captured;

/// A pane that was closed, and what is to become of its record.
pub(crate) struct ClosedPane {
    pub(crate) screen: Arc<Screen>,
    /// The state that its shell told last.
    pub(crate) captured: Arc<Captured>,
    pub(crate) home: Home,
    /// What it was, as a session of its own, if its session goes on.
    pub(crate) body: Option<(StoreId, SessionFile)>,
}
