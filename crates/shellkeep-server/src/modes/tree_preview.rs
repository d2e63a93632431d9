//! The preview of a tree: the screens of what the current line is about.

use std::sync::Arc;

use shellkeep_core::{Attrs, Color, Rect, SessionId, Size, Style};
use shellkeep_render::{Canvas, Frame, draw_pane};

use crate::display::division;
use crate::formats;
use crate::model::{Client, Model, Pane, Window, visible};
use crate::modes::customize_text;
use crate::modes::overlay::tree::{Item, Look, PreviewArea, Tree, draw_box_label};
use crate::panes::screen::Screen;
use crate::status::status_line;
use crate::status::status_line::option_style;

/// A narrower preview is not drawn.
const MIN_COLS: u16 = 24;

/// One of several previews side by side.
struct Cell<'a> {
    label: String,
    /// The label for when the full one does not fit.
    short: String,
    color: Color,
    screen: Option<&'a Screen>,
}

/// What the previews show. A window's label is in the middle of its preview, a pane's in the middle of its share of the
/// row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Windows,
    Panes,
}

struct Cells<'a> {
    of: Of,
    all: Vec<Cell<'a>>,
    /// The one that has to be visible.
    current: usize,
}

pub(crate) fn draw_tree_preview(
    model: &Model,
    tree: &Tree,
    pane: &Pane,
    frame: &mut Frame,
    area: PreviewArea,
) {
    let Some(item) = tree.current_item() else {
        return;
    };
    let colors = preview_colors(model, model.session_of(pane.id));
    match item {
        Item::Session(id) => {
            if let Some(cells) = window_cells(model, *id, colors) {
                draw_cells(frame, area.0, &cells, tree.scroll);
            }
        }
        Item::Window(id, index) => {
            let session = model.sessions.get(id);
            let link = session.and_then(|session| session.links.get(index));
            if let Some(window) = link.and_then(|link| model.windows.get(&link.window)) {
                let cells = pane_cells(model, window, colors);
                draw_cells(frame, area.0, &cells, tree.scroll);
            }
        }
        Item::Pane(_, _, id) => {
            if let Some(pane) = model.panes.get(id) {
                draw_screen(frame, area.0, &pane.screen);
            }
        }
        Item::Buffer(name) => {
            if let Some(buffer) = model.buffers.get(name) {
                draw_text(frame, area.0, &buffer.data);
            }
        }
        Item::Client(id) => {
            if let Some(client) = model.clients.get(id) {
                draw_client(model, client, frame, area.0);
            }
        }
        Item::Setting(setting) => {
            let lines = customize_text::setting_lines(model, pane, setting);
            draw_lines(frame, area.0, &lines);
        }
    }
}

/// Draws what a client shows: its pane and its status line.
fn draw_client(model: &Model, client: &Client, frame: &mut Frame, area: Rect) {
    let Some(session) = client.session else {
        return;
    };
    let lines = division::status_rows(model, session).min(area.rows.saturating_sub(2));
    let taken = if lines == 0 { 0 } else { lines + 1 };
    let place = Rect {
        rows: area.rows - taken,
        ..area
    };
    // As in tmux, one row above the status line stays free.
    let shown = Rect {
        rows: area.rows.saturating_sub(lines + 2),
        ..area
    };
    let pane = model.current_pane(session);
    if let Some(pane) = pane.and_then(|id| model.panes.get(&id)) {
        draw_screen(frame, shown, &pane.screen);
    }
    if lines == 0 {
        return;
    }
    let mut canvas = Canvas::new(frame, area);
    for col in 0..area.cols {
        canvas.put(place.rows, col, "─", 1, Style::default(), None);
    }
    let size = Size::new(lines, client.terminal.size.cols());
    let mut status = Frame::new(size);
    status_line::draw_status(model, client, Rect::whole(size), &mut status);
    let below = Rect {
        row: area.row + place.rows + 1,
        rows: lines,
        ..area
    };
    shellkeep_render::draw_picture(&status, &mut Canvas::new(frame, below));
}

/// What is previewed at a column of a tree of `cols` columns, for an item.
pub(crate) fn previewed(
    model: &Model,
    item: &Item,
    scroll: i32,
    cols: u16,
    col: u16,
) -> Option<Previewed> {
    let plain = (Color::Default, Color::Default);
    let cells = match item {
        Item::Session(id) => window_cells(model, *id, plain)?,
        Item::Window(id, index) => {
            let link = model.sessions.get(id)?.links.get(index)?;
            pane_cells(model, model.windows.get(&link.window)?, plain)
        }
        Item::Pane(..) | Item::Buffer(_) | Item::Client(_) | Item::Setting(_) => return None,
    };
    // The box takes two columns on each side.
    let (cols, col) = (cols.checked_sub(4)?, col.saturating_sub(2));
    let strip = Strip::new(cols, cells.all.len(), cells.current, scroll)?;
    let at = match strip.at(col)? {
        At::Left => return Some(Previewed::Left),
        At::Right => return Some(Previewed::Right),
        At::Cell(at) => at,
    };
    let item = match item {
        Item::Session(id) => {
            let index = model.sessions.get(id)?.links.keys().nth(at)?;
            Item::Window(*id, *index)
        }
        Item::Window(id, index) => {
            let link = model.sessions.get(id)?.links.get(index)?;
            let pane = model.windows.get(&link.window)?.panes().get(at)?;
            Item::Pane(*id, *index, *pane)
        }
        _ => return None,
    };
    Some(Previewed::Item(item))
}

