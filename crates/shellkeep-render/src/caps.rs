//! The capabilities of the outer terminal: guessed from its environment, extended by its terminfo entry and its own
//! replies.
//!
//! All terminals in use today have the same core of ECMA-48, and differ in what [`Features`] lists. A terminfo entry
//! only adds to the guess, because entries lag behind their terminals (that of `xterm` has eight colours).

mod described;
mod taught;

use bitflags::bitflags;
use shellkeep_core::{Attrs, Color, Style, Underline};

use crate::color;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colors {
    #[default]
    None,
    /// SGR 30 to 37 and 40 to 47.
    Ansi8,
    /// As `Ansi8`, and the bright colours, SGR 90 to 97 and 100 to 107.
    Ansi16,
    /// The palette of 256.
    Palette256,
    /// Red, green, blue.
    True,
}

impl Colors {
    /// From terminfo's `colors`.
    fn from_count(count: u32) -> Self {
        match count {
            0..8 => Self::None,
            8..16 => Self::Ansi8,
            16..256 => Self::Ansi16,
            256 => Self::Palette256,
            257.. => Self::True,
        }
    }
}

bitflags! {
    /// The features in which terminals differ.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Features: u32 {
        /// The cursor can be positioned. Without this, painting is impossible (`TERM=dumb`).
        const ADDRESSING = 1 << 0;
        /// An alternate screen (1049).
        const ALTERNATE_SCREEN = 1 << 1;
        /// Erasing fills with the current background.
        const BCE = 1 << 2;
        /// CHA and VPA: the column or the row can be set alone.
        const ABSOLUTE_AXES = 1 << 3;
        /// ECH erases characters in place.
        const ERASE_CHARS = 1 << 4;
        /// SU and SD scroll a region wherever the cursor is.
        const SCROLL = 1 << 5;
        /// REP repeats the last character.
        const REPEAT = 1 << 6;
        /// Attributes can be switched off one by one (SGR 22 to 29).
        const ATTRS_OFF = 1 << 7;
        const ITALIC = 1 << 8;
        const DIM = 1 << 9;
        const HIDDEN = 1 << 10;
        const STRIKE = 1 << 11;
        const OVERLINE = 1 << 12;
        /// Double, curly, dotted and dashed underlines.
        const STYLED_UNDERLINE = 1 << 13;
        /// Hyperlinks (OSC 8).
        const LINKS = 1 << 14;
        /// Synchronized output (2026).
        const SYNC = 1 << 15;
        /// Cursor shapes (DECSCUSR).
        const CURSOR_SHAPE = 1 << 16;
        /// A window title (OSC 2) and its stack.
        const TITLE = 1 << 17;
        /// Mouse reports in SGR encoding.
        const MOUSE = 1 << 18;
        const PASTE = 1 << 19;
        const FOCUS = 1 << 20;
        /// The clipboard can be set (OSC 52).
        const CLIPBOARD = 1 << 21;
        const KITTY_KEYBOARD = 1 << 22;
        /// Text is UTF-8.
        const UTF8 = 1 << 23;
        /// The terminal can be queried with more than DA1, because it ignores unknown sequences.
        const QUERIES = 1 << 24;
        /// Left and right margins (69): some columns can be scrolled alone.
        const MARGINS = 1 << 25;
        /// Keys with modifiers can be distinguished (modifyOtherKeys).
        const EXTENDED_KEYS = 1 << 26;
        /// The VT100's line drawing as a charset (`ESC ( 0`), for terminals without UTF-8.
        const LINE_DRAWING = 1 << 27;
        /// Underlines can have a colour of their own (SGR 58, with colons).
        const UNDERLINE_COLOR = 1 << 28;
    }
}

/// What is known of a client's terminal before it has replied to anything. All of it comes from the client's
/// environment, which this crate does not read itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Environment<'a> {
    pub term: &'a str,
    pub colorterm: Option<&'a str>,
    pub term_program: Option<&'a str>,
    /// `VTE_VERSION`, set by GNOME Terminal and others with VTE.
    pub vte_version: Option<&'a str>,
    /// `LC_ALL`, else `LC_CTYPE`, else `LANG`. `None` counts as UTF-8.
    pub locale: Option<&'a str>,
}

/// The capabilities of the outer terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    pub colors: Colors,
    pub features: Features,
}

