//! The wall clock. It may jump. Tests can set it; a release build uses the system's alone.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use shellkeep_command::format::LocalTime;

/// Seconds since 1970.
pub(crate) type Seconds = i64;

/// Returns the time in seconds since 1970.
pub type Clock = fn() -> i64;

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let now = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    now.saturating_add_signed(imp::wrong_by())
}

/// The system's offset from UTC at a time, in seconds east.
pub(crate) fn offset_at(seconds: Seconds) -> i32 {
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    TimeZone::system().to_offset(time).seconds()
}

/// A time as the system's clocks show it.
pub(crate) fn local_time(seconds: Seconds) -> LocalTime {
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    let zone = TimeZone::system();
    let info = zone.to_offset_info(time);
    LocalTime::new(seconds, info.offset().seconds(), info.abbreviation())
}

/// Sets the file in which a test may write the clock's offset in milliseconds.
pub(crate) fn look_in(file: &Path) {
    imp::look_in(file);
}

#[cfg(not(debug_assertions))]
mod imp {
    pub(crate) fn look_in(_: &std::path::Path) {}

    pub(crate) fn wrong_by() -> i64 {
        0
    }
}

#[cfg(debug_assertions)]
mod imp {
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;

    static FILE: OnceLock<PathBuf> = OnceLock::new();

    pub(crate) fn look_in(file: &Path) {
        // Most tests do not change the clock, so the file is not read again.
        if file.exists() {
            let _ = FILE.set(file.to_owned());
        }
    }

    pub(crate) fn wrong_by() -> i64 {
        let said = FILE
            .get()
            // Opened without `shellkeep-files`: a file of a test.
            .and_then(|file| std::fs::read_to_string(file).ok());
        said.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }
}
