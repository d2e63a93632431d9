//! Variables of a pane.

use shellkeep_core::layout::BorderStatus;
use shellkeep_core::style_text::ColorChange;
use shellkeep_core::{ColorName, Rect};
use shellkeep_term::{MouseEncoding, MouseProtocol};

use crate::formats::scope::{Scope, Value, Variable, flag, lossy, number, text, time};
use crate::model::Pane;
use crate::process::process_info;
use crate::process::wall::{Seconds, now};
use crate::status::first_name::first_name;

/// tmux's value if no cursor is saved for the end of the alternate screen.
fn no_cursor() -> Option<Value> {
    Some(Value::Nothing(u32::MAX.to_string()))
}

pub(crate) static TABLE: &[Variable] = &[
    ("alternate_on", |scope| {
        flag(scope.pane?.screen.lock().is_alternate())
    }),
    ("alternate_saved_x", |scope| {
        let saved = scope.pane?.screen.lock().cursor_under_alternate();
        saved.map_or_else(no_cursor, |(_, col)| number(col))
    }),
    ("alternate_saved_y", |scope| {
        let saved = scope.pane?.screen.lock().cursor_under_alternate();
        saved.map_or_else(no_cursor, |(row, _)| number(row))
    }),
    ("cursor_character", |scope| {
        let emulator = scope.pane?.screen.lock();
        let cursor = emulator.cursor();
        if cursor.pending_wrap {
            return text(" ".to_owned());
        }
        let mut character = String::new();
        let cell = emulator.row(cursor.row).cell(cursor.col);
        cell.push_to(&mut character);
        text(character)
    }),
    ("cursor_flag", |scope| {
        flag(scope.pane?.screen.lock().cursor().visible)
    }),
    // After the last column while the next character will wrap.
    ("cursor_x", |scope| {
        let cursor = scope.pane?.screen.lock().cursor();
        number(cursor.col + u16::from(cursor.pending_wrap))
    }),
    ("cursor_y", |scope| {
        number(scope.pane?.screen.lock().cursor().row)
    }),
    // Rows and their bytes; then tmux's cells and extended cells, which are part of the rows here.
    ("history_all_bytes", |scope| {
        let emulator = scope.pane?.screen.lock();
        let rows = emulator.history_row_count_at_once() + usize::from(emulator.size().rows());
        text(format!("{rows},{},0,0,0,0", emulator.memory()))
    }),
    ("history_bytes", |scope| {
        number(scope.pane?.screen.lock().memory())
    }),
    ("history_limit", |scope| {
        scope.pane?;
        let session = scope.session.map(|session| session.id);
        number(scope.model.session_options(session).number("history-limit"))
    }),
    ("history_size", |scope| {
        number(scope.pane?.screen.lock().history_row_count_at_once())
    }),
    ("insert_flag", |scope| {
        flag(scope.pane?.screen.lock().inner_modes().insert)
    }),
    ("keypad_cursor_flag", |scope| {
        flag(scope.pane?.screen.lock().modes().application_cursor)
    }),
    ("keypad_flag", |scope| {
        flag(scope.pane?.screen.lock().modes().application_keypad)
    }),
    ("mouse_all_flag", |scope| {
        flag(mouse(scope)? == MouseProtocol::Motion)
    }),
    ("mouse_any_flag", |scope| {
        flag(mouse(scope)? != MouseProtocol::Off)
    }),
    ("mouse_button_flag", |scope| {
        flag(mouse(scope)? == MouseProtocol::Drag)
    }),
    ("mouse_sgr_flag", |scope| {
        flag(scope.pane?.screen.lock().modes().mouse_encoding == MouseEncoding::Sgr)
    }),
    ("mouse_standard_flag", |scope| {
        flag(matches!(
            mouse(scope)?,
            MouseProtocol::X10 | MouseProtocol::Buttons
        ))
    }),
    ("mouse_utf8_flag", |scope| {
        flag(scope.pane?.screen.lock().modes().mouse_encoding == MouseEncoding::Utf8)
    }),
    ("origin_flag", |scope| {
        flag(scope.pane?.screen.lock().inner_modes().origin)
    }),
    ("pane_active", |scope| {
        flag(scope.pane?.id == scope.window?.active)
    }),
    ("pane_at_bottom", |scope| {
        let rows = scope.window?.size().rows();
        let title = u16::from(border_status(scope)? == BorderStatus::Bottom);
        flag(place(scope)?.bottom() + title == rows)
    }),
    ("pane_at_left", |scope| flag(place(scope)?.col == 0)),
    ("pane_at_right", |scope| {
        flag(place(scope)?.right() == scope.window?.size().cols())
    }),
    ("pane_at_top", |scope| {
        let title = u16::from(border_status(scope)? == BorderStatus::Top);
        flag(place(scope)?.row == title)
    }),
    ("pane_bg", |scope| text(color(scope, Ground::Back)?)),
    ("pane_bottom", |scope| {
        number(place(scope)?.bottom().saturating_sub(1))
    }),
    // tmux 3.7's names for the command of the shell that runs, or else for the last one. The duration is in seconds.
    ("pane_command_duration", |scope| {
        number(command_duration(scope)? / 1000)
    }),
    ("pane_command_end_time", |scope| {
        let tracker = &scope.pane?.shell_report.tracker;
        let last = tracker.last().filter(|_| tracker.running().is_none())?;
        time(seconds(last.ended))
    }),
    ("pane_command_running", |scope| {
        flag(scope.pane?.shell_report.tracker.running().is_some())
    }),
    ("pane_command_start_time", |scope| {
        let tracker = &scope.pane?.shell_report.tracker;
        let running = tracker.running().map(|(_, started)| started);
        let last = || tracker.last().map(|last| last.started);
        time(seconds(running.or_else(last)?))
    }),
    ("pane_command_status", |scope| {
        number(scope.pane?.shell_report.tracker.last()?.exit?)
    }),
    ("pane_current_command", |scope| {
        text(current_command(scope, scope.pane?))
    }),
    ("pane_current_path", |scope| text(current_path(scope.pane?))),
    ("pane_dead", |scope| flag(scope.pane?.is_dead())),
    ("pane_dead_signal", |scope| {
        number(scope.pane?.life.exit()?.signal()?)
    }),
    ("pane_dead_status", |scope| {
        number(scope.pane?.life.exit()?.status()?)
    }),
    ("pane_dead_time", |scope| {
        time(scope.pane?.life.dead()?.since)
    }),
    ("pane_fg", |scope| text(color(scope, Ground::Fore)?)),
    ("pane_height", |scope| number(scope.pane?.size.rows())),
    ("pane_id", |scope| text(scope.pane?.id.to_string())),
    // A number: tmux counts the modes that cover each other.
    ("pane_in_mode", |scope| {
        let pane = scope.pane?;
        let below = scope.model.covered.get(&pane.id).map_or(0, Vec::len);
        number(below + usize::from(pane.is_in_mode()))
    }),
    ("pane_index", |scope| {
        let place = scope.window?.layout.index_of(scope.pane?.id)?;
        let options = scope.model.window_options(scope.window?.id);
        let base = options.number("pane-base-index");
        number(place + usize::try_from(base).unwrap_or(0))
    }),
    ("pane_input_off", |scope| flag(scope.pane?.input_off)),
    ("pane_last", |scope| {
        flag(scope.window?.last_panes.first() == Some(&scope.pane?.id))
    }),
    ("pane_last_command", |scope| {
        text(scope.pane?.shell_report.tracker.last()?.line.clone()?)
    }),
    ("pane_last_duration", |scope| {
        let last = scope.pane?.shell_report.tracker.last()?;
        number(last.ended.saturating_sub(last.started))
    }),
    ("pane_last_exit", |scope| {
        number(scope.pane?.shell_report.exit()?)
    }),
    ("pane_left", |scope| number(place(scope)?.col)),
    ("pane_marked", |scope| {
        flag(scope.model.marked == Some(scope.pane?.id))
    }),
    ("pane_marked_set", |scope| {
        flag(scope.model.marked.is_some())
    }),
    ("pane_captured", |scope| {
        number(scope.pane?.capture.kept_at()? / 1000)
    }),
    ("pane_hibernated", |scope| flag(scope.pane?.is_asleep())),
    ("pane_revived", |scope| flag(scope.pane?.is_revived())),
    ("pane_mode", |scope| text(scope.pane?.mode_name()?)),
    ("pane_path", |scope| {
        let emulator = scope.pane?.screen.lock();
        text(emulator.cwd().unwrap_or_default())
    }),
    ("pane_pid", |scope| number(scope.pane?.pid()?)),
    ("pane_pipe", |scope| flag(scope.pane?.has_pipe())),
    ("pane_right", |scope| {
        number(place(scope)?.right().saturating_sub(1))
    }),
    ("pane_start_command", |scope| {
        text(scope.pane?.start_command.clone())
    }),
    ("pane_start_path", |scope| {
        text(lossy(&scope.pane?.start_path))
    }),
    ("pane_synchronized", |scope| {
        let options = scope.model.pane_options(scope.pane?.id);
        flag(options.flag("synchronize-panes"))
    }),
    ("pane_tabs", |scope| {
        let emulator = scope.pane?.screen.lock();
        let stops = emulator.tab_stops().map(|col| col.to_string());
        text(stops.collect::<Vec<_>>().join(","))
    }),
    ("pane_title", |scope| text(title(scope.pane?))),
    ("pane_top", |scope| number(place(scope)?.row)),
    ("pane_tty", |scope| text(scope.pane?.tty.clone())),
    ("pane_width", |scope| number(scope.pane?.size.cols())),
    ("scroll_region_lower", |scope| {
        number(scope.pane?.screen.lock().inner_modes().region.1)
    }),
    ("scroll_region_upper", |scope| {
        number(scope.pane?.screen.lock().inner_modes().region.0)
    }),
    ("wrap_flag", |scope| {
        flag(scope.pane?.screen.lock().inner_modes().autowrap)
    }),
];

