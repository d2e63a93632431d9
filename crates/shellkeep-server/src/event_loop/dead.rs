//! Panes whose program has ended: they go, or stay to be looked at; and panes in which a program is started anew.

use shellkeep_core::PaneId;
use shellkeep_keeper::{HostRequest, SpawnRequest};
use shellkeep_term::Effects;

use super::Server;
use crate::notice::Notice;
use crate::state::{Pane, PaneProcess};

impl Server {
    /// A pane's program has ended and all its output was read.
    pub(super) fn pane_ended(&mut self, id: PaneId) {
        if self.popup_ended(id) {
            return;
        }
        if self.ended_while_waking(id) {
            return;
        }
        let now = self.now();
        let choice = self.state.pane_options(id).text("remain-on-exit");
        let (always, if_failed) = (choice == "on", choice == "failed");
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        // The word of a program that has since been followed by another.
        if !pane.has_program() {
            return;
        }
        if (always || if_failed) && pane.exit.is_none() && !pane.is_asleep() {
            // How it has ended decides, or is to be told, and is about to be known.
            pane.is_read_out = true;
            return;
        }
        let has_failed = pane.exit.is_none_or(|exit| exit.status() != Some(0));
        let remains = always || (if_failed && has_failed);
        if !remains {
            let window = pane.window;
            self.tell(Notice::PaneExited { pane: id, window });
            let is_alone = self.state.panes_of(window).nth(1).is_none();
            if is_alone {
                // As in tmux, where the layout loses its last pane before the window goes.
                self.tell(Notice::WindowLayoutChanged(window));
            }
            return self.close_pane(id);
        }
        if pane.died.is_some() {
            return;
        }
        pane.died = Some(now);
        if pane.falling.is_some() {
            self.called_off(id, "its program has ended");
        }
        self.tell(Notice::PaneDied(id));
        self.write_epitaph(id);
    }

    /// Says in the last row of a pane that its program has ended.
    fn write_epitaph(&mut self, id: PaneId) {
        let template = self.state.pane_options(id).text("remain-on-exit-format");
        let Some(place) = self.state.place_of(id) else {
            return;
        };
        let text = self.scope().found(place).expand_time(template);
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        let size = pane.size;
        let text: String = without_styles(&text)
            .chars()
            .filter(|c| !c.is_control())
            .take(usize::from(size.cols()))
            .collect();
        // First whatever the program had begun to say is abandoned, and its margins and character sets with it.
        let mut bytes = String::from("\x18\x1b[?6l\x1b[?69l\x1b[r\x0f\x1b(B\x1b[m");
        if !text.is_empty() {
            bytes.push_str(&format!("\x1b[{};1H\n{text}", size.rows()));
        }
        bytes.push_str("\x1b[?25l");
        pane.screen
            .lock()
            .feed(bytes.as_bytes(), &mut Effects::new());
        pane.screen.changed();
        let window = pane.window;
        self.name_window(window);
        self.window_note_due(window);
        self.redraw_window(window);
    }

    /// Starts a program anew in a pane: what ran there ends, and its screen is empty.
    pub(crate) fn restart_pane(&mut self, id: PaneId, spawn: SpawnRequest) {
        let is_falling = |pane: &Pane| pane.falling.is_some();
        if self.state.panes.get(&id).is_some_and(is_falling) {
            // What is on its way to the disk is of the shell that ends here.
            self.called_off(id, "it is started anew");
        }
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        if pane.process != PaneProcess::None {
            self.host.request(HostRequest::Close(id));
        }
        let was_dead = pane.is_dead();
        pane.forget_program();
        // A shell that is being put together for it is not wanted any more.
        pane.reviving = None;
        pane.is_waking = pane.is_asleep();
        pane.start_path.clone_from(&spawn.cwd);
        pane.screen.lock().reset();
        pane.screen.changed();
        let window = pane.window;
        if was_dead {
            // What is started may be silent, and its window would be called dead for as long.
            self.name_window(window);
        }
        self.forget_captured(id);
        self.start_program(spawn, None);
        self.window_note_due(window);
        self.redraw_window(window);
    }
}

/// A text without `#[…]`.
fn without_styles(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some(at) = rest.find("#[") {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once(']').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain
}