/// The smallest set with which painting is possible.
const VT100: Features = Features::ADDRESSING.union(Features::LINE_DRAWING);
/// A VT220 without all options: assumed for any unknown name.
const VT220: Features = VT100.union(Features::ATTRS_OFF).union(Features::HIDDEN);
/// What GNU screen passes on.
const SCREEN: Features = VT220
    .union(Features::ALTERNATE_SCREEN)
    .union(Features::ABSOLUTE_AXES)
    .union(Features::DIM)
    .union(Features::MOUSE)
    .union(Features::PASTE)
    .union(Features::QUERIES);
/// What every terminal named xterm has.
const XTERM: Features = SCREEN
    .union(Features::BCE)
    .union(Features::ERASE_CHARS)
    .union(Features::SCROLL)
    .union(Features::ITALIC)
    .union(Features::CURSOR_SHAPE)
    .union(Features::TITLE)
    .union(Features::FOCUS);
/// A terminal named xterm can set the clipboard, or ignores the request.
const SETS_CLIPBOARD: Features = XTERM.union(Features::CLIPBOARD);
/// What all terminals of recent years have in addition.
const MODERN: Features = XTERM
    .union(Features::STRIKE)
    .union(Features::OVERLINE)
    .union(Features::STYLED_UNDERLINE)
    .union(Features::UNDERLINE_COLOR)
    .union(Features::LINKS)
    .union(Features::CLIPBOARD);
/// The kernel's own console.
const CONSOLE: Features = VT100
    .union(Features::ATTRS_OFF)
    .union(Features::BCE)
    .union(Features::ABSOLUTE_AXES)
    .union(Features::ERASE_CHARS)
    .union(Features::DIM);

const SYNC_REP: Features = Features::SYNC.union(Features::REPEAT);
const KEYS: Features = Features::EXTENDED_KEYS;

/// The names of terminals in `TERM` (by prefix, the longest first where one is a prefix of another), in `TERM_PROGRAM`
/// and in replies to XTVERSION, in lower case.
const KNOWN: &[(&str, Colors, Features)] = &[
    ("alacritty", Colors::True, MODERN.union(SYNC_REP)),
    ("apple_terminal", Colors::Palette256, XTERM),
    ("contour", Colors::True, MODERN.union(SYNC_REP)),
    ("foot", Colors::True, MODERN.union(SYNC_REP).union(KEYS)),
    ("ghostty", Colors::True, MODERN.union(SYNC_REP)),
    ("gnome", Colors::True, MODERN),
    ("hyper", Colors::True, XTERM.union(Features::LINKS)),
    (
        "iterm",
        Colors::True,
        MODERN.union(Features::SYNC).union(KEYS),
    ),
    ("kitty", Colors::True, MODERN.union(SYNC_REP)),
    ("konsole", Colors::True, MODERN.union(Features::REPEAT)),
    ("mintty", Colors::True, MODERN.union(SYNC_REP).union(KEYS)),
    ("rio", Colors::True, MODERN.union(Features::SYNC)),
    ("rxvt-unicode-256color", Colors::Palette256, XTERM),
    ("rxvt", Colors::Ansi16, XTERM.difference(Features::SCROLL)),
    ("st-", Colors::Palette256, XTERM.union(Features::STRIKE)),
    (
        "tmux",
        Colors::Palette256,
        MODERN.difference(Features::REPEAT),
    ),
    ("vscode", Colors::True, MODERN.union(Features::SYNC)),
    ("vte", Colors::True, MODERN),
    ("warpterminal", Colors::True, XTERM.union(Features::STRIKE)),
    ("wezterm", Colors::True, MODERN.union(SYNC_REP)),
    ("xterm-256color", Colors::Palette256, SETS_CLIPBOARD),
    ("xterm", Colors::Ansi16, SETS_CLIPBOARD),
];

fn known(name: &str) -> Option<(Colors, Features)> {
    // Some terminals set TERM to "xterm-" and their name, which is more specific than "xterm".
    let own = name
        .strip_prefix("xterm-")
        .filter(|rest| !rest.starts_with("256color"));
    let find = |name: &str| {
        let row = KNOWN.iter().find(|(known, ..)| name.starts_with(known))?;
        Some((row.1, row.2))
    };
    own.and_then(find).or_else(|| find(name))
}

