//! Keys and mouse for a client's overlay, and drawing it.

use std::sync::Arc;

use shellkeep_core::ClientId;
use shellkeep_term::key::{KeyEvent, KeyKind, MouseEvent};

use crate::commands::queue::{Caller, Origin};
use crate::commands::run_text::run_text;
use crate::display::scene::{Content, CursorOf, Layer, Scene};
use crate::model::{Client, Model};
use crate::modes::overlay::{Menu, MenuPurpose, Overlay, Pressed};
use crate::modes::{overlays, popup, prompt_words, tree};

/// Passes a key to a client's overlay. Returns whether it was consumed.
pub(crate) fn overlay_key(model: &mut Model, id: ClientId, event: &KeyEvent) -> bool {
    let Some(client) = model.clients.get_mut(&id) else {
        return false;
    };
    let pressed = match &mut client.view.overlay {
        None => return false,
        Some(Overlay::Popup(_)) => {
            popup::popup_key(model, id, event);
            return true;
        }
        Some(Overlay::Menu(_)) if event.kind == KeyKind::Release => return true,
        Some(Overlay::Menu(menu)) => menu.key(event.key),
    };
    menu_pressed(model, id, pressed);
    true
}

/// Passes a mouse event to a client's overlay. Returns whether it was consumed.
pub(crate) fn overlay_mouse(model: &mut Model, id: ClientId, event: &MouseEvent) -> bool {
    let Some(client) = model.clients.get_mut(&id) else {
        return false;
    };
    let pressed = match &mut client.view.overlay {
        None => return false,
        Some(Overlay::Popup(_)) => {
            popup::popup_mouse(model, id, event);
            return true;
        }
        Some(Overlay::Menu(menu)) => menu.mouse(event),
    };
    menu_pressed(model, id, pressed);
    true
}

fn menu_pressed(model: &mut Model, id: ClientId, pressed: Pressed) {
    match pressed {
        Pressed::Nothing => {}
        Pressed::Changed => model.redraw_client(id),
        Pressed::Close => overlays::close_overlay(model, id),
        Pressed::Chose(command) => {
            let client = model.clients.get(&id);
            let (caller, purpose) = match client.and_then(|client| client.view.overlay.as_ref()) {
                Some(Overlay::Menu(menu)) => (menu_caller(id, menu), menu.purpose),
                _ => (Caller::key(id), MenuPurpose::Commands),
            };
            overlays::close_overlay(model, id);
            match purpose {
                MenuPurpose::Commands => run_text(model, caller, &command),
                MenuPurpose::Tree(pane) => {
                    if let Ok(key) = command.parse() {
                        tree::press_in_tree(model, id, pane, key);
                    }
                }
                MenuPurpose::Prompt => prompt_words::word_chosen(model, id, &command),
                MenuPurpose::Popup => {}
            }
        }
    }
}

pub(crate) fn add_overlay(client: &Client, scene: &mut Scene) {
    if client.view.overlay.is_some() {
        scene.cursor = CursorOf::Focus;
    }
    let Scene { layers, focus, .. } = scene;
    match &client.view.overlay {
        None => {}
        Some(Overlay::Menu(menu)) => {
            *focus = Some(layers.len());
            layers.push(Layer {
                rect: menu.place,
                content: Content::Still(Arc::new(menu.frame())),
            });
        }
        Some(Overlay::Popup(popup)) => {
            let first = layers.len();
            layers.extend(popup.layers());
            *focus = Some(match &popup.menu {
                None => first + 1,
                Some(_) => first + 2,
            });
        }
    }
}

fn menu_caller(id: ClientId, menu: &Menu) -> Caller {
    Caller {
        client: Some(id),
        current: menu.target,
        mouse: menu.caller.mouse,
        origin: Origin::Key,
        ..Caller::default()
    }
}
