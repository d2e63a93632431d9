//! The status line, messages, alerts and names of windows.

pub(crate) mod alerts;
pub(crate) mod first_name;
pub(crate) mod message;
pub(crate) mod status_line;
pub(crate) mod window_names;
