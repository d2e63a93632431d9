//! Popups: programs in boxes over a client's panes.

use std::sync::Arc;

use shellkeep_core::key::{Key, KeyCode, Modifiers};
use shellkeep_core::layout::{Axis, SplitOptions};
use shellkeep_core::{ClientId, PaneId, Rect, SessionId, Size, WindowId};
use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{HostEvent, HostHandle, HostRequest, ProcessId, SpawnRequest};
use shellkeep_term::Emulator;
use shellkeep_term::key::{KeyEvent, KeyKind, MouseEvent, MouseKind, encode_mouse};
use tokio::sync::mpsc;

use crate::action::Action;
use crate::commands::answer;
use crate::display::flood_throttle::FloodThrottle;
use crate::event::Event;
use crate::model::{Model, Pane, Typed};
use crate::modes::overlay::{
    CloseWhen, Menu, MenuItem, MenuMouse, MenuPurpose, Overlay, Popup, Pressed,
};
use crate::modes::{mode_style, overlays};
use crate::panes::screen::Screen;
use crate::panes::{emulator, manage};
use crate::persistence::notes;

/// The window of a popup's pane, which is in none. No window has this id.
const NO_WINDOW: WindowId = WindowId(u32::MAX);

/// Starts a program for a session in a pane that is in no window.
pub(crate) fn open_popup_pane(model: &mut Model, session: SessionId, spawn: SpawnRequest) -> Pane {
    let id = spawn.pane;
    model.next.pane = model.next.pane.max(id.0 + 1);
    model.server_note_due();
    let emulator = Emulator::new(spawn.size, emulator::emulator_config());
    let mut pane = Pane::new(id, NO_WINDOW, spawn.size, Screen::new(id, emulator));
    pane.start_path.clone_from(&spawn.cwd);
    // Noted before it runs: a server that takes over must not take it for a pane of a session.
    model.outside.keeper.request(HostRequest::Remember {
        key: notes::popup_key(id),
        value: b"1".to_vec(),
    });
    manage::ask_for_program(model, Some(session), spawn, None).become_program_of(&mut pane);
    pane
}

/// Ends the programs of an earlier server's popups, which were closed with their clients' screens.
pub(crate) fn end_orphaned_popups(model: &mut Model, host: &HostHandle, recovered: &mut Recovered) {
    let notes = &recovered.notes;
    let is_popup = |pane: PaneId| notes.contains_key(&notes::popup_key(pane));
    recovered.panes.retain(|held| {
        if !is_popup(held.pane) {
            return true;
        }
        model.next.pane = model.next.pane.max(held.pane.0 + 1);
        host.request(HostRequest::Close(held.pane));
        host.request(notes::forget_request(notes::popup_key(held.pane)));
        false
    });
}

/// Handles the keeper's notices about popups. Returns those about others.
pub(crate) fn popup_host_event(
    model: &mut Model,
    events: &mpsc::Sender<Event>,
    throttle: &Arc<FloodThrottle>,
    event: HostEvent,
) -> Option<HostEvent> {
    let pane = match &event {
        HostEvent::Held(held) => held.pane,
        HostEvent::SpawnFailed { pane, .. } | HostEvent::Exited { pane, .. } => *pane,
    };
    let Some((client, popup)) = popup_of(model, pane) else {
        return Some(event);
    };
    match event {
        HostEvent::Held(held) => {
            if popup.pane.life.awaits(held.process.generation) {
                popup.pane.start(held, events.clone(), throttle.clone());
            }
        }
        HostEvent::Exited { process, exit, .. } if popup.pane.runs(process) => {
            popup.pane.ended(exit);
            let running = popup.pane.life.running();
            if running.is_some_and(|running| running.is_read_out) {
                popup_ended(model, pane);
            }
        }
        HostEvent::Exited { .. } => {}
        HostEvent::SpawnFailed { reason, .. } => {
            tracing::warn!(%pane, reason, "a popup's program could not be started");
            overlays::close_overlay(model, client);
            let caller = crate::commands::queue::Caller::key(client);
            answer::complain(model, &caller, reason);
        }
    }
    None
}

