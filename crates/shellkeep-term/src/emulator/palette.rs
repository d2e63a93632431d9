//! Colours that a program has changed.

/// Red, green, blue.
pub(crate) type Rgb = (u8, u8, u8);

/// The changed colours. Most panes have none, so the table is allocated when needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    pub(crate) colors: Option<Box<[Option<Rgb>; PALETTE]>>,
    /// Foreground, background, cursor and the rest of OSC 10 to 19.
    pub(crate) dynamic: [Option<Rgb>; DYNAMIC],
    /// Bold, underlined, blinking, reversed, italic text (OSC 5).
    pub(crate) special: [Option<Rgb>; SPECIAL],
}

/// The number of palette colours. In OSC 4 the special colours follow them.
pub(crate) const PALETTE: usize = 256;
/// The number of colours of OSC 5.
pub(crate) const SPECIAL: usize = 5;
/// The number of colours of OSC 10 to 19.
pub(crate) const DYNAMIC: usize = 10;

impl Palette {
    pub(crate) fn get(&self, index: u8) -> Option<Rgb> {
        self.colors.as_ref()?[usize::from(index)]
    }

    /// Sets or resets a colour of the palette or, after it, a special one. Returns false if the index has no colour.
    pub(crate) fn set(&mut self, index: usize, color: Option<Rgb>) -> bool {
        if index < PALETTE {
            if color.is_some() || self.colors.is_some() {
                self.colors.get_or_insert_with(|| Box::new([None; PALETTE]))[index] = color;
            }
            return true;
        }
        let slot = self.special.get_mut(index - PALETTE);
        slot.map(|slot| *slot = color).is_some()
    }
}

/// Parses a colour in the forms of X11: `rgb:ff/80/00` with one to four digits each, and `#rgb` to `#rrrrggggbbbb`.
pub(crate) fn parse_color(text: &str) -> Option<Rgb> {
    if let Some(hex) = text.strip_prefix('#') {
        let digits = hex.len() / 3;
        if hex.len() % 3 != 0 || !(1..=4).contains(&digits) || !hex.is_ascii() {
            return None;
        }
        // In this form, fewer digits than four are the high ones.
        let part = |at: usize| -> Option<u8> {
            let text = &hex[at * digits..(at + 1) * digits];
            let value = u16::from_str_radix(text, 16).ok()?;
            Some((u32::from(value) << (16 - 4 * digits) >> 8) as u8)
        };
        return Some((part(0)?, part(1)?, part(2)?));
    }
    let mut parts = text.strip_prefix("rgb:")?.split('/').map(scaled);
    let color = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(color)
}

/// One to four hexadecimal digits as a fraction of their maximum.
fn scaled(text: &str) -> Option<u8> {
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(text, 16).ok()?;
    let max = (1u32 << (4 * text.len())) - 1;
    Some(((value * 255 + max / 2) / max) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_x11_writes_them() {
        assert_eq!(parse_color("rgb:f/8/0"), Some((255, 136, 0)));
        assert_eq!(parse_color("rgb:ff/80/00"), Some((255, 128, 0)));
        assert_eq!(parse_color("rgb:ffff/8000/0000"), Some((255, 128, 0)));
        assert_eq!(parse_color("#ff8000"), Some((255, 128, 0)));
        assert_eq!(parse_color("#f80"), Some((240, 128, 0)));
        for bad in [
            "",
            "#",
            "#ff",
            "rgb:",
            "rgb:1/2",
            "rgb:1/2/3/4",
            "rgb:12345/0/0",
            "red",
            "#é0",
        ] {
            assert_eq!(parse_color(bad), None, "{bad}");
        }
    }

    #[test]
    fn standard_palette_has_cube_and_grays() {
        assert_eq!(shellkeep_core::style::palette_rgb(16), (0, 0, 0));
        assert_eq!(shellkeep_core::style::palette_rgb(231), (255, 255, 255));
        assert_eq!(shellkeep_core::style::palette_rgb(110), (135, 175, 215));
        assert_eq!(shellkeep_core::style::palette_rgb(232), (8, 8, 8));
        assert_eq!(shellkeep_core::style::palette_rgb(255), (238, 238, 238));
    }
}
