//! Parses times as users write them: `14:05`, `yesterday`, `-2h`, `2026-11-18T14:05Z`.
//!
//! They refer to output, so all of them are in the past: a time of day without a day is the last one. A day without a
//! time of day means its beginning, so that from `yesterday` to `today` is all of yesterday.

use thiserror::Error;

use crate::format::day_number;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;

/// The text is not a time.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("bad time: {0} (such as 14:05, yesterday, -2h, 2026-11-18 or 2026-11-18T14:05)")]
pub struct WhenError(String);

/// The time that `text` means, in seconds since 1970. `offset` returns the time zone's offset at a time, in seconds
/// east of Greenwich.
///
/// # Errors
/// When the text is not a time.
pub fn parse_when(text: &str, now: i64, offset: impl Fn(i64) -> i32) -> Result<i64, WhenError> {
    let zone = Zone { now, offset };
    zone.parse(text.trim())
        .ok_or_else(|| WhenError(text.to_owned()))
}

struct Zone<F> {
    now: i64,
    offset: F,
}

impl<F: Fn(i64) -> i32> Zone<F> {
    fn parse(&self, text: &str) -> Option<i64> {
        if text == "now" {
            return Some(self.now);
        }
        if let Some(ago) = text.strip_prefix('-') {
            return self.now.checked_sub(duration(ago)?);
        }
        if let Some(seconds) = text.strip_prefix('@') {
            return whole_number(seconds);
        }
        if let Some(second) = time_of_day(text) {
            return Some(self.last(second));
        }
        let (day, rest) = match text.find(['T', ' ']) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let day = self.day(day)?;
        let Some(rest) = rest else {
            return Some(self.moment(day * DAY));
        };
        let (time, offset) = split_offset(rest)?;
        let local = day * DAY + time_of_day(time)?;
        Some(match offset {
            Some(offset) => local - offset,
            None => self.moment(local),
        })
    }

    /// The number of a day since 1 January 1970.
    fn day(&self, text: &str) -> Option<i64> {
        match text {
            "today" => Some(self.today()),
            "yesterday" => Some(self.today() - 1),
            _ => date(text),
        }
    }

    fn today(&self) -> i64 {
        (self.now + i64::from((self.offset)(self.now))).div_euclid(DAY)
    }

    /// The last time at which the clock showed this.
    fn last(&self, second_of_day: i64) -> i64 {
        let today = self.moment(self.today() * DAY + second_of_day);
        match today <= self.now {
            true => today,
            false => self.moment((self.today() - 1) * DAY + second_of_day),
        }
    }

    /// The time at which the clock shows `local`, which is counted as if in Greenwich. Of an hour that occurs twice,
    /// one or the other; for an hour that is skipped, a time near it.
    fn moment(&self, local: i64) -> i64 {
        let near = local - i64::from((self.offset)(local));
        local - i64::from((self.offset)(near))
    }
}

/// Parses `2h`, `1h30m`.
fn duration(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut sum = 0i64;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, after) = rest.split_at(end);
        let mut after = after.chars();
        let unit = match after.next()? {
            's' => 1,
            'm' => MINUTE,
            'h' => HOUR,
            'd' => DAY,
            'w' => WEEK,
            _ => return None,
        };
        sum = sum.checked_add(whole_number(number)?.checked_mul(unit)?)?;
        rest = after.as_str();
    }
    (!text.is_empty()).then_some(sum)
}

/// Parses `14:05` or `14:05:09` to seconds since midnight.
fn time_of_day(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let hour = two_digits(parts.next()?, 23)?;
    let minute = two_digits(parts.next()?, 59)?;
    let second = match parts.next() {
        Some(second) => two_digits(second, 59)?,
        None => 0,
    };
    let is_all = parts.next().is_none();
    is_all.then_some(hour * HOUR + minute * MINUTE + second)
}

/// Parses `2026-11-18`.
fn date(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let (month, day) = (two_digits(month, 12)?, two_digits(day, 31)?);
    day_number(
        whole_number(year)?,
        u8::try_from(month).ok()?,
        u8::try_from(day).ok()?,
    )
}

/// Splits the text after a day into the time of day and the offset: `Z`, `+02:00`, `+0200` or `+02`, in seconds east of
/// Greenwich.
fn split_offset(text: &str) -> Option<(&str, Option<i64>)> {
    if let Some(time) = text.strip_suffix('Z') {
        return Some((time, Some(0)));
    }
    let Some(at) = text.find(['+', '-']) else {
        return Some((text, None));
    };
    let sign = if text[at..].starts_with('-') { -1 } else { 1 };
    let (time, offset) = (&text[..at], &text[at + 1..]);
    let (hours, minutes) = match offset.split_once(':') {
        Some(both) => both,
        None if offset.len() == 2 => (offset, "00"),
        None => offset.split_at_checked(2)?,
    };
    let seconds = two_digits(hours, 23)? * HOUR + two_digits(minutes, 59)? * MINUTE;
    Some((time, Some(sign * seconds)))
}

/// A number of one or two digits.
fn two_digits(text: &str, most: i64) -> Option<i64> {
    let number = whole_number(text).filter(|_| text.len() <= 2)?;
    (number <= most).then_some(number)
}

