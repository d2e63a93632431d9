//! The text of a pane's screen and history, for `capture-pane`.
//!
//! It comes in pieces, so that a capture of a million lines needs the memory of a few thousand, and the first lines can
//! be read before the last ones are made.

mod codes;

use shellkeep_command::cmd::capture_pane::Args;
use shellkeep_term::{Emulator, RowView};

pub(crate) use crate::commands::capture_text::codes::Codes;

/// How many rows of history are read at a time. A page has some hundreds of lines, and one that is split between two
/// reads is unpacked twice.
const ROWS_PER_READ: usize = 4096;

/// The rows that are still to be captured.
pub(crate) struct Capture {
    /// The next row, relative to the top of the screen: -1 is the row above it.
    next: i64,
    last: i64,
    /// The rows are of the screen that is not shown.
    is_hidden: bool,
    text: Text,
}

impl Capture {
    /// Finds the rows that are asked for, which may take as long as reading them.
    ///
    /// # Errors
    /// If there is no alternate screen.
    pub(crate) fn new(emulator: &Emulator, args: &Args) -> Result<Self, String> {
        let (first, last) = asked(emulator, args);
        let above = match args.alternate {
            true => 0,
            false => rows_above(emulator, first.min(last)),
        };
        let bottom = bottom(emulator);
        let (first, last) = (first.clamp(-above, bottom), last.clamp(-above, bottom));
        // tmux's "alternate screen" is the one that is not shown.
        if args.alternate && !args.quiet && emulator.rows_under_alternate().is_none() {
            return Err("no alternate screen".to_owned());
        }
        Ok(Self {
            next: first.min(last),
            last: first.max(last),
            is_hidden: args.alternate,
            text: Text::new(args),
        })
    }

    /// Appends the next rows. Returns whether there are more.
    pub(crate) fn push_some(&mut self, emulator: &Emulator, out: &mut String) -> bool {
        if self.next < 0 {
            self.push_history(emulator, out);
        } else {
            self.push_screen(emulator, out);
        }
        self.next <= self.last
    }

    fn push_history(&mut self, emulator: &Emulator, out: &mut String) {
        let end = self
            .next
            .saturating_add(ROWS_PER_READ as i64)
            .min(self.last + 1);
        let end = end.min(0);
        // Rows of history are counted upwards from the screen.
        let below = usize::try_from(-end).unwrap_or(0);
        let count = usize::try_from(end - self.next).unwrap_or(0);
        let rows = emulator.history_rows(below, count);
        rows.iter().for_each(|row| self.text.push(&row, out));
        self.next = end;
    }

    fn push_screen(&mut self, emulator: &Emulator, out: &mut String) {
        let number = |row: i64| u16::try_from(row).unwrap_or(u16::MAX);
        let (first, last) = (number(self.next), number(self.last));
        if self.is_hidden {
            let rows = emulator.rows_under_alternate().into_iter().flatten();
            let rows = rows.take(usize::from(last) + 1).skip(first.into());
            rows.for_each(|row| self.text.push(&row, out));
        } else {
            (first..=last).for_each(|row| self.text.push(&emulator.row(row), out));
        }
        self.next = self.last + 1;
    }
}

/// Roughly how many rows of history have to be read.
pub(crate) fn rows_to_read(emulator: &Emulator, args: &Args) -> usize {
    let (first, last) = asked(emulator, args);
    if args.alternate || first.min(last) >= 0 {
        return 0;
    }
    let cols = emulator.size().cols();
    let pages = emulator.history_pages();
    let rows: usize = pages.map(|page| page.guess_rows(cols)).sum();
    rows.min(usize::try_from(first.min(last).unsigned_abs()).unwrap_or(usize::MAX))
}

/// The bytes of an unfinished escape sequence (`-P`).
pub(crate) fn pending(bytes: &[u8], args: &Args) -> Vec<u8> {
    if !args.escape {
        return bytes.to_vec();
    }
    let mut out = Vec::new();
    for byte in bytes {
        match byte {
            b'\\' | 0..0x20 => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            byte => out.push(*byte),
        }
    }
    out
}

/// The output with a newline at the end, even if the last line continues beyond the range.
pub(crate) fn ended(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    bytes
}

fn bottom(emulator: &Emulator) -> i64 {
    i64::from(emulator.size().rows()) - 1
}

/// The first and last row asked for, in order, whether they exist or not.
fn asked(emulator: &Emulator, args: &Args) -> (i64, i64) {
    let bottom = bottom(emulator);
    (
        line(args.start.as_deref(), 0, i64::MIN),
        line(args.end.as_deref(), bottom, bottom),
    )
}

/// A limit of the range: 0 is the top of the screen, -1 the row above it. Anything but a number is ignored.
fn line(text: Option<&str>, usual: i64, dash: i64) -> i64 {
    match text {
        None => usual,
        Some("-") => dash,
        Some(number) => match number.parse::<i64>() {
            Ok(line) if line >= i64::from(i32::MIN) && line <= i64::from(i16::MAX) => line,
            _ => usual,
        },
    }
}

