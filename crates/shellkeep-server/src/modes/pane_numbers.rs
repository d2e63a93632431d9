//! The numbers of panes, drawn over them: `display-panes`.

use std::time::Duration;

use shellkeep_command::Script;
use shellkeep_core::key::{Key, KeyCode, Modifiers};
use shellkeep_core::{ClientId, ColorName, PaneId, Style};
use shellkeep_render::Rect;

use crate::alarm::Alarm;
use crate::commands::config::ConfigHost;
use crate::display::scene::{Layer, word};
use crate::model::{Asker, Client, KeyGrab, Model, NumberKeys, PaneNumbers, Window};
use crate::modes::key_grab::Pressed;
use crate::modes::{big_digits, key_grab};

/// Shows the numbers of the panes that a client shows.
pub(crate) fn show_pane_numbers(
    model: &mut Model,
    id: ClientId,
    time: Duration,
    template: Script,
    keys: NumberKeys,
    asker: Asker,
) {
    let timer = (!time.is_zero()).then(|| model.set_alarm(Alarm::PaneNumbers(id), time));
    let numbers = PaneNumbers {
        template,
        keys,
        asker,
        timer,
    };
    key_grab::set_key_grab(model, id, KeyGrab::PaneNumbers(numbers));
}

/// The time of the numbers is over.
pub(crate) fn pane_numbers_over(model: &mut Model, id: ClientId) {
    let client = model.clients.get(&id);
    let key_grab = client.and_then(|client| client.view.key_grab.as_ref());
    if matches!(key_grab, Some(KeyGrab::PaneNumbers(numbers)) if numbers.timer.is_some()) {
        key_grab::clear_key_grab(model, id);
    }
}

/// Handles a key while numbers are shown.
pub(crate) fn press_at_numbers(model: &mut Model, id: ClientId, key: Key) -> Pressed {
    let Some(client) = model.clients.get_mut(&id) else {
        return Pressed::Passed;
    };
    let Some(KeyGrab::PaneNumbers(numbers)) = client.view.key_grab.take() else {
        return Pressed::Passed;
    };
    let session = client.session;
    model.redraw_client(id);
    let index = index_of(key).filter(|_| numbers.keys == NumberKeys::Choose);
    let Some(index) = index else {
        key_grab::dismissed(model, numbers.asker);
        return Pressed::PassedLater;
    };
    let window = session.and_then(|session| model.current_window(session));
    let Some(pane) = window.and_then(|window| pane_numbered(model, window, index)) else {
        key_grab::dismissed(model, numbers.asker);
        return Pressed::Taken;
    };
    let answers = [pane.to_string()];
    let commands = numbers.template.fill(&answers, &mut ConfigHost(model));
    key_grab::run_answer(
        model,
        numbers.asker,
        commands.map_err(|error| error.message),
    );
    Pressed::Taken
}

fn pane_numbered(model: &Model, window: &Window, number: u32) -> Option<PaneId> {
    let base = model.window_options(window.id).number("pane-base-index");
    let index = number.checked_sub(u32::try_from(base).ok()?)?;
    window.panes().get(index as usize).copied()
}

/// The layers that draw the numbers over a window's panes.
pub(crate) fn number_layers(
    model: &Model,
    client: &Client,
    window: &Window,
    corner: Rect,
    layers: &mut Vec<Layer>,
) {
    let options = model.session_options(client.session);
    let color = |name| {
        options
            .color(name)
            .map(ColorName::color)
            .unwrap_or_default()
    };
    let base = model.window_options(window.id).number("pane-base-index");
    for (pane, place) in window.shown().places() {
        let index = window.layout.index_of(pane).unwrap_or(0) as i64 + base;
        let color = match pane == window.active {
            true => color("display-panes-active-colour"),
            false => color("display-panes-colour"),
        };
        let text = Style {
            fg: color,
            ..Style::default()
        };
        let block = Style {
            bg: color,
            ..Style::default()
        };
        let place = Rect {
            row: place.row + corner.row,
            col: place.col + corner.col,
            ..place
        };
        draw_number(index, place, text, block, layers);
    }
}

/// The number that a key stands for: after the digits come letters.
fn index_of(key: Key) -> Option<u32> {
    if key.mods() != Modifiers::empty() {
        return None;
    }
    match key.code() {
        KeyCode::Char(c @ '0'..='9') => c.to_digit(10),
        KeyCode::Char(c @ 'a'..='z') => Some(u32::from(c) - u32::from('a') + 10),
        _ => None,
    }
}

/// Draws the number of one pane: large in the middle, with the pane's size at the top right, and below it the letter
/// that selects it.
fn draw_number(index: i64, place: Rect, text: Style, block: Style, layers: &mut Vec<Layer>) {
    let number = index.to_string();
    let letter = match u8::try_from(index) {
        Ok(index @ 10..=34) => char::from(b'a' + index - 10).to_string(),
        _ => String::new(),
    };
    let length = number.len() as u16;
    if place.cols < length {
        return;
    }
    let (row, col) = (place.rows / 2, place.cols / 2);
    let mut put = |row: u16, col: u16, shown: &str, style: Style| {
        let place = (place.row + row, place.col + col);
        layers.push(word(place, shown, style));
    };
    if place.cols < length * 6 || place.rows < 5 {
        let with_letter = format!("{number} {letter}");
        let room = with_letter.len() as u16;
        match place.cols >= room {
            true => put(row, col - room / 2, with_letter.trim_end(), text),
            false => put(row, col - length / 2, &number, text),
        }
        return;
    }
    let left = col.saturating_sub(length * 3);
    for (down, across, cols) in big_digits::runs(&number) {
        let blank = " ".repeat(usize::from(cols));
        put(row - 2 + down, left + across, &blank, block);
    }
    if place.rows <= 6 {
        return;
    }
    let size = format!("{}x{}", place.cols, place.rows);
    if let Some(start) = place.cols.checked_sub(size.len() as u16) {
        put(0, start, &size, text);
    }
    if !letter.is_empty() {
        put(row + 3, col + length * 3 - 2, &letter, text);
    }
}
