//! Numbers as C parses and prints them, and the arithmetic of `e|…:`.

/// A whole number within the bounds that is the whole text, except for leading blanks.
pub(super) fn parse_int(text: &str, least: i64, most: i64) -> Option<i64> {
    let text = text.trim_start_matches(is_blank);
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
}

/// A whole number such as a width or a length; 0 if it is not one.
pub(super) fn parse_count(text: &str) -> i64 {
    parse_int(text, i64::from(i32::MIN), i64::from(i32::MAX)).unwrap_or(0)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

/// A number with a fraction, if strtod would parse the whole text. An empty text is 0.
pub(super) fn parse_float(text: &str) -> Option<f64> {
    if text.is_empty() {
        return Some(0.0);
    }
    let text = text.trim_start_matches(is_blank);
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    // Only one sign is allowed.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let number = match digits.get(..2) {
        Some("0x" | "0X") => parse_hex_float(&digits[2..])?,
        _ => digits.parse().ok()?,
    };
    Some(sign * number)
}

/// The text after `0x`: digits, a fraction, and a power of two after `p`.
fn parse_hex_float(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut number = 0.0;
    for c in whole.chars().chain(fraction.chars()) {
        number = number * 16.0 + f64::from(c.to_digit(16)?);
    }
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(number * f64::from(exponent.checked_sub(places)?).exp2())
}

/// A parsed `e|operator|flags|places:`.
pub(super) struct Expression<'m> {
    operator: &'m str,
    is_float: bool,
    places: i64,
}

/// More decimal places than a double has.
const MAX_DECIMALS: i64 = 1_000;

impl<'m> Expression<'m> {
    /// Parses the modifier's arguments; `None` if one is invalid.
    pub(super) fn parse(arguments: &'m [String]) -> Option<Self> {
        let operator = arguments.first()?.as_str();
        let known = [
            "+", "-", "*", "/", "%", "m", "==", "!=", ">", "<", ">=", "<=",
        ];
        if !known.contains(&operator) {
            return None;
        }
        let is_float = arguments.get(1).is_some_and(|flags| flags.contains('f'));
        let places = match arguments.get(2) {
            Some(places) => parse_int(places, i64::from(i32::MIN), i64::from(i32::MAX))?,
            None if is_float => 2,
            None => 0,
        };
        Some(Self {
            operator,
            is_float,
            places,
        })
    }

    /// A side as it is used in the calculation.
    pub(super) fn shown(&self, side: &str) -> String {
        let side = parse_float(side).unwrap_or_default();
        let side = if self.is_float { side } else { to_whole(side) };
        print_float(side, self.places)
    }

    /// The result as text; `None` if a side is not a number.
    pub(super) fn evaluate(&self, left: &str, right: &str) -> Option<String> {
        let (mut left, mut right) = (parse_float(left)?, parse_float(right)?);
        if !self.is_float {
            left = to_whole(left);
            right = to_whole(right);
        }
        let truth = |is_so: bool| f64::from(u8::from(is_so));
        let result = match self.operator {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            "/" => left / right,
            "==" => truth((left - right).abs() < 1e-9),
            "!=" => truth((left - right).abs() > 1e-9),
            ">" => truth(left > right),
            "<" => truth(left < right),
            ">=" => truth(left >= right),
            "<=" => truth(left <= right),
            _ => left % right,
        };
        let result = if self.is_float {
            result
        } else {
            to_whole(result)
        };
        Some(print_float(result, self.places))
    }
}

/// Drops the fraction. A number that does not fit becomes the smallest one, as on x86.
fn to_whole(number: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "the very loss that C has")]
    const SMALLEST: f64 = i64::MIN as f64;
    if number.abs() < -SMALLEST {
        // Adding zero turns minus zero into zero.
        number.trunc() + 0.0
    } else {
        SMALLEST
    }
}

fn print_float(number: f64, places: i64) -> String {
    // A negative precision counts as none, which means 6.
    let places = if places < 0 {
        6
    } else {
        places.min(MAX_DECIMALS)
    };
    if number.is_nan() {
        let sign = if number.is_sign_negative() { "-" } else { "" };
        return format!("{sign}nan");
    }
    let places = usize::try_from(places).unwrap_or_default();
    format!("{number:.places$}")
}
