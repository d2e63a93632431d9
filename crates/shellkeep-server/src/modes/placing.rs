//! The position of a menu or popup, from `-x` and `-y` of its command.

use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::style_text::Range;
use shellkeep_core::{Rect, Size};

use crate::commands::queue::Caller;
use crate::display::division;
use crate::display::part_shown::part_shown;
use crate::formats;
use crate::formats::Scope;
use crate::model::{Client, Model};

/// The values of `-x` and `-y`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position<'a> {
    pub(crate) column: Option<&'a str>,
    pub(crate) row: Option<&'a str>,
}

/// The place of an overlay of this size on a client's terminal, limited to the terminal.
pub(crate) fn overlay_place(
    model: &Model,
    client: &Client,
    caller: &Caller,
    target: ResolvedTarget,
    size: Size,
    position: Position<'_>,
) -> Rect {
    let scope = popup_scope(model, client, caller, target, size);
    let column = match position.column {
        None | Some("C") => "#{popup_centre_x}",
        Some("R") => "#{popup_pane_right}",
        Some("P") => "#{popup_pane_left}",
        Some("M") => "#{popup_mouse_centre_x}",
        Some("W") => "#{popup_window_status_line_x}",
        Some(format) => format,
    };
    let row = match position.row {
        None | Some("C") => "#{popup_centre_y}",
        Some("P") => "#{popup_pane_bottom}",
        Some("M") => "#{popup_mouse_top}",
        Some("S") => "#{popup_status_line_y}",
        Some("W") => "#{popup_window_status_line_y}",
        Some(format) => format,
    };
    let number = |format: &str| scope.expand(format).trim().parse::<i64>().unwrap_or(0);
    let (rows, cols) = (i64::from(size.rows()), i64::from(size.cols()));
    let (room_rows, room_cols) = (
        i64::from(client.terminal.size.rows()),
        i64::from(client.terminal.size.cols()),
    );
    // A row is given for the line below the overlay.
    let row = (number(row) - rows).min(room_rows - rows);
    let col = number(column).min(room_cols - cols);
    Rect {
        row: narrow(row),
        col: narrow(col),
        rows: size.rows(),
        cols: size.cols(),
    }
}

/// The variables that a position may use.
fn popup_scope<'a>(
    model: &'a Model,
    client: &Client,
    caller: &Caller,
    target: ResolvedTarget,
    size: Size,
) -> Scope<'a> {
    let (h, w) = (i64::from(size.rows()), i64::from(size.cols()));
    let (sy, sx) = (
        i64::from(client.terminal.size.rows()),
        i64::from(client.terminal.size.cols()),
    );
    let mut scope = formats::scope(model).client(Some(client.id)).found(target);
    let mut set = |name: &'static str, value: i64| {
        scope.extra.push((name, value.to_string()));
    };
    set("popup_width", w);
    set("popup_height", h);
    set("popup_centre_x", ((sx - 1) / 2 - w / 2).max(0));
    let centre = (sy - 1) / 2 + h / 2;
    set("popup_centre_y", if centre >= sy { sy - h } else { centre });
    status_places(model, client, target, h, &mut set);
    if let (Some(_), Some(pointer)) = (caller.mouse, &client.input.mouse.pointer) {
        let mouse = pointer.event;
        let (y, x) = (i64::from(mouse.row), i64::from(mouse.col));
        set("popup_mouse_centre_x", (x - w / 2).max(0));
        let centre = y - h / 2;
        set(
            "popup_mouse_centre_y",
            if centre + h >= sy { sy - h } else { centre },
        );
        set("popup_mouse_top", (y + h).min(sy - 1));
        set("popup_mouse_bottom", (y - h).max(0));
        set("popup_mouse_x", x);
        set("popup_mouse_y", y);
    }
    if let Some((top, left, place)) = place_on(model, client, target) {
        let bottom = top + i64::from(place.rows);
        let right = left + i64::from(place.cols);
        set(
            "popup_pane_top",
            if top + h >= sy { sy - h } else { top + h },
        );
        set("popup_pane_bottom", bottom);
        set("popup_pane_left", left);
        set("popup_pane_right", (right - w).max(0));
    }
    scope
}

/// The row and column of a client's terminal where a pane begins, perhaps out of sight, and its place in its window.
fn place_on(model: &Model, client: &Client, target: ResolvedTarget) -> Option<(i64, i64, Rect)> {
    let window = model.windows.get(&target.window)?;
    let place = window.shown().place_of(target.pane)?;
    let (mut top, mut left) = (i64::from(place.row), i64::from(place.col));
    if is_status_on_top(model, client) {
        top += client
            .session
            .map_or(0, |id| i64::from(division::status_rows(model, id)));
    }
    if let Some(part) = part_shown(model, client) {
        top -= i64::from(part.row);
        left -= i64::from(part.col);
    }
    Some((top, left, place))
}

/// The positions of the status line, and of the window in it.
fn status_places(
    model: &Model,
    client: &Client,
    target: ResolvedTarget,
    height: i64,
    set: &mut dyn FnMut(&'static str, i64),
) {
    let Some(session) = client.session else {
        return;
    };
    let rows = i64::from(division::status_rows(model, session));
    let is_top = is_status_on_top(model, client);
    let bottom = i64::from(client.terminal.size.rows()) - rows;
    set(
        "popup_status_line_y",
        if is_top { rows + height } else { bottom },
    );
    if let Some((row, col)) = window_in_status(client, target) {
        set("popup_window_status_line_x", i64::from(col));
        let below = i64::from(row) + 1 + height;
        set(
            "popup_window_status_line_y",
            if is_top { below } else { i64::from(row) },
        );
    }
}

fn is_status_on_top(model: &Model, client: &Client) -> bool {
    let options = model.session_options(client.session);
    options.text("status-position") == "top"
}

/// The position of a window in a client's status line.
fn window_in_status(client: &Client, target: ResolvedTarget) -> Option<(u16, u16)> {
    let mut clicks = client.view.status_clicks.iter();
    let found = clicks.find(|click| click.range.range == Range::Window(target.index));
    found.map(|click| (click.row, click.range.start))
}

fn narrow(value: i64) -> u16 {
    u16::try_from(value.max(0)).unwrap_or(u16::MAX)
}
