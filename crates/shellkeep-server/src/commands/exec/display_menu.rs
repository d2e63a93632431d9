//! `display-menu`: shows a menu over a client's panes.

use shellkeep_command::Target;
use shellkeep_command::cmd::display_menu::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::key::Key;
use shellkeep_core::{ClientId, Size};

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::formats;
use crate::modes::overlay::{Menu, MenuItem, MenuMouse, MenuPurpose, Overlay};
use crate::modes::placing::Position;
use crate::modes::{mode_style, overlays, placing};
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let target = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let id = targets::client(&server.model, caller, args.client.as_deref())?;
    let Some(shown_on) = server.model.clients.get(&id) else {
        return Ok(Reply::default());
    };
    // A client has at most one overlay.
    if shown_on.view.overlay.is_some() {
        return Ok(Reply::default());
    }
    let room = shown_on.terminal.size;
    let items = items(server, id, target, args, room)?;
    let scope = formats::scope(&server.model).client(Some(id)).found(target);
    let title = scope.expand(args.title.as_deref().unwrap_or_default());
    if items.is_empty() {
        return Ok(Reply::default());
    }
    let (rows, cols) = Menu::size_for(&title, &items);
    if rows > usize::from(room.rows()) || cols > usize::from(room.cols()) {
        // As in tmux, a menu that does not fit is not shown.
        return Ok(Reply::default());
    }
    let narrow = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let size = Size::new(narrow(rows), narrow(cols));
    let position = Position {
        column: args.column.as_deref(),
        row: args.row.as_deref(),
    };
    let place = placing::overlay_place(&server.model, shown_on, caller, target, size, position);
    let mouse = match (caller.mouse, args.stay_open) {
        (None, _) => MenuMouse::Off,
        (Some(_), false) => MenuMouse::Hold,
        (Some(_), true) => MenuMouse::Click,
    };
    let menu = Menu {
        title,
        place,
        mouse,
        choice: Menu::first_choice(&items, mouse),
        items,
        target: Some(target),
        caller: caller.clone(),
        queue: server.model.running(),
        chosen_style: mode_style::mode_style(&server.model, shown_on.session),
        purpose: MenuPurpose::Commands,
    };
    Ok(overlays::lay_over(
        &mut server.model,
        id,
        Overlay::Menu(Box::new(menu)),
    ))
}

/// The items: names, keys and commands. An empty name is a separator; a name that expands to nothing is left out.
fn items(
    server: &Server,
    client: ClientId,
    target: ResolvedTarget,
    args: &Args,
    room: Size,
) -> Result<Vec<MenuItem>, String> {
    let scope = formats::scope(&server.model)
        .client(Some(client))
        .found(target);
    let mut items = Vec::new();
    let mut words = args.items.iter();
    while let Some(name) = words.next() {
        if name.is_empty() {
            if !items.is_empty() {
                items.push(MenuItem::Rule);
            }
            continue;
        }
        let (Some(key), Some(command)) = (words.next(), words.next()) else {
            return Err("not enough arguments".to_owned());
        };
        let name = scope.expand(name);
        if name.is_empty() {
            continue;
        }
        let key: Option<Key> = key.parse().ok().filter(|key| *key != Key::NONE);
        let width = room.cols().saturating_sub(4);
        items.push(MenuItem::new(&name, key, scope.expand(command), width));
    }
    Ok(items)
}
