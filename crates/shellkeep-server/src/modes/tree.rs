//! Tree mode in the server: opening trees, passing them keys, and carrying out what they request.

use std::collections::BTreeSet;

use shellkeep_core::key::{Key, MouseAction};
use shellkeep_core::{ClientId, PaneId, Rect, SessionId};
use shellkeep_term::key::{KeyEvent, KeyKind};

use crate::action::Action;
use crate::commands::answer;
use crate::commands::config::ConfigHost;
use crate::commands::queue::{Caller, Origin};
use crate::formats;
use crate::hibernation::asleep;
use crate::model::{Mode, Model, Pane, PromptQuestion, Purpose};
use crate::modes::key_grab::AnswerWait;
use crate::modes::overlay::tree::{
    Act, Clicked, Item, MenuPlace, Question, Resting, Setup, Tree, Wish,
};
use crate::modes::overlay::{Menu, MenuItem, MenuMouse, MenuPurpose, Overlay};
use crate::modes::prompt_line::{PromptType, Taking};
use crate::modes::tree_preview::Previewed;
use crate::modes::trees::quoted;
use crate::modes::{
    customize, edit_buffer, key_grab, mode_style, overlays, prompt, stack, tree_preview, trees,
};
use crate::panes::{manage, place};

/// Whether the pane is zoomed while the tree is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeZoom {
    Yes,
    No,
}

pub(crate) fn open_tree(model: &mut Model, id: PaneId, setup: Setup, zoom: TreeZoom) {
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let window_id = pane.window;
    if stack::raise_mode(model, id, setup.kind.mode_name()) {
        return;
    }
    let mut tree = Tree::new(setup);
    if let Some(window) = model.windows.get_mut(&window_id)
        && zoom == TreeZoom::Yes
        && window.zoomed.is_none()
        && window.panes().len() > 1
    {
        window.select(id);
        window.zoom(id);
        tree.has_zoomed = true;
        manage::layout_changed(model, window_id);
    }
    stack::put_mode(model, id, Mode::Tree(Box::new(tree)));
    trees::refresh_tree(model, id);
}

/// Passes a key to a tree. Returns whether it was consumed.
pub(crate) fn tree_key(model: &mut Model, id: ClientId, event: &KeyEvent) -> bool {
    let Some(pane) = tree_of(model, id) else {
        return false;
    };
    let pane = pane.id;
    if event.kind == KeyKind::Release {
        return true;
    }
    press_in_tree(model, id, pane, event.key);
    true
}

/// Passes a mouse event on a client's terminal to a pane's tree. Returns whether there is one.
pub(crate) fn tree_mouse(
    model: &mut Model,
    id: ClientId,
    pane: PaneId,
    action: MouseAction,
    at: (u16, u16),
) -> bool {
    let shown = model.panes.get(&pane);
    let Some(shown) = shown.filter(|it| matches!(it.mode, Some(Mode::Tree(_)))) else {
        return false;
    };
    let size = shown.size;
    let Some(client) = model.clients.get(&id).filter(|it| !it.is_read_only) else {
        return true;
    };
    let Some((row, col)) = place::in_pane(model, client, pane, at) else {
        return true;
    };
    let clicked = trees::with_tree(model, pane, |_, tree| {
        let rows = tree.list_rows(size);
        tree.mouse(action, row, rows)
    });
    match clicked {
        Some(Clicked::Act(act)) => tree_act(model, id, pane, act),
        Some(Clicked::Preview) => {
            let act = preview_clicked(model, pane, col);
            tree_act(model, id, pane, act);
        }
        Some(Clicked::Menu(place)) => {
            trees::refresh_tree(model, pane);
            open_tree_menu(model, id, pane, place, at);
        }
        None => {}
    }
    true
}

/// Presses a key in a mode without bindings: a clock ends, a tree handles the key.
pub(crate) fn press_in_mode(model: &mut Model, id: ClientId, pane: PaneId, key: Key) {
    match model.panes.get(&pane).and_then(|it| it.mode.as_ref()) {
        Some(Mode::Clock) => stack::leave_mode(model, pane),
        Some(Mode::Tree(_)) => press_in_tree(model, id, pane, key),
        _ => {}
    }
}

/// Presses a key in a pane's tree.
pub(crate) fn press_in_tree(model: &mut Model, id: ClientId, pane: PaneId, key: Key) {
    let Some(size) = model.panes.get(&pane).map(|pane| pane.size) else {
        return;
    };
    let act = trees::with_tree(model, pane, |_, tree| {
        let rows = tree.list_rows(size);
        tree.key(key, rows)
    });
    if let Some(act) = act {
        tree_act(model, id, pane, act);
    }
}