#[derive(Clone, Copy)]
enum Ground {
    Back,
    Fore,
}

/// The default colour of a pane: from its style, or as its program has set it (OSC 10, 11).
fn color(scope: &Scope<'_>, ground: Ground) -> Option<String> {
    let (window, pane) = (scope.window?, scope.pane?);
    let options = scope.model.pane_options(pane.id);
    let name = if pane.id == window.active {
        "window-active-style"
    } else {
        "window-style"
    };
    let names = [name, "window-style"].into_iter();
    let mut styles = names.filter_map(|name| options.style(name)?.style.as_ref());
    let by_style = styles.find_map(|style| {
        let change = match ground {
            Ground::Back => style.change.bg,
            Ground::Fore => style.change.fg,
        };
        match change {
            ColorChange::Set(color) if color != ColorName::Default => Some(color),
            _ => None,
        }
    });
    let [fore, back, _] = pane.screen.lock().dynamic_colors();
    let asked = match ground {
        Ground::Back => back,
        Ground::Fore => fore,
    };
    let asked = asked.map(|(r, g, b)| ColorName::Rgb(r, g, b));
    let color = by_style.or(asked).unwrap_or(ColorName::Default);
    Some(color.to_string())
}

fn mouse(scope: &Scope<'_>) -> Option<MouseProtocol> {
    Some(scope.pane?.screen.lock().modes().mouse)
}

