//! Clients: their connections, what their terminals send, control mode, native scrolling. The server never waits for a
//! client.

pub(crate) mod caps;
pub(crate) mod client_order;
pub(crate) mod clipboard;
pub(crate) mod connection;
pub(crate) mod control;
pub(crate) mod control_feed;
pub(crate) mod control_line;
pub(crate) mod control_notices;
pub(crate) mod control_settings;
pub(crate) mod drag;
pub(crate) mod focus;
pub(crate) mod input;
pub(crate) mod intake;
pub(crate) mod keyboard;
pub(crate) mod keys;
pub(crate) mod lock;
pub(crate) mod mailbox;
pub(crate) mod mouse;
pub(crate) mod native;
pub(crate) mod native_feed;
pub(crate) mod only_pane;
pub(crate) mod state;
pub(crate) mod subscriptions;
pub(crate) mod terminal;