/// Handles a click on the preview: selects a window or pane in it, or scrolls to others.
fn preview_clicked(model: &mut Model, pane: PaneId, col: u16) -> Act {
    let Some(cols) = model.panes.get(&pane).map(|pane| pane.size.cols()) else {
        return Act::Draw;
    };
    let act = trees::with_tree(model, pane, |model, tree| {
        let Some(item) = tree.current_item().cloned() else {
            return Act::Draw;
        };
        let at = tree_preview::previewed(model, &item, tree.scroll, cols, col);
        match at {
            None => Act::Draw,
            Some(Previewed::Left) => tree.scroll_preview(-1),
            Some(Previewed::Right) => tree.scroll_preview(1),
            Some(Previewed::Item(item)) => Act::Choose(item),
        }
    });
    act.unwrap_or(Act::Draw)
}

/// Opens a tree's menu at the mouse.
fn open_tree_menu(
    model: &mut Model,
    id: ClientId,
    pane: PaneId,
    place: MenuPlace,
    (row, col): (u16, u16),
) {
    let menu = trees::with_tree(model, pane, |_, tree| {
        let title = match place {
            MenuPlace::Line => tree.current_name().to_owned(),
            MenuPlace::Beside => String::new(),
        };
        (title, tree.menu(place))
    });
    let Some(((title, parts), client)) = menu.zip(model.clients.get(&id)) else {
        return;
    };
    let room = client.terminal.size;
    let mut items = Vec::new();
    for part in parts {
        if !items.is_empty() {
            items.push(MenuItem::Rule);
        }
        let lines = part.iter().map(|(name, key)| {
            MenuItem::new(name, key.parse().ok(), (*key).to_owned(), room.cols())
        });
        items.extend(lines);
    }
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
        target: model.place_of(pane),
        caller: Caller::key(id),
        queue: None,
        chosen_style: mode_style::mode_style(model, client.session),
        purpose: MenuPurpose::Tree(pane),
    };
    if menu.fit(room) {
        overlays::lay_over(model, id, Overlay::Menu(Box::new(menu)));
    }
}

#[expect(clippy::too_many_lines, reason = "a few lines for each act")]
fn tree_act(model: &mut Model, client: ClientId, pane: PaneId, act: Act) {
    let caller = Caller {
        client: Some(client),
        current: model.place_of(pane),
        origin: Origin::Key,
        ..Caller::default()
    };
    match act {
        Act::Draw => {
            trees::redraw_tree(model, pane);
            return ask_for_tree(model, client, pane);
        }
        Act::Leave => return trees::leave_tree(model, pane),
        Act::Choose(item) => {
            let Some(target) = item_target(model, &item) else {
                return trees::leave_tree(model, pane);
            };
            let template = trees::with_tree(model, pane, |_, tree| tree.setup.template.clone());
            trees::leave_tree(model, pane);
            if let Some(template) = template {
                run_script(model, caller, &template, &target);
            }
            return;
        }
        Act::Run(commands) => trees::run_each(model, &caller, &commands),
        Act::Customize(wish) => customize::customize(model, &caller, pane, wish),
        Act::Kill(items) => {
            let text = kill_question(model, &items);
            ask_to_kill(model, pane, text, &items);
        }
        Act::KillTagged(items) => {
            let text = format!("Kill {} tagged? ", items.len());
            ask_to_kill(model, pane, text, &items);
        }
        Act::Command(command, items) => {
            let template = command.as_str().into();
            for item in items {
                if let Some(target) = item_target(model, &item) {
                    run_script(model, caller.clone(), &template, &target);
                }
            }
        }
        Act::Special(key, items) => {
            let commands: Vec<String> = items
                .iter()
                .filter_map(|item| special(key, item, &item_target(model, item)?))
                .collect();
            trees::run_each(model, &caller, &commands);
        }
        Act::Rest(rest, items) => {
            let panes = panes_of(model, &items);
            model.act(match rest {
                Resting::Sleep => Action::PutToSleep(caller, panes),
                Resting::Wake => Action::WakeAll(panes),
            });
        }
        Act::Mark(item) => {
            if let Some(target) = item_target(model, &item) {
                trees::run_each(
                    model,
                    &caller,
                    &[format!("select-pane -m -t {}", quoted(&target))],
                );
            }
        }
        Act::Edit(item) => {
            if let Item::Buffer(name) = item {
                edit_buffer::edit_buffer(model, &caller, &name);
            }
        }
        Act::Unmark => trees::run_each(model, &caller, &["select-pane -M".to_owned()]),
        Act::Swap(from, to) => {
            if let (Some(from), Some(to)) = (item_target(model, &from), item_target(model, &to)) {
                let (from, to) = (quoted(&from), quoted(&to));
                trees::run_each(
                    model,
                    &caller,
                    &[format!("swap-window -d -s {from} -t {to}")],
                );
            }
        }
    }
    model.act(Action::TreeActed(client, pane));
}

