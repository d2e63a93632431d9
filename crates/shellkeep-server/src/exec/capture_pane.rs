//! Prints what a pane shows and what has scrolled off it, or keeps it in a buffer.

use shellkeep_command::cmd::capture_pane::Args;
use shellkeep_core::PaneId;
use shellkeep_term::{Emulator, RowView};

use super::capture_codes::Codes;
use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::pane(server, caller, args.target.as_deref())?;
    let Some(pane) = server.state.panes.get(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    let emulator = pane.screen.lock();
    let mut bytes = if args.pending {
        pending(&emulator.unfinished(), args)
    } else {
        capture(&emulator, args)?.into_bytes()
    };
    drop(emulator);
    if !args.print {
        return keep(server, id, args, &bytes);
    }
    // The last line ends, even if it goes on beyond what was asked for.
    if bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    Ok(Reply {
        stdout: bytes,
        ..Reply::default()
    })
}

/// Puts it into a paste buffer.
fn keep(server: &mut Server, pane: PaneId, args: &Args, bytes: &[u8]) -> Outcome {
    let secrecy = server.secrecy_of(pane);
    server.store_buffer(args.buffer.as_deref(), bytes, secrecy)?;
    Ok(server.buffers_changed())
}

/// What has arrived of an unfinished sequence.
fn pending(bytes: &[u8], args: &Args) -> Vec<u8> {
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

/// Where a range begins or ends: 0 is the top of the screen, -1 the line above it. What is no number is as if nothing had been
/// said.
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

/// How many rows there are above the screen, as far as it matters to a range that begins at this row: what lies above it need
/// not be counted.
fn rows_above(emulator: &Emulator, first: i64) -> i64 {
    let wanted = usize::try_from(first.min(0).unsigned_abs()).unwrap_or(usize::MAX);
    i64::try_from(emulator.history_row_count_to(wanted)).unwrap_or(i64::MAX)
}

fn capture(emulator: &Emulator, args: &Args) -> Result<String, String> {
    let mut text = Text::new(args);
    let bottom = i64::from(emulator.size().rows()) - 1;
    let first = line(args.start.as_deref(), 0, i64::MIN);
    let last = line(args.end.as_deref(), bottom, bottom);
    let above = match args.alternate {
        true => 0,
        false => rows_above(emulator, first.min(last)),
    };
    let (mut first, mut last) = (first.clamp(-above, bottom), last.clamp(-above, bottom));
    if last < first {
        std::mem::swap(&mut first, &mut last);
    }
    let on_screen = |row: i64| usize::try_from(row.max(0)).unwrap_or(0);
    if args.alternate {
        // tmux calls it the alternate screen; it is the one that is not shown.
        let Some(rows) = emulator.rows_under_alternate() else {
            return match args.quiet {
                true => Ok(String::new()),
                false => Err("no alternate screen".to_owned()),
            };
        };
        let rows = rows.skip(on_screen(first));
        rows.take(on_screen(last - first + 1))
            .for_each(|row| text.push(&row));
        return Ok(text.out);
    }
    if first < 0 {
        // Rows above the screen are counted upwards from it.
        let below = usize::try_from((-1 - last).max(0)).unwrap_or(usize::MAX);
        let oldest = usize::try_from(first.unsigned_abs()).unwrap_or(usize::MAX);
        let rows = emulator.history_rows(below, oldest.saturating_sub(below));
        rows.iter().for_each(|row| text.push(&row));
    }
    for row in first.max(0)..=last {
        if let Ok(row) = u16::try_from(row) {
            text.push(&emulator.row(row));
        }
    }
    Ok(text.out)
}

/// What was captured so far.
struct Text<'a> {
    args: &'a Args,
    codes: Codes,
    out: String,
}

impl<'a> Text<'a> {
    fn new(args: &'a Args) -> Self {
        Self {
            args,
            codes: Codes::new(args.escape),
            out: String::new(),
        }
    }

    fn push(&mut self, row: &RowView<'_>) {
        let begin = self.out.len();
        if !self.args.styles && !self.args.escape {
            row.push_text(row.cols(), &mut self.out);
        } else {
            self.push_cells(row);
        }
        if !self.args.join && !self.args.trailing {
            let kept = self.out[begin..].trim_end_matches(' ').len();
            self.out.truncate(begin + kept);
        }
        if !self.args.join || !row.is_wrapped() {
            self.out.push('\n');
        }
    }

    fn push_cells(&mut self, row: &RowView<'_>) {
        let mut cell_text = String::new();
        for cell in row.cells().take(row.used().into()) {
            if cell.width() == 0 {
                continue;
            }
            if self.args.styles {
                self.codes.change(cell.style(), &mut self.out);
            }
            cell_text.clear();
            cell.push_to(&mut cell_text);
            match &cell_text[..] {
                "\\" if self.args.escape => self.out.push_str("\\\\"),
                text => self.out.push_str(text),
            }
        }
    }
}
