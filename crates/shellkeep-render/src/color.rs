//! Converts colours for terminals with fewer of them: true colour to 256, to 16, to 8, to none.
//!
//! "Nearest" is measured in Oklab, where equal distances look about equal; with plain RGB distances, dark blues become
//! black and skin tones grey. The palette is converted once; after that a colour takes about a hundred nanoseconds, and
//! the painter converts only when a style changes.

use std::sync::LazyLock;

use shellkeep_core::style::{CUBE, palette_rgb};
use shellkeep_core::{Attrs, Color, Style};

use crate::caps::Colors;

/// Lightness and the two colour axes of Oklab.
#[derive(Clone, Copy)]
struct Lab(f32, f32, f32);

impl Lab {
    fn new((r, g, b): (u8, u8, u8)) -> Self {
        let linear = |c: u8| {
            let c = f32::from(c) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        let (r, g, b) = (linear(r), linear(g), linear(b));
        // The matrices of the definition of Oklab: linear sRGB to cone responses, and after the cube root to lightness,
        // green-red and blue-yellow.
        let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
        let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
        let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
        Self(
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        )
    }

    fn distance(self, other: Self) -> f32 {
        let (l, a, b) = (self.0 - other.0, self.1 - other.1, self.2 - other.2);
        l * l + a * a + b * b
    }
}

static PALETTE: LazyLock<[Lab; 256]> =
    LazyLock::new(|| std::array::from_fn(|index| Lab::new(palette_rgb(index as u8))));

fn nearest(rgb: (u8, u8, u8), candidates: impl IntoIterator<Item = u8>) -> u8 {
    let lab = Lab::new(rgb);
    let mut best = (f32::INFINITY, 0);
    for index in candidates {
        let distance = lab.distance(PALETTE[usize::from(index)]);
        if distance < best.0 {
            best = (distance, index);
        }
    }
    best.1
}

/// The palette colour from 16 to 255 that is most similar. The themed 16 are left out, because their look depends on
/// the user's theme.
#[must_use]
pub fn to_256(rgb: (u8, u8, u8)) -> u8 {
    // Only the eight corners of the cube around the colour can be nearest, and the two greys around its mean.
    let floor = |c: u8| CUBE.iter().rposition(|&step| step <= c).unwrap_or(0) as u8;
    let (r, g, b) = (floor(rgb.0), floor(rgb.1), floor(rgb.2));
    let corners = (0..8u8).map(|corner| {
        let r = (r + (corner >> 2)).min(5);
        let g = (g + (corner >> 1 & 1)).min(5);
        let b = (b + (corner & 1)).min(5);
        16 + 36 * r + 6 * g + b
    });
    let mean = (u16::from(rgb.0) + u16::from(rgb.1) + u16::from(rgb.2)) / 3;
    let grey = (mean.saturating_sub(8) / 10).min(23) as u8;
    nearest(rgb, corners.chain([232 + grey, 232 + (grey + 1).min(23)]))
}

/// The themed colour that looks most like this one.
#[must_use]
pub fn to_16(rgb: (u8, u8, u8)) -> u8 {
    nearest(rgb, 0..16)
}

fn step_color(color: Color, colors: Colors) -> Color {
    match (color, colors) {
        (Color::Default, _) | (_, Colors::True) => color,
        (_, Colors::None) => Color::Default,
        (Color::Palette(_), Colors::Palette256) => color,
        (Color::Rgb(r, g, b), Colors::Palette256) => Color::Palette(to_256((r, g, b))),
        (Color::Palette(0..=15), _) => color,
        (Color::Palette(index), _) => Color::Palette(to_16(palette_rgb(index))),
        (Color::Rgb(r, g, b), _) => Color::Palette(to_16((r, g, b))),
    }
}

/// Reduces the colours of a style. What is lost is replaced in the traditional way: bright text becomes bold with eight
/// colours, and a background becomes reverse without colours.
pub(crate) fn step_down(mut style: Style, colors: Colors) -> Style {
    if colors == Colors::None && style.bg != Color::Default {
        style.attrs.toggle(Attrs::REVERSE);
    }
    style.fg = step_color(style.fg, colors);
    style.bg = step_color(style.bg, colors);
    style.underline_color = step_color(style.underline_color, colors);
    if colors == Colors::Ansi8 {
        if let Color::Palette(index @ 8..=15) = style.fg {
            style.fg = Color::Palette(index - 8);
            style.attrs |= Attrs::BOLD;
        }
        if let Color::Palette(index @ 8..=15) = style.bg {
            style.bg = Color::Palette(index - 8);
        }
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palette_colour_is_nearest_to_itself() {
        for index in 16..=255u8 {
            let rgb = palette_rgb(index);
            assert_eq!(palette_rgb(to_256(rgb)), rgb, "{index}");
        }
        for index in 0..16 {
            assert_eq!(to_16(palette_rgb(index)), index);
        }
    }

    #[test]
    fn corners_hold_the_nearest_of_all() {
        // Compares the shortcut with ten candidates to a search of all 240. Oklab distorts the cube a little, so the
        // nearest colour may lie outside, but never by much.
        for r in (0..=255u8).step_by(17) {
            for g in (0..=255u8).step_by(17) {
                for b in (0..=255u8).step_by(17) {
                    let lab = Lab::new((r, g, b));
                    let quick = lab.distance(PALETTE[usize::from(to_256((r, g, b)))]);
                    let best = lab.distance(PALETTE[usize::from(nearest((r, g, b), 16..=255))]);
                    assert!(quick.sqrt() <= best.sqrt() + 0.05, "{r},{g},{b}");
                }
            }
        }
    }

    #[test]
    fn well_known_colours_step_down_as_an_eye_would() {
        for (rgb, in_256, in_16) in [
            ((255, 0, 0), 196, 9),
            ((0, 0, 0), 16, 0),
            ((255, 255, 255), 231, 15),
            ((128, 128, 128), 244, 8),
            ((30, 30, 30), 234, 0),
            ((0, 0, 139), 18, 4),
            ((255, 165, 0), 214, 3),
            ((46, 204, 64), 41, 2),
        ] {
            assert_eq!(to_256(rgb), in_256, "{rgb:?} in 256");
            assert_eq!(to_16(rgb), in_16, "{rgb:?} in 16");
        }
    }

    #[test]
    fn style_steps_down_through_every_depth() {
        let style = Style {
            fg: Color::Rgb(255, 0, 0),
            bg: Color::Palette(244),
            underline_color: Color::Rgb(0, 0, 0),
            ..Style::default()
        };
        let at = |colors| {
            let style = step_down(style, colors);
            (style.fg, style.bg, style.attrs)
        };
        let none = Attrs::empty();
        assert_eq!(at(Colors::True), (style.fg, style.bg, none));
        assert_eq!(
            at(Colors::Palette256),
            (Color::Palette(196), Color::Palette(244), none)
        );
        assert_eq!(
            at(Colors::Ansi16),
            (Color::Palette(9), Color::Palette(8), none)
        );
        assert_eq!(
            at(Colors::Ansi8),
            (Color::Palette(1), Color::Palette(0), Attrs::BOLD)
        );
        assert_eq!(
            at(Colors::None),
            (Color::Default, Color::Default, Attrs::REVERSE)
        );
    }
}
