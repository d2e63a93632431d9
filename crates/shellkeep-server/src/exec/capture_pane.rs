//! Prints what a pane shows, and what has scrolled off it.

use shellkeep_command::cmd::capture_pane::Args;
use shellkeep_term::{Emulator, RowView};

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    if !args.print {
        return Err("capture-pane without -p is not supported yet".to_owned());
    }
    let id = super::pane(server, caller, args.target.as_deref())?;
    let Some(pane) = server.state.panes.get(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    let emulator = pane.screen.lock();
    let bottom = i64::from(emulator.size().rows()) - 1;
    let mut first = line(args.start.as_deref(), 0, i64::MIN)?;
    let mut last = line(args.end.as_deref(), bottom, bottom)?;
    if last < first {
        std::mem::swap(&mut first, &mut last);
    }
    capture(&emulator, first, last.min(bottom), args).map(Reply::text)
}

/// A line's number: 0 is the top of the screen, -1 the line above it.
fn line(text: Option<&str>, default: i64, dash: i64) -> Result<i64, String> {
    match text {
        None => Ok(default),
        Some("-") => Ok(dash),
        Some(number) => number
            .parse()
            .map_err(|_| format!("bad line: {number} (type a number, or - for the very end)")),
    }
}

fn capture(emulator: &Emulator, first: i64, last: i64, args: &Args) -> Result<String, String> {
    let mut text = String::new();
    if first < 0 {
        // Rows above the screen are counted upwards from it.
        let above = usize::try_from((-1 - last).max(0)).unwrap_or(usize::MAX);
        let oldest = usize::try_from(first.unsigned_abs()).unwrap_or(usize::MAX);
        let rows = emulator
            .history_rows(above, oldest.saturating_sub(above))
            .map_err(|error| error.to_string())?;
        for row in rows.iter() {
            push(&row, args, &mut text);
        }
    }
    for row in first.max(0)..=last {
        if let Ok(row) = u16::try_from(row) {
            push(&emulator.row(row), args, &mut text);
        }
    }
    // The last line ends, even if it goes on beyond what was asked for.
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn push(row: &RowView<'_>, args: &Args, text: &mut String) {
    if args.join && row.is_wrapped() {
        // The line goes on in the next row: blanks at the margin are a part of it.
        let cells = row.cells().filter(|cell| cell.width() > 0);
        cells.for_each(|cell| cell.push_to(text));
    } else {
        text.push_str(&row.text());
        text.push('\n');
    }
}
