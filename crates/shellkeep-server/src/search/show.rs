//! Results of a search as text: like grep, for people, or as JSON.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::{Value as Json, json};
use shellkeep_core::{Attrs, Style};
use shellkeep_term::HistoryRows;

use crate::commands::capture_text::Codes;
use crate::search::{Hit, PaneHits, PanePlace, SearchResults, Wants};

/// How lines are prepared to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// As plain text.
    Plain,
    /// With matches highlighted.
    Marks,
    /// In the colours they were printed in.
    Colors,
    /// In colours, and with matches highlighted.
    ColorsAndMarks,
}

/// The layout of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// Each line with its pane and number, like grep.
    Lines,
    /// In groups with headings.
    Groups,
    /// In groups, with colours.
    ColoredGroups,
}

const HEADING: &str = "\x1b[1;35m";
const NUMBER: &str = "\x1b[32m";
const DIM: &str = "\x1b[2m";
const MARK: &str = "\x1b[1;31m";
const PLAIN: &str = "\x1b[m";

/// The column in which a byte of a line is shown.
pub(crate) fn column(rows: &HistoryRows, byte: usize) -> usize {
    let (mut passed, mut column) = (0, 0);
    let mut text = String::new();
    for row in rows.iter() {
        for cell in row.cells().take(row.used().into()) {
            if passed > byte {
                return column - 1;
            }
            text.clear();
            if cell.width() > 0 {
                cell.push_to(&mut text);
            }
            if passed == byte && !text.is_empty() {
                return column;
            }
            passed += text.len();
            column += 1;
        }
    }
    column
}

/// A line with escape sequences, if it differs from the text.
pub(crate) fn painted(
    text: &str,
    spans: &[Range<usize>],
    rows: Option<&HistoryRows>,
    paint: Paint,
) -> Option<String> {
    match (paint, rows) {
        (Paint::Plain, _) => None,
        (Paint::Colors, Some(rows)) => Some(colored(text, rows, &[])),
        (Paint::ColorsAndMarks, Some(rows)) => Some(colored(text, rows, spans)),
        (Paint::Marks | Paint::Colors | Paint::ColorsAndMarks, _) => marked(text, spans),
    }
}

fn marked(text: &str, spans: &[Range<usize>]) -> Option<String> {
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len() + spans.len() * 12);
    let mut from = 0;
    for span in spans {
        let (Some(before), Some(found)) = (text.get(from..span.start), text.get(span.clone()))
        else {
            // The match ends within a character, and cannot be highlighted.
            continue;
        };
        let _ = write!(out, "{before}{MARK}{found}{PLAIN}");
        from = span.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Some(out)
}

/// The line in its colours, with matches reversed.
fn colored(text: &str, rows: &HistoryRows, spans: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut codes = Codes::new(false);
    let mut passed = 0;
    let mut cell_text = String::new();
    for row in rows.iter() {
        for cell in row.cells().take(row.used().into()) {
            if cell.width() == 0 || passed >= text.len() {
                continue;
            }
            cell_text.clear();
            cell.push_to(&mut cell_text);
            let mut style = cell.style();
            if spans.iter().any(|span| span.contains(&passed)) {
                style.attrs.toggle(Attrs::REVERSE);
            }
            codes.change(style, &mut out);
            out.push_str(&cell_text);
            passed += cell_text.len();
        }
    }
    codes.change(Style::default(), &mut out);
    out
}

pub(crate) fn as_lines(found: &SearchResults, wants: Wants, show: Show) -> String {
    let mut out = String::new();
    for pane in &found.panes {
        match (wants, show) {
            (Wants::Panes, _) => {
                let _ = writeln!(out, "{}", full_name(&pane.place, show));
            }
            (Wants::Counts, Show::Lines) => {
                let _ = writeln!(out, "{}:{}", pane.place.name(), pane.count);
            }
            (Wants::Counts, _) => {
                let _ = writeln!(out, "{:>7} {}", pane.count, full_name(&pane.place, show));
            }
            (Wants::Lines, Show::Lines) => push_plain(pane, &mut out),
            (Wants::Lines, _) => push_group(pane, show, &mut out),
        }
    }
    out
}

/// As grep does: a colon after matching lines, a dash after context, and dashes where lines are left out.
fn push_plain(pane: &PaneHits, out: &mut String) {
    let name = pane.place.name();
    let has_context = pane.hits.iter().any(|hit| hit.is_context);
    for (at, hit) in pane.hits.iter().enumerate() {
        if has_context && (hit.is_apart || at == 0) && !out.is_empty() {
            out.push_str("--\n");
        }
        let sign = if hit.is_context { '-' } else { ':' };
        let text = hit.shown.as_ref().unwrap_or(&hit.text);
        let _ = writeln!(out, "{name}{sign}{}{sign}{text}", hit.line + 1);
    }
}