/// The colours of labels: of the current one, and of the others.
fn preview_colors(model: &Model, session: Option<SessionId>) -> (Color, Color) {
    let options = model.session_options(session);
    let color = |name| {
        let color = options.color(name);
        color.map_or(Color::Default, shellkeep_core::ColorName::color)
    };
    (
        color("display-panes-active-colour"),
        color("display-panes-colour"),
    )
}

fn window_cells(
    model: &Model,
    id: SessionId,
    (active, other): (Color, Color),
) -> Option<Cells<'_>> {
    let session = model.sessions.get(&id)?;
    let indexes = session.links.keys();
    let current = indexes.clone().position(|index| *index == session.current);
    let all = session.links.iter().filter_map(|(index, link)| {
        let window = model.windows.get(&link.window)?;
        let pane = model.panes.get(&window.active);
        Some(Cell {
            label: format!(" {index}:{} ", window.name),
            short: format!(" {index} "),
            color: if *index == session.current {
                active
            } else {
                other
            },
            screen: pane.map(|pane| pane.screen.as_ref()),
        })
    });
    Some(Cells {
        of: Of::Windows,
        all: all.collect(),
        current: current.unwrap_or(0),
    })
}

fn pane_cells<'a>(model: &'a Model, window: &Window, (active, other): (Color, Color)) -> Cells<'a> {
    let base = model.window_options(window.id).number("pane-base-index");
    let panes = window.panes();
    let all = (base..).zip(panes).map(|(number, id)| Cell {
        label: format!(" {number} "),
        short: String::new(),
        color: if *id == window.active { active } else { other },
        screen: model.panes.get(id).map(|pane| pane.screen.as_ref()),
    });
    let current = panes.iter().position(|id| *id == window.active);
    Cells {
        of: Of::Panes,
        all: all.collect(),
        current: current.unwrap_or(0),
    }
}

/// How previews share a row.
struct Strip {
    /// The width of the arrows at the sides, if there are more previews.
    left: u16,
    right: u16,
    /// The first visible one, and how many are visible.
    first: u16,
    visible: u16,
    each: u16,
    /// The width of all together.
    room: u16,
}

impl Strip {
    /// As many as fit, including the current one. `None` if none fits.
    fn new(cols: u16, count: usize, current: usize, scroll: i32) -> Option<Self> {
        let total = u16::try_from(count).unwrap_or(u16::MAX).max(1);
        let visible = match cols / total {
            each if each >= MIN_COLS => total,
            _ => (cols / MIN_COLS).clamp(1, total),
        };
        let current = u16::try_from(current).unwrap_or(0);
        let first = if current < visible {
            0
        } else if current >= total - visible {
            total - visible
        } else {
            current - visible / 2
        };
        let first = i32::from(first).saturating_add(scroll);
        let first = u16::try_from(first.max(0))
            .unwrap_or(u16::MAX)
            .min(total - visible);
        let (has_left, has_right) = (first > 0, first + visible < total);
        let edge = |is_there: bool| if is_there && cols > 6 { 3 } else { 0 };
        let (left, right) = (edge(has_left), edge(has_right));
        let room = cols - left - right;
        let each = room / visible;
        (each >= 2).then_some(Self {
            left,
            right,
            first,
            visible,
            each,
            room,
        })
    }

    /// What is at a column: a preview by its number, or an arrow.
    fn at(&self, col: u16) -> Option<At> {
        if col < self.left {
            return Some(At::Left);
        }
        let col = col - self.left;
        if col >= self.room {
            return (col < self.room + self.right).then_some(At::Right);
        }
        let at = (col / self.each).min(self.visible - 1);
        Some(At::Cell(usize::from(self.first + at)))
    }
}

/// What is at a column of the previews.
enum At {
    Left,
    Right,
    Cell(usize),
}

pub(crate) enum Previewed {
    /// More previews, to the left or right.
    Left,
    Right,
    Item(Item),
}