fn whole_number(text: &str) -> Option<i64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::LocalTime;

    /// Thursday, 19 November 2026, 03:30:00 in Greenwich.
    const NOW: i64 = 1_795_059_000;

    fn greenwich(text: &str) -> Option<i64> {
        parse_when(text, NOW, |_| 0).ok()
    }

    /// A time in ISO 8601.
    fn iso_8601(time: &LocalTime) -> String {
        let minutes = time.offset.unsigned_abs() / 60;
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{:02}:{:02}",
            time.year,
            time.month,
            time.day,
            time.hour,
            time.minute,
            time.second,
            if time.offset < 0 { '-' } else { '+' },
            minutes / 60,
            minutes % 60,
        )
    }

    /// A time in Greenwich as text.
    fn read(seconds: i64) -> String {
        iso_8601(&LocalTime::new(seconds, 0, "UTC"))
    }

    fn parsed(text: &str, offset: i32) -> String {
        match parse_when(text, NOW, |_| offset) {
            Ok(seconds) => iso_8601(&LocalTime::new(seconds, offset, "")),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn now_is_what_the_tests_take_it_for() {
        assert_eq!(read(NOW), "2026-11-19T03:30:00+00:00");
    }

    #[test]
    fn times_of_day_are_the_last_ones() {
        assert_eq!(parsed("03:29", 0), "2026-11-19T03:29:00+00:00");
        assert_eq!(parsed("3:30", 0), "2026-11-19T03:30:00+00:00");
        assert_eq!(parsed("03:30:01", 0), "2026-11-18T03:30:01+00:00");
        assert_eq!(parsed("14:05", 0), "2026-11-18T14:05:00+00:00");
        assert_eq!(parsed("14:05", 12 * 3600), "2026-11-19T14:05:00+12:00");
        assert_eq!(parsed("14:05:09", -5 * 3600), "2026-11-18T14:05:09-05:00");
    }

    #[test]
    fn days_are_their_beginnings_where_the_user_is() {
        assert_eq!(parsed("today", 0), "2026-11-19T00:00:00+00:00");
        assert_eq!(parsed("yesterday", 0), "2026-11-18T00:00:00+00:00");
        assert_eq!(parsed("today", -4 * 3600), "2026-11-18T00:00:00-04:00");
        assert_eq!(parsed("yesterday", 5 * 3600), "2026-11-18T00:00:00+05:00");
        assert_eq!(parsed("2026-11-18", 5400), "2026-11-18T00:00:00+01:30");
        assert_eq!(parsed("2024-02-29", 0), "2024-02-29T00:00:00+00:00");
        assert_eq!(parsed("yesterday 14:05", 0), "2026-11-18T14:05:00+00:00");
    }

    #[test]
    fn durations_count_back_from_now() {
        for (text, ago) in [
            ("-0s", 0),
            ("-90s", 90),
            ("-5m", 5 * MINUTE),
            ("-2h", 2 * HOUR),
            ("-1h30m", 90 * MINUTE),
            ("-3d", 3 * DAY),
            ("-1w2d", 9 * DAY),
        ] {
            assert_eq!(greenwich(text), Some(NOW - ago), "{text}");
        }
        assert_eq!(greenwich("now"), Some(NOW));
    }

    #[test]
    fn days_with_times_are_local_unless_they_say_where() {
        let summer = 2 * 3600;
        assert_eq!(
            parsed("2026-11-18T14:05", summer),
            "2026-11-18T14:05:00+02:00"
        );
        assert_eq!(
            parsed("2026-11-18 14:05:09", summer),
            "2026-11-18T14:05:09+02:00"
        );
        for text in [
            "2026-11-18T14:05:09Z",
            "2026-11-18T16:05:09+02:00",
            "2026-11-18T16:05:09+0200",
            "2026-11-18T16:05:09+02",
            "2026-11-18T08:35:09-05:30",
        ] {
            let seconds = greenwich(text).map(read);
            assert_eq!(
                seconds.as_deref(),
                Some("2026-11-18T14:05:09+00:00"),
                "{text}"
            );
        }
        assert_eq!(greenwich("@1795059000"), Some(NOW));
    }

    /// The clocks of Berlin, which were set back by an hour on 25 October 2026 at 01:00 in Greenwich.
    fn berlin(seconds: i64) -> i32 {
        let back = greenwich("2026-10-25T01:00Z");
        match Some(seconds) < back {
            true => 2 * 3600,
            false => 3600,
        }
    }

    #[test]
    fn clocks_are_those_of_that_day() {
        let parsed = |text: &str| parse_when(text, NOW, berlin).map(read);
        let (before, after) = (parsed("2026-10-24T14:00"), parsed("2026-10-26T14:00"));
        assert_eq!(before, Ok("2026-10-24T12:00:00+00:00".into()));
        assert_eq!(after, Ok("2026-10-26T13:00:00+00:00".into()));
        let day = parsed("2026-10-25");
        assert_eq!(day, Ok("2026-10-24T22:00:00+00:00".into()));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "-",
            "-2",
            "-h",
            "-2x",
            "-2h-",
            "-99999999999999999999s",
            "-9223372036854775807w",
            "24:00",
            "12:60",
            "12:00:60",
            "12",
            "12:00:00:00",
            "+1:00",
            "tomorrow",
            "2026-13-01",
            "2026-00-01",
            "2026-02-29",
            "2026-11-31",
            "2026-11-00",
            "26-11-18",
            "2026-11",
            "2026-11-18T",
            "2026-11-18T14",
            "2026-11-18T14:05+2",
            "2026-11-18T14:05+24:00",
            "2026-11-18T14:05ZZ",
            "@",
            "@-1",
            "@9999999999999999999999",
            "12:0é",
            "2026-11-18T12:00+é",
        ] {
            assert_eq!(greenwich(text), None, "{text}");
        }
        assert_eq!(
            parsed("soon", 0),
            "bad time: soon (such as 14:05, yesterday, -2h, 2026-11-18 or 2026-11-18T14:05)"
        );
    }
}
