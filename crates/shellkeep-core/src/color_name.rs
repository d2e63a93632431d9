//! Colours as written in options and styles, parsed and printed as in tmux 3.3a.
//!
//! A [`Color`] does not record how it was written: `red` and `colour1` are the same. Here they differ, because
//! `show-options` must print what was set.

mod x11;

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::style::Color;

/// The eight basic names, in the palette's order.
const BASIC: [&str; 8] = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
];

/// A colour as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorName {
    /// `default`: the colour of the context.
    Default,
    /// `terminal`: the outer terminal's own.
    Terminal,
    /// `black` to `white`, 0 to 7.
    Basic(u8),
    /// `brightblack` to `brightwhite`, 0 to 7.
    Bright(u8),
    /// `colour0` to `colour255`.
    Indexed(u8),
    /// `#rrggbb`, or one of X11's names.
    Rgb(u8, u8, u8),
}

impl ColorName {
    /// The colour that it stands for. `default` and `terminal` are both the terminal's own here.
    #[must_use]
    pub const fn color(self) -> Color {
        match self {
            Self::Default | Self::Terminal => Color::Default,
            Self::Basic(n) => Color::Palette(n & 7),
            Self::Bright(n) => Color::Palette((n & 7) + 8),
            Self::Indexed(n) => Color::Palette(n),
            Self::Rgb(r, g, b) => Color::Rgb(r, g, b),
        }
    }
}

/// The text is not a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseColorError(
    /// The text.
    pub String,
);

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad colour: {}", self.0)
    }
}

impl Error for ParseColorError {}

impl FromStr for ColorName {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| ParseColorError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<ColorName> {
    if let Some(digits) = text.strip_prefix('#') {
        return parse_hex(digits);
    }
    for stem in ["colour", "color"] {
        if let Some(digits) = strip_stem(text, stem) {
            return digits.trim_start().parse().ok().map(ColorName::Indexed);
        }
    }
    let name = text.to_ascii_lowercase();
    match name.as_str() {
        "default" => return Some(ColorName::Default),
        "terminal" => return Some(ColorName::Terminal),
        _ => {}
    }
    // The numbers of SGR sequences are names as well: 1 is red, 91 is bright red.
    if let Ok(number) = name.parse::<u8>() {
        return match number {
            0..=7 if name.len() == 1 => Some(ColorName::Basic(number)),
            90..=97 if name.len() == 2 => Some(ColorName::Bright(number - 90)),
            _ => None,
        };
    }
    if let Some(number) = basic(&name) {
        return Some(ColorName::Basic(number));
    }
    if let Some(number) = name.strip_prefix("bright").and_then(basic) {
        return Some(ColorName::Bright(number));
    }
    parse_x11(&name)
}

fn parse_hex(digits: &str) -> Option<ColorName> {
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, r, g, b] = number.to_be_bytes();
    Some(ColorName::Rgb(r, g, b))
}

fn strip_stem<'a>(text: &'a str, stem: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(stem.len())?;
    head.eq_ignore_ascii_case(stem).then_some(rest)
}

fn basic(name: &str) -> Option<u8> {
    let index = BASIC.iter().position(|basic| *basic == name)?;
    u8::try_from(index).ok()
}

/// X11's names with or without spaces.
fn parse_x11(name: &str) -> Option<ColorName> {
    let name = name.replace("grey", "gray");
    if let Some(percent) = name.strip_prefix("gray").and_then(|n| n.parse::<u8>().ok()) {
        if percent > 100 {
            return None;
        }
        // X11's list was computed in floating point: 50 is 127, but 70 is 179.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 255"
        )]
        let level = (2.55 * f64::from(percent)).round() as u8;
        return Some(ColorName::Rgb(level, level, level));
    }
    let joined = name.replace(' ', "");
    let letters = |entry: &str| -> Vec<u8> { entry.bytes().filter(|b| *b != b' ').collect() };
    let found = x11::NAMES
        .binary_search_by(|(entry, _)| letters(entry).as_slice().cmp(joined.as_bytes()))
        .ok()?;
    let (entry, (r, g, b)) = x11::NAMES[found];
    (name == entry || name == joined).then_some(ColorName::Rgb(r, g, b))
}

