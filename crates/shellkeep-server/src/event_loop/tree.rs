//! Trees to choose from: shown in place of a pane's screen, filled from the model, and obeyed.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_core::key::Key;
use shellkeep_core::{ClientId, PaneId, SessionId, Style};
use shellkeep_render::Frame;
use shellkeep_term::key::{KeyEvent, KeyKind, MouseEvent};

use super::Server;
use crate::alarm::Alarm;
use crate::config::Reader;
use crate::overlay::option_style;
use crate::overlay::tree::{Act, Direction, Groups, Item, Kind, Look, Node, Question, Setup, Tree};
use crate::queue::{Caller, Origin};
use crate::state::{Mode, Pane, Session};
use crate::variables::Scope;

/// How often what a tree shows is looked at again.
const GLANCE: Duration = Duration::from_millis(500);

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
        if pane.mode_name() == Some(setup.kind.mode_name()) {
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
            self.layout_changed(window_id);
        }
        if let Some(pane) = self.state.panes.get_mut(&id) {
            pane.mode = Some(Mode::Tree(Box::new(tree)));
        }
        self.mode_changed(id);
        self.refresh_tree(id);
    }

    /// Takes a tree away.
    pub(super) fn leave_tree(&mut self, id: PaneId) {
        let Some(pane) = self.state.panes.get_mut(&id) else {
            return;
        };
        if !matches!(pane.mode, Some(Mode::Tree(_))) {
            return;
        }
        let Some(Mode::Tree(tree)) = pane.mode.take() else {
            return;
        };
        let window_id = pane.window;
        if tree.has_zoomed
            && let Some(window) = self.state.windows.get_mut(&window_id)
        {
            window.unzoom();
            self.layout_changed(window_id);
        }
        self.mode_changed(id);
    }

    /// Takes the tree of a pane in hand, with the model beside it.
    fn with_tree<T>(&mut self, id: PaneId, act: impl FnOnce(&Self, &mut Tree) -> T) -> Option<T> {
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
            tree.fill(nodes);
            if let Some(pane) = server.state.panes.get(&id) {
                tree.follow(tree.list_rows(pane.size));
            }
            tree.timer = Some(server.set_alarm(Alarm::Tree(id), GLANCE));
            tree.lines.is_empty()
        });
        match is_empty {
            None => {}
            Some(true) => self.leave_tree(id),
            Some(false) => {
                if let Some(pane) = self.state.panes.get(&id) {
                    self.redraw_window(pane.window);
                }
            }
        }
    }

    /// The pane a client types into, if it shows a tree.
    fn tree_of(&self, id: ClientId) -> Option<&Pane> {
        let client = self.state.clients.get(&id)?;
        let pane = self.state.current_pane(client.session?)?;
        let pane = self.state.panes.get(&pane)?;
        matches!(pane.mode, Some(Mode::Tree(_))).then_some(pane)
    }

    /// Offers a key to a tree. Gives back whether it was taken.
    pub(super) fn tree_key(&mut self, id: ClientId, event: &KeyEvent) -> bool {
        let Some(pane) = self.tree_of(id) else {
            return false;
        };
        let (pane, size) = (pane.id, pane.size);
        if event.kind == KeyKind::Release {
            return true;
        }
        let act = self.with_tree(pane, |_, tree| {
            let rows = tree.list_rows(size);
            tree.key(event.key, rows)
        });
        if let Some(act) = act {
            self.tree_act(id, pane, act);
        }
        true
    }

    /// Offers the mouse to a tree. Gives back whether it was taken.
    pub(super) fn tree_mouse(&mut self, id: ClientId, event: &MouseEvent) -> bool {
        let Some(pane) = self.tree_of(id) else {
            return false;
        };
        let (pane, size) = (pane.id, pane.size);
        let client = self.state.clients.get(&id);
        let place = client.and_then(|it| self.in_pane(it, pane, (event.row, event.col)));
        let Some((row, col)) = place else {
            return false;
        };
        let event = MouseEvent { row, col, ..*event };
        let act = self.with_tree(pane, |_, tree| {
            let rows = tree.list_rows(size);
            tree.mouse(&event, rows)
        });
        if let Some(act) = act {
            self.tree_act(id, pane, act);
        }
        true
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
            Act::Draw => {}
            Act::Leave => return self.leave_tree(pane),
            Act::Choose(item) => {
                let Some(target) = self.item_target(&item) else {
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
            Act::Kill(items) => self.ask_to_kill(pane, &items),
            Act::Command(command, items) => {
                let template = command.as_str().into();
                for item in items {
                    if let Some(target) = self.item_target(&item) {
                        self.run_script(caller.clone(), &template, &target);
                    }
                }
            }
            Act::Special(key, items) => {
                let commands: Vec<String> = items
                    .iter()
                    .filter_map(|item| special(key, item, &self.item_target(item)?))
                    .collect();
                self.run_each(&caller, &commands);
            }
            Act::Mark(item) => {
                if let Some(target) = self.item_target(&item) {
                    self.run_each(&caller, &[format!("select-pane -m -t {}", quoted(&target))]);
                }
            }
            Act::Unmark => self.run_each(&caller, &["select-pane -M".to_owned()]),
            Act::Swap(from, to) => {
                if let (Some(from), Some(to)) = (self.item_target(&from), self.item_target(&to)) {
                    let (from, to) = (quoted(&from), quoted(&to));
                    self.run_each(&caller, &[format!("swap-window -d -s {from} -t {to}")]);
                }
            }
        }
        self.refresh_tree(pane);
    }

    fn run_each(&mut self, caller: &Caller, commands: &[String]) {
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

    /// Asks whether these are to be ended.
    fn ask_to_kill(&mut self, pane: PaneId, items: &[Item]) {
        let commands: Vec<String> = items
            .iter()
            .filter_map(|item| {
                let target = quoted(&self.item_target(item)?);
                Some(match item {
                    Item::Session(_) => format!("kill-session -t {target}"),
                    Item::Window(..) => format!("kill-window -t {target}"),
                    Item::Pane(..) => format!("kill-pane -t {target}"),
                    _ => return None,
                })
            })
            .collect();
        let text = match items {
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
            items => format!("Kill {} tagged? ", items.len()),
        };
        if !commands.is_empty() {
            self.with_tree(pane, |_, tree| {
                tree.ask(Question::Confirm { text, commands });
            });
        }
    }

    /// How commands name it.
    fn item_target(&self, item: &Item) -> Option<String> {
        let name = |id: &SessionId| self.state.sessions.get(id).map(|it| it.name.as_str());
        Some(match item {
            Item::Session(id) => format!("={}:", name(id)?),
            Item::Window(id, index) => format!("={}:{index}.", name(id)?),
            Item::Pane(id, index, pane) => format!("={}:{index}.{pane}", name(id)?),
            Item::Buffer(name) => self.state.buffers.get(name)?.name.clone(),
            Item::Client(id) => self.state.clients.get(id)?.name(),
        })
    }

    // ---- what is in it ----

    /// What there is to choose from, and whether the filter lets nothing through.
    fn tree_nodes(&self, tree: &Tree) -> (Vec<Node>, bool) {
        let filter = tree.setup.filter.as_deref();
        let nodes = self.nodes_of(tree, filter);
        if nodes.is_empty() && filter.is_some() {
            return (self.nodes_of(tree, None), true);
        }
        (nodes, false)
    }

    fn nodes_of(&self, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
        let mut nodes = match tree.setup.kind {
            Kind::Sessions => self.session_nodes(tree, filter),
            Kind::Buffers => self.buffer_nodes(tree, filter),
            Kind::Clients => self.client_nodes(tree, filter),
        };
        // Keys are formats over the numbers of lines.
        if let Some(format) = &tree.setup.key_format {
            let mut at = 0;
            for node in &mut nodes {
                self.key_nodes(node, format, &mut at);
            }
        }
        nodes
    }

    fn key_nodes(&self, node: &mut Node, format: &str, at: &mut usize) {
        let scope = self.scope().with("line", at.to_string());
        let key: Option<Key> = scope.expand(format).parse().ok();
        node.key = Some(key.unwrap_or(Key::NONE));
        *at += 1;
        for child in &mut node.children {
            self.key_nodes(child, format, at);
        }
    }

    fn session_nodes(&self, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
        let mut sessions: Vec<&Session> = self.state.sessions.values().collect();
        if tree.setup.groups == Groups::First {
            let is_first = |session: &Session| {
                let mut others = self.state.sessions.values();
                let own = session.group.as_ref();
                own.is_none()
                    || others.find(|it| it.group.as_ref() == own).map(|it| it.id)
                        == Some(session.id)
            };
            sessions.retain(|session| is_first(session));
        }
        let (order, direction) = (tree.order(), tree.setup.direction);
        sort(&mut sessions, direction, |a, b| match order {
            "name" => a.name.cmp(&b.name),
            "time" => b.activity.cmp(&a.activity),
            _ => a.id.cmp(&b.id),
        });
        let nodes = sessions.into_iter().filter_map(|session| {
            let children = self.window_nodes(tree, session, filter);
            (!children.is_empty()).then(|| Node {
                item: Item::Session(session.id),
                name: session.name.clone(),
                text: self
                    .tree_scope(tree)
                    .session(session.id)
                    .expand(&tree.setup.format),
                key: None,
                children,
            })
        });
        nodes.collect()
    }

    fn window_nodes(&self, tree: &Tree, session: &Session, filter: Option<&str>) -> Vec<Node> {
        let links = session.links.iter();
        let mut windows: Vec<_> = links
            .filter_map(|(index, link)| Some((*index, self.state.windows.get(&link.window)?)))
            .collect();
        let (order, direction) = (tree.order(), tree.setup.direction);
        sort(&mut windows, direction, |a, b| match order {
            "name" => a.1.name.cmp(&b.1.name),
            "time" => b.1.activity.cmp(&a.1.activity),
            _ => a.0.cmp(&b.0),
        });
        let scope = self.tree_scope(tree).session(session.id);
        let nodes = windows.into_iter().filter_map(|(index, window)| {
            let scope = scope.clone().link(index);
            let mut panes = window.panes().to_vec();
            if order == "time" {
                let used = |id: &PaneId| self.state.panes.get(id).map_or(0, |pane| pane.used);
                panes.sort_by_key(|id| std::cmp::Reverse(used(id)));
            }
            if direction == Direction::Reversed {
                panes.reverse();
            }
            let passes = |pane: &PaneId| {
                filter.is_none_or(|filter| scope.clone().pane(*pane).is_true(filter))
            };
            panes.retain(passes);
            if panes.is_empty() {
                return None;
            }
            let node = |pane: PaneId| {
                let scope = scope.clone().pane(pane);
                Node {
                    item: Item::Pane(session.id, index, pane),
                    name: scope.expand("#{pane_index}"),
                    text: scope.expand(&tree.setup.format),
                    key: None,
                    children: Vec::new(),
                }
            };
            // A window with one pane is as good as the pane.
            let children = match window.panes().len() {
                1 => Vec::new(),
                _ => panes.into_iter().map(node).collect(),
            };
            Some(Node {
                item: Item::Window(session.id, index),
                name: index.to_string(),
                text: scope.expand(&tree.setup.format),
                key: None,
                children,
            })
        });
        nodes.collect()
    }

    fn buffer_nodes(&self, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
        let mut buffers = self.state.buffers.by_time();
        let order = tree.order();
        sort(&mut buffers, tree.setup.direction, |a, b| match order {
            "name" => a.name.cmp(&b.name),
            "size" => b.data.len().cmp(&a.data.len()),
            // As they came.
            _ => Ordering::Equal,
        });
        let scope = self.tree_scope(tree);
        let nodes = buffers.into_iter().filter_map(|buffer| {
            let scope = scope.clone().buffer(buffer);
            filter
                .is_none_or(|filter| scope.is_true(filter))
                .then(|| Node {
                    item: Item::Buffer(buffer.name.clone()),
                    name: buffer.name.clone(),
                    text: scope.expand(&tree.setup.format),
                    key: None,
                    children: Vec::new(),
                })
        });
        nodes.collect()
    }

    fn client_nodes(&self, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
        let clients = self.state.clients.values();
        let mut clients: Vec<_> = clients.filter(|client| client.session.is_some()).collect();
        let order = tree.order();
        sort(&mut clients, tree.setup.direction, |a, b| match order {
            "size" => (a.size.cols(), a.size.rows()).cmp(&(b.size.cols(), b.size.rows())),
            "creation" => b.created.cmp(&a.created),
            "activity" => b.activity.cmp(&a.activity),
            _ => a.name().cmp(&b.name()),
        });
        let nodes = clients.into_iter().filter_map(|client| {
            let scope = self
                .scope()
                .client(Some(client.id))
                .session(client.session?);
            filter
                .is_none_or(|filter| scope.is_true(filter))
                .then(|| Node {
                    item: Item::Client(client.id),
                    name: client.name(),
                    text: scope.expand(&tree.setup.format),
                    key: None,
                    children: Vec::new(),
                })
        });
        nodes.collect()
    }

    fn tree_scope(&self, tree: &Tree) -> Scope<'_> {
        self.scope().client(tree.setup.client)
    }

    // ---- how it looks ----

    /// What is shown in place of a pane's screen.
    pub(super) fn tree_picture(&self, tree: &Tree, pane: &Pane) -> Arc<Frame> {
        let options = self.state.pane_options(pane.id);
        let scope = self.scope().window(pane.window).pane(pane.id);
        let session = self.state.session_of(pane.id);
        let of_session = self.state.session_options(session);
        let look = Look {
            current: option_style(options, "mode-style", &scope, Style::default()),
            question: option_style(of_session, "message-style", &scope, Style::default()),
        };
        let picture = tree.draw(pane.size, look, &|frame, area| {
            self.draw_tree_preview(tree, pane, frame, area);
        });
        Arc::new(picture)
    }
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
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn sort<T>(items: &mut [T], direction: Direction, compare: impl Fn(&T, &T) -> Ordering) {
    items.sort_by(compare);
    if direction == Direction::Reversed {
        items.reverse();
    }
}
