//! Styles as text in options and in `#[…]` of formats: `fg=red,bold,align=centre`.
//!
//! Such a text describes changes and not a complete style. It is applied to the *current* style, which every word
//! changes, and the *base* style, which `default` restores. Parsed as in tmux 3.3a, with `us=` (the underline's colour)
//! of later versions.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::color_name::ColorName;
use crate::style::{Attrs, Color, Style, Underline};

/// The longest word that is read, as in tmux. It limits the work for a hostile text.
const MAX_WORD: usize = 255;

/// The change of one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorChange {
    /// Leave it.
    #[default]
    Keep,
    Base,
    Set(ColorName),
}

impl ColorChange {
    fn apply(self, current: Color, base: Color) -> Color {
        match self {
            Self::Keep => current,
            Self::Base => base,
            Self::Set(name) => name.color(),
        }
    }
}

/// Which attributes are the starting point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AttrsFrom {
    /// The current ones.
    #[default]
    Current,
    /// The base's (`default`).
    Base,
    Nothing,
}

/// The change of the look of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StyleChange {
    pub fg: ColorChange,
    pub bg: ColorChange,
    pub underline_color: ColorChange,
    /// The attributes that are the starting point.
    pub from: AttrsFrom,
    /// Attributes turned on.
    pub on: Attrs,
    /// Attributes turned off.
    pub off: Attrs,
    pub underline: Option<Underline>,
    /// Underlines turned off, a bit for each kind.
    underline_off: u8,
    /// Line drawing turned on or off (`acs`).
    pub acs: Option<bool>,
}

impl StyleChange {
    /// The style after changing `current`, with `base` for `default`.
    #[must_use]
    pub fn apply(&self, current: Style, base: Style) -> Style {
        let (attrs, underline) = match self.from {
            AttrsFrom::Current => (current.attrs, current.underline),
            AttrsFrom::Base => (base.attrs, base.underline),
            AttrsFrom::Nothing => (Attrs::empty(), Underline::None),
        };
        let underline = if self.underline_off & bit(underline) == 0 {
            underline
        } else {
            Underline::None
        };
        Style {
            fg: self.fg.apply(current.fg, base.fg),
            bg: self.bg.apply(current.bg, base.bg),
            underline_color: self
                .underline_color
                .apply(current.underline_color, base.underline_color),
            underline: self.underline.unwrap_or(underline),
            attrs: (attrs - self.off) | self.on,
        }
    }

    /// The style of the text on top of `base` alone, as for an option.
    #[must_use]
    pub fn over(&self, base: Style) -> Style {
        self.apply(base, base)
    }

    fn back_to(&mut self, from: AttrsFrom) {
        *self = Self {
            fg: self.fg,
            bg: self.bg,
            underline_color: self.underline_color,
            from,
            ..Self::default()
        };
    }

    fn turn_on(&mut self, word: Attribute) {
        match word {
            Attribute::Attr(attr) => {
                self.on |= attr;
                self.off -= attr;
            }
            Attribute::Underline(kind) => {
                self.underline = Some(kind);
                self.underline_off &= !bit(kind);
            }
            Attribute::Acs => self.acs = Some(true),
        }
    }

    fn turn_off(&mut self, word: Attribute) {
        match word {
            Attribute::Attr(attr) => {
                self.off |= attr;
                self.on -= attr;
            }
            Attribute::Underline(kind) => {
                if self.underline == Some(kind) {
                    self.underline = None;
                }
                self.underline_off |= bit(kind);
            }
            Attribute::Acs => self.acs = Some(false),
        }
    }
}

const fn bit(kind: Underline) -> u8 {
    1 << kind as u8
}

/// Where text is aligned in its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    /// `noalign`.
    None,
    Left,
    /// In the middle of the space between the sides.
    Centre,
    Right,
    /// In the middle of the whole line.
    AbsoluteCentre,
}

/// A part of the window list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// `nolist`: the list has ended.
    Off,
    On,
    /// The part that has to be visible.
    Focus,
    /// The marker for parts that are cut off on the left.
    LeftMarker,
    /// The marker for parts that are cut off on the right.
    RightMarker,
}

/// The meaning of a click on the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// `norange`.
    None,
    Left,
    Right,
    /// The window with this index.
    Window(u32),
}

