//! Trees to choose from: shown in place of a pane's screen, filled from the model, and obeyed.

use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::key::{Key, MouseAction};
use shellkeep_core::{ClientId, PaneId, Rect, SessionId, Style};
use shellkeep_render::Frame;
use shellkeep_term::key::{KeyEvent, KeyKind};

use super::front::Patience;
use super::prompt::{self, Purpose};
use super::tree_preview::Previewed;
use super::{Server, front, menu, panes, tree_preview};
use crate::alarm::Alarm;
use crate::config::Reader;
use crate::overlay::tree::{
    Act, Clicked, Item, Kind, Look, MenuPlace, Question, Setup, Tree, Wish,
};
use crate::overlay::{Menu, MenuItem, MenuMouse, MenuPurpose, Overlay, option_style};
use crate::prompt::{PromptType, Taking};
use crate::queue::{Caller, Origin};
use crate::state::{Mode, Model, Pane};

/// How often what a tree shows is looked at again.
const GLANCE: Duration = Duration::from_millis(500);

/// The same when it is known to have changed: once for all that happens together.
const SOON: Duration = Duration::from_millis(20);

/// Whether the pane is to fill its window while the tree is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeZoom {
    Yes,
    No,
}

impl Server {
    /// Shows a tree in a pane.
    pub(crate) fn open_tree(&mut self, id: PaneId, setup: Setup, zoom: TreeZoom) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let window_id = pane.window;
        if self.raise_mode(id, setup.kind.mode_name()) {
            return;
        }
        let mut tree = Tree::new(setup);
        if let Some(window) = self.state.windows.get_mut(&window_id)
            && zoom == TreeZoom::Yes
            && window.zoomed.is_none()
            && window.panes().len() > 1
        {
            window.select(id);
            window.zoom(id);
            tree.has_zoomed = true;
            panes::layout_changed(&mut self.state, window_id);
        }
        self.put_mode(id, Mode::Tree(Box::new(tree)));
        self.refresh_tree(id);
    }

    /// Takes a tree away.
    pub(super) fn leave_tree(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get(&id) else {
            return;
        };
        let window_id = pane.window;
        if !matches!(pane.mode, Some(Mode::Tree(_))) {
            return;
        }
        let Some(Mode::Tree(tree)) = self.take_mode(id) else {
            return;
        };
        if tree.has_zoomed
            && let Some(window) = self.state.windows.get_mut(&window_id)
        {
            window.unzoom();
            panes::layout_changed(&mut self.state, window_id);
        }
    }

    /// Takes the tree of a pane in hand, with the model beside it.
    pub(super) fn with_tree<T>(
        &mut self,
        id: PaneId,
        act: impl FnOnce(&Self, &mut Tree) -> T,
    ) -> Option<T> {
        let pane = self.state.panes.get_mut(&id)?;
        if !matches!(pane.mode, Some(Mode::Tree(_))) {
            return None;
        }
        let Some(Mode::Tree(mut tree)) = pane.mode.take() else {
            return None;
        };
        let outcome = act(self, &mut tree);
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.mode = Some(Mode::Tree(tree));
        }
        Some(outcome)
    }

    /// Looks at the model again, now and in a while.
    pub(super) fn refresh_tree(&mut self, id: PaneId) {
        let is_empty = self.with_tree(id, |server, tree| {
            let (nodes, has_no_match) = server.tree_nodes(tree);
            tree.has_no_match = has_no_match;
            tree.fill(nodes, server.commands.run_so_far);
            server.key_lines(tree);
            if let Some(pane) = server.state.panes.get(&id) {
                tree.follow(tree.list_rows(pane.size));
            }
            tree.is_hurried = false;
            // Options change when somebody sets them, not by themselves.
            if tree.setup.kind != Kind::Settings {
                tree.timer = Some(server.state.set_alarm(Alarm::Tree(id), GLANCE));
            }
            tree.lines.is_empty()
        });
        match is_empty {
            None => {}
            Some(true) => self.leave_tree(id),
            Some(false) => {
                if let Some(pane) = self.state.panes.get(&id) {
                    self.state.redraw_window(pane.window);
                }
            }
        }
    }

    /// Something has fallen asleep or woken up: whoever has a tree before him sees it.
    pub(super) fn trees_due(&mut self) {
        let panes = self.state.panes.values();
        let trees = panes.filter(|pane| matches!(pane.mode, Some(Mode::Tree(_))));
        for id in trees.map(|pane| pane.id).collect::<Vec<_>>() {
            self.with_tree(id, |server, tree| {
                if tree.setup.kind != Kind::Settings && !tree.is_hurried {
                    tree.is_hurried = true;
                    tree.timer = Some(server.state.set_alarm(Alarm::Tree(id), SOON));
                }
            });
        }
    }

    /// Draws a tree again after a key that changed nothing but where it stands. Some hundred options and keys are not asked for
    /// anew each time.
    fn redraw_tree(&mut self, id: PaneId) {
        let is_done = self.with_tree(id, |server, tree| {
            if !tree.is_up_to_date(server.commands.run_so_far) {
                return false;
            }
            tree.fold();
            server.key_lines(tree);
            if let Some(pane) = server.state.panes.get(&id) {
                tree.follow(tree.list_rows(pane.size));
            }
            true
        });
        match (is_done, self.state.panes.get(&id)) {
            (Some(true), Some(pane)) => self.state.redraw_window(pane.window),
            _ => self.refresh_tree(id),
        }
    }

    /// Offers a key to a tree. Gives back whether it was taken.
    pub(super) fn tree_key(&mut self, id: ClientId, event: &KeyEvent) -> bool {
        let Some(pane) = tree_of(&self.state, id) else {
            return false;
        };
        let pane = pane.id;
        if event.kind == KeyKind::Release {
            return true;
        }
        self.press_in_tree(id, pane, event.key);
        true
    }

    /// Offers what the mouse did at a place of a client's terminal to the tree of a pane. Gives back whether there is one.
    pub(super) fn tree_mouse(
        &mut self,
        id: ClientId,
        pane: PaneId,
        action: MouseAction,
        at: (u16, u16),
    ) -> bool {
        let shown = self.state.panes.get(&pane);
        let Some(shown) = shown.filter(|it| matches!(it.mode, Some(Mode::Tree(_)))) else {
            return false;
        };
        let size = shown.size;
        let Some(client) = self.state.clients.get(&id).filter(|it| !it.is_read_only) else {
            return true;
        };
        let Some((row, col)) = self.in_pane(client, pane, at) else {
            return true;
        };
        let clicked = self.with_tree(pane, |_, tree| {
            let rows = tree.list_rows(size);
            tree.mouse(action, row, rows)
        });
        match clicked {
            Some(Clicked::Act(act)) => self.tree_act(id, pane, act),
            Some(Clicked::Preview) => {
                let act = self.preview_clicked(pane, col);
                self.tree_act(id, pane, act);
            }
            Some(Clicked::Menu(place)) => {
                self.refresh_tree(pane);
                self.open_tree_menu(id, pane, place, at);
            }
            None => {}
        }
        true
    }

    /// Presses a key in a pane whose mode has no bindings: a clock ends, a tree does what the key means there.
    pub(crate) fn press_in_mode(&mut self, id: ClientId, pane: PaneId, key: Key) {
        match self.state.panes.get(&pane).and_then(|it| it.mode.as_ref()) {
            Some(Mode::Clock) => self.leave_mode(pane),
            Some(Mode::Tree(_)) => self.press_in_tree(id, pane, key),
            _ => {}
        }
    }

    /// Presses a key in the tree of a pane.
    pub(super) fn press_in_tree(&mut self, id: ClientId, pane: PaneId, key: Key) {
        let Some(size) = self.state.panes.get(&pane).map(|pane| pane.size) else {
            return;
        };
        let act = self.with_tree(pane, |_, tree| {
            let rows = tree.list_rows(size);
            tree.key(key, rows)
        });
        if let Some(act) = act {
            self.tree_act(id, pane, act);
        }
    }

    /// What a click on the preview is for: one of the windows or panes there is chosen, or others are brought into view.
    fn preview_clicked(&mut self, pane: PaneId, col: u16) -> Act {
        let Some(cols) = self.state.panes.get(&pane).map(|pane| pane.size.cols()) else {
            return Act::Draw;
        };
        let act = self.with_tree(pane, |server, tree| {
            let Some(item) = tree.current_item().cloned() else {
                return Act::Draw;
            };
            let at = tree_preview::previewed(&server.state, &item, tree.scroll, cols, col);
            match at {
                None => Act::Draw,
                Some(Previewed::Left) => tree.scroll_preview(-1),
                Some(Previewed::Right) => tree.scroll_preview(1),
                Some(Previewed::Item(item)) => Act::Choose(item),
            }
        });
        act.unwrap_or(Act::Draw)
    }

    /// Opens the menu of a tree where the mouse is.
    fn open_tree_menu(
        &mut self,
        id: ClientId,
        pane: PaneId,
        place: MenuPlace,
        (row, col): (u16, u16),
    ) {
        let menu = self.with_tree(pane, |_, tree| {
            let title = match place {
                MenuPlace::Line => tree.current_name().to_owned(),
                MenuPlace::Beside => String::new(),
            };
            (title, tree.menu(place))
        });
        let Some(((title, lines), client)) = menu.zip(self.state.clients.get(&id)) else {
            return;
        };
        let room = client.size;
        let items = lines.iter().map(|(name, key)| match key {
            None => MenuItem::Rule,
            Some(key) => MenuItem::new(name, key.parse().ok(), (*key).to_owned(), room.cols()),
        });
        let items: Vec<MenuItem> = items.collect();
        let (rows, cols) = Menu::size_for(&title, &items);
        let narrow = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let (rows, cols) = (narrow(rows), narrow(cols));
        let mut menu = Menu {
            title: format!("#[align=centre]{}", title.replace('#', "##")),
            place: Rect {
                row,
                col: col.saturating_sub(cols / 2),
                rows,
                cols,
            },
            mouse: MenuMouse::Hold,
            choice: None,
            items,
            target: self.state.place_of(pane),
            caller: Caller::key(id),
            queue: None,
            chosen_style: self.mode_style(client.session),
            purpose: MenuPurpose::Tree(pane),
        };
        if menu.fit(room) {
            menu::lay_over(&mut self.state, id, Overlay::Menu(Box::new(menu)));
        }
    }

    // ---- what keys ask for ----

    fn tree_act(&mut self, client: ClientId, pane: PaneId, act: Act) {
        let caller = Caller {
            client: Some(client),
            current: self.state.place_of(pane),
            origin: Origin::Key,
            ..Caller::default()
        };
        match act {
            Act::Draw => {
                self.redraw_tree(pane);
                return self.ask_for_tree(client, pane);
            }
            Act::Leave => return self.leave_tree(pane),
            Act::Choose(item) => {
                let Some(target) = item_target(&self.state, &item) else {
                    return self.leave_tree(pane);
                };
                let template = self.with_tree(pane, |_, tree| tree.setup.template.clone());
                self.leave_tree(pane);
                if let Some(template) = template {
                    self.run_script(caller, &template, &target);
                }
                return;
            }
            Act::Run(commands) => self.run_each(&caller, &commands),
            Act::Customize(wish) => self.customize(&caller, pane, wish),
            Act::Kill(items) => {
                let text = self.kill_question(&items);
                self.ask_to_kill(pane, text, &items);
            }
            Act::KillTagged(items) => {
                let text = format!("Kill {} tagged? ", items.len());
                self.ask_to_kill(pane, text, &items);
            }
            Act::Command(command, items) => {
                let template = command.as_str().into();
                for item in items {
                    if let Some(target) = item_target(&self.state, &item) {
                        self.run_script(caller.clone(), &template, &target);
                    }
                }
            }
            Act::Special(key, items) => {
                let commands: Vec<String> = items
                    .iter()
                    .filter_map(|item| special(key, item, &item_target(&self.state, item)?))
                    .collect();
                self.run_each(&caller, &commands);
            }
            Act::Rest(rest, items) => self.rest_chosen(&caller, rest, &items),
            Act::Mark(item) => {
                if let Some(target) = item_target(&self.state, &item) {
                    self.run_each(&caller, &[format!("select-pane -m -t {}", quoted(&target))]);
                }
            }
            Act::Edit(item) => {
                if let Item::Buffer(name) = item {
                    self.edit_buffer(&caller, &name);
                }
            }
            Act::Unmark => self.run_each(&caller, &["select-pane -M".to_owned()]),
            Act::Swap(from, to) => {
                if let (Some(from), Some(to)) = (
                    item_target(&self.state, &from),
                    item_target(&self.state, &to),
                ) {
                    let (from, to) = (quoted(&from), quoted(&to));
                    self.run_each(&caller, &[format!("swap-window -d -s {from} -t {to}")]);
                }
            }
        }
        self.refresh_tree(pane);
        self.ask_for_tree(client, pane);
    }

    /// Asks the client what a key in a tree wants to know.
    fn ask_for_tree(&mut self, client: ClientId, pane: PaneId) {
        let asked = self.with_tree(pane, |_, tree| {
            let asked = tree.asked.take()?;
            let label = tree.label_of(&asked.question);
            Some((asked, label))
        });
        let Some((asked, label)) = asked.flatten() else {
            return;
        };
        let (taking, kind) = match asked.question {
            Question::Confirm { .. } => (Taking::Character, PromptType::Command),
            Question::Filter | Question::Search => (Taking::Line, PromptType::Search),
            Question::Command | Question::Value { .. } => (Taking::Line, PromptType::Command),
        };
        let words = prompt::Question {
            label,
            input: asked.answer,
        };
        let question = asked.question;
        let purpose = Purpose::Tree { pane, question };
        let caller = Caller::key(client);
        let (asker, _) = front::asker(&self.state, &caller, client, Patience::GoesOn);
        self.open_plain_prompt(client, words, taking, kind, purpose, asker);
    }

    /// The answer to what a tree wanted to know; none if there was no answer.
    pub(super) fn tree_answered(
        &mut self,
        client: ClientId,
        pane: PaneId,
        question: Question,
        answer: Option<&str>,
    ) {
        let act = match (question, answer) {
            (Question::Confirm { commands, .. }, Some("y" | "Y")) => Some(Act::Run(commands)),
            (Question::Value { setting, reach, .. }, Some(value)) => {
                let value = value.to_owned();
                Some(Act::Customize(Wish::Value(setting, reach, value)))
            }
            (question, answer) => {
                let answer = answer.map(str::to_owned);
                self.with_tree(pane, |_, tree| tree.answered(question, answer))
            }
        };
        if let Some(act) = act {
            self.tree_act(client, pane, act);
        }
    }

    pub(super) fn run_each(&mut self, caller: &Caller, commands: &[String]) {
        for command in commands {
            self.run_text(caller.clone(), command);
        }
    }

    fn run_script(
        &mut self,
        caller: Caller,
        script: &shellkeep_command::parse::Script,
        target: &str,
    ) {
        let list = script.fill(&[target], &mut Reader(self));
        match list {
            Ok(list) => self.run_list(caller, &list),
            Err(error) => self.complain(&caller, error.to_string()),
        }
    }

    /// How to ask whether one is to be ended.
    fn kill_question(&self, items: &[Item]) -> String {
        match items {
            [Item::Session(id)] => {
                let session = self.state.sessions.get(id);
                let name = session.map(|session| session.name.as_str());
                format!("Kill session {}? ", name.unwrap_or_default())
            }
            [Item::Window(_, index)] => format!("Kill window {index}? "),
            [Item::Pane(session, index, pane)] => {
                let scope = self.scope().session(*session).link(*index).pane(*pane);
                format!("Kill pane {}? ", scope.expand("#{pane_index}"))
            }
            _ => String::new(),
        }
    }

    /// Asks whether these are to be ended.
    fn ask_to_kill(&mut self, pane: PaneId, text: String, items: &[Item]) {
        let commands: Vec<String> = items
            .iter()
            .filter_map(|item| {
                let target = quoted(&item_target(&self.state, item)?);
                Some(match item {
                    Item::Session(_) => format!("kill-session -t {target}"),
                    Item::Window(..) => format!("kill-window -t {target}"),
                    Item::Pane(..) => format!("kill-pane -t {target}"),
                    _ => return None,
                })
            })
            .collect();
        if !commands.is_empty() {
            self.with_tree(pane, |_, tree| {
                tree.ask(Question::Confirm { text, commands });
            });
        }
    }

    // ---- how it looks ----

    /// What is shown in place of a pane's screen.
    pub(super) fn tree_picture(&self, tree: &Tree, pane: &Pane) -> Arc<Frame> {
        let options = self.state.pane_options(pane.id);
        let scope = self.scope().window(pane.window).pane(pane.id);
        let look = Look {
            current: option_style(options, "mode-style", &scope, Style::default()),
        };
        let picture = tree.draw(pane.size, look, &|frame, area| {
            self.draw_tree_preview(tree, pane, frame, area);
        });
        Arc::new(picture)
    }
}