/// Where the panes of its window have their titles, which take a row of the panes at that edge.
fn border_status(scope: &Scope<'_>) -> Option<BorderStatus> {
    Some(scope.window?.layout.border_status())
}

/// Its cell in the layout; while another pane is zoomed, the one it would have.
fn place(scope: &Scope<'_>) -> Option<Rect> {
    let (window, pane) = (scope.window?, scope.pane?);
    let shown = window.shown().place_of(pane.id);
    shown.or_else(|| window.layout.place_of(pane.id))
}

fn current_command(scope: &Scope<'_>, pane: &Pane) -> String {
    let running = pane.foreground().and_then(process_info::command_of);
    running.unwrap_or_else(|| first_name(scope.model, pane))
}

/// The directory of the foreground program, or the one the program has reported.
pub(crate) fn current_path(pane: &Pane) -> String {
    let running = pane.foreground().and_then(process_info::directory_of);
    // Without a process, the last known directory.
    let known = running.or_else(|| pane.facts.directory.clone());
    known.unwrap_or_else(|| lossy(&pane.start_path))
}

/// The title set by the program, or the host name.
pub(crate) fn title(pane: &Pane) -> String {
    let emulator = pane.screen.lock();
    let title = emulator.title();
    if pane.has_title || !title.is_empty() {
        return title.to_owned();
    }
    crate::formats::server::host()
}

/// For how many milliseconds the command of a pane's shell has run, or ran.
fn command_duration(scope: &Scope<'_>) -> Option<u64> {
    let tracker = &scope.pane?.shell_report.tracker;
    match (tracker.running(), tracker.last()) {
        (Some((_, started)), _) => Some(now().saturating_sub(started)),
        (None, Some(last)) => Some(last.ended.saturating_sub(last.started)),
        (None, None) => None,
    }
}

fn seconds(milliseconds: u64) -> Seconds {
    Seconds::try_from(milliseconds / 1000).unwrap_or(Seconds::MAX)
}
