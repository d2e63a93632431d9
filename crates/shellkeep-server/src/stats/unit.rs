//! Numbers with units, for people.

use std::time::Duration;

/// Bytes in the unit that fits, with about three digits: `8.1 KB`, `310 KB`, `1.2 MB`.
pub(crate) fn bytes(count: u64) -> String {
    let units = ["KB", "MB", "GB", "TB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut size = count as f64 / 1024.0;
    let mut unit = units[0];
    for next in &units[1..] {
        // A size that would be printed as 1024 goes to the next unit.
        if size < 1023.5 {
            break;
        }
        (size, unit) = (size / 1024.0, next);
    }
    if size < 9.95 {
        format!("{size:.1} {unit}")
    } else {
        format!("{size:.0} {unit}")
    }
}

/// A duration: `0.4 ms`, `12 ms`, `1.5 s`.
pub(crate) fn took(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    match millis {
        ..0.995 => format!("{millis:.2} ms"),
        ..9.95 => format!("{millis:.1} ms"),
        ..999.5 => format!("{millis:.0} ms"),
        _ => format!("{:.1} s", millis / 1e3),
    }
}

/// How long ago: `0.4 s ago`, `12 s ago`, `3 min ago`.
pub(crate) fn ago(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..9.95 => format!("{seconds:.1} s ago"),
        ..120.0 => format!("{seconds:.0} s ago"),
        ..7200.0 => format!("{:.0} min ago", seconds / 60.0),
        ..172_800.0 => format!("{:.0} h ago", seconds / 3600.0),
        _ => format!("{:.0} days ago", seconds / 86_400.0),
    }
}
