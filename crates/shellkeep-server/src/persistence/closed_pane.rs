//! A closed pane on its way to the recorder.

use std::sync::Arc;

use shellkeep_store::StoreId;
use shellkeep_store::schema::SessionFile;

use crate::panes::screen::Screen;
use crate::persistence::record::Home;
use crate::persistence::recorder::Captured;

/// A closed pane, and what is to become of its record.
pub(crate) struct ClosedPane {
    pub(crate) screen: Arc<Screen>,
    /// The state that its shell reported last.
    pub(crate) captured: Arc<Captured>,
    pub(crate) home: Home,
    /// Its description as a session of its own. None if its whole session is closed.
    pub(crate) body: Option<(StoreId, SessionFile)>,
}
