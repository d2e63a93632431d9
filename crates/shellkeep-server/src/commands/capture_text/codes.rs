//! Styles as escape sequences, in the same order and form as tmux writes them: scripts compare them.

use shellkeep_core::{Attrs, Color, Style, Underline};

/// Writes the changes of style from cell to cell.
pub(crate) struct Codes {
    /// The text before the bracket of a sequence.
    escape: &'static str,
    last: Style,
}

/// The attributes with their codes, in tmux's order; underlines come after italics.
const BEFORE: [(Attrs, &str); 3] = [(Attrs::BOLD, "1"), (Attrs::DIM, "2"), (Attrs::ITALIC, "3")];
const BETWEEN: [(Attrs, &str); 4] = [
    (Attrs::BLINK, "5"),
    (Attrs::REVERSE, "7"),
    (Attrs::HIDDEN, "8"),
    (Attrs::STRIKE, "9"),
];

impl Codes {
    /// Writes sequences as bytes, or escaped for `-C`.
    pub(crate) fn new(written_out: bool) -> Self {
        Self {
            escape: if written_out { "\\033" } else { "\x1b" },
            last: Style::default(),
        }
    }

    /// Writes the change from the last style to this one.
    pub(crate) fn change(&mut self, style: Style, out: &mut String) {
        let last = self.last;
        if style == last {
            return;
        }
        self.last = style;
        let is_underline_gone =
            last.underline != Underline::None && style.underline != last.underline;
        let is_color_gone =
            last.underline_color != Color::Default && style.underline_color == Color::Default;
        let is_reset = !style.attrs.contains(last.attrs) || is_underline_gone || is_color_gone;
        let old = if is_reset { Style::default() } else { last };
        let mut codes: Vec<&str> = Vec::new();
        if is_reset {
            codes.push("0");
        }
        let new = style.attrs - old.attrs;
        let chosen = |table: &[(Attrs, &'static str)]| -> Vec<&'static str> {
            let table = table.iter().filter(|(attr, _)| new.contains(*attr));
            table.map(|(_, code)| *code).collect()
        };
        codes.extend(chosen(&BEFORE));
        if style.underline == Underline::Single && old.underline != Underline::Single {
            codes.push("4");
        }
        codes.extend(chosen(&BETWEEN));
        codes.extend(match style.underline {
            underline if underline == old.underline => None,
            Underline::None | Underline::Single => None,
            Underline::Double => Some("4:2"),
            Underline::Curly => Some("4:3"),
            Underline::Dotted => Some("4:4"),
            Underline::Dashed => Some("4:5"),
        });
        if new.contains(Attrs::OVERLINE) {
            // tmux writes this code with a colon, like those of underlines.
            codes.push("5:3");
        }
        if !codes.is_empty() {
            self.push(&codes.join(";"), out);
        }
        if is_reset || style.fg != last.fg {
            self.push(&color(style.fg, Ground::Fore), out);
        }
        if is_reset || style.bg != last.bg {
            self.push(&color(style.bg, Ground::Back), out);
        }
        let is_line_color_due = is_reset || style.underline_color != last.underline_color;
        if is_line_color_due && style.underline_color != Color::Default {
            self.push(&color(style.underline_color, Ground::Underline), out);
        }
    }

    fn push(&self, codes: &str, out: &mut String) {
        out.push_str(self.escape);
        out.push('[');
        out.push_str(codes);
        out.push('m');
    }
}

#[derive(Clone, Copy)]
enum Ground {
    Fore,
    Back,
    Underline,
}

fn color(color: Color, ground: Ground) -> String {
    let (base, bright, any) = match ground {
        Ground::Fore => (30, 90, 38),
        Ground::Back => (40, 100, 48),
        Ground::Underline => (0, 0, 58),
    };
    match color {
        Color::Default => (base + 9).to_string(),
        Color::Palette(n @ 0..=7) if base > 0 => (base + n).to_string(),
        Color::Palette(n @ 8..=15) if base > 0 => (bright + n - 8).to_string(),
        Color::Palette(n) => format!("{any};5;{n}"),
        Color::Rgb(r, g, b) => format!("{any};2;{r};{g};{b}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_takes_back_by_a_reset_and_adds_by_numbers() {
        let mut codes = Codes::new(true);
        let mut out = String::new();
        let bold = Style {
            attrs: Attrs::BOLD,
            ..Style::default()
        };
        let red = Style {
            fg: Color::Palette(1),
            underline: Underline::Curly,
            ..bold
        };
        for style in [bold, red, bold, Style::default(), Style::default()] {
            codes.change(style, &mut out);
            out.push('|');
        }
        let seen = r"\033[1m|\033[4:3m\033[31m|\033[0;1m\033[39m\033[49m|\033[0m\033[39m\033[49m||";
        assert_eq!(out, seen);
    }
}