impl Caps {
    /// The best guess from the environment.
    #[must_use]
    pub fn detect(environment: &Environment<'_>) -> Self {
        let term = environment.term.to_ascii_lowercase();
        let mut caps = Self::from_term(&term);
        if !caps.is_usable() {
            return caps;
        }
        // Inside another multiplexer TERM_PROGRAM names the terminal around it, whose capabilities do not apply. tmux
        // sets it to "tmux".
        if !term.starts_with("screen") && !term.starts_with("tmux") && !term.starts_with("linux") {
            if let Some(program) = environment.term_program {
                caps.add(known(&program.to_ascii_lowercase()));
            }
            if let Some(version) = environment.vte_version
                && version.parse::<u32>().is_ok_and(|version| version >= 5200)
            {
                caps.add(known("vte"));
            }
        }
        match environment.colorterm {
            Some("truecolor" | "24bit") if caps.colors >= Colors::Ansi16 => {
                caps.colors = Colors::True;
            }
            Some(_) if caps.colors == Colors::Ansi16 && !term.starts_with("linux") => {
                caps.colors = Colors::Palette256;
            }
            _ => {}
        }
        if environment.locale.is_none_or(is_utf8) {
            caps.features |= Features::UTF8;
        }
        caps
    }

    fn from_term(term: &str) -> Self {
        let by_suffix = |least: Colors| {
            if term.contains("direct") || term.contains("truecolor") {
                Colors::True
            } else if term.contains("256color") {
                Colors::Palette256
            } else if term.contains("16color") {
                Colors::Ansi16
            } else if term.ends_with("-m") || term.ends_with("-mono") {
                Colors::None
            } else {
                least
            }
        };
        let (colors, features) = if let "" | "dumb" | "unknown" | "vt52" | "network" = term {
            (Colors::None, Features::empty())
        } else if term.starts_with("linux") {
            (Colors::Ansi16, CONSOLE)
        } else if term.starts_with("vt1") {
            (Colors::None, VT100)
        } else if term.starts_with("vt") && term.as_bytes().get(2).is_some_and(u8::is_ascii_digit) {
            (Colors::None, VT220)
        } else if term.starts_with("screen") {
            let bce = if term.contains("bce") {
                Features::BCE
            } else {
                Features::empty()
            };
            (by_suffix(Colors::Ansi8), SCREEN | bce)
        } else if let Some((colors, features)) = known(term) {
            (by_suffix(colors), features)
        } else {
            (by_suffix(Colors::Ansi8), VT220)
        };
        Self { colors, features }
    }

    fn add(&mut self, more: Option<(Colors, Features)>) {
        if let Some((colors, features)) = more {
            self.colors = self.colors.max(colors);
            self.features |= features;
        }
    }

    /// The features as in `#{client_termfeatures}`, with tmux's names, and ours where tmux has none.
    #[must_use]
    pub fn feature_names(&self) -> String {
        let features = self.features.iter_names();
        let mut names: Vec<String> = features
            .map(|(name, feature)| match feature {
                Features::PASTE => "bpaste".to_owned(),
                Features::CURSOR_SHAPE => "cstyle".to_owned(),
                Features::EXTENDED_KEYS => "extkeys".to_owned(),
                Features::LINKS => "hyperlinks".to_owned(),
                Features::STRIKE => "strikethrough".to_owned(),
                Features::STYLED_UNDERLINE => "usstyle".to_owned(),
                _ => name.to_lowercase().replace('_', "-"),
            })
            .collect();
        if self.colors >= Colors::Palette256 {
            names.push("256".to_owned());
        }
        if self.colors == Colors::True {
            names.push("RGB".to_owned());
        }
        names.sort_by_key(|name| name.to_lowercase());
        names.join(",")
    }

