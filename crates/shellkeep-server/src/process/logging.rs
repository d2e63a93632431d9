//! The log: a file in the state directory, with the level of `SHELLKEEP_LOG`.

use std::path::Path;
use std::sync::Mutex;

use shellkeep_store::RotatingLog;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The size of a log file, and how many older files are kept.
const MAX_LOG_SIZE: u64 = 1 << 20;
const KEPT_LOGS: u32 = 3;

/// Starts logging, as soon as the file can be written. `levels` is `SHELLKEEP_LOG`: a level, or a list such as
/// `info,shellkeep_keeper=debug`.
pub(crate) fn start(path: &Path, levels: Option<&str>) {
    let log = RotatingLog::open(path, MAX_LOG_SIZE, KEPT_LOGS);
    let filter = levels
        .and_then(|levels| levels.parse::<Targets>().ok())
        .unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let layer = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(Mutex::new(log));
    // A second start in one process happens only in tests, which do not read the log.
    let _ = tracing_subscriber::registry()
        .with(filter)
        .with(layer)
        .try_init();
}
