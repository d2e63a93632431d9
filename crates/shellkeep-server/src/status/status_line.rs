//! The status line: its contents, and when it is drawn again.

use std::time::Duration;

use shellkeep_command::options::{Value, View};
use shellkeep_core::{ClientId, Color, SessionId, Style, StyleText};
use shellkeep_render::{Canvas, Frame, Rect, draw_styled};

use crate::alarm::Alarm;
use crate::display::division::division;
use crate::formats;
use crate::formats::Scope;
use crate::model::{Client, Model, StatusClick};

pub(crate) fn draw_status(
    model: &Model,
    client: &Client,
    area: Rect,
    frame: &mut Frame,
) -> Vec<StatusClick> {
    let Some(session) = client.session else {
        return Vec::new();
    };
    let options = model.session_options(Some(session));
    let scope = formats::scope(model)
        .client(Some(client.id))
        .session(session);
    let style = status_style(options, &scope);
    let formats = options.array("status-format");
    let mut clicks = Vec::new();
    for line in 0..area.rows {
        let row = Rect {
            row: area.row + line,
            rows: 1,
            ..area
        };
        let mut canvas = Canvas::new(frame, row);
        canvas.fill(0, 0, area.cols, style);
        let Some(Value::Text(format)) = formats.get(&u32::from(line)) else {
            continue;
        };
        let text = scope.expand_time(format);
        let ranges = draw_styled(&mut canvas, 0, &text, style);
        let ranges = ranges.into_iter();
        clicks.extend(ranges.map(|range| StatusClick {
            row: row.row,
            range,
        }));
    }
    if area.rows > 0 {
        draw_trouble(model, area, frame);
    }
    clicks
}

/// Draws in red, over the right end of the first status line, that sessions cannot be written.
fn draw_trouble(model: &Model, area: Rect, frame: &mut Frame) {
    let Some((begin, trouble)) = &model.changes.trouble else {
        return;
    };
    let sentence = |why: &str| format!(" {begin}: {why} (type: shellkeep doctor) ");
    let mut text = sentence(trouble);
    if text.chars().count() > usize::from(area.cols) {
        // Show what is wrong rather than the file's name; `doctor` tells that.
        text = sentence(trouble.rsplit(": ").next().unwrap_or(trouble));
    }
    let cols = u16::try_from(text.chars().count()).unwrap_or(area.cols);
    let cols = cols.min(area.cols);
    let corner = Rect {
        col: area.col + area.cols - cols,
        cols,
        rows: 1,
        ..area
    };
    let style = Style {
        fg: Color::Palette(15),
        bg: Color::Palette(1),
        ..Style::default()
    };
    let mut canvas = Canvas::new(frame, corner);
    canvas.fill(0, 0, cols, style);
    // Not a format: the system's message may contain `#`.
    draw_styled(&mut canvas, 0, &text.replace('#', "##"), style);
}

/// Sets the timer by which a status line with times is drawn again. A status line without any gets none.
pub(crate) fn time_status(model: &mut Model, id: ClientId) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    let wanted = client
        .session
        .filter(|_| !client.terminal.awaits_ready && !client.scrolls_natively());
    let Some(session) = wanted.filter(|session| changes_with_time(model, client, *session)) else {
        if let Some(client) = model.clients.get_mut(&id) {
            client.view.status_timer = None;
        }
        return;
    };
    let options = model.session_options(Some(session));
    let seconds = options.number("status-interval").unsigned_abs();
    let is_set = client.view.status_timer.as_ref().map(|(set, _)| *set);
    if is_set == Some(seconds) {
        return;
    }
    let timer = (seconds > 0).then(|| {
        let timer = model.set_alarm(Alarm::Status(id), Duration::from_secs(seconds));
        (seconds, timer)
    });
    if let Some(client) = model.clients.get_mut(&id) {
        client.view.status_timer = timer;
    }
}

/// A client's status line has to be drawn again.
pub(crate) fn status_due(model: &mut Model, id: ClientId) {
    if let Some(client) = model.clients.get_mut(&id) {
        client.view.status_timer = None;
        client.view.is_stale = true;
    }
}

/// Whether the contents around a session's panes change over time.
fn changes_with_time(model: &Model, client: &Client, session: SessionId) -> bool {
    /// The parts of formats whose changes cause no event.
    const SIGNS: &[&str] = &["%", "#(", "#{t", "pane_current_", "_activity", "@"];
    let options = model.session_options(Some(session));
    let mut texts: Vec<&str> = Vec::new();
    let window = model.current_window(session);
    let rows = u32::from(division(model, client).status.rows);
    if rows > 0 {
        let formats = options.array("status-format");
        texts.extend(formats.range(..rows).filter_map(|(_, value)| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        }));
        texts.extend(["status-left", "status-right"].map(|name| options.text(name)));
        let names = ["window-status-format", "window-status-current-format"];
        let of_window = window.map(|window| model.window_options(window.id));
        texts.extend(
            of_window
                .into_iter()
                .flat_map(|options| names.map(|name| options.text(name))),
        );
    }
    if options.flag("set-titles") {
        texts.push(options.text("set-titles-string"));
    }
    if let Some(window) = window {
        let options = model.window_options(window.id);
        if options.text("pane-border-status") != "off" {
            texts.push(options.text("pane-border-format"));
        }
    }
    let mut signs = SIGNS.iter();
    signs.any(|sign| texts.iter().any(|text| text.contains(sign)))
}

/// The style of a status line where its text sets none.
pub(crate) fn status_style(options: View<'_>, scope: &Scope<'_>) -> Style {
    let mut style = option_style(options, "status-style", scope, Style::default());
    let color = |name| options.color(name).map(shellkeep_core::ColorName::color);
    if let Some(fg) = color("status-fg").filter(|fg| *fg != Color::Default) {
        style.fg = fg;
    }
    if let Some(bg) = color("status-bg").filter(|bg| *bg != Color::Default) {
        style.bg = bg;
    }
    style
}

/// The style of an option, on top of a base.
pub(crate) fn option_style(options: View<'_>, name: &str, scope: &Scope<'_>, base: Style) -> Style {
    let Some(value) = options.style(name) else {
        return base;
    };
    match &value.style {
        Some(text) => text.change.over(base),
        // As in tmux, an invalid style is ignored.
        None => match scope.expand(&value.text).parse::<StyleText>() {
            Ok(text) => text.change.over(base),
            Err(_) => base,
        },
    }
}
