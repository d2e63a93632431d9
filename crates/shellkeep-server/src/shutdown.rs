//! The end of the server: what is written before it, and what idle shells report last. The server ends only when
//! everything is on disk.

pub(crate) mod ending;
pub(crate) mod last_capture;
pub(crate) mod leaving;
pub(crate) mod state;
