//! The nodes of trees: sessions with their windows and panes, buffers and clients; sorted and filtered.

use std::cmp::Ordering;

use shellkeep_core::PaneId;
use shellkeep_core::key::Key;

use crate::formats;
use crate::model::{Model, Session};
use crate::modes::customize_nodes;
use crate::modes::overlay::tree::{Direction, Groups, Item, Kind, Node, Tree};

/// The nodes of a tree, and whether the filter excludes all of them.
pub(crate) fn tree_nodes(model: &Model, tree: &Tree) -> (Vec<Node>, bool) {
    let filter = tree.setup.filter.as_deref();
    let nodes = nodes_of(model, tree, filter);
    if nodes.is_empty() && filter.is_some() {
        return (nodes_of(model, tree, None), true);
    }
    (nodes, false)
}

fn nodes_of(model: &Model, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
    match tree.setup.kind {
        Kind::Sessions => session_nodes(model, tree, filter),
        Kind::Buffers => buffer_nodes(model, tree, filter),
        Kind::Clients => client_nodes(model, tree, filter),
        Kind::Settings => customize_nodes::setting_nodes(model, tree, filter),
    }
}

/// Sets the keys of the visible lines, if a format defines them.
pub(crate) fn key_lines(model: &Model, tree: &mut Tree) {
    let Some(format) = tree.setup.key_format.clone() else {
        return;
    };
    let client = tree.setup.client;
    for (at, line) in tree.lines.iter_mut().enumerate() {
        let scope = formats::scope(model).client(client);
        let scope = match &line.item {
            Item::Session(session) => scope.session(*session),
            Item::Window(session, index) => scope.session(*session).link(*index),
            Item::Pane(session, index, pane) => scope.session(*session).link(*index).pane(*pane),
            Item::Buffer(name) => match model.buffers.get(name) {
                Some(buffer) => scope.buffer(buffer),
                None => scope,
            },
            Item::Client(id) => formats::scope(model).client(Some(*id)),
            Item::Setting(_) => scope,
        };
        let key: Option<Key> = scope
            .with("line", at.to_string())
            .expand(&format)
            .parse()
            .ok();
        line.key = key.filter(|key| *key != Key::NONE);
    }
}

fn session_nodes(model: &Model, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
    let mut sessions: Vec<&Session> = model.sessions.values().collect();
    if tree.setup.groups == Groups::First {
        let is_first = |session: &Session| {
            let mut others = model.sessions.values();
            let own = session.group.as_ref();
            own.is_none()
                || others.find(|it| it.group.as_ref() == own).map(|it| it.id) == Some(session.id)
        };
        sessions.retain(|session| is_first(session));
    }
    let (order, direction) = (tree.order(), tree.setup.direction);
    sort(&mut sessions, direction, |a, b| match order {
        "name" => a.name.cmp(&b.name),
        "time" => b.recency().cmp(&a.recency()),
        _ => a.id.cmp(&b.id),
    });
    let nodes = sessions.into_iter().filter_map(|session| {
        let children = window_nodes(model, tree, session, filter);
        (!children.is_empty()).then(|| Node {
            item: Item::Session(session.id),
            name: session.name.clone(),
            text: Some(
                formats::scope(model)
                    .client(tree.setup.client)
                    .session(session.id)
                    .expand(&tree.setup.format),
            ),
            children,
        })
    });
    nodes.collect()
}

fn window_nodes(model: &Model, tree: &Tree, session: &Session, filter: Option<&str>) -> Vec<Node> {
    let links = session.links.iter();
    let mut windows: Vec<_> = links
        .filter_map(|(index, link)| Some((*index, model.windows.get(&link.window)?)))
        .collect();
    let (order, direction) = (tree.order(), tree.setup.direction);
    sort(&mut windows, direction, |a, b| match order {
        "name" => a.1.name.cmp(&b.1.name),
        "time" => b.1.activity.cmp(&a.1.activity),
        _ => a.0.cmp(&b.0),
    });
    let scope = formats::scope(model)
        .client(tree.setup.client)
        .session(session.id);
    let nodes = windows.into_iter().filter_map(|(index, window)| {
        let scope = scope.clone().link(index);
        let mut panes = window.panes().to_vec();
        if order == "time" {
            let used = |id: &PaneId| model.panes.get(id).map_or(0, |pane| pane.used);
            panes.sort_by_key(|id| std::cmp::Reverse(used(id)));
        }
        if direction == Direction::Reversed {
            panes.reverse();
        }
        let passes =
            |pane: &PaneId| filter.is_none_or(|filter| scope.clone().pane(*pane).is_true(filter));
        panes.retain(passes);
        if panes.is_empty() {
            return None;
        }
        let node = |pane: PaneId| {
            let scope = scope.clone().pane(pane);
            Node {
                item: Item::Pane(session.id, index, pane),
                name: scope.expand("#{pane_index}"),
                text: Some(scope.expand(&tree.setup.format)),
                children: Vec::new(),
            }
        };
        // A window with a single pane is shown without it.
        let children = match window.panes().len() {
            1 => Vec::new(),
            _ => panes.into_iter().map(node).collect(),
        };
        Some(Node {
            item: Item::Window(session.id, index),
            name: index.to_string(),
            text: Some(scope.expand(&tree.setup.format)),
            children,
        })
    });
    nodes.collect()
}

fn buffer_nodes(model: &Model, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
    let mut buffers = model.buffers.by_time();
    let order = tree.order();
    sort(&mut buffers, tree.setup.direction, |a, b| match order {
        "name" => a.name.cmp(&b.name),
        "size" => b.data.len().cmp(&a.data.len()),
        // In the order of creation.
        _ => Ordering::Equal,
    });
    let scope = formats::scope(model).client(tree.setup.client);
    let nodes = buffers.into_iter().filter_map(|buffer| {
        let scope = scope.clone().buffer(buffer);
        filter
            .is_none_or(|filter| scope.is_true(filter))
            .then(|| Node {
                item: Item::Buffer(buffer.name.clone()),
                name: buffer.name.clone(),
                text: Some(scope.expand(&tree.setup.format)),
                children: Vec::new(),
            })
    });
    nodes.collect()
}

fn client_nodes(model: &Model, tree: &Tree, filter: Option<&str>) -> Vec<Node> {
    let clients = model.clients.values();
    let mut clients: Vec<_> = clients.filter(|client| client.session.is_some()).collect();
    let order = tree.order();
    sort(&mut clients, tree.setup.direction, |a, b| match order {
        "size" => (a.terminal.size.cols(), a.terminal.size.rows())
            .cmp(&(b.terminal.size.cols(), b.terminal.size.rows())),
        "creation" => b.created.cmp(&a.created),
        "activity" => b.activity.cmp(&a.activity),
        _ => a.name().cmp(&b.name()),
    });
    let nodes = clients.into_iter().filter_map(|client| {
        let scope = formats::scope(model)
            .client(Some(client.id))
            .session(client.session?);
        filter
            .is_none_or(|filter| scope.is_true(filter))
            .then(|| Node {
                item: Item::Client(client.id),
                name: client.name(),
                text: Some(scope.expand(&tree.setup.format)),
                children: Vec::new(),
            })
    });
    nodes.collect()
}

fn sort<T>(items: &mut [T], direction: Direction, compare: impl Fn(&T, &T) -> Ordering) {
    items.sort_by(compare);
    if direction == Direction::Reversed {
        items.reverse();
    }
}
