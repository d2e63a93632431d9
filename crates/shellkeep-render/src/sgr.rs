//! The shortest SGR sequence from one pen to another.

use shellkeep_core::{Attrs, Color, Style, Underline};

use crate::caps::{Caps, Features};
use crate::cell::{PackedColor, Pen};

/// Writes what brings the terminal from pen `from` to pen `to`. Both are already reduced to what the terminal can show.
pub(crate) fn write(from: Pen, to: Pen, caps: &Caps, out: &mut Vec<u8>) {
    if from == to {
        return;
    }
    if to == Pen::PLAIN {
        out.extend_from_slice(b"\x1b[m");
        return;
    }
    let start = out.len();
    let mut params = Params::new(out);
    params.changes(from, to);
    params.end();
    if !takes_away(from, to) {
        return;
    }
    // Resetting everything is often shorter than switching attributes off one by one, and some terminals support
    // nothing else.
    let middle = out.len();
    let mut params = Params::new(out);
    params.code(0);
    params.changes(Pen::PLAIN, to);
    params.end();
    if out.len() - middle < middle - start || !caps.has(Features::ATTRS_OFF) {
        out.drain(start..middle);
    } else {
        out.truncate(middle);
    }
}

/// Writes what sets this style on a terminal with a plain pen.
pub fn write_style(style: &Style, caps: &Caps, out: &mut Vec<u8>) {
    write(Pen::PLAIN, Pen::pack(&caps.step_down(*style)), caps, out);
}

/// Whether something is on in `from` and off in `to`.
fn takes_away(from: Pen, to: Pen) -> bool {
    let gone = |from: PackedColor, to: PackedColor| from != to && to == PackedColor::DEFAULT;
    !(from.attrs() - to.attrs()).is_empty()
        || from.underline() != Underline::None && to.underline() == Underline::None
        || gone(from.fg(), to.fg())
        || gone(from.bg(), to.bg())
        || gone(from.underline_color(), to.underline_color())
}

