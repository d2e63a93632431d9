//! What is painted on clients' terminals, and when. Frames are made without asking the event loop, and a client that
//! does not read delays nothing.

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
