//! How many columns a character takes, and which characters join the one before them.
//!
//! A tone of skin behind an emoji is the one thing that programs and terminals of today see differently most: editors, shells and pagers count
//! two columns for it, as the C library does, and so do tmux 3.3a and terminals that know no clusters; others draw one glyph of two columns. So
//! it has columns of its own here, [`Tones::Apart`], unless a program has asked for clusters (mode 2027).

use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

/// Joins the emoji before and behind it.
pub const ZERO_WIDTH_JOINER: char = '\u{200d}';
/// Asks for the emoji form of the character before it.
pub const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// Columns of a character that is no control: 0, 1 or 2.
#[inline]
#[must_use]
pub fn width(c: char) -> u8 {
    match plain_width(c) {
        0 => UnicodeWidthChar::width(c).unwrap_or(0).min(2) as u8,
        width => width,
    }
}

/// Whether a character of some width could join the one before it. Most cannot.
#[inline]
#[must_use]
pub fn may_join(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
        && !matches!(c, '\u{2500}'..='\u{259f}')
}

/// Columns of a character that certainly joins nothing and that most text is made of; 0 for others:
/// Latin (with the soft hyphen, which terminals show), Greek, Cyrillic, lines and blocks; Han, kana
/// without its combining marks, Hangul syllables.
#[inline(always)]
#[must_use]
pub fn plain_width(c: char) -> u8 {
    match c {
        ' '..='~' | '\u{a0}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{2500}'..='\u{259f}' => 1,
        '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3098}' | '\u{ac00}'..='\u{d7a3}' => 2,
        _ => 0,
    }
}

/// Columns of a character that follows `before` if it does not join it; 0 if it does or may.
#[must_use]
pub fn lone_width(before: Option<char>, c: char) -> u8 {
    let joins = |before| joins(before, c, Tones::Joined);
    let lone = !may_join(c) || before.is_some_and(|before| !joins(before));
    if lone { width(c) } else { 0 }
}

/// Whether a tone of skin is part of the emoji before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tones {
    /// The character has columns of its own.
    #[default]
    Apart,
    /// The character is a part of the cluster before it.
    Joined,
}

/// Whether a character is a tone of skin.
#[must_use]
pub const fn is_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether `c` (of some width of its own) joins a cell that ends in `before`.
#[inline]
fn joins(before: char, c: char, tones: Tones) -> bool {
    match c {
        c if is_tone(c) => tones == Tones::Joined && is_pictographic(before),
        c if is_flag_letter(c) => is_flag_letter(before),
        _ => before == ZERO_WIDTH_JOINER && is_pictographic(c),
    }
}

/// Whether `c` is shown in the cell before it, which has this text.
#[must_use]
pub fn joins_text(text: &str, c: char, tones: Tones) -> bool {
    if width(c) == 0 {
        return true;
    }
    // A flag is two letters; the third begins the next one.
    may_join(c)
        && !(is_flag_letter(c) && text.chars().nth(1).is_some())
        && text
            .chars()
            .next_back()
            .is_some_and(|last| joins(last, c, tones))
}

/// Whether a cell of one column with this text gets a second one for `c`, which joins it.
#[must_use]
pub fn widens(text: &str, c: char) -> bool {
    width(c) > 0 || c == EMOJI_PRESENTATION && has_wide_form(text)
}

const fn is_flag_letter(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Characters that take part in emoji sequences, near enough: what is wide or symbol-like in the blocks
/// where emoji live.
fn is_pictographic(c: char) -> bool {
    matches!(c,
        '\u{1f300}'..='\u{1faff}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1f2ff}'
        | '\u{fe0f}')
}

/// Whether a narrow character becomes wide when U+FE0F asks for its emoji form.
fn has_wide_form(text: &str) -> bool {
    let mut with = String::with_capacity(text.len() + 3);
    with.push_str(text);
    with.push(EMOJI_PRESENTATION);
    UnicodeWidthStr::width(with.as_str()) > 1
}
