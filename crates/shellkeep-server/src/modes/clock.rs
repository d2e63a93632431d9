//! Clock mode: a clock in place of a pane's screen.

use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::{ColorName, PaneId, Style, WindowId};
use shellkeep_render::{Canvas, Frame, Rect};

use crate::alarm::{Alarm, Timer};
use crate::formats;
use crate::model::{Mode, Model, Pane};
use crate::modes::{big_digits, stack};

pub(crate) fn enter_clock_mode(model: &mut Model, id: PaneId) {
    if !stack::raise_mode(model, id, Mode::Clock.name()) {
        stack::put_mode(model, id, Mode::Clock);
    }
}

pub(crate) fn clock_frame(model: &Model, pane: &Pane) -> Arc<Frame> {
    let options = model.pane_options(pane.id);
    let color = options
        .color("clock-mode-colour")
        .map(ColorName::color)
        .unwrap_or_default();
    let format = match options.text("clock-mode-style") {
        "12" => "%l:%M %p",
        _ => "%H:%M",
    };
    let time = formats::scope(model).expand_time(format);
    let (rows, cols) = (pane.size.rows(), pane.size.cols());
    let length = time.len() as u16;
    let mut frame = Frame::new(pane.size);
    let mut canvas = Canvas::new(&mut frame, Rect::whole(pane.size));
    if cols < length * 6 || rows < 6 {
        let style = Style {
            fg: color,
            ..Style::default()
        };
        if let Some(room) = (cols / 2)
            .checked_sub(length / 2)
            .filter(|_| cols >= length)
        {
            for (at, c) in (room..).zip(time.chars()) {
                let mut buffer = [0; 4];
                canvas.put(rows / 2, at, c.encode_utf8(&mut buffer), 1, style, None);
            }
        }
        return Arc::new(frame);
    }
    let style = Style {
        bg: color,
        ..Style::default()
    };
    let (top, left) = (rows / 2 - 3, cols / 2 - 3 * length);
    for (row, col, count) in big_digits::runs(&time) {
        canvas.fill(top + row, left + col, count, style);
    }
    Arc::new(frame)
}

/// Keeps the timer running while a client shows a clock.
pub(crate) fn keep_clock_timer(model: &Model, timer: &mut Option<Timer>) {
    if timer.is_some() || windows_with_clocks(model).is_empty() {
        return;
    }
    let after = 60 - model.now().rem_euclid(60).unsigned_abs();
    *timer = Some(model.set_alarm(Alarm::Clock, Duration::from_secs(after)));
}

/// A minute has passed.
pub(crate) fn clock_due(model: &mut Model, timer: &mut Option<Timer>) {
    *timer = None;
    for window in windows_with_clocks(model) {
        model.redraw_window(window);
    }
}

/// The windows in which a client sees a clock.
fn windows_with_clocks(model: &Model) -> Vec<WindowId> {
    let panes = model.panes.values();
    let panes = panes.filter(|pane| matches!(pane.mode, Some(Mode::Clock)));
    let windows = panes.map(|pane| pane.window);
    let windows = windows.filter(|id| model.viewers_of(*id).next().is_some());
    windows.collect()
}
