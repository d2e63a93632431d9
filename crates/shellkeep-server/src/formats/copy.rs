//! Variables of copy mode and of the mouse.

use shellkeep_copy::{CopyMode, CopyOptions, FrozenText, Pos, Text};
use shellkeep_core::key::MousePlace;
use shellkeep_core::style_text::Range;

use crate::formats::scope::{Scope, Variable, flag, number, text};
use crate::model::{Mode, Pointer};
use crate::modes::copy_options;
use crate::panes::place;

pub(crate) static TABLE: &[Variable] = &[
    ("copy_cursor_line", |scope| {
        text(read(scope, |place, text| place.cursor_line(text))?)
    }),
    ("copy_cursor_word", |scope| {
        let options = options(scope);
        text(read(scope, |place, text| {
            place.word_at(place.cursor(), text, &options)
        })?)
    }),
    ("copy_cursor_x", |scope| {
        number(read(scope, |place, _| place.cursor().col)?)
    }),
    ("copy_cursor_y", |scope| {
        number(read(scope, |place, _| place.cursor_row())?)
    }),
    ("search_match", |scope| {
        text(read(scope, |place, text| place.match_text(text))??)
    }),
    ("mouse_hyperlink", |scope| {
        let (pane, at) = over(scope)?;
        let emulator = pane.screen.lock();
        let row = emulator.row(at.row as u16);
        text(row.cell(at.col as u16).link()?)
    }),
    ("mouse_line", |scope| {
        let (pane, at) = over(scope)?;
        let line = match pane.mode.as_ref().and_then(Mode::copy) {
            Some(copy) => copy.read(|place, text| {
                let mut line = String::new();
                let row = at.row - place.scroll_position() as i64;
                text.with_row(row, &mut |view| line = view.text());
                line
            })?,
            None => pane.screen.lock().row(at.row as u16).text(),
        };
        text(line)
    }),
    ("mouse_pane", |scope| number(pointer(scope)?.pane?)),
    ("mouse_status_line", |scope| {
        let pointer = pointer(scope)?;
        let is_status = !matches!(pointer.place, MousePlace::Pane | MousePlace::Border);
        let area = place::status_area(scope.model, scope.client?.id)?;
        let row = pointer.event.row.checked_sub(area.row)?;
        number(is_status.then_some(row)?)
    }),
    ("mouse_status_range", |scope| {
        let range = match pointer(scope)?.range? {
            Range::None => return None,
            Range::Left => "left",
            Range::Right => "right",
            Range::Window(_) => "window",
        };
        text(range)
    }),
    ("mouse_word", |scope| {
        let (pane, at) = over(scope)?;
        let options = options(scope);
        if let Some(copy) = pane.mode.as_ref().and_then(Mode::copy) {
            return text(copy.read(|place, text| {
                let at = Pos::new(at.row - place.scroll_position() as i64, at.col);
                place.word_at(at, text, &options)
            })?);
        }
        text(copy_options::word_on_screen(scope.model, pane, at))
    }),
    ("mouse_x", |scope| number(over(scope)?.1.col)),
    ("mouse_y", |scope| number(over(scope)?.1.row)),
    ("pane_search_string", |scope| {
        let pane = scope.pane?;
        let now = pane.mode.as_ref().and_then(Mode::copy);
        let now = now.and_then(|copy| copy.read(|place, _| place.remembered().cloned()));
        let search = now.unwrap_or_else(|| pane.last_search.clone());
        text(search.map(|search| search.text).unwrap_or_default())
    }),
    ("rectangle_toggle", |scope| {
        flag(read(scope, |place, _| place.is_rectangle())?)
    }),
    ("scroll_position", |scope| {
        number(read(scope, |place, _| place.scroll_position())?)
    }),
    ("search_present", |scope| {
        flag(read(scope, |place, _| place.has_matches())?)
    }),
    ("selection_active", |scope| {
        flag(read(scope, |place, _| {
            place.selection().is_some_and(|selection| selection.active)
        })?)
    }),
    ("selection_end_x", |scope| {
        number(selection(scope, Edge::End)?.col)
    }),
    ("selection_end_y", |scope| {
        number(selection(scope, Edge::End)?.row)
    }),
    ("selection_present", |scope| {
        flag(read(scope, |place, _| place.selection().is_some())?)
    }),
    ("selection_start_x", |scope| {
        number(selection(scope, Edge::Start)?.col)
    }),
    ("selection_start_y", |scope| {
        number(selection(scope, Edge::Start)?.row)
    }),
];

fn options(scope: &Scope<'_>) -> CopyOptions {
    let word_separators = scope.option("word-separators").unwrap_or_default();
    CopyOptions {
        word_separators,
        ..CopyOptions::default()
    }
}

fn read<T>(scope: &Scope<'_>, look: impl FnOnce(&CopyMode, &FrozenText<'_>) -> T) -> Option<T> {
    scope.pane?.mode.as_ref()?.copy()?.read(look)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

/// An end of the selection; rows are counted from the beginning of the history.
fn selection(scope: &Scope<'_>, edge: Edge) -> Option<Pos> {
    let selected = read(scope, |place, text| {
        let selection = place.selection()?;
        let at = match edge {
            Edge::Start => selection.start,
            Edge::End => selection.end,
        };
        Some(Pos::new(at.row + text.history_rows() as i64, at.col))
    });
    selected?
}

/// The mouse event of the running command, if a mouse key is bound to it.
fn pointer(scope: &Scope<'_>) -> Option<Pointer> {
    // The scope may be that of a client that has nothing to do with the command.
    let is_mouse = scope.model.changes.running.is_mouse;
    is_mouse.then_some(scope.client?.input.mouse.pointer)?
}

/// The pane under the mouse, and the position in it.
fn over<'a>(scope: &Scope<'a>) -> Option<(&'a crate::model::Pane, Pos)> {
    let pointer = pointer(scope)?;
    let pane = scope.model.panes.get(&pointer.pane?)?;
    let at = (pointer.event.row, pointer.event.col);
    let (row, col) = place::in_pane(scope.model, scope.client?, pane.id, at)?;
    Some((pane, Pos::new(i64::from(row), usize::from(col))))
}
