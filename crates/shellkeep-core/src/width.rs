//! The number of columns of a character, and which characters join the one before them.
//!
//! A skin tone after an emoji is what programs and terminals treat most differently: editors, shells and pagers count
//! two columns for it, as the C library does, and so do tmux 3.3a and terminals without clusters. Other terminals draw
//! one glyph of two columns. Here it has columns of its own ([`Tones::Apart`]), unless a program has requested clusters
//! (mode 2027).

use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

/// Joins the emoji before and behind it.
pub const ZERO_WIDTH_JOINER: char = '\u{200d}';
/// Requests the emoji form of the character before it.
pub const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// The columns of a character that is not a control: 0, 1 or 2.
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

/// The columns of a character that certainly joins no other and is frequent in text; 0 for all others. These are Latin
/// (including the soft hyphen, which terminals show), Greek, Cyrillic, lines and blocks; Han, kana without its
/// combining marks, Hangul syllables.
#[inline(always)]
#[must_use]
pub fn plain_width(c: char) -> u8 {
    match c {
        ' '..='~' | '\u{a0}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{2500}'..='\u{259f}' => 1,
        '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3098}' | '\u{ac00}'..='\u{d7a3}' => 2,
        _ => 0,
    }
}

/// The columns of a character after `before` if it does not join it; 0 if it does or may.
#[must_use]
pub fn lone_width(before: Option<char>, c: char) -> u8 {
    let joins = |before| joins(before, c, Tones::Joined);
    let lone = !may_join(c) || before.is_some_and(|before| !joins(before));
    if lone { width(c) } else { 0 }
}

/// Whether a skin tone is part of the emoji before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tones {
    /// The character has columns of its own.
    #[default]
    Apart,
    /// The character belongs to the cluster before it.
    Joined,
}

/// Whether a character is a skin tone.
#[must_use]
pub const fn is_tone(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether `c` (which has a width itself) joins a cell that ends in `before`.
#[inline]
fn joins(before: char, c: char, tones: Tones) -> bool {
    match c {
        c if is_tone(c) => tones == Tones::Joined && is_pictographic(before),
        c if is_flag_letter(c) => is_flag_letter(before),
        _ => before == ZERO_WIDTH_JOINER && is_pictographic(c),
    }
}

/// Whether `c` is shown in the cell before it, whose text this is.
#[must_use]
pub fn joins_text(text: &str, c: char, tones: Tones) -> bool {
    if width(c) == 0 {
        return true;
    }
    // A flag has two letters; the third one begins the next flag.
    may_join(c)
        && !(is_flag_letter(c) && text.chars().nth(1).is_some())
        && text
            .chars()
            .next_back()
            .is_some_and(|last| joins(last, c, tones))
}

/// Whether a cell of one column with this text gets a second column for `c`, which joins it.
#[must_use]
pub fn widens(text: &str, c: char) -> bool {
    width(c) > 0 || c == EMOJI_PRESENTATION && has_wide_form(text)
}

const fn is_flag_letter(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Approximately the characters of emoji sequences: wide or symbol-like characters in the blocks of emoji.
fn is_pictographic(c: char) -> bool {
    matches!(c,
        '\u{1f300}'..='\u{1faff}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1f2ff}'
        | '\u{fe0f}')
}

/// Whether a narrow character becomes wide when U+FE0F requests its emoji form.
fn has_wide_form(text: &str) -> bool {
    let mut with = String::with_capacity(text.len() + 3);
    with.push_str(text);
    with.push(EMOJI_PRESENTATION);
    UnicodeWidthStr::width(with.as_str()) > 1
}