/// A program has ended and all its output was read. Returns whether it was a popup's.
pub(crate) fn popup_ended(model: &mut Model, pane: PaneId) -> bool {
    let Some((client, popup)) = popup_of(model, pane) else {
        return false;
    };
    popup.has_ended = true;
    if let Some(running) = popup.pane.life.running_mut() {
        running.is_read_out = true;
    }
    let Some(exit) = popup.pane.life.exit() else {
        // The keeper is about to report how it ended.
        model.redraw_client(client);
        return true;
    };
    let status = exit.status();
    let closes = match popup.close {
        CloseWhen::Key => false,
        CloseWhen::Exit => true,
        CloseWhen::Success => status == Some(0),
    };
    if closes {
        overlays::close_overlay(model, client);
    } else {
        model.redraw_client(client);
    }
    true
}

pub(crate) fn popup_key(model: &mut Model, id: ClientId, event: &KeyEvent) {
    let Some(popup) = popup_at(model, id) else {
        return;
    };
    if let Some(menu) = &mut popup.menu {
        if event.kind != KeyKind::Release {
            let pressed = menu.key(event.key);
            popup_menu_pressed(model, id, pressed);
        }
        return;
    }
    let escapes = [
        Key::plain(KeyCode::Escape),
        Key::from_char('c', Modifiers::CTRL),
    ];
    let is_closable = popup.has_ended || popup.close == CloseWhen::Key;
    if is_closable && escapes.contains(&event.key) && event.kind != KeyKind::Release {
        return overlays::close_overlay(model, id);
    }
    if !popup.has_ended {
        popup.pane.type_in(&[Typed::Key(*event)], 1);
    }
}

pub(crate) fn popup_mouse(model: &mut Model, id: ClientId, event: &MouseEvent) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let room = client.terminal.size;
    let Some(popup) = client.view.overlay.as_mut().and_then(Overlay::popup_mut) else {
        return;
    };
    if let Some(menu) = &mut popup.menu {
        let pressed = menu.mouse(event);
        return popup_menu_pressed(model, id, pressed);
    }
    let last = popup.last_mouse.replace(*event);
    if popup.drag.is_some() {
        if event.kind != MouseKind::Motion {
            popup.drag = None;
        } else if let Some(wanted) = popup.dragged(event) {
            popup.put(wanted, room);
            model.redraw_client(id);
        }
        return;
    }
    if popup.wants_menu(event) {
        return open_popup_menu(model, id, event);
    }
    if !popup.place.contains(event.row, event.col) {
        return;
    }
    let began = last.filter(|last| last.kind == MouseKind::Press);
    // The button may have been pressed on the border, and the pointer be inside at the next event.
    let is_by_border = |began: &MouseEvent| popup.is_border(event) || popup.is_border(began);
    if event.mods == Modifiers::META || began.as_ref().is_some_and(is_by_border) {
        if event.kind == MouseKind::Motion
            && let Some(began) = began
        {
            popup.drag = popup.drag_begun(&began);
        }
        return;
    }
    if !popup.has_ended && !popup.is_border(event) {
        let inside = popup.inside();
        let event = MouseEvent {
            row: event.row - inside.row,
            col: event.col - inside.col,
            ..*event
        };
        let modes = Emulator::modes(&popup.pane.screen.lock());
        let mut bytes = Vec::new();
        encode_mouse(&event, &modes, &mut bytes);
        popup.pane.write(&bytes);
    }
}

/// Opens a popup's own menu at the mouse.
fn open_popup_menu(model: &mut Model, id: ClientId, event: &MouseEvent) {
    let Some(client) = model.clients.get(&id) else {
        return;
    };
    let (room, session) = (client.terminal.size, client.session);
    let item = |name: &str, key: char| {
        let shown = Some(Key::from_char(key, Modifiers::empty()));
        MenuItem::new(name, shown, key.to_string(), room.cols())
    };
    let newest = model.buffers.newest();
    let paste = newest.map(|buffer| {
        let name = buffer.name.replace('#', "##");
        item(&format!("Paste #[underscore]{name}"), 'p')
    });
    let mut items = vec![item("Close", 'q')];
    items.extend(paste);
    items.extend([
        MenuItem::Rule,
        item("Fill Space", 'F'),
        item("Centre", 'C'),
        MenuItem::Rule,
        item("To Horizontal Pane", 'h'),
        item("To Vertical Pane", 'v'),
    ]);
    let (rows, cols) = Menu::size_for("", &items);
    let chosen_style = mode_style::mode_style(model, session);
    let Some(popup) = popup_at(model, id) else {
        return;
    };
    let narrow = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let mut menu = Menu {
        title: String::new(),
        place: Rect {
            row: event.row,
            col: event.col,
            rows: narrow(rows),
            cols: narrow(cols),
        },
        mouse: MenuMouse::Hold,
        choice: None,
        items,
        target: Some(popup.target),
        caller: crate::commands::queue::Caller::key(id),
        queue: None,
        chosen_style,
        purpose: MenuPurpose::Popup,
    };
    if menu.fit(room) {
        popup.menu = Some(menu);
        model.redraw_client(id);
    }
}

