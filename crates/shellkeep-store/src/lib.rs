//! What shellkeep keeps on disk. For now that is the state directory itself and the log; sessions
//! follow with the journal.

pub mod catalogue;
mod dir;
mod log;

pub use dir::StateDir;
pub use log::RotatingLog;