/// The change of the base style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultChange {
    /// The style after this text becomes the base.
    Push,
    /// The base becomes what it was at first.
    Pop,
}

/// A style as text: a change of the look, and instructions to the renderer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StyleText {
    pub change: StyleChange,
    /// Alignment of the text that follows.
    pub align: Option<Align>,
    /// The part of the window list that follows.
    pub list: Option<List>,
    /// The meaning of clicks on the text that follows.
    pub range: Option<Range>,
    /// Background of the remaining space.
    pub fill: Option<ColorName>,
    /// The change of the base style.
    pub default: Option<DefaultChange>,
    /// Whether styles in the text that follows are ignored.
    pub ignore: Option<bool>,
}

/// The text is not a style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseStyleError(
    /// The text.
    pub String,
);

impl fmt::Display for ParseStyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid style: {}", self.0)
    }
}

impl Error for ParseStyleError {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attribute {
    Attr(Attrs),
    Underline(Underline),
    Acs,
}

/// Words of attributes in tmux's order of printing. The first word of an attribute is printed.
const ATTRIBUTES: [(&str, Attribute); 15] = [
    ("acs", Attribute::Acs),
    ("bright", Attribute::Attr(Attrs::BOLD)),
    ("bold", Attribute::Attr(Attrs::BOLD)),
    ("dim", Attribute::Attr(Attrs::DIM)),
    ("underscore", Attribute::Underline(Underline::Single)),
    ("blink", Attribute::Attr(Attrs::BLINK)),
    ("reverse", Attribute::Attr(Attrs::REVERSE)),
    ("hidden", Attribute::Attr(Attrs::HIDDEN)),
    ("italics", Attribute::Attr(Attrs::ITALIC)),
    ("strikethrough", Attribute::Attr(Attrs::STRIKE)),
    ("double-underscore", Attribute::Underline(Underline::Double)),
    ("curly-underscore", Attribute::Underline(Underline::Curly)),
    ("dotted-underscore", Attribute::Underline(Underline::Dotted)),
    ("dashed-underscore", Attribute::Underline(Underline::Dashed)),
    ("overline", Attribute::Attr(Attrs::OVERLINE)),
];

const ALIGNS: [(&str, Align); 5] = [
    ("noalign", Align::None),
    ("align=left", Align::Left),
    ("align=centre", Align::Centre),
    ("align=right", Align::Right),
    ("align=absolute-centre", Align::AbsoluteCentre),
];

const LISTS: [(&str, List); 5] = [
    ("nolist", List::Off),
    ("list=on", List::On),
    ("list=focus", List::Focus),
    ("list=left-marker", List::LeftMarker),
    ("list=right-marker", List::RightMarker),
];

const RANGES: [(&str, Range); 3] = [
    ("norange", Range::None),
    ("range=left", Range::Left),
    ("range=right", Range::Right),
];

const DEFAULTS: [(&str, DefaultChange); 2] = [
    ("push-default", DefaultChange::Push),
    ("pop-default", DefaultChange::Pop),
];

fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value)
}

fn name<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    let found = table.iter().find(|(_, entry)| entry == value);
    found.map(|(name, _)| *name)
}

impl FromStr for StyleText {
    type Err = ParseStyleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut style = Self::default();
        for word in text.split([' ', ',', '\n']).filter(|word| !word.is_empty()) {
            style
                .read_word(word)
                .ok_or_else(|| ParseStyleError(text.to_owned()))?;
        }
        Ok(style)
    }
}

impl StyleText {
    /// Applies one word; `None` if it is not a word of a style.
    fn read_word(&mut self, word: &str) -> Option<()> {
        if word.len() > MAX_WORD {
            return None;
        }
        let word = word.to_ascii_lowercase();
        let change = &mut self.change;
        match word.as_str() {
            "default" => {
                change.back_to(AttrsFrom::Base);
                change.fg = ColorChange::Base;
                change.bg = ColorChange::Base;
                change.underline_color = ColorChange::Base;
            }
            "none" => change.back_to(AttrsFrom::Nothing),
            "ignore" => self.ignore = Some(true),
            "noignore" => self.ignore = Some(false),
            _ => return self.read_pair(&word),
        }
        Some(())
    }

