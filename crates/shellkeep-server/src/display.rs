//! What is painted on a client's terminal, and when.

pub(crate) mod client_writer;
pub(crate) mod compose;
pub(crate) mod damage_tracker;
pub(crate) mod division;
pub(crate) mod flood_throttle;
pub(crate) mod frame_pacer;
pub(crate) mod part_shown;
pub(crate) mod ratatui_frame;
pub(crate) mod scene;
pub(crate) mod terminfo;
