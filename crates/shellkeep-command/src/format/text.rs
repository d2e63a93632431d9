//! Text operations of the modifiers: cut, pad, quote, take a part of a path.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use super::scan::skip;

/// A part of a text that may contain styles.
enum Piece<'t> {
    /// A run of `#` that is displayed in so many columns.
    Hashes { count: usize, columns: usize },
    /// `#[…]`, which is not displayed.
    Style(&'t str),
    /// One character and its columns.
    Char(char, usize),
    /// `#[` without an end: what follows it has no meaning.
    Broken,
}

/// Iterates over the parts of a text. Two `#` are displayed as one; `#[…]` after an even number of them is a style.
struct Pieces<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let first = self.rest.chars().next()?;
        if first != '#' {
            self.rest = &self.rest[first.len_utf8()..];
            return Some(Piece::Char(first, columns(first)));
        }
        let count = self.rest.bytes().take_while(|byte| *byte == b'#').count();
        if self.rest.as_bytes().get(count) != Some(&b'[') {
            self.rest = &self.rest[count..];
            let columns = count.div_ceil(2);
            return Some(Piece::Hashes { count, columns });
        }
        if count > 1 {
            // The last one of an odd number begins a style, and comes next.
            self.rest = &self.rest[count - count % 2..];
            let columns = count / 2;
            return Some(Piece::Hashes { count, columns });
        }
        let Some(end) = skip(&self.rest[2..], b"]") else {
            self.rest = "";
            return Some(Piece::Broken);
        };
        let (style, rest) = self.rest.split_at(end + 3);
        self.rest = rest;
        Some(Piece::Style(style))
    }
}

/// The columns of one character; control characters have none.
fn columns(c: char) -> usize {
    if c.is_ascii() {
        return usize::from(!c.is_ascii_control());
    }
    c.width().unwrap_or(0)
}

/// The columns of a text that is drawn with its styles.
pub(super) fn width(text: &str) -> usize {
    let mut total = 0;
    for piece in (Pieces { rest: text }) {
        total += match piece {
            Piece::Hashes { columns, .. } | Piece::Char(_, columns) => columns,
            Piece::Style(_) => 0,
            Piece::Broken => return 0,
        };
    }
    total
}

/// Writes as many `#` as are displayed in `columns`; a single one was written as such.
fn push_hashes(out: &mut String, count: usize, columns: usize) {
    let written = if count == 1 { columns } else { 2 * columns };
    out.extend(std::iter::repeat_n('#', written));
}

/// Whether a character is drawn. Control characters are dropped when a text is cut.
fn is_shown(c: char) -> bool {
    !c.is_ascii_control()
}

/// The first `limit` columns, with the styles in them.
pub(super) fn trim_left(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit.saturating_mul(4)));
    let mut used = 0;
    let mut pieces = Pieces { rest: text };
    while used < limit {
        match pieces.next() {
            Some(Piece::Hashes { count, columns }) => {
                let columns = columns.min(limit - used);
                push_hashes(&mut out, count, columns);
                used += columns;
                // A style directly after them belongs to them, even if no column is left.
                if pieces.rest.starts_with('#')
                    && let Some(Piece::Style(style)) = pieces.next()
                {
                    out.push_str(style);
                }
            }
            Some(Piece::Style(style)) => out.push_str(style),
            Some(Piece::Char(c, columns)) => {
                if is_shown(c) && used + columns <= limit {
                    out.push(c);
                }
                used += columns;
            }
            Some(Piece::Broken) | None => break,
        }
    }
    out
}

/// The last `limit` columns, with all styles, because earlier ones still apply.
pub(super) fn trim_right(text: &str, limit: usize) -> Cow<'_, str> {
    let total = width(text);
    if total <= limit {
        return Cow::Borrowed(text);
    }
    let skipped = total - limit;
    let mut out = String::new();
    let mut used = 0;
    for piece in (Pieces { rest: text }) {
        match piece {
            Piece::Hashes { count, columns } => {
                let hidden = skipped.saturating_sub(used).min(columns);
                push_hashes(&mut out, count, columns - hidden);
                used += columns;
            }
            Piece::Style(style) => out.push_str(style),
            Piece::Char(c, columns) => {
                if is_shown(c) && used >= skipped {
                    out.push(c);
                }
                used += columns;
            }
            Piece::Broken => break,
        }
    }
    Cow::Owned(out)
}

/// The columns of a text including its styles, as used for padding.
pub(super) fn plain_width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// Puts a backslash before every character with a meaning to a shell.
pub(super) fn quote_shell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "|&;<>()$`\\\"'*?[# =%".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The last part of a path, as basename(3).
pub(super) fn base_name(path: &str) -> &str {
    if path.is_empty() {
        return ".";
    }
    match path.trim_end_matches('/') {
        "" => "/",
        path => path.rsplit_once('/').map_or(path, |(_, name)| name),
    }
}

/// All but the last part of a path, as dirname(3).
pub(super) fn dir_name(path: &str) -> &str {
    let Some((folder, _)) = path.trim_end_matches('/').rsplit_once('/') else {
        return if path.starts_with('/') { "/" } else { "." };
    };
    match folder.trim_end_matches('/') {
        "" => "/",
        folder => folder,
    }
}
