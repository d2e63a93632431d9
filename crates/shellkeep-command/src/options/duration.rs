//! Lengths of time as people type them: `90s`, `5m`, `1h30m`, `30d`.

use std::time::Duration;

/// Units, the longest first.
const UNITS: [(char, u64); 5] = [
    ('w', 7 * 24 * 60 * 60),
    ('d', 24 * 60 * 60),
    ('h', 60 * 60),
    ('m', 60),
    ('s', 1),
];

/// The longest duration, about a hundred years, so that it can be added to a date.
const MAX_SECONDS: u64 = 36_525 * 24 * 60 * 60;

/// Parses a duration: numbers with units, each at most once, the longest first; or a plain number of seconds.
#[must_use]
pub fn parse(text: &str) -> Option<Duration> {
    let seconds = match text.parse::<u64>() {
        Ok(seconds) if text.bytes().all(|byte| byte.is_ascii_digit()) => seconds,
        _ => parse_units(text)?,
    };
    (seconds <= MAX_SECONDS).then(|| Duration::from_secs(seconds))
}

fn parse_units(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut units = UNITS.iter();
    let mut seconds = 0_u64;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: u64 = rest[..end].parse().ok()?;
        let unit = rest[end..].chars().next()?;
        let (_, length) = units.find(|(name, _)| *name == unit)?;
        seconds = seconds.checked_add(number.checked_mul(*length)?)?;
        rest = &rest[end + unit.len_utf8()..];
    }
    (!text.is_empty()).then_some(seconds)
}

/// The shortest text for a duration. Weeks are printed as days, as most people count them.
#[must_use]
pub fn print(duration: Duration) -> String {
    let mut seconds = duration.as_secs();
    if seconds == 0 {
        return "0".to_owned();
    }
    let mut text = String::new();
    for (name, length) in &UNITS[1..] {
        let count = seconds / length;
        seconds %= length;
        if count > 0 {
            text.push_str(&format!("{count}{name}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_printed() {
        for (text, seconds, printed) in [
            ("0", 0, "0"),
            ("0m", 0, "0"),
            ("90", 90, "1m30s"),
            ("90s", 90, "1m30s"),
            ("5m", 300, "5m"),
            ("1h30m", 5400, "1h30m"),
            ("30d", 30 * 86_400, "30d"),
            ("2w", 14 * 86_400, "14d"),
            ("1d1s", 86_401, "1d1s"),
        ] {
            let duration = parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(duration.as_secs(), seconds, "{text}");
            assert_eq!(print(duration), printed);
            assert_eq!(parse(printed), Some(duration));
        }
    }

    #[test]
    fn texts_that_are_no_times_are_refused() {
        for text in [
            "",
            "m",
            "5",
            "5x",
            "5m5m",
            "5m1h",
            "-5m",
            "+5",
            " 5m",
            "5 m",
            "1.5h",
            "5m3",
            "ä",
            "5ä",
            "99999999999999999999d",
            "99999999d",
            "18446744073709551615s",
        ] {
            assert_eq!(parse(text).is_some(), text == "5", "{text}");
        }
    }
}
