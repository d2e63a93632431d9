//! What lies over a client's panes: it has the keys and the mouse first.

use std::sync::Arc;

use shellkeep_command::parse::parse_strict;
use shellkeep_core::ClientId;
use shellkeep_term::key::{KeyEvent, KeyKind, MouseEvent};

use super::{Server, prompt_words};
use crate::config::Reader;
use crate::exec::Reply;
use crate::overlay::{Menu, MenuPurpose, Overlay, Pressed};
use crate::queue::{Caller, Origin, QueueId, Wait};
use crate::scene::{Content, CursorOf, Layer, Scene};
use crate::state::{Client, Model};

impl Server {
    /// Takes away what lies over a client's panes; the command that laid it there goes on.
    pub(crate) fn close_overlay(&mut self, id: ClientId) {
        let client = self.state.clients.get_mut(&id);
        let Some(overlay) = client.and_then(|client| client.overlay.take()) else {
            return;
        };
        self.state.redraw_client(id);
        self.overlay_gone(id, overlay);
    }

    /// What lay over a client's panes is gone, perhaps with the client.
    pub(super) fn overlay_gone(&mut self, id: ClientId, overlay: Overlay) {
        let queue = overlay.queue();
        let status = match overlay {
            Overlay::Menu(_) => 0,
            Overlay::Popup(popup) => self.popup_closed(&popup),
        };
        self.overlay_left(id, queue, status);
    }

    /// The command that laid something over a client's panes has waited long enough.
    pub(super) fn overlay_left(&mut self, id: ClientId, queue: Option<QueueId>, status: u8) {
        let waiting = queue.and_then(|queue| self.commands.queues.get_mut(&queue));
        let Some(waiting) = waiting.filter(|it| it.wait == Some(Wait::Overlay(id))) else {
            return;
        };
        waiting.status = status;
        if let Some(queue) = queue {
            self.resume(queue, Ok(Reply::default()));
        }
    }

    /// A client's terminal has another size.
    pub(super) fn fit_overlay(&mut self, id: ClientId) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let room = client.size;
        let fits = client.overlay.as_mut().is_none_or(|it| it.fit(room));
        if !fits {
            self.close_overlay(id);
        }
    }

    /// Offers a key to what lies over a client's panes. Gives back whether it was taken.
    pub(super) fn overlay_key(&mut self, id: ClientId, event: &KeyEvent) -> bool {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return false;
        };
        let pressed = match &mut client.overlay {
            None => return false,
            Some(Overlay::Popup(_)) => {
                self.popup_key(id, event);
                return true;
            }
            Some(Overlay::Menu(_)) if event.kind == KeyKind::Release => return true,
            Some(Overlay::Menu(menu)) => menu.key(event.key),
        };
        self.menu_pressed(id, pressed);
        true
    }

    /// Offers the mouse to what lies over a client's panes. Gives back whether it was taken.
    pub(super) fn overlay_mouse(&mut self, id: ClientId, event: &MouseEvent) -> bool {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return false;
        };
        let pressed = match &mut client.overlay {
            None => return false,
            Some(Overlay::Popup(_)) => {
                self.popup_mouse(id, event);
                return true;
            }
            Some(Overlay::Menu(menu)) => menu.mouse(event),
        };
        self.menu_pressed(id, pressed);
        true
    }

    fn menu_pressed(&mut self, id: ClientId, pressed: Pressed) {
        match pressed {
            Pressed::Nothing => {}
            Pressed::Changed => self.state.redraw_client(id),
            Pressed::Close => self.close_overlay(id),
            Pressed::Chose(command) => {
                let client = self.state.clients.get(&id);
                let (caller, purpose) = match client.and_then(|client| client.overlay.as_ref()) {
                    Some(Overlay::Menu(menu)) => (menu_caller(id, menu), menu.purpose),
                    _ => (Caller::key(id), MenuPurpose::Commands),
                };
                self.close_overlay(id);
                match purpose {
                    MenuPurpose::Commands => self.run_text(caller, &command),
                    MenuPurpose::Tree(pane) => {
                        if let Ok(key) = command.parse() {
                            self.press_in_tree(id, pane, key);
                        }
                    }
                    MenuPurpose::Prompt => prompt_words::word_chosen(&mut self.state, id, &command),
                    MenuPurpose::Popup => {}
                }
            }
        }
    }

    /// Runs a text of commands for somebody.
    pub(super) fn run_text(&mut self, caller: Caller, text: &str) {
        let list = parse_strict(text, &mut Reader(self));
        match list {
            Ok(list) => self.run_list(caller, &list),
            Err(error) => self.complain(&caller, error.to_string()),
        }
    }
}

/// Lays something over a client's panes. The command that does so waits until it is gone.
pub(crate) fn lay_over(model: &mut Model, id: ClientId, overlay: Overlay) -> Reply {
    let wait = overlay.queue().map(|_| Wait::Overlay(id));
    if let Some(client) = model.clients.get_mut(&id) {
        client.overlay = Some(overlay);
    }
    model.redraw_client(id);
    Reply {
        wait,
        ..Reply::default()
    }
}

/// Adds what lies over a client's panes to what it shows.
pub(super) fn add_overlay(client: &Client, scene: &mut Scene) {
    if client.overlay.is_some() {
        scene.cursor = CursorOf::Focus;
    }
    let Scene { layers, focus, .. } = scene;
    match &client.overlay {
        None => {}
        Some(Overlay::Menu(menu)) => {
            *focus = Some(layers.len());
            layers.push(Layer {
                rect: menu.place,
                content: Content::Still(Arc::new(menu.picture())),
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

/// For whom a menu's commands are run.
fn menu_caller(id: ClientId, menu: &Menu) -> Caller {
    Caller {
        client: Some(id),
        current: menu.target,
        mouse: menu.caller.mouse,
        origin: Origin::Key,
        ..Caller::default()
    }
}