/// The pane a client types into, if it shows a tree.
fn tree_of(model: &Model, id: ClientId) -> Option<&Pane> {
    let client = model.clients.get(&id)?;
    let pane = model.pane_of(client)?;
    let pane = model.panes.get(&pane)?;
    matches!(pane.mode, Some(Mode::Tree(_))).then_some(pane)
}

/// How commands name it.
fn item_target(model: &Model, item: &Item) -> Option<String> {
    let name = |id: &SessionId| model.sessions.get(id).map(|it| it.name.as_str());
    Some(match item {
        Item::Session(id) => format!("={}:", name(id)?),
        Item::Window(id, index) => format!("={}:{index}.", name(id)?),
        Item::Pane(id, index, pane) => format!("={}:{index}.{pane}", name(id)?),
        Item::Buffer(name) => model.buffers.get(name)?.name.clone(),
        Item::Client(id) => model.clients.get(id)?.name(),
        Item::Setting(_) => return None,
    })
}

/// The commands for buffers and clients.
fn special(key: char, item: &Item, target: &str) -> Option<String> {
    let target = quoted(target);
    Some(match (item, key) {
        (Item::Buffer(_), 'd') => format!("delete-buffer -b {target}"),
        (Item::Buffer(_), 'p') => format!("paste-buffer -p -b {target}"),
        (Item::Client(_), 'd') => format!("detach-client -t {target}"),
        (Item::Client(_), 'x') => format!("detach-client -P -t {target}"),
        (Item::Client(_), 'z') => format!("suspend-client -t {target}"),
        _ => return None,
    })
}

/// As one word of a command.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
