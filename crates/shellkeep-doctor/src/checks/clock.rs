//! Compares the clock with the newest file: a clock that was set back makes ages in lists wrong.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::Setup;
use crate::finding::Finding;

const NAME: &str = "clock";

/// A time before this program was written (November 2023): an earlier clock is wrong.
const EARLIEST_CLOCK: Duration = Duration::from_secs(1_700_000_000);

/// Clocks of machines that share a file system differ by up to this much.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(120);

const FIX: &str = "date: if it is wrong, sudo timedatectl set-ntp true";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let newest = setup.entries().iter().filter_map(|entry| {
        let written = entry.metadata.modified().ok()?;
        Some((written, entry.path.display().to_string()))
    });
    vec![judge(setup.now, newest.max())]
}

fn judge(now: SystemTime, newest: Option<(SystemTime, String)>) -> Finding {
    if now.duration_since(UNIX_EPOCH).unwrap_or_default() < EARLIEST_CLOCK {
        return Finding::problem(NAME, "the clock is years behind", FIX);
    }
    let ahead = newest.and_then(|(written, path)| {
        let ahead = written.duration_since(now).ok()?;
        (ahead > MAX_CLOCK_SKEW).then_some((ahead, path))
    });
    match ahead {
        Some((ahead, path)) => {
            let sentence = format!(
                "{path} was written {} in the future: the clock was set back, and ages in lists will be wrong",
                span(ahead)
            );
            Finding::warning(NAME, sentence, FIX)
        }
        None => Finding::ok(NAME, "nothing was written in the future"),
    }
}

fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..7200 => format!("{} minutes", seconds / 60),
        seconds @ 7200..172_800 => format!("{} hours", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Status;

    #[test]
    fn clock_that_was_set_back_is_reported() {
        let now = UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        let file = |ahead: u64| Some((now + Duration::from_secs(ahead), "x".to_owned()));
        assert_eq!(judge(now, None).status, Status::Ok);
        assert_eq!(judge(now, file(60)).status, Status::Ok);
        let finding = judge(now, file(3 * 3600));
        assert!(
            finding
                .sentence
                .starts_with("x was written 3 hours in the future")
        );
        assert_eq!(finding.status, Status::Warning);
        assert_eq!(judge(UNIX_EPOCH, None).status, Status::Problem);
    }
}