pub(crate) fn number(out: &mut Vec<u8>, value: u16) {
    let mut digits = [0; 5];
    let mut at = digits.len();
    let mut rest = value;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

const SWITCHES: [(Attrs, u16, u16); 6] = [
    (Attrs::ITALIC, 3, 23),
    (Attrs::BLINK, 5, 25),
    (Attrs::REVERSE, 7, 27),
    (Attrs::HIDDEN, 8, 28),
    (Attrs::STRIKE, 9, 29),
    (Attrs::OVERLINE, 53, 55),
];

/// The parameters of one SGR sequence as they are written.
struct Params<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl<'a> Params<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(b"\x1b[");
        Self { out, first: true }
    }

    fn end(self) {
        self.out.push(b'm');
    }

    fn code(&mut self, code: u16) {
        if !self.first {
            self.out.push(b';');
        }
        self.first = false;
        number(self.out, code);
    }

    /// Another part of the last parameter, after a colon.
    fn part(&mut self, code: u8) {
        self.out.push(b':');
        number(self.out, u16::from(code));
    }

    fn changes(&mut self, from: Pen, to: Pen) {
        let mut had = from.attrs();
        let has = to.attrs();
        let intensity = Attrs::BOLD | Attrs::DIM;
        // One code (22) ends both bold and faint, so the attribute that stays must be set again.
        if !((had - has) & intensity).is_empty() {
            self.code(22);
            had -= intensity;
        }
        for (attr, on) in [(Attrs::BOLD, 1), (Attrs::DIM, 2)] {
            if has.contains(attr) && !had.contains(attr) {
                self.code(on);
            }
        }
        for (attr, on, off) in SWITCHES {
            match (had.contains(attr), has.contains(attr)) {
                (false, true) => self.code(on),
                (true, false) => self.code(off),
                _ => {}
            }
        }
        if from.underline() != to.underline() {
            self.underline(to.underline());
        }
        if from.fg() != to.fg() {
            self.color(to.fg().unpack(), 30);
        }
        if from.bg() != to.bg() {
            self.color(to.bg().unpack(), 40);
        }
        if from.underline_color() != to.underline_color() {
            self.underline_color(to.underline_color().unpack());
        }
    }

    fn underline(&mut self, underline: Underline) {
        match underline {
            Underline::None => self.code(24),
            Underline::Single => self.code(4),
            kind => {
                self.code(4);
                self.part(kind as u8);
            }
        }
    }

    /// Foreground (`base` 30) or background (40).
    fn color(&mut self, color: Color, base: u16) {
        match color {
            Color::Default => self.code(base + 9),
            Color::Palette(index @ 0..=7) => self.code(base + u16::from(index)),
            Color::Palette(index @ 8..=15) => self.code(base + 60 + u16::from(index - 8)),
            Color::Palette(index) => {
                // With semicolons, although the standard has colons: every terminal accepts them.
                self.code(base + 8);
                self.code(5);
                self.code(u16::from(index));
            }
            Color::Rgb(r, g, b) => {
                self.code(base + 8);
                self.code(2);
                for channel in [r, g, b] {
                    self.code(u16::from(channel));
                }
            }
        }
    }

    /// With colons, which all terminals with underline colours understand. With semicolons, a terminal without 58 would
    /// read the following numbers as attributes.
    fn underline_color(&mut self, color: Color) {
        match color {
            Color::Default => self.code(59),
            Color::Palette(index) => {
                self.code(58);
                self.part(5);
                self.part(index);
            }
            Color::Rgb(r, g, b) => {
                self.code(58);
                self.part(2);
                // The empty part is the colour space.
                self.out.push(b':');
                for channel in [r, g, b] {
                    self.part(channel);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caps::Colors;
    use shellkeep_core::Style;

    const CAPS: Caps = Caps {
        colors: Colors::True,
        features: Features::all(),
    };

    fn sgr(from: Style, to: Style, caps: &Caps) -> String {
        let mut out = Vec::new();
        write(Pen::pack(&from), Pen::pack(&to), caps, &mut out);
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    }

    fn fg(fg: Color) -> Style {
        Style {
            fg,
            ..Style::default()
        }
    }

    fn attrs(attrs: Attrs) -> Style {
        Style {
            attrs,
            ..Style::default()
        }
    }

    #[test]
    fn sgr_has_only_changes() {
        let red = fg(Color::Palette(1));
        let plain = Style::default();
        assert_eq!(sgr(plain, plain, &CAPS), "");
        assert_eq!(sgr(plain, red, &CAPS), "^[31m");
        assert_eq!(sgr(red, plain, &CAPS), "^[m");
        assert_eq!(sgr(red, fg(Color::Palette(9)), &CAPS), "^[91m");
        assert_eq!(sgr(red, fg(Color::Palette(200)), &CAPS), "^[38;5;200m");
        assert_eq!(
            sgr(red, fg(Color::Rgb(1, 20, 255)), &CAPS),
            "^[38;2;1;20;255m"
        );
        let bold_red = Style {
            attrs: Attrs::BOLD,
            ..red
        };
        assert_eq!(sgr(red, bold_red, &CAPS), "^[1m");
        assert_eq!(sgr(bold_red, red, &CAPS), "^[22m");
    }

    #[test]
    fn sgr_starts_over_where_shorter_or_needed() {
        let many = attrs(Attrs::BOLD | Attrs::ITALIC | Attrs::REVERSE | Attrs::STRIKE);
        assert_eq!(sgr(many, fg(Color::Palette(1)), &CAPS), "^[0;31m");
        let vt100 = Caps {
            features: Features::ADDRESSING,
            ..CAPS
        };
        let two = attrs(Attrs::BOLD | Attrs::REVERSE);
        assert_eq!(sgr(two, attrs(Attrs::BOLD), &vt100), "^[0;1m");
        assert_eq!(sgr(two, attrs(Attrs::BOLD), &CAPS), "^[27m");
    }

    #[test]
    fn sgr_of_bold_and_dim_share_their_end() {
        let both = attrs(Attrs::BOLD | Attrs::DIM);
        assert_eq!(sgr(both, attrs(Attrs::DIM), &CAPS), "^[0;2m");
        let caps_red = Style {
            fg: Color::Rgb(200, 100, 100),
            ..both
        };
        let to = Style {
            attrs: Attrs::DIM,
            ..caps_red
        };
        assert_eq!(sgr(caps_red, to, &CAPS), "^[22;2m");
    }

    #[test]
    fn sgr_underlines_have_kinds_and_colours() {
        let curly = Style {
            underline: Underline::Curly,
            underline_color: Color::Rgb(1, 2, 3),
            ..Style::default()
        };
        assert_eq!(sgr(Style::default(), curly, &CAPS), "^[4:3;58:2::1:2:3m");
        let single = Style {
            underline: Underline::Single,
            underline_color: Color::Palette(7),
            ..Style::default()
        };
        assert_eq!(sgr(curly, single, &CAPS), "^[4;58:5:7m");
    }

    #[test]
    fn numbers_are_decimal() {
        for value in [0, 9, 10, 255, 10_000, u16::MAX] {
            let mut out = Vec::new();
            number(&mut out, value);
            assert_eq!(out, value.to_string().into_bytes());
        }
    }
}