impl fmt::Display for ColorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Default => f.write_str("default"),
            Self::Terminal => f.write_str("terminal"),
            Self::Basic(n) => f.write_str(BASIC[usize::from(n & 7)]),
            Self::Bright(n) => write!(f, "bright{}", BASIC[usize::from(n & 7)]),
            Self::Indexed(n) => write!(f, "colour{n}"),
            Self::Rgb(r, g, b) => write!(f, "#{r:02x}{g:02x}{b:02x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, and what tmux 3.3a prints after setting them; `None` where it refuses them.
    const TMUX: &[(&str, Option<&str>)] = &[
        ("black", Some("black")),
        ("Red", Some("red")),
        ("default", Some("default")),
        ("DEFAULT", Some("default")),
        ("Terminal", Some("terminal")),
        ("colour3", Some("colour3")),
        ("color3", Some("colour3")),
        ("Colour12", Some("colour12")),
        ("colour007", Some("colour7")),
        ("colour 1", Some("colour1")),
        ("colour+1", Some("colour1")),
        ("colour256", None),
        ("colour-1", None),
        ("colour1x", None),
        ("colour", None),
        ("brightred", Some("brightred")),
        ("brightBlack", Some("brightblack")),
        ("bright", None),
        ("brightfoo", None),
        ("0", Some("black")),
        ("7", Some("white")),
        ("8", None),
        ("90", Some("brightblack")),
        ("97", Some("brightwhite")),
        ("98", None),
        ("100", None),
        ("#aabbcc", Some("#aabbcc")),
        ("#ABCDEF", Some("#abcdef")),
        ("#12345", None),
        ("#+12345", None),
        ("#", None),
        ("#gggggg", None),
        ("", None),
        ("none", None),
        ("transparent", None),
        ("orange", Some("#ffa500")),
        ("AliceBlue", Some("#f0f8ff")),
        ("gray50", Some("#7f7f7f")),
        ("gray100", Some("#ffffff")),
        ("gray101", None),
        ("gray007", Some("#121212")),
        ("grey", Some("#bebebe")),
        ("lightgrey", Some("#d3d3d3")),
        ("light grey", Some("#d3d3d3")),
        ("LIGHT GREY", Some("#d3d3d3")),
        ("light  grey", None),
        ("medium violetred", None),
        ("mediumvioletred", Some("#c71585")),
        ("Dark Gray", Some("#a9a9a9")),
        ("purple", Some("#a020f0")),
        ("web gray", Some("#808080")),
        ("x11gray", Some("#bebebe")),
        ("rebeccapurple", Some("#663399")),
        ("green3", Some("#00cd00")),
    ];

    #[test]
    fn color_written_prints_as_tmux_does() {
        for (text, printed) in TMUX {
            let color = text.parse::<ColorName>();
            assert_eq!(
                color.as_ref().map(ToString::to_string).ok().as_deref(),
                *printed,
                "{text}"
            );
            if let Ok(color) = color {
                assert_eq!(color.to_string().parse(), Ok(color), "{text}");
            }
        }
        assert_eq!(
            "foo".parse::<ColorName>().unwrap_err().to_string(),
            "bad colour: foo"
        );
    }

    #[test]
    fn x11_names_are_sorted_and_found() {
        let joined = |name: &str| name.replace(' ', "");
        assert!(
            x11::NAMES
                .windows(2)
                .all(|pair| joined(pair[0].0) < joined(pair[1].0))
        );
        for (name, (r, g, b)) in x11::NAMES {
            for spelling in [(*name).to_owned(), joined(name)] {
                let color = spelling.parse();
                assert_eq!(color, Ok(ColorName::Rgb(*r, *g, *b)), "{spelling}");
            }
        }
    }

    #[test]
    fn color_name_stands_for_palette_color() {
        assert_eq!(ColorName::Basic(1).color(), Color::Palette(1));
        assert_eq!(ColorName::Bright(1).color(), Color::Palette(9));
        assert_eq!(ColorName::Terminal.color(), Color::Default);
    }
}
