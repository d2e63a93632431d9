//! How many columns a character takes, and which characters join the one before them.

use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

pub(crate) const ZERO_WIDTH_JOINER: char = '\u{200d}';
pub(crate) const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// Columns of a character that is no control: 0, 1 or 2.
#[inline]
pub(crate) fn width(c: char) -> u8 {
    match plain_width(c) {
        0 => UnicodeWidthChar::width(c).unwrap_or(0).min(2) as u8,
        width => width,
    }
}

/// Whether a character of some width could join the one before it. Most cannot.
#[inline]
pub(crate) fn may_join(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
        && !matches!(c, '\u{2500}'..='\u{259f}')
}

/// Columns of a character that certainly joins nothing and that most text is made of; 0 for others:
/// Latin (with the soft hyphen, which terminals show), Greek, Cyrillic, lines and blocks; Han, kana
/// without its combining marks, Hangul syllables.
#[inline(always)]
pub(crate) fn plain_width(c: char) -> u8 {
    match c {
        ' '..='~' | '\u{a0}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{2500}'..='\u{259f}' => 1,
        '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3098}' | '\u{ac00}'..='\u{d7a3}' => 2,
        _ => 0,
    }
}

/// Columns of a character that follows `before` if it does not join it; 0 if it does or may.
pub(crate) fn lone_width(before: Option<char>, c: char) -> u8 {
    let lone = !may_join(c) || before.is_some_and(|before| !joins(before, c));
    if lone { width(c) } else { 0 }
}

/// Whether `c` (of some width of its own) joins a cell that ends in `before`.
#[inline]
pub(crate) fn joins(before: char, c: char) -> bool {
    match c {
        '\u{1f3fb}'..='\u{1f3ff}' => is_pictographic(before),
        '\u{1f1e6}'..='\u{1f1ff}' => matches!(before, '\u{1f1e6}'..='\u{1f1ff}'),
        _ => before == ZERO_WIDTH_JOINER && is_pictographic(c),
    }
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
pub(crate) fn widens(text: &str) -> bool {
    let mut with = String::with_capacity(text.len() + 3);
    with.push_str(text);
    with.push(EMOJI_PRESENTATION);
    UnicodeWidthStr::width(with.as_str()) > 1
}
