//! Commands and their output as text: for people, in a format, or as JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value as Json, json};
use shellkeep_command::format::{Expander, LocalTime, Loop, Named, Position, Source};
use shellkeep_core::Style;
use shellkeep_store::catalogue::CommandRow;

use crate::commands::capture_text::Codes;
use crate::process::wall;
use crate::records::query::{LivePlace, Output, Sources};

const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[m";

/// A command with its place.
pub(crate) struct Listed<'a> {
    row: &'a CommandRow,
    place: Option<&'a LivePlace>,
    now: u64,
}

impl<'a> Listed<'a> {
    pub(crate) fn new(sources: &'a Sources, row: &'a CommandRow, now: u64) -> Self {
        let place = sources.panes.get(&row.pane);
        Self { row, place, now }
    }

    fn session_name(&self) -> &str {
        let name = self.place.map(|place| &place.session_name[..]);
        name.unwrap_or(&self.row.session_name)
    }

    /// The session and window it ran in; an archived session has no window.
    fn place_name(&self) -> String {
        match self.place {
            Some(place) => format!("{}:{}", self.session_name(), place.window),
            None => format!("{} (archived)", self.session_name()),
        }
    }

    fn duration_ms(&self) -> Option<u64> {
        let ended = self.row.ended?;
        Some(ended.saturating_sub(self.row.started))
    }

    /// Whether it still runs: its end is not known, and its pane is there.
    fn is_running(&self) -> bool {
        self.row.ended.is_none() && self.place.is_some()
    }

    fn duration(&self) -> String {
        match self.duration_ms() {
            Some(duration) => short_duration(duration),
            None if self.is_running() => {
                let so_far = self.now.saturating_sub(self.row.started);
                format!("{}+", short_duration(so_far))
            }
            None => "?".to_owned(),
        }
    }

    fn exit(&self) -> String {
        match self.row.exit {
            Some(exit) => exit.to_string(),
            None => "-".to_owned(),
        }
    }

    fn line_count(&self) -> Option<u64> {
        let lines = self.row.lines.as_ref()?;
        Some(lines.end - lines.first)
    }

    /// As JSON, with the fields that docs/JSON.md promises.
    pub(crate) fn json(&self) -> Json {
        let (row, place) = (self.row, self.place);
        json!({
            "id": row.id.to_string(),
            "session": self.session_name(),
            "session_id": place.map(|place| place.session.to_string()),
            "archive_id": row.is_archived.then(|| row.session.to_string()),
            "window": place.map(|place| place.window),
            "pane": place.map(|place| place.pane.to_string()),
            "command": row.line,
            "cwd": row.cwd,
            "started": row.started / 1000,
            "ended": row.ended.map(|ended| ended / 1000),
            "duration_ms": self.duration_ms(),
            "exit": row.exit,
            "by": row.by,
            "branch": row.branch,
            "commit": row.commit,
            "lines": self.line_count(),
        })
    }

    /// The value of a variable of formats.
    fn variable(&self, name: &str) -> Option<String> {
        let (row, place) = (self.row, self.place);
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let value = match name {
            "command_id" => Some(row.id.to_string()),
            "command_line" => Some(row.line.clone()),
            "command_cwd" => Some(row.cwd.clone()),
            "command_started" => Some((row.started / 1000).to_string()),
            "command_ended" => number(row.ended.map(|ended| ended / 1000)),
            "command_duration" => number(self.duration_ms()),
            "command_exit" => row.exit.map(|exit| exit.to_string()),
            "command_by" => Some(row.by.clone()),
            "command_branch" => row.branch.clone(),
            "command_commit" => row.commit.clone(),
            "command_lines" => number(self.line_count()),
            "session_name" => Some(self.session_name().to_owned()),
            "session_id" => place.map(|place| place.session.to_string()),
            "session_archive_id" => row.is_archived.then(|| row.session.to_string()),
            "window_index" => place.map(|place| place.window.to_string()),
            "pane_id" => place.map(|place| place.pane.to_string()),
            _ => return None,
        };
        Some(value.unwrap_or_default())
    }

    /// In the user's format.
    pub(crate) fn in_format(&self, format: &str, expander: &mut Expander) -> String {
        expander.expand(format, self)
    }
}

