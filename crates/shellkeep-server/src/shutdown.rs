//! How the server ends: what is written before it does, and what idle shells tell last.

pub(crate) mod ending;
pub(crate) mod last_capture;
pub(crate) mod leaving;
pub(crate) mod state;
