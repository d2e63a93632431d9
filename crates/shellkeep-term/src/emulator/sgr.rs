//! SGR: colours and attributes.

use shellkeep_core::{Attrs, Color, Style, Underline};

use crate::parser::Csi;

/// Applies the parameters to `style`. An unknown one is skipped on its own.
pub(crate) fn apply(style: &mut Style, csi: &Csi) {
    let params = csi.params();
    if params.is_empty() {
        *style = Style::default();
        return;
    }
    let mut at = 0;
    while at < params.len() {
        at += apply_one(style, csi, at);
    }
}

/// Applies the attribute that begins at `at`. Returns how many parameters it used.
fn apply_one(style: &mut Style, csi: &Csi, at: usize) -> usize {
    let params = csi.params();
    let mut subs = 1;
    while at + subs < params.len() && csi.is_sub(at + subs) {
        subs += 1;
    }
    match params[at] {
        0 => *style = Style::default(),
        1 => style.attrs |= Attrs::BOLD,
        2 => style.attrs |= Attrs::DIM,
        3 => style.attrs |= Attrs::ITALIC,
        4 => {
            style.underline = if subs > 1 {
                underline(params[at + 1])
            } else {
                Underline::Single
            }
        }
        5 | 6 => style.attrs |= Attrs::BLINK,
        7 => style.attrs |= Attrs::REVERSE,
        8 => style.attrs |= Attrs::HIDDEN,
        9 => style.attrs |= Attrs::STRIKE,
        21 => style.underline = Underline::Double,
        22 => style.attrs -= Attrs::BOLD | Attrs::DIM,
        23 => style.attrs -= Attrs::ITALIC,
        24 => style.underline = Underline::None,
        25 => style.attrs -= Attrs::BLINK,
        27 => style.attrs -= Attrs::REVERSE,
        28 => style.attrs -= Attrs::HIDDEN,
        29 => style.attrs -= Attrs::STRIKE,
        n @ 30..=37 => style.fg = Color::Palette((n - 30) as u8),
        39 => style.fg = Color::Default,
        n @ 40..=47 => style.bg = Color::Palette((n - 40) as u8),
        49 => style.bg = Color::Default,
        53 => style.attrs |= Attrs::OVERLINE,
        55 => style.attrs -= Attrs::OVERLINE,
        59 => style.underline_color = Color::Default,
        n @ 90..=97 => style.fg = Color::Palette((n - 90 + 8) as u8),
        n @ 100..=107 => style.bg = Color::Palette((n - 100 + 8) as u8),
        kind @ (38 | 48 | 58) => {
            let (color, used) = if subs > 1 {
                (color_with_colons(&params[at + 1..at + subs]), subs)
            } else {
                color_with_semicolons(&params[at + 1..])
            };
            if let Some(color) = color {
                match kind {
                    38 => style.fg = color,
                    48 => style.bg = color,
                    _ => style.underline_color = color,
                }
            }
            return used;
        }
        _ => {}
    }
    subs
}

fn underline(kind: u16) -> Underline {
    match kind {
        0 => Underline::None,
        2 => Underline::Double,
        3 => Underline::Curly,
        4 => Underline::Dotted,
        5 => Underline::Dashed,
        _ => Underline::Single,
    }
}

fn rgb(parts: &[u16]) -> Option<Color> {
    let part = |at: usize| parts.get(at).map_or(Some(0), |&n| u8::try_from(n).ok());
    Some(Color::Rgb(part(0)?, part(1)?, part(2)?))
}

/// `2:r:g:b`, `2:space:r:g:b`, `5:n`.
fn color_with_colons(parts: &[u16]) -> Option<Color> {
    match parts {
        [5, index, ..] => u8::try_from(*index).ok().map(Color::Palette),
        // The standard has a colour space before the colour, which many programs omit.
        [2, r, g, b] => rgb(&[*r, *g, *b]),
        [2, _, rest @ ..] if !rest.is_empty() => rgb(rest),
        _ => None,
    }
}

/// `2;r;g;b`, `5;n`. Also returns how many parameters were used, including the leading 38.
fn color_with_semicolons(parts: &[u16]) -> (Option<Color>, usize) {
    match parts {
        [5, index, ..] => (u8::try_from(*index).ok().map(Color::Palette), 3),
        [2, r, g, b, ..] => (rgb(&[*r, *g, *b]), 5),
        [2 | 5, ..] => (None, parts.len() + 1),
        _ => (None, 1),
    }
}
