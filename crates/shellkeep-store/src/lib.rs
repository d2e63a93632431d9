//! What shellkeep keeps on disk. For now that is the state directory itself and the log; sessions
//! follow with the journal.

mod dir;
mod log;

pub use dir::StateDir;
pub use log::RotatingLog;