fn popup_menu_pressed(model: &mut Model, id: ClientId, pressed: Pressed) {
    model.redraw_client(id);
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let room = client.terminal.size;
    let Some(popup) = client.view.overlay.as_mut().and_then(Overlay::popup_mut) else {
        return;
    };
    let chosen = match pressed {
        Pressed::Nothing | Pressed::Changed => return,
        Pressed::Close => String::new(),
        Pressed::Chose(name) => name,
    };
    popup.menu = None;
    match chosen.as_str() {
        "q" => overlays::close_overlay(model, id),
        "p" => {
            if let Some(buffer) = model.buffers.newest() {
                popup.pane.write(&buffer.data);
            }
        }
        "F" => {
            popup.put(Rect::whole(room), room);
        }
        "C" => {
            let wanted = centred(popup.place, room);
            popup.put(wanted, room);
        }
        "h" => popup_to_pane(model, id, Axis::Columns),
        "v" => popup_to_pane(model, id, Axis::Rows),
        _ => {}
    }
}

/// Makes the program of a popup a pane, next to the active one of the client's window.
fn popup_to_pane(model: &mut Model, id: ClientId, axis: Axis) {
    let Some(client) = model.clients.get_mut(&id) else {
        return;
    };
    let Some(session) = client.session else {
        return;
    };
    let popup = client.view.overlay.as_ref().and_then(Overlay::popup);
    let Some(new) = popup.map(|popup| popup.pane.id) else {
        return;
    };
    let window = model.current_window(session).map(|it| it.id);
    let Some(window) = window.and_then(|id| model.windows.get_mut(&id)) else {
        return;
    };
    window.unzoom();
    let at = window.active;
    if window
        .layout
        .split(at, new, SplitOptions::new(axis))
        .is_err()
    {
        let caller = crate::commands::queue::Caller::key(id);
        return answer::complain(model, &caller, "no space for new pane".to_owned());
    }
    let window = window.id;
    let client = model.clients.get_mut(&id);
    let overlay = client.and_then(|client| client.view.overlay.take());
    let Some(Overlay::Popup(popup)) = overlay else {
        return;
    };
    let (mut pane, queue) = (popup.pane, popup.queue);
    pane.window = window;
    pane.used = model.next_use();
    model.panes.insert(new, pane);
    model.changes.stored.new_panes.push(new);
    model.changes.stored.starts.push(popup.start);
    model.act(notes::forget(notes::popup_key(new)));
    manage::started_with(model, new, &popup.command);
    manage::layout_changed(model, window);
    manage::select_pane(model, new);
    model.redraw_client(id);
    overlays::overlay_left(model, id, queue, 0);
    // A pane whose program has ended is closed as usual.
    if popup.has_ended {
        model.act(Action::PaneEnded(new));
    }
}

fn popup_of(model: &mut Model, pane: PaneId) -> Option<(ClientId, &mut Popup)> {
    model.clients.values_mut().find_map(|client| {
        let id = client.id;
        let popup = client.view.overlay.as_mut()?.popup_mut()?;
        (popup.pane.id == pane).then_some((id, popup))
    })
}

/// Whether a process is the present one of a popup.
pub(crate) fn has_popup_with(model: &mut Model, pane: PaneId, process: ProcessId) -> bool {
    popup_of(model, pane).is_some_and(|(_, popup)| popup.pane.runs(process))
}

fn popup_at(model: &mut Model, id: ClientId) -> Option<&mut Popup> {
    let client = model.clients.get_mut(&id)?;
    client.view.overlay.as_mut()?.popup_mut()
}

/// The pane of a client's popup, if it has the keys; `Some(None)` if a menu has them.
pub(crate) fn popup_pane(model: &mut Model, id: ClientId) -> Option<Option<&mut Pane>> {
    let client = model.clients.get_mut(&id)?;
    let overlay = client.view.overlay.as_mut()?;
    let popup = overlay.popup_mut().filter(|popup| popup.menu.is_none());
    Some(popup.map(|popup| &mut popup.pane))
}

fn centred(place: Rect, room: Size) -> Rect {
    Rect {
        row: room.rows().saturating_sub(place.rows) / 2,
        col: room.cols().saturating_sub(place.cols) / 2,
        ..place
    }
}