    fn read_pair(&mut self, word: &str) -> Option<()> {
        if let Some(default) = find(&DEFAULTS, word) {
            self.default = Some(default);
        } else if let Some(align) = find(&ALIGNS, word) {
            self.align = Some(align);
        } else if let Some(list) = find(&LISTS, word) {
            self.list = Some(list);
        } else if let Some(range) = find(&RANGES, word) {
            self.range = Some(range);
        } else if let Some(index) = word.strip_prefix("range=window|") {
            let digits = index.bytes().all(|b| b.is_ascii_digit());
            self.range = Some(Range::Window(index.parse().ok().filter(|_| digits)?));
        } else if let Some(color) = word.strip_prefix("fill=") {
            self.fill = Some(color.parse().ok()?);
        } else if let Some(color) = word.strip_prefix("fg=") {
            self.change.fg = color_change(color)?;
        } else if let Some(color) = word.strip_prefix("bg=") {
            self.change.bg = color_change(color)?;
        } else if let Some(color) = word.strip_prefix("us=") {
            self.change.underline_color = color_change(color)?;
        } else if let Some(names) = word.strip_prefix("no") {
            // tmux reads these two as the empty set of attributes, none of which is turned off.
            if !matches!(names, "none" | "default") {
                for attribute in attributes(names)? {
                    self.change.turn_off(attribute);
                }
            }
        } else {
            for attribute in attributes(word)? {
                self.change.turn_on(attribute);
            }
        }
        Some(())
    }
}

fn color_change(text: &str) -> Option<ColorChange> {
    Some(match text.parse().ok()? {
        ColorName::Default => ColorChange::Base,
        color => ColorChange::Set(color),
    })
}

/// Parses `bold` or `bold|dim`.
fn attributes(text: &str) -> Option<Vec<Attribute>> {
    if text.starts_with('|') || text.ends_with('|') {
        return None;
    }
    let words = text.split('|').filter(|word| !word.is_empty());
    let found: Option<Vec<_>> = words.map(|word| find(&ATTRIBUTES, word)).collect();
    found.filter(|found| !found.is_empty())
}

impl fmt::Display for StyleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        let mut push = |word: Option<&str>| words.extend(word.map(str::to_owned));
        push(self.list.and_then(|list| name(&LISTS, &list)));
        match self.range {
            Some(Range::Window(index)) => push(Some(&format!("range=window|{index}"))),
            Some(range) => push(name(&RANGES, &range)),
            None => {}
        }
        push(self.align.and_then(|align| name(&ALIGNS, &align)));
        push(self.default.and_then(|default| name(&DEFAULTS, &default)));
        push(match self.ignore {
            Some(true) => Some("ignore"),
            Some(false) => Some("noignore"),
            None => None,
        });
        if let Some(fill) = self.fill {
            push(Some(&format!("fill={fill}")));
        }
        self.change.words(&mut words);
        f.write_str(&words.join(","))
    }
}

impl StyleChange {
    fn words(&self, words: &mut Vec<String>) {
        let to_base = self.from == AttrsFrom::Base;
        if to_base {
            words.push("default".to_owned());
        }
        let colors = [
            ("fg", self.fg),
            ("bg", self.bg),
            ("us", self.underline_color),
        ];
        for (what, color) in colors {
            match color {
                ColorChange::Set(color) => words.push(format!("{what}={color}")),
                ColorChange::Base if !to_base => words.push(format!("{what}=default")),
                ColorChange::Base | ColorChange::Keep => {}
            }
        }
        if self.from == AttrsFrom::Nothing {
            words.push("none".to_owned());
        }
        let mut last = None;
        for (word, attribute) in ATTRIBUTES {
            // `bright` and `bold` are the same.
            if last.replace(attribute) == Some(attribute) {
                continue;
            }
            let (on, off) = match attribute {
                Attribute::Attr(attr) => (self.on.contains(attr), self.off.contains(attr)),
                Attribute::Underline(kind) => (
                    self.underline == Some(kind),
                    self.underline_off & bit(kind) != 0,
                ),
                Attribute::Acs => (self.acs == Some(true), self.acs == Some(false)),
            };
            if on {
                words.push(word.to_owned());
            } else if off {
                words.push(format!("no{word}"));
            }
        }
    }
}

#[cfg(test)]
mod tests;