    /// Whether painting is possible. If not, tell the user so.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.has(Features::ADDRESSING)
    }

    /// Whether the terminal has all of these.
    #[must_use]
    pub fn has(&self, features: Features) -> bool {
        self.features.contains(features)
    }

    /// Whether a frame painted for a terminal with `other` would look the same here.
    #[must_use]
    pub fn looks_as(&self, other: &Self) -> bool {
        let seen = Features::UTF8
            | Features::LINE_DRAWING
            | Features::DIM
            | Features::ITALIC
            | Features::STRIKE
            | Features::OVERLINE
            | Features::STYLED_UNDERLINE
            | Features::UNDERLINE_COLOR
            | Features::LINKS;
        self.colors == other.colors
            && (self.features ^ other.features)
                .intersection(seen)
                .is_empty()
    }

    /// Uses the reply to XTVERSION: the terminal's own name, such as `kitty(0.32.2)` or `WezTerm 20240203`.
    pub fn refine_version(&mut self, version: &str) {
        let name = version.to_ascii_lowercase();
        // The real xterm can do more than the many terminals with its name.
        if name.starts_with("xterm(") {
            // As in tmux: an xterm without true colour chooses the nearest colour of its palette itself.
            self.colors = Colors::True;
            self.features |= Features::STRIKE | Features::REPEAT | Features::EXTENDED_KEYS;
        } else if name.starts_with("tmux") {
            // This terminal reduces colours itself for the terminal around it.
            self.add(Some((Colors::True, MODERN)));
        } else {
            self.add(known(&name));
        }
    }

    /// Uses the reply to DECRQM for a private mode: 0 unknown, 1 set, 2 reset, 3 and 4 permanent.
    pub fn refine_mode(&mut self, mode: u16, state: u8) {
        let feature = match mode {
            2026 => Features::SYNC,
            2004 => Features::PASTE,
            1004 => Features::FOCUS,
            1006 => Features::MOUSE,
            // A mode that cannot be switched is useless.
            69 => {
                self.features.set(Features::MARGINS, matches!(state, 1 | 2));
                return;
            }
            _ => return,
        };
        // "Permanently reset" means no; "permanently set" cannot be switched, but is harmless.
        self.features.set(feature, matches!(state, 1..=3));
    }

    /// Uses the reply to DA1: class and extensions. 52 is the clipboard, 22 is colour.
    pub fn refine_attributes(&mut self, attributes: &[u16]) {
        for attribute in attributes.iter().skip(1) {
            match attribute {
                22 => self.colors = self.colors.max(Colors::Ansi8),
                52 => self.features |= Features::CLIPBOARD,
                _ => {}
            }
        }
    }

    /// Uses the reply to the kitty keyboard query: a terminal that replies has the protocol.
    pub fn refine_kitty_keyboard(&mut self, _flags: u8) {
        self.features |= Features::KITTY_KEYBOARD;
    }

    /// The style as this terminal can show it. What it lacks is replaced by the nearest thing: other underlines by a
    /// single one, italics by an underline, colours by fewer colours.
    #[must_use]
    pub fn step_down(&self, style: Style) -> Style {
        let mut style = color::step_down(style, self.colors);
        if !self.has(Features::UNDERLINE_COLOR) {
            style.underline_color = Color::Default;
        }
        if !self.has(Features::STYLED_UNDERLINE) && style.underline != Underline::None {
            style.underline = Underline::Single;
        }
        if style.attrs.contains(Attrs::ITALIC) && !self.has(Features::ITALIC) {
            style.attrs -= Attrs::ITALIC;
            if style.underline == Underline::None {
                style.underline = Underline::Single;
            }
        }
        for (attr, feature) in [
            (Attrs::DIM, Features::DIM),
            (Attrs::STRIKE, Features::STRIKE),
            (Attrs::OVERLINE, Features::OVERLINE),
            (Attrs::HIDDEN, Features::HIDDEN),
        ] {
            if !self.has(feature) {
                style.attrs -= attr;
            }
        }
        style
    }
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(term: &str) -> Caps {
        Caps::detect(&Environment {
            term,
            ..Environment::default()
        })
    }

    #[test]
    fn terms_give_their_colours() {
        for (term, colors) in [
            ("dumb", Colors::None),
            ("", Colors::None),
            ("vt100", Colors::None),
            ("vt220", Colors::None),
            ("linux", Colors::Ansi16),
            ("xterm", Colors::Ansi16),
            ("xterm-16color", Colors::Ansi16),
            ("xterm-256color", Colors::Palette256),
            ("xterm-direct", Colors::True),
            ("xterm-kitty", Colors::True),
            ("xterm-ghostty", Colors::True),
            ("alacritty", Colors::True),
            ("foot", Colors::True),
            ("wezterm", Colors::True),
            ("screen", Colors::Ansi8),
            ("screen-256color", Colors::Palette256),
            ("screen.xterm-256color", Colors::Palette256),
            ("tmux-256color", Colors::Palette256),
            ("rxvt-unicode-256color", Colors::Palette256),
            ("something-256color", Colors::Palette256),
            ("something", Colors::Ansi8),
        ] {
            assert_eq!(detect(term).colors, colors, "{term}");
        }
    }

    #[test]
    fn dumb_terminal_is_not_usable() {
        assert!(!detect("dumb").is_usable());
        assert!(!detect("").is_usable());
        for term in ["vt100", "xterm", "linux", "screen", "nobody-knows-me"] {
            assert!(detect(term).is_usable(), "{term}");
        }
    }

    #[test]
    fn colorterm_lifts_colours_but_not_out_of_nothing() {
        let with = |term, colorterm| {
            Caps::detect(&Environment {
                term,
                colorterm: Some(colorterm),
                ..Environment::default()
            })
            .colors
        };
        assert_eq!(with("xterm-256color", "truecolor"), Colors::True);
        assert_eq!(with("xterm", "gnome-terminal"), Colors::Palette256);
        assert_eq!(with("vt100", "truecolor"), Colors::None);
        assert_eq!(with("screen", "truecolor"), Colors::Ansi8);
    }

    #[test]
    fn program_around_a_multiplexer_is_not_believed() {
        let caps = Caps::detect(&Environment {
            term: "screen-256color",
            term_program: Some("iTerm.app"),
            vte_version: Some("7600"),
            ..Environment::default()
        });
        assert_eq!(caps, detect("screen-256color"));
    }

    #[test]
    fn answers_refine_the_guess() {
        let mut caps = detect("xterm-256color");
        assert!(!caps.has(Features::SYNC));
        caps.refine_mode(2026, 2);
        assert!(caps.has(Features::SYNC));
        caps.refine_mode(2026, 4);
        assert!(!caps.has(Features::SYNC));
        caps.refine_version("kitty(0.32.2)");
        assert!(caps.has(Features::STYLED_UNDERLINE | Features::SYNC));
        assert_eq!(caps.colors, Colors::True);
        caps.refine_attributes(&[62, 52]);
        caps.refine_kitty_keyboard(0);
        assert!(caps.has(Features::CLIPBOARD | Features::KITTY_KEYBOARD));
    }

    #[test]
    fn xterm_that_reports_its_name_has_true_colour_and_strikethrough() {
        for term in ["xterm", "xterm-256color"] {
            let mut caps = detect(term);
            caps.refine_version("XTerm(379)");
            assert_eq!(caps.colors, Colors::True, "{term}");
            assert!(caps.has(Features::STRIKE));
        }
    }

    #[test]
    fn multiplexer_around_us_gets_every_colour() {
        let mut caps = detect("tmux-256color");
        caps.refine_version("tmux 3.3a");
        assert_eq!(caps.colors, Colors::True);
        assert!(!caps.looks_as(&detect("tmux-256color")));
    }

    #[test]
    fn locale_decides_on_utf8() {
        let with = |locale| {
            Caps::detect(&Environment {
                term: "xterm",
                locale,
                ..Environment::default()
            })
            .has(Features::UTF8)
        };
        assert!(with(None));
        assert!(with(Some("de_DE.UTF-8")));
        assert!(with(Some("C.utf8")));
        assert!(!with(Some("C")));
    }

    #[test]
    fn unsupported_styles_step_down() {
        let style = Style {
            underline: Underline::Curly,
            underline_color: Color::Palette(1),
            attrs: Attrs::ITALIC | Attrs::STRIKE | Attrs::BOLD,
            ..Style::default()
        };
        let xterm = detect("xterm").step_down(style);
        assert_eq!(xterm.underline, Underline::Single);
        assert_eq!(xterm.underline_color, Color::Default);
        assert_eq!(xterm.attrs, Attrs::ITALIC | Attrs::BOLD);
        let italic = Style {
            attrs: Attrs::ITALIC,
            ..Style::default()
        };
        assert_eq!(
            detect("linux").step_down(italic).underline,
            Underline::Single
        );
        assert_eq!(detect("foot").step_down(style), style);
    }
}