/// After a key: refreshes the tree, and asks the client the question of the tree, if it has one.
pub(crate) fn tree_acted(model: &mut Model, client: ClientId, pane: PaneId) {
    trees::refresh_tree(model, pane);
    ask_for_tree(model, client, pane);
}

fn ask_for_tree(model: &mut Model, client: ClientId, pane: PaneId) {
    let asked = trees::with_tree(model, pane, |_, tree| {
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
    let words = PromptQuestion {
        label,
        input: asked.answer,
    };
    let question = asked.question;
    let purpose = Purpose::Tree { pane, question };
    let caller = Caller::key(client);
    let (asker, _) = key_grab::asker(model, &caller, client, AnswerWait::Continues);
    prompt::open_plain_prompt(model, client, words, taking, kind, purpose, asker);
}

/// Handles the answer to a tree's question; none if the prompt was closed.
pub(crate) fn tree_answered(
    model: &mut Model,
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
            trees::with_tree(model, pane, |_, tree| tree.answered(question, answer))
        }
    };
    if let Some(act) = act {
        tree_act(model, client, pane, act);
    }
}

fn run_script(model: &mut Model, caller: Caller, script: &shellkeep_command::Script, target: &str) {
    let list = script.fill(&[target], &mut ConfigHost(model));
    match list {
        Ok(list) => model.act(Action::RunList(caller, list)),
        Err(error) => answer::complain(model, &caller, error.to_string()),
    }
}

/// The question before something is killed.
fn kill_question(model: &Model, items: &[Item]) -> String {
    match items {
        [Item::Session(id)] => {
            let session = model.sessions.get(id);
            let name = session.map(|session| session.name.as_str());
            format!("Kill session {}? ", name.unwrap_or_default())
        }
        [Item::Window(_, index)] => format!("Kill window {index}? "),
        [Item::Pane(session, index, pane)] => {
            let scope = formats::scope(model)
                .session(*session)
                .link(*index)
                .pane(*pane);
            format!("Kill pane {}? ", scope.expand("#{pane_index}"))
        }
        _ => String::new(),
    }
}

fn ask_to_kill(model: &mut Model, pane: PaneId, text: String, items: &[Item]) {
    let commands: Vec<String> = items
        .iter()
        .filter_map(|item| {
            let target = quoted(&item_target(model, item)?);
            Some(match item {
                Item::Session(_) => format!("kill-session -t {target}"),
                Item::Window(..) => format!("kill-window -t {target}"),
                Item::Pane(..) => format!("kill-pane -t {target}"),
                _ => return None,
            })
        })
        .collect();
    if !commands.is_empty() {
        trees::with_tree(model, pane, |_, tree| {
            tree.ask(Question::Confirm { text, commands });
        });
    }
}

/// A client's active pane, if it shows a tree.
fn tree_of(model: &Model, id: ClientId) -> Option<&Pane> {
    let client = model.clients.get(&id)?;
    let pane = model.pane_of(client)?;
    let pane = model.panes.get(&pane)?;
    matches!(pane.mode, Some(Mode::Tree(_))).then_some(pane)
}

/// The target that names an item in commands.
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

/// The command of a key in the trees of buffers and clients.
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

/// The panes of these items, each once.
fn panes_of(model: &Model, items: &[Item]) -> Vec<PaneId> {
    let mut panes: Vec<PaneId> = Vec::new();
    for item in items {
        panes.extend(panes_of_item(model, item));
    }
    let mut seen = BTreeSet::new();
    panes.retain(|pane| seen.insert(*pane));
    panes
}

fn panes_of_item(model: &Model, item: &Item) -> Vec<PaneId> {
    match item {
        Item::Session(id) => asleep::panes_in(model, *id).map(|pane| pane.id).collect(),
        Item::Window(id, index) => {
            let session = model.sessions.get(id);
            let link = session.and_then(|session| session.links.get(index));
            let panes = link
                .into_iter()
                .flat_map(|link| model.panes_of(link.window));
            panes.map(|pane| pane.id).collect()
        }
        Item::Pane(_, _, id) => vec![*id],
        _ => Vec::new(),
    }
}
