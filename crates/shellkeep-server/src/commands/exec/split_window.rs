//! `split-window`: splits a pane.

use shellkeep_command::Target;
use shellkeep_command::cmd::split_window::Args;
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::layout::SplitSize;
use shellkeep_core::{ClientId, PaneId, Size};
use shellkeep_proto::FromServer;
use shellkeep_term::Effects;

use crate::commands::exec::{load_buffer, placing};
use crate::commands::queue::{Caller, Origin, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{pending, targets};
use crate::model::Stdin;
use crate::panes::manage::Zoom;
use crate::panes::shim::StartedAs;
use crate::panes::spawn::{NewProgram, variables};
use crate::panes::{manage, sizes, spawn};
use crate::server::Server;

/// How many bytes of `-I` are shown before other events get a turn.
const INPUT_PER_TURN: usize = 256 << 10;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let found = targets::find(&server.model, caller, args.target.as_deref(), Target::Pane)?;
    let reads = args.input && args.command.is_empty();
    let reader = if reads {
        Some(reader(server, caller)?)
    } else {
        None
    };
    let size = size(args)?;
    let options = placing::split_options(args.horizontal, args.before, args.full, size);
    let is_empty = reads || (args.command.len() == 1 && args.command[0].is_empty());
    // The zoom ends even if there is no room.
    manage::unzoom(&mut server.model, found.window);
    let no_space = |_| "no space for new pane".to_owned();
    let pane = if is_empty {
        manage::split_empty(&mut server.model, found.pane, options).map_err(no_space)?
    } else {
        let Some(session) = server.model.sessions.get(&found.session) else {
            return Err("no current session".to_owned());
        };
        let environ = session.environ.clone();
        let directory = args.directory.as_deref();
        let directory =
            directory.map(|text| placing::expand_in(server, caller, found.session, text));
        let program = NewProgram {
            command: &args.command,
            directory: directory.as_deref(),
            environment: variables(&args.environment)?,
            size: Size::default(),
            pane: None,
            started_as: StartedAs::Pane,
        };
        let spawn = spawn::spawn_request(&server.model, caller, found.session, &environ, &program);
        manage::split(&mut server.model, found.pane, options, spawn).map_err(no_space)?
    };
    manage::started_with(&mut server.model, pane, &args.command);
    if !args.detached {
        manage::select_pane_zoomed(&mut server.model, pane, Zoom::End);
    } else if let Some(pane) = server.model.panes.get_mut(&pane) {
        // The new pane has not been used yet.
        pane.used = 0;
    }
    manage::layout_changed(&mut server.model, found.window);
    if args.zoom {
        manage::zoom(&mut server.model, found.window);
        if args.detached {
            // As in tmux it is behind the zoomed pane, and of the same size.
            let window = server.model.windows.get(&found.window);
            let size = window.map(crate::model::Window::size);
            if let Some(size) = size {
                sizes::resize_pane(&mut server.model, pane, size);
            }
        }
    }
    let wait = match reader {
        Some(client) => read_into(server, client, pane),
        None => (!is_empty).then_some(Wait::Pane(pane)),
    };
    Ok(Reply {
        wait,
        ..reply(server, caller, ResolvedTarget { pane, ..found }, args)
    })
}

fn reply(server: &Server, caller: &Caller, found: ResolvedTarget, args: &Args) -> Reply {
    if args.print {
        placing::printed(server, caller, found, args.format.as_deref())
    } else {
        Reply::default()
    }
}

/// The client whose standard input `-I` shows.
pub(crate) fn reader(server: &Server, caller: &Caller) -> Result<ClientId, String> {
    let client = caller.client.and_then(|id| server.model.clients.get(&id));
    let client =
        client.filter(|client| caller.origin == Origin::CommandLine && client.session.is_none());
    let client = client.ok_or("there is no standard input here")?;
    Ok(client.id)
}

/// Shows a client's standard input in a pane, once it was read.
pub(crate) fn read_into(server: &mut Server, id: ClientId, pane: PaneId) -> Option<Wait> {
    let client = server.model.clients.get_mut(&id)?;
    client.writer.send(FromServer::ReadInput);
    let show = move |server: &mut Server, data: Vec<u8>| {
        if let Some(pane) = server.model.panes.get(&pane) {
            // Lines of a file end with a line feed alone.
            let mut emulator = pane.screen.lock();
            emulator.feed(b"\x1b[20h", &mut Effects::new());
        }
        show_input(server, pane, data, 0)
    };
    client.answer.stdin = Some(Stdin::new(load_buffer::MAX_SIZE));
    server.pending.after_input(id, Box::new(show));
    Some(Wait::Input(id))
}

/// Shows a part of the input, and the rest in other turns.
fn show_input(server: &mut Server, id: PaneId, data: Vec<u8>, from: usize) -> Outcome {
    let Some(pane) = server.model.panes.get(&id) else {
        return Ok(Reply::default());
    };
    let to = data.len().min(from + INPUT_PER_TURN);
    pane.screen
        .lock()
        .feed(&data[from..to], &mut Effects::new());
    pane.screen.changed();
    match to == data.len() {
        true => Ok(Reply::default()),
        false => pending::in_next_turn(server, move |server| show_input(server, id, data, to)),
    }
}

fn size(args: &Args) -> Result<Option<SplitSize>, String> {
    let of = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let most = placing::MAX_NUMBER;
    if let Some(text) = &args.size {
        let size = match text.strip_suffix('%') {
            Some(percent) => placing::number(percent, 0, most)
                .map(|percent| SplitSize::Percent(of(percent)))
                .map_err(|wrong| format!("percentage {wrong}"))?,
            None => placing::number(text, 0, most)
                .map(|cells| SplitSize::Cells(of(cells)))
                .map_err(|wrong| format!("lines {wrong}"))?,
        };
        return Ok(Some(size));
    }
    let Some(text) = &args.percent else {
        return Ok(None);
    };
    placing::number(text, 0, most)
        .map(|percent| Some(SplitSize::Percent(of(percent))))
        .map_err(|wrong| format!("create pane failed: -p {wrong}"))
}

/// The panes of the window that a pane is in.
pub(crate) fn panes_beside(server: &Server, found: &ResolvedTarget) -> Vec<PaneId> {
    let window = server.model.windows.get(&found.window);
    window
        .map(|window| window.panes().to_vec())
        .unwrap_or_default()
}