impl Source for Listed<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        self.variable(name).map(Cow::Owned)
    }

    fn now(&self) -> i64 {
        i64::try_from(self.now / 1000).unwrap_or(i64::MAX)
    }

    fn local_time(&self, seconds: i64) -> LocalTime {
        wall::local_time(seconds)
    }

    fn job(&self, _: &str) -> String {
        // A list of a thousand commands would start a thousand of them.
        String::new()
    }

    fn for_each(&self, _: Loop, _: &mut dyn FnMut(&dyn Source, Position)) {}

    fn search_pane(&self, _: &dyn Fn(&str) -> bool) -> usize {
        0
    }

    fn has_name(&self, _: Named, _: &str) -> bool {
        false
    }
}

/// A table for people: when, how long, exit status, where, what.
pub(crate) fn table(listed: &[Listed<'_>], has_colors: bool) -> String {
    let cells: Vec<[String; 4]> = listed
        .iter()
        .map(|it| {
            let place = one_line(&it.place_name());
            [when(it), it.duration(), it.exit(), place]
        })
        .collect();
    let width = |at: usize| {
        let widths = cells.iter().map(|cells| cells[at].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let mut out = String::new();
    for (it, [when, duration, exit, place]) in listed.iter().zip(&cells) {
        let [w0, w1, w2, w3] = widths;
        let (dim, status, plain) = match (has_colors, it.row.exit) {
            (false, _) => ("", "", ""),
            (true, Some(0)) => (DIM, GREEN, PLAIN),
            (true, Some(_)) => (DIM, RED, PLAIN),
            (true, None) => (DIM, "", PLAIN),
        };
        let line = one_line(&it.row.line);
        let _ = writeln!(
            out,
            "{dim}{when:<w0$}  {duration:>w1$}{plain}  {status}{exit:>w2$}{plain}  {dim}{place:<w3$}{plain}  {line}",
        );
    }
    out
}

/// A command line of several lines in one, without controls.
fn one_line(line: &str) -> String {
    let breaks = line.trim_end().replace('\n', "↵");
    breaks.replace(|c: char| c.is_control(), " ")
}

fn when(it: &Listed<'_>) -> String {
    let seconds = |ms: u64| i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    let zoned = |ms| {
        let time = Timestamp::from_second(seconds(ms)).unwrap_or(Timestamp::UNIX_EPOCH);
        time.to_zoned(TimeZone::system())
    };
    let (started, now) = (zoned(it.row.started), zoned(it.now));
    let format = match started.year() == now.year() {
        true => "%b %d %H:%M:%S",
        false => "%Y-%m-%d %H:%M",
    };
    started.strftime(format).to_string()
}

/// A duration with the precision that a person wants.
fn short_duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..10 => format!("{seconds}.{}s", ms % 1000 / 100),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d{:02}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

impl Output {
    /// The text, each line with its end; with the codes of its colours, if they are wanted.
    pub(crate) fn text(&self, has_colors: bool) -> String {
        let mut out = String::new();
        let mut codes = Codes::new(false);
        let lines = self.rows.iter().filter(|row| !row.is_wrapped()).count();
        let (mut line, mut passed, mut begin) = (0, 0, 0);
        for row in self.rows.iter() {
            // The next prompt may stand in the last line, behind the output.
            let is_cut = line + 1 == lines && self.last_cells.is_some();
            let end = self.last_cells.filter(|_| is_cut).unwrap_or(usize::MAX);
            let cells = row.cells().take(usize::from(row.used()));
            for cell in cells.take(end.saturating_sub(passed)) {
                if cell.width() == 0 {
                    continue;
                }
                if has_colors {
                    codes.change(cell.style(), &mut out);
                }
                cell.push_to(&mut out);
            }
            passed += usize::from(self.cols);
            if row.is_wrapped() {
                continue;
            }
            if has_colors {
                codes.change(Style::default(), &mut out);
            } else {
                out.truncate(begin + out[begin..].trim_end_matches(' ').len());
            }
            out.push('\n');
            (line, passed, begin) = (line + 1, 0, out.len());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_exact_as_people_want_them() {
        for (ms, expected) in [
            (0, "0.0s"),
            (99, "0.0s"),
            (100, "0.1s"),
            (9_999, "9.9s"),
            (10_000, "10s"),
            (61_000, "1m01s"),
            (3_600_000, "1h00m"),
            (86_399_999, "23h59m"),
            (90_000_000, "1d01h"),
        ] {
            assert_eq!(short_duration(ms), expected, "{ms}");
        }
    }

    #[test]
    fn line_of_several_lines_is_shown_in_one() {
        assert_eq!(one_line("for i in 1\ndo x\ndone\n"), "for i in 1↵do x↵done");
        assert_eq!(one_line("a\tb\x1b[31m"), "a b [31m");
    }
}