/// How many rows there are above the screen, for a range that begins at this row: rows further up need not be counted.
fn rows_above(emulator: &Emulator, first: i64) -> i64 {
    let wanted = usize::try_from(first.min(0).unsigned_abs()).unwrap_or(usize::MAX);
    i64::try_from(emulator.history_row_count_to(wanted)).unwrap_or(i64::MAX)
}

/// How rows are converted to text.
struct Text {
    is_styled: bool,
    is_written_out: bool,
    is_joined: bool,
    keeps_blanks: bool,
    codes: Codes,
}

impl Text {
    fn new(args: &Args) -> Self {
        Self {
            is_styled: args.styles,
            is_written_out: args.escape,
            is_joined: args.join,
            keeps_blanks: args.join || args.trailing,
            codes: Codes::new(args.escape),
        }
    }

    fn push(&mut self, row: &RowView<'_>, out: &mut String) {
        let begin = out.len();
        if !self.is_styled && !self.is_written_out {
            row.push_text(row.cols(), out);
        } else {
            self.push_cells(row, out);
        }
        if !self.keeps_blanks {
            let kept = out[begin..].trim_end_matches(' ').len();
            out.truncate(begin + kept);
        }
        if !self.is_joined || !row.is_wrapped() {
            out.push('\n');
        }
    }

    fn push_cells(&mut self, row: &RowView<'_>, out: &mut String) {
        let mut cell_text = String::new();
        for cell in row.cells().take(row.used().into()) {
            if cell.width() == 0 {
                continue;
            }
            if self.is_styled {
                self.codes.change(cell.style(), out);
            }
            cell_text.clear();
            cell.push_to(&mut cell_text);
            match &cell_text[..] {
                "\\" if self.is_written_out => out.push_str("\\\\"),
                text => out.push_str(text),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shellkeep_core::Size;
    use shellkeep_term::{Config, Effects};

    use super::*;

    fn printed(lines: usize) -> Emulator {
        let config = Config {
            history_limit: usize::MAX,
            ..Config::default()
        };
        let mut emulator = Emulator::new(Size::new(3, 20), config);
        for line in 0..lines {
            let text = format!("\r\nline {line} {}", "x".repeat(line % 30));
            emulator.feed(text.as_bytes(), &mut Effects::new());
        }
        emulator
    }

    fn captured(emulator: &Emulator, args: &Args) -> (String, usize) {
        let mut capture = Capture::new(emulator, args).expect("a screen");
        let (mut out, mut pieces) = (String::new(), 1);
        while capture.push_some(emulator, &mut out) {
            pieces += 1;
        }
        (out, pieces)
    }

    fn from(start: &str, end: Option<&str>) -> Args {
        Args {
            start: Some(start.to_owned()),
            end: end.map(str::to_owned),
            ..Args::default()
        }
    }

    #[test]
    fn pieces_are_together_what_all_rows_are() {
        let emulator = printed(20_000);
        let history = emulator.history_rows(0, usize::MAX);
        let mut rows: Vec<String> = Vec::new();
        let screen = emulator.screen_copy();
        for row in history.iter().chain(screen.iter()) {
            let mut text = String::new();
            row.push_text(row.cols(), &mut text);
            rows.push(text.trim_end().to_owned());
        }
        let (text, pieces) = captured(&emulator, &from("-", None));
        assert!(pieces > 5, "{pieces}");
        assert!(text.lines().eq(rows.iter().map(|row| &row[..])));
        let top = history.len();
        for (start, end) in [(-9000, -10), (-10, -9000), (-4097, 1), (-5000, -4999)] {
            let (low, high) = (start.min(end), start.max(end));
            let at = |row: i64| top.checked_add_signed(row as isize).expect("in range");
            let wanted = &rows[at(low)..=at(high)];
            let args = from(&start.to_string(), Some(&end.to_string()));
            let (text, _) = captured(&emulator, &args);
            assert!(
                text.lines().eq(wanted.iter().map(|row| &row[..])),
                "{start} {end}"
            );
        }
    }

    #[test]
    fn joined_lines_and_styles_go_on_from_piece_to_piece() {
        let mut emulator = printed(0);
        let long = "\x1b[31m".to_owned() + &"0123456789".repeat(6000) + "\r\nend";
        emulator.feed(long.as_bytes(), &mut Effects::new());
        for _ in 0..9000 {
            emulator.feed(b"\r\nred", &mut Effects::new());
        }
        let args = Args {
            join: true,
            styles: true,
            ..from("-", None)
        };
        let (text, pieces) = captured(&emulator, &args);
        assert!(pieces > 2, "{pieces}");
        assert_eq!(text.matches("\x1b[31m").count(), 1);
        assert_eq!(text.lines().count(), 9002);
    }

    #[test]
    fn no_more_is_said_to_be_read_than_was_asked_for() {
        let emulator = printed(10_000);
        let rows = emulator.history_row_count_to(usize::MAX);
        assert_eq!(rows_to_read(&emulator, &Args::default()), 0);
        assert_eq!(rows_to_read(&emulator, &from("0", None)), 0);
        assert_eq!(rows_to_read(&emulator, &from("-50", None)), 50);
        let all = rows_to_read(&emulator, &from("-", None));
        assert!(all > rows * 8 / 10 && all < rows * 12 / 10, "{all} {rows}");
    }
}
