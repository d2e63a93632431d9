//! Everything that outlives the server: the records of panes, the notes to the keeper, the store and its archive. The
//! event loop only asks; threads wait for the disk.

pub(crate) mod archive;
pub(crate) mod archive_thread;
pub(crate) mod archived;
pub(crate) mod cataloguer;
pub(crate) mod closed_by_hand;
pub(crate) mod closed_pane;
pub(crate) mod disk_sizes;
pub(crate) mod expiry;
pub(crate) mod forgetting;
pub(crate) mod keep_changes;
pub(crate) mod keeper_notes;
pub(crate) mod keeping;
pub(crate) mod kept_buffers;
pub(crate) mod moved_panes;
pub(crate) mod notes;
pub(crate) mod old_slate;
pub(crate) mod record;
pub(crate) mod recorder;
pub(crate) mod state;
pub(crate) mod stored;
pub(crate) mod written;
