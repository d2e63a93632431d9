//! View mode: a command's output in place of the active pane, to be scrolled and searched as in copy mode. Also the
//! hints for keys.

use shellkeep_command::bind::Filter;
use shellkeep_copy::{Action, CopyCommand, CopyMode, EnterOptions, Frozen};
use shellkeep_core::{ClientId, PaneId};
use shellkeep_render::{Canvas, Frame, draw_message, styled_width};
use shellkeep_term::{Config, Emulator};

use crate::display::division::Division;
use crate::display::scene::Scene;
use crate::model::{Client, Copy, Mode, Model, Reading};
use crate::modes::copy_options::copy_options;
use crate::modes::{copy, stack};
use crate::panes::emulator;
use crate::panes::screen::Screen;
use crate::status::message;
use crate::status::message::message_row;

/// Shows a command's output on a client.
pub(crate) fn view(model: &mut Model, id: ClientId, text: &[u8]) {
    let client = model.clients.get(&id);
    let Some(pane) = client.and_then(|client| model.pane_of(client)) else {
        return;
    };
    view_in(model, pane, text);
}

/// Shows text in view mode in a pane.
pub(crate) fn view_in(model: &mut Model, pane: PaneId, text: &[u8]) {
    let text = printable(text);
    stack::raise_mode(model, pane, "view-mode");
    if add_to_view(model, pane, &text) {
        return;
    }
    let options = copy_options(model, pane);
    let Some(shown) = model.panes.get_mut(&pane) else {
        return;
    };
    let config = Config {
        history_limit: usize::MAX,
        ..emulator::emulator_config()
    };
    let mut emulator = Emulator::new(shown.size, config);
    emulator.feed(text.as_bytes(), &mut Vec::new());
    let screen = Screen::new(pane, emulator);
    let reading = {
        let emulator = screen.lock();
        let frozen = Frozen::new(&emulator);
        let enter = EnterOptions {
            search: shown.last_search.clone(),
            ..EnterOptions::default()
        };
        let text = frozen.text(&emulator);
        let mut place = CopyMode::enter(frozen.cursor(), &text, enter);
        place.run(&CopyCommand::Do(Action::HistoryTop), 1, &text, &options);
        Reading { place, frozen }
    };
    let copy = Copy::new(reading, screen);
    stack::put_mode(model, pane, Mode::View(Box::new(copy)));
}

/// Draws which keys can follow, if hints are enabled and a key sequence or mode is active.
pub(crate) fn add_hints(model: &Model, client: &Client, division: &Division, scene: &mut Scene) {
    let options = model.session_options(client.session);
    if client.input.key_table.is_empty() || !options.flag("key-hints") {
        return;
    }
    let filter = Filter {
        table: Some(&client.input.key_table),
        key: None,
    };
    let hints = model.key_tables.list(filter).filter_map(|(_, binding)| {
        let note = binding.note.as_deref()?;
        Some(format!("{} {note}", binding.key).replace('#', "##"))
    });
    let row = message_row(division);
    let hints = fitting(hints, usize::from(row.cols));
    if hints.is_empty() {
        return;
    }
    let style = message::message_style(model, client, "message-style");
    scene.cover(row, |frame: &mut Frame| {
        draw_message(&mut Canvas::new(frame, row), 0, &hints, style);
    });
}

/// Appends to the text of a pane in view mode. Returns whether it is in view mode.
fn add_to_view(model: &mut Model, id: PaneId, text: &str) -> bool {
    let mode = model.panes.get_mut(&id).and_then(|pane| pane.mode.as_mut());
    let Some(Mode::View(copy)) = mode else {
        return false;
    };
    let text = format!("\r\n{text}");
    copy.screen.lock().feed(text.as_bytes(), &mut Vec::new());
    copy::refreeze(model, id);
    stack::mode_changed(model, id);
    true
}

/// As many hints as fit as a whole, and a sign if there are more.
fn fitting(hints: impl Iterator<Item = String>, room: usize) -> String {
    const BETWEEN: &str = " · ";
    const MORE: &str = " …";
    let (mut line, mut used) = (String::new(), 0);
    for hint in hints {
        let between = if line.is_empty() { "" } else { BETWEEN };
        let width = styled_width(between) + styled_width(&hint);
        if used + width + styled_width(MORE) > room {
            line.push_str(MORE);
            break;
        }
        line.push_str(between);
        line.push_str(&hint);
        used += width;
    }
    line
}

/// Output as a screen can show it: lines without control characters other than tabs.
fn printable(text: &[u8]) -> String {
    // Otherwise there would be an empty row at the end.
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = String::from_utf8_lossy(text);
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\r\n"),
            c if c.is_control() && c != '\t' => {}
            c => shown.push(c),
        }
    }
    shown
}
