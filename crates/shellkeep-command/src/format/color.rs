//! Converts the name of a colour to red, green and blue, for `c:`.

use shellkeep_core::style::palette_rgb;

use super::color_names::NAMES;
use super::number::parse_int;

const PALETTE: [&str; 8] = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
];

/// The colour of plain `grey`, and of `grey` with anything but a number.
const GREY: u32 = 0x00be_bebe;

/// Six hexadecimal digits; `None` if it is no colour or, as `default`, no certain one.
pub(super) fn to_hex(name: &str) -> Option<String> {
    parse_color(name).map(|rgb| format!("{rgb:06x}"))
}

fn parse_color(name: &str) -> Option<u32> {
    if let Some(digits) = name.strip_prefix('#') {
        let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_hex
            .then(|| u32::from_str_radix(digits, 16).ok())
            .flatten();
    }
    let lower = name.to_ascii_lowercase();
    if let Some(number) = lower
        .strip_prefix("colour")
        .or_else(|| lower.strip_prefix("color"))
    {
        return palette(parse_int(number, 0, 255)?);
    }
    let (bright, plain) = match lower.strip_prefix("bright") {
        Some(plain) => (8, plain),
        None => (0, lower.as_str()),
    };
    if let Some(at) = (0..).zip(PALETTE).find(|(_, name)| *name == plain) {
        return palette(at.0 + bright);
    }
    // The terminal's own numbers for foregrounds, only in their short forms.
    match name.as_bytes() {
        [digit @ b'0'..=b'7'] => return palette(i64::from(digit - b'0')),
        [b'9', digit @ b'0'..=b'7'] => return palette(i64::from(digit - b'0') + 8),
        _ => {}
    }
    if let Some(number) = name
        .strip_prefix("grey")
        .or_else(|| name.strip_prefix("gray"))
    {
        return parse_grey(number);
    }
    let at = NAMES
        .binary_search_by(|(known, _)| (*known).cmp(&lower))
        .ok()?;
    Some(NAMES[at].1)
}

/// The first sixteen colours as tmux has them. The renderer uses the colours of the user's theme instead.
const FIRST: [u32; 16] = [
    0x00_0000, 0x80_0000, 0x00_8000, 0x80_8000, 0x00_0080, 0x80_0080, 0x00_8080, 0xc0_c0c0,
    0x80_8080, 0xff_0000, 0x00_ff00, 0xff_ff00, 0x00_00ff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

fn palette(index: i64) -> Option<u32> {
    let index = u8::try_from(index).ok()?;
    if let Some(rgb) = FIRST.get(usize::from(index)) {
        return Some(*rgb);
    }
    let (red, green, blue) = palette_rgb(index);
    Some(u32::from_be_bytes([0, red, green, blue]))
}

/// `grey0` to `grey100` are percentages of white.
fn parse_grey(number: &str) -> Option<u32> {
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Some(GREY);
    }
    let percent: u32 = number[..digits].parse().ok().filter(|n| *n <= 100)?;
    // In floating point, as in tmux, where 2.55 is slightly less: half of white is 127.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 255"
    )]
    let level = (2.55 * f64::from(percent)).round() as u32;
    Some(level << 16 | level << 8 | level)
}
