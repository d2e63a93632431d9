//! The panes' numbers, shown over them: `display-panes`.

use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::Script;
use shellkeep_core::key::{Key, KeyCode, Modifiers};
use shellkeep_core::{ClientId, ColorName, PaneId, Size, Style};
use shellkeep_render::{Frame, Rect};

use super::Server;
use super::front::{Asker, Front, Pressed};
use crate::alarm::{Alarm, Timer};
use crate::big_digits;
use crate::config::Reader;
use crate::scene::{Content, Layer};
use crate::state::{Client, Model, Window};

/// Numbers that are shown.
#[derive(Debug)]
pub(crate) struct PaneNumbers {
    /// What to run for the pane that is chosen; `%%` is the pane.
    pub(crate) template: Script,
    pub(crate) keys: NumberKeys,
    pub(crate) asker: Asker,
    timer: Option<Timer>,
}

/// What keys do while numbers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKeys {
    /// A number chooses its pane.
    Choose,
    /// They are keys like any other.
    Pass,
}

impl Server {
    /// Shows the numbers of the panes that a client looks at.
    pub(crate) fn show_pane_numbers(
        &mut self,
        id: ClientId,
        time: Duration,
        template: Script,
        keys: NumberKeys,
        asker: Asker,
    ) {
        let timer = (!time.is_zero()).then(|| self.state.set_alarm(Alarm::PaneNumbers(id), time));
        let numbers = PaneNumbers {
            template,
            keys,
            asker,
            timer,
        };
        self.set_front(id, Front::PaneNumbers(numbers));
    }

    /// The numbers' time is over.
    pub(super) fn pane_numbers_over(&mut self, id: ClientId) {
        let client = self.state.clients.get(&id);
        let front = client.and_then(|client| client.front.as_ref());
        if matches!(front, Some(Front::PaneNumbers(numbers)) if numbers.timer.is_some()) {
            self.clear_front(id);
        }
    }

    /// A key while numbers are shown.
    pub(super) fn press_at_numbers(&mut self, id: ClientId, key: Key) -> Pressed {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return Pressed::Passed;
        };
        let Some(Front::PaneNumbers(numbers)) = client.front.take() else {
            return Pressed::Passed;
        };
        let session = client.session;
        self.state.redraw_client(id);
        let index = index_of(key).filter(|_| numbers.keys == NumberKeys::Choose);
        let Some(index) = index else {
            self.dismissed(numbers.asker);
            return Pressed::Passed;
        };
        let window = session.and_then(|session| self.state.current_window(session));
        let Some(pane) = window.and_then(|window| pane_numbered(&self.state, window, index)) else {
            self.dismissed(numbers.asker);
            return Pressed::Taken;
        };
        let answers = [pane.to_string()];
        let commands = numbers.template.fill(&answers, &mut Reader(self));
        self.run_answer(numbers.asker, commands.map_err(|error| error.message));
        Pressed::Taken
    }
}

/// The pane with a number, as the user counts.
fn pane_numbered(model: &Model, window: &Window, number: u32) -> Option<PaneId> {
    let base = model.window_options(window.id).number("pane-base-index");
    let index = number.checked_sub(u32::try_from(base).ok()?)?;
    window.panes().get(index as usize).copied()
}

/// The numbers as they are drawn over the panes of a window.
pub(super) fn number_layers(
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

/// The number a key stands for: letters go on where digits end.
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

/// One pane's number: large in the middle, its size at the top right, and the letter that chooses it below.
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

/// A word of ASCII as a layer of its own.
pub(super) fn word((row, col): (u16, u16), text: &str, style: Style) -> Layer {
    let cols = text.len() as u16;
    let mut picture = Frame::new(Size::new(1, cols));
    for (at, c) in (0..).zip(text.chars()) {
        let mut buffer = [0; 4];
        picture.put(0, at, c.encode_utf8(&mut buffer), 1, style, None);
    }
    Layer {
        rect: Rect {
            row,
            col,
            rows: 1,
            cols,
        },
        content: Content::Still(Arc::new(picture)),
    }
}