fn draw_cells(frame: &mut Frame, area: Rect, cells: &Cells<'_>, scroll: i32) {
    let strip = Strip::new(area.cols, cells.all.len(), cells.current, scroll);
    let Some(strip) = strip else { return };
    let Strip {
        left,
        right,
        first,
        visible,
        each,
        room,
    } = strip;
    draw_edge(frame, area, area.col, left, "<");
    draw_edge(frame, area, area.right() - right, right, ">");
    let shown = cells.all.iter().skip(usize::from(first));
    for (at, cell) in (0..visible).zip(shown) {
        let is_last = at + 1 == visible;
        let cols = match is_last {
            true => room - each * at,
            false => each - 1,
        };
        let place = Rect {
            col: area.col + left + each * at,
            cols,
            ..area
        };
        if let Some(screen) = cell.screen {
            draw_screen(frame, place, screen);
        }
        let middle = match cells.of {
            Of::Windows => place,
            Of::Panes => Rect {
                cols: each,
                ..place
            },
        };
        let label = match cell.label.chars().count() > usize::from(place.cols) {
            true => &cell.short,
            false => &cell.label,
        };
        draw_box_label(frame, middle, label, cell.color);
        if !is_last {
            draw_line(frame, area, place.right());
        }
    }
}

/// Draws an arrow where there are more previews.
fn draw_edge(frame: &mut Frame, area: Rect, col: u16, cols: u16, arrow: &str) {
    if cols == 0 {
        return;
    }
    let (line, at) = match arrow {
        "<" => (col + 2, col),
        _ => (col, col + 2),
    };
    draw_line(frame, area, line);
    frame.put(
        area.row + area.rows / 2,
        at,
        arrow,
        1,
        Style::default(),
        None,
    );
}

fn draw_line(frame: &mut Frame, area: Rect, col: u16) {
    for row in area.row..area.bottom() {
        frame.put(row, col, "│", 1, Style::default(), None);
    }
}

/// Draws the part of a screen around its cursor.
fn draw_screen(frame: &mut Frame, area: Rect, screen: &Screen) {
    let emulator = screen.lock();
    let size = emulator.size();
    let mut whole = Frame::new(size);
    let mut canvas = Canvas::new(&mut whole, Rect::whole(size));
    draw_pane(&emulator, Style::default(), &mut canvas);
    let cursor = emulator.cursor();
    let (mut first_row, mut first_col) = (0, 0);
    if cursor.visible {
        first_row = part_start(cursor.row, area.rows, size.rows());
        first_col = part_start(cursor.col, area.cols, size.cols());
        let mut style = whole.style(cursor.row, cursor.col);
        style.attrs.insert(Attrs::REVERSE);
        let text = whole.text(cursor.row, cursor.col).to_owned();
        let width = whole.width(cursor.row, cursor.col);
        whole.put(cursor.row, cursor.col, &text, width, style, None);
    }
    let mut canvas = Canvas::new(frame, area);
    for row in 0..area.rows.min(size.rows() - first_row) {
        canvas.fill(row, 0, area.cols, Style::default());
        for col in 0..area.cols.min(size.cols() - first_col) {
            let (from_row, from_col) = (first_row + row, first_col + col);
            let width = whole.width(from_row, from_col);
            if width > 0 {
                let (text, style) = (
                    whole.text(from_row, from_col),
                    whole.style(from_row, from_col),
                );
                canvas.put(row, col, text, width, style, None);
            }
        }
    }
}

/// Where a part begins so that the cursor is a third into it, but not beyond the end.
fn part_start(cursor: u16, part: u16, whole: u16) -> u16 {
    let start = match cursor < part / 3 {
        true => 0,
        false => cursor - part / 3,
    };
    start.min(whole.saturating_sub(part))
}

/// Draws text with one line on each row, and invisible characters escaped.
fn draw_text(frame: &mut Frame, area: Rect, bytes: &[u8]) {
    let mut canvas = Canvas::new(frame, area);
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for (row, line) in (0..area.rows).zip(bytes.split(|byte| *byte == b'\n')) {
        // Escapes at most this many bytes, since no line needs more to fill a row.
        let line = visible(&line[..line.len().min(usize::from(area.cols) * 64)]);
        shellkeep_render::draw_styled(&mut canvas, row, &line.replace('#', "##"), Style::default());
    }
}

/// Draws styled lines, wrapped between words.
fn draw_lines(frame: &mut Frame, area: Rect, lines: &[String]) {
    let mut canvas = Canvas::new(frame, area);
    let mut row = 0;
    for line in lines {
        for part in wrapped(line, usize::from(area.cols)) {
            if row >= area.rows {
                return;
            }
            shellkeep_render::draw_styled(&mut canvas, row, &part, Style::default());
            row += 1;
        }
    }
}

/// A text wrapped at blanks if it has any.
fn wrapped(text: &str, cols: usize) -> Vec<String> {
    let width = |text: &str| shellkeep_render::styled_width(text);
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let last = lines.last_mut().expect("there is always one");
        if last.is_empty() || width(last) + width(word.trim_end()) <= cols {
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The frame of a pane in tree mode.
pub(crate) fn tree_frame(model: &Model, tree: &Tree, pane: &Pane) -> Arc<Frame> {
    let options = model.pane_options(pane.id);
    let scope = formats::scope(model).window(pane.window).pane(pane.id);
    let look = Look {
        current: option_style(options, "mode-style", &scope, Style::default()),
    };
    let drawn = tree.draw(pane.size, look, &|frame, area| {
        draw_tree_preview(model, tree, pane, frame, area);
    });
    Arc::new(drawn)
}
