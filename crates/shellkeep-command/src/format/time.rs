//! Formats times as strftime(3) does in the C locale, with glibc's flags and widths.

use std::fmt::Write as _;

/// A time in a time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// The year, such as 2026.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 60.
    pub second: u8,
    /// Days since Sunday, 0 to 6.
    pub weekday: u8,
    /// Days since the first of January, 0 to 365.
    pub yearday: u16,
    /// Seconds east of Greenwich.
    pub offset: i32,
    /// The name of the time zone at that time, such as `CEST`.
    pub zone: String,
}

const DAY: i64 = 86_400;
/// The days of the year before each month, without leap days.
const DAYS_BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl LocalTime {
    /// From seconds since 1970, and the offset and name of the time zone at that time.
    #[must_use]
    pub fn new(seconds: i64, offset: i32, zone: &str) -> Self {
        // Far beyond any clock, and close enough to avoid overflows below.
        let far = DAY * 366 * 1_000_000;
        let local = seconds.clamp(-far, far) + i64::from(offset);
        let (days, second_of_day) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let (year, yearday) = year_of(days);
        let month = (0..12)
            .rev()
            .find(|month| days_before(year, *month) <= yearday)
            .unwrap_or(0);
        let small = |number: i64| u8::try_from(number).unwrap_or_default();
        Self {
            year,
            month: small(month as i64 + 1),
            day: small(i64::from(yearday - days_before(year, month)) + 1),
            hour: small(second_of_day / 3600),
            minute: small(second_of_day / 60 % 60),
            second: small(second_of_day % 60),
            // 1 January 1970 was a Thursday.
            weekday: small((days + 4).rem_euclid(7)),
            yearday,
            offset,
            zone: zone.to_owned(),
        }
    }

    /// Seconds since 1970.
    fn seconds(&self) -> i64 {
        (first_day_of(self.year) + i64::from(self.yearday)) * DAY
            + i64::from(self.hour) * 3600
            + i64::from(self.minute) * 60
            + i64::from(self.second)
            - i64::from(self.offset)
    }

    /// The year and week by ISO 8601: weeks begin on Monday and belong to the year of their Thursday.
    fn iso_week(&self) -> (i64, i64) {
        let monday_based = (i64::from(self.weekday) + 6) % 7;
        let thursday = i64::from(self.yearday) - monday_based + 3;
        let length = days_in(self.year);
        if thursday < 0 {
            let length = days_in(self.year - 1);
            return (self.year - 1, (thursday + length) / 7 + 1);
        }
        if thursday >= length {
            return (self.year + 1, (thursday - length) / 7 + 1);
        }
        (self.year, thursday / 7 + 1)
    }

    /// The number of the week if weeks begin on this day. Days before the first week have number 0.
    fn week(&self, first_weekday: i64) -> i64 {
        let since = (i64::from(self.weekday) - first_weekday).rem_euclid(7);
        (i64::from(self.yearday) + 7 - since) / 7
    }

    fn hour_of_twelve(&self) -> i64 {
        match self.hour % 12 {
            0 => 12,
            hour => i64::from(hour),
        }
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64) -> i64 {
    365 + i64::from(is_leap(year))
}

fn days_before(year: i64, month: usize) -> u16 {
    DAYS_BEFORE[month] + u16::from(month > 1 && is_leap(year))
}

/// Days from 1970 to the first of January of a year.
fn first_day_of(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

/// The number of days from 1970 to this one, if the calendar has it.
pub(crate) fn day_number(year: i64, month: u8, day: u8) -> Option<i64> {
    let before = usize::from(month)
        .checked_sub(1)
        .filter(|before| *before < 12)?;
    let last = match before {
        11 => 31,
        _ => days_before(year, before + 1) - days_before(year, before),
    };
    let day = u16::from(day);
    (1..=last)
        .contains(&day)
        .then(|| first_day_of(year) + i64::from(days_before(year, before) + day - 1))
}

/// The year, and the day in it, of a number of days since 1970.
fn year_of(days: i64) -> (i64, u16) {
    // 400 years have 146,097 days, and the guess is off by at most one.
    let mut year = 1970 + (days * 400).div_euclid(146_097);
    while first_day_of(year) > days {
        year -= 1;
    }
    while first_day_of(year + 1) <= days {
        year += 1;
    }
    (year, u16::try_from(days - first_day_of(year)).unwrap_or(0))
}

/// The flags and width of a conversion, between its `%` and its letter.
#[derive(Clone, Copy, Default)]
struct Directive {
    padding: Option<Padding>,
    is_upper: bool,
    is_swapped: bool,
    width: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Padding {
    None,
    Space,
    Zero,
}

/// Expands the times in `format`; `None` if the result would be longer than `limit`, in which case C returns nothing.
pub(super) fn strftime(format: &str, time: &LocalTime, limit: usize) -> Option<String> {
    let mut out = String::with_capacity(format.len() + 16);
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = convert(rest, time, limit, &mut out)?;
        rest = &rest[length..];
        if out.len() > limit {
            return None;
        }
    }
    out.push_str(rest);
    (out.len() <= limit).then_some(out)
}

/// Writes the conversion with which the text begins, and returns its length. `None` if it is wider than allowed.
fn convert(text: &str, time: &LocalTime, limit: usize, out: &mut String) -> Option<usize> {
    let mut directive = Directive::default();
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(flag) = bytes.get(at) {
        match flag {
            b'_' => directive.padding = Some(Padding::Space),
            b'-' => directive.padding = Some(Padding::None),
            b'0' => directive.padding = Some(Padding::Zero),
            b'^' => directive.is_upper = true,
            b'#' => directive.is_swapped = true,
            _ => break,
        }
        at += 1;
    }
    while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
        let digit = usize::from(digit - b'0');
        directive.width = directive.width.saturating_mul(10).saturating_add(digit);
        at += 1;
    }
    if directive.width > limit {
        return None;
    }
    // Other eras and digits, which the C locale does not have. Letters without such a form are not converted.
    let mut refused = "";
    match bytes.get(at) {
        Some(b'E') => refused = "aAbBdDeFgGhHIjklmMSUVwW%",
        Some(b'O') => refused = "aAcDFxXY%",
        _ => at -= 1,
    }
    at += 1;
    let Some(letter) = text[at..].chars().next() else {
        out.push_str(text);
        return Some(text.len());
    };
    let end = at + letter.len_utf8();
    if refused.contains(letter)
        || !convert_number(letter, directive, time, out)
            && !convert_text(letter, directive, time, out)
    {
        out.push_str(&text[..end]);
    }
    Some(end)
}

/// Converts letters that stand for a number; false for other letters.
fn convert_number(letter: char, directive: Directive, time: &LocalTime, out: &mut String) -> bool {
    use Padding::{Space, Zero};
    let (number, digits, padding) = match letter {
        'C' => (time.year.div_euclid(100), 2, Zero),
        'd' => (i64::from(time.day), 2, Zero),
        'e' => (i64::from(time.day), 2, Space),
        'g' => (time.iso_week().0.rem_euclid(100), 2, Zero),
        'G' => (time.iso_week().0, 1, Zero),
        'H' => (i64::from(time.hour), 2, Zero),
        'I' => (time.hour_of_twelve(), 2, Zero),
        'j' => (i64::from(time.yearday) + 1, 3, Zero),
        'k' => (i64::from(time.hour), 2, Space),
        'l' => (time.hour_of_twelve(), 2, Space),
        'm' => (i64::from(time.month), 2, Zero),
        'M' => (i64::from(time.minute), 2, Zero),
        's' => (time.seconds(), 1, Zero),
        'S' => (i64::from(time.second), 2, Zero),
        'u' => ((i64::from(time.weekday) + 6) % 7 + 1, 1, Zero),
        'U' => (time.week(0), 2, Zero),
        'V' => (time.iso_week().1, 2, Zero),
        'w' => (i64::from(time.weekday), 1, Zero),
        'W' => (time.week(1), 2, Zero),
        'y' => (time.year.rem_euclid(100), 2, Zero),
        'Y' => (time.year, 1, Zero),
        _ => return false,
    };
    let width = directive.width.max(digits);
    // Writing to a String cannot fail.
    let _ = match directive.padding.unwrap_or(padding) {
        // Without padding of its own, but padded to a requested width.
        Padding::None => write!(out, "{number:width$}", width = directive.width),
        Space => write!(out, "{number:width$}"),
        Zero => write!(out, "{number:0width$}"),
    };
    true
}

/// Converts letters that stand for words or for several conversions; false for other letters.
fn convert_text(letter: char, directive: Directive, time: &LocalTime, out: &mut String) -> bool {
    let weekday = WEEKDAYS.get(usize::from(time.weekday)).unwrap_or(&"?");
    let month = usize::from(time.month).checked_sub(1);
    let month = month.and_then(|month| MONTHS.get(month)).unwrap_or(&"?");
    let short = |name: &str| name.get(..3).unwrap_or(name).to_owned();
    let half = if time.hour < 12 { "AM" } else { "PM" };
    let composed = |format: &str| strftime(format, time, usize::MAX).unwrap_or_default();
    // `#` turns these to lower case, and everything else to upper case.
    let is_lowered = directive.is_swapped && matches!(letter, 'p' | 'Z');
    let text = match letter {
        'a' => short(weekday),
        'A' => (*weekday).to_owned(),
        'b' | 'h' => short(month),
        'B' => (*month).to_owned(),
        'c' => composed("%a %b %e %H:%M:%S %Y"),
        'D' | 'x' => composed("%m/%d/%y"),
        'F' => composed("%Y-%m-%d"),
        'n' => "\n".to_owned(),
        'p' => half.to_owned(),
        'P' => half.to_ascii_lowercase(),
        'r' => composed("%I:%M:%S %p"),
        'R' => composed("%H:%M"),
        't' => "\t".to_owned(),
        'T' | 'X' => composed("%H:%M:%S"),
        'z' => return convert_offset(directive, time, out),
        'Z' => time.zone.clone(),
        '%' => "%".to_owned(),
        _ => return false,
    };
    let is_raised =
        directive.is_upper || directive.is_swapped && matches!(letter, 'a' | 'A' | 'b' | 'B' | 'h');
    let text = if is_lowered {
        text.to_ascii_lowercase()
    } else if is_raised && letter != 'P' {
        text.to_ascii_uppercase()
    } else {
        text
    };
    let missing = directive.width.saturating_sub(text.len());
    let pad = match directive.padding {
        Some(Padding::Zero) => '0',
        _ => ' ',
    };
    out.extend(std::iter::repeat_n(pad, missing));
    out.push_str(&text);
    true
}

/// `+0130`, the offset in hours and minutes.
fn convert_offset(directive: Directive, time: &LocalTime, out: &mut String) -> bool {
    let sign = if time.offset < 0 { '-' } else { '+' };
    let minutes = time.offset.unsigned_abs() / 60;
    let number = minutes / 60 * 100 + minutes % 60;
    // A width counts twice: for blanks before the sign, and for digits after it.
    out.extend(std::iter::repeat_n(' ', directive.width.saturating_sub(1)));
    out.push(sign);
    let digits = directive.width.max(4);
    let _ = match directive.padding {
        Some(Padding::None) => write!(out, "{number}"),
        Some(Padding::Space) => write!(out, "{number:digits$}"),
        _ => write!(out, "{number:0digits$}"),
    };
    true
}

/// As ctime(3) formats it, without the newline.
pub(super) fn ctime(time: &LocalTime) -> String {
    strftime("%a %b %e %H:%M:%S %Y", time, usize::MAX).unwrap_or_default()
}

/// A short form that is less exact the older the time is: the time of day, the day, or the month.
pub(super) fn pretty(age: i64, time: &LocalTime, now: &LocalTime) -> String {
    let is_this_year = time.year == now.year;
    let format = if age < DAY {
        "%H:%M"
    } else if is_this_year && time.month == now.month || age < 28 * DAY {
        "%a%d"
    } else if is_this_year && time.month < now.month
        || time.year == now.year - 1 && time.month > now.month
    {
        "%d%b"
    } else {
        "%h%y"
    };
    strftime(format, time, usize::MAX).unwrap_or_default()
}