fn push_group(pane: &PaneHits, show: Show, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", full_name(&pane.place, show));
    let widest = pane
        .hits
        .last()
        .map_or(1, |hit| (hit.line + 1).to_string().len());
    let has_context = pane.hits.iter().any(|hit| hit.is_context);
    for hit in &pane.hits {
        let (number, plain) = match (show, hit.is_context) {
            (Show::ColoredGroups, false) => (NUMBER, PLAIN),
            (Show::ColoredGroups, true) => (DIM, PLAIN),
            _ => ("", ""),
        };
        if has_context && hit.is_apart {
            let _ = writeln!(out, "{:>widest$}", "-");
        }
        let text = hit.shown.as_ref().unwrap_or(&hit.text);
        let _ = writeln!(out, "{number}{:>widest$}{plain}  {text}", hit.line + 1);
    }
}

/// A pane's name and facts: `work:0.1 (%3, hibernated, ~/src)`.
fn full_name(place: &PanePlace, show: Show) -> String {
    let name = place.name();
    if show == Show::Lines {
        return name;
    }
    let mut facts: Vec<String> = place
        .pane
        .map(|pane| pane.to_string())
        .into_iter()
        .collect();
    match (place.life, place.archived) {
        (crate::search::Life::Active, _) => {}
        (life, Some(id)) => facts.push(format!("{} {id}", life.name())),
        (life, None) => facts.push(life.name().to_owned()),
    }
    if !place.directory.as_os_str().is_empty() {
        facts.push(place.directory.display().to_string());
    }
    let facts = facts.join(", ");
    match show {
        Show::ColoredGroups => format!("{HEADING}{name}{PLAIN} {DIM}({facts}){PLAIN}"),
        Show::Lines | Show::Groups => format!("{name} ({facts})"),
    }
}

/// Results as JSON: an object for each line or pane.
pub(crate) fn as_json(found: &SearchResults, wants: Wants) -> Vec<Json> {
    let mut objects = Vec::new();
    for pane in &found.panes {
        let place = place_fields(pane);
        if wants != Wants::Lines {
            objects.push(place.into());
            continue;
        }
        for hit in &pane.hits {
            let mut fields = place.clone();
            fields.extend(hit_fields(hit));
            objects.push(fields.into());
        }
    }
    objects
}

/// The object of a line or pane, with a text in the user's format.
pub(crate) fn json_with(pane: &PaneHits, hit: Option<&Hit>, text: String) -> Json {
    let mut fields = place_fields(pane);
    fields.extend(hit.map(hit_fields).unwrap_or_default());
    fields.insert("text".to_owned(), text.into());
    fields.into()
}

type Fields = serde_json::Map<String, Json>;

fn place_fields(pane: &PaneHits) -> Fields {
    let place = &pane.place;
    let fields = json!({
        "session_name": place.session,
        "session_state": place.life.name(),
        "session_archive_id": place.archived.map(|id| id.to_string()),
        "window_index": place.window,
        "window_name": place.window_name,
        "pane_index": place.number,
        "pane_id": place.pane.map(|pane| pane.to_string()),
        "pane_current_path": place.directory.to_string_lossy(),
        "search_count": pane.count,
    });
    match fields {
        Json::Object(fields) => fields,
        _ => Fields::new(),
    }
}

fn hit_fields(hit: &Hit) -> Fields {
    let fields = json!({
        "search_line_number": hit.line + 1,
        "search_time": hit.time,
        "search_column": hit.column,
        "search_line": hit.shown.as_ref().unwrap_or(&hit.text),
        "search_text": hit.fitting(),
        "search_context": hit.is_context,
    });
    match fields {
        Json::Object(fields) => fields,
        _ => Fields::new(),
    }
}

/// The format variables of a result.
pub(crate) fn variables(pane: &PaneHits, hit: Option<&Hit>) -> Vec<(&'static str, String)> {
    let place = &pane.place;
    let mut variables = vec![("search_count", pane.count.to_string())];
    if place.pane.is_none() {
        // Archived panes are not in the model.
        let archived = place.archived.map(|id| id.to_string());
        variables.extend([
            ("session_name", place.session.clone()),
            ("session_state", place.life.name().to_owned()),
            ("session_archive_id", archived.unwrap_or_default()),
            ("window_index", place.window.to_string()),
            ("window_name", place.window_name.clone()),
            ("pane_index", place.number.to_string()),
            ("pane_current_path", place.directory.display().to_string()),
        ]);
    }
    if let Some(hit) = hit {
        let line = hit.shown.as_ref().unwrap_or(&hit.text);
        variables.extend([
            ("search_line", line.clone()),
            ("search_text", hit.fitting().to_owned()),
            ("search_line_number", (hit.line + 1).to_string()),
            (
                "search_time",
                hit.time.map_or_else(String::new, |time| time.to_string()),
            ),
            ("search_column", hit.column.to_string()),
            ("search_context", u8::from(hit.is_context).to_string()),
        ]);
    }
    variables
}
