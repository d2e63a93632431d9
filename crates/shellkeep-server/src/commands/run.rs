//! Runs commands: from a client's request, a key or a file into a queue, and out of it one by one.

use shellkeep_command::CommandError;
use shellkeep_command::parse::{Arg, List, NoHost, Parsed, from_words};
use shellkeep_core::{ClientId, PaneId, Size};
use shellkeep_proto::{Core, FromServer, RunRequest, Verb};
use shellkeep_render::Caps;

use crate::clients::{caps, control};
use crate::commands::config::ConfigHost;
use crate::commands::control_lines::Verdict;
use crate::commands::queue::{Caller, Item, Origin, Queue, QueueId, Wait, items};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::slices::Slice;
use crate::commands::{answer, control_lines, exec, hooks, printable, resume_queue, run, settings};
use crate::event::Event;
use crate::model::RunningCommand;
use crate::persistence::written;
use crate::server::Server;
use crate::shutdown::ending::Ending;

/// How deep commands may nest, one running the next.
const MAX_DEPTH: usize = 200;

/// The first syntax error in a list of several commands, which is reported in place of the list.
fn first_fault(list: &List) -> Option<Item> {
    // A single command is checked when it runs.
    list.commands().nth(1)?;
    let fault = list.commands().find_map(Parsed::fault)?;
    Some(Item {
        fault: Some(fault.to_string()),
        ..Item::default()
    })
}

pub(crate) fn run_request(server: &mut Server, id: ClientId, request: RunRequest) {
    if settings::hold_for_config(server, id, &request) {
        return;
    }
    let client = server.model.clients.get(&id);
    // tmux's tools take any text on standard error for a failure, and tmux prints none there.
    let complaints = match client.is_some_and(|client| client.is_tmux) {
        true => Vec::new(),
        false => server.model.complaints.take(),
    };
    let Some(client) = server.model.clients.get_mut(&id) else {
        return;
    };
    if let Some(terminal) = &request.context.terminal {
        client.terminal.size = Size::new(terminal.rows, terminal.cols);
    }
    client.terminal.caps = caps::caps_of(&request.context);
    client.terminal.is_described = false;
    client.context = request.context;
    let words: Vec<Arg> = request.argv.into_iter().map(Arg::Text).collect();
    let mut list = from_words(&words, 0, &ConfigHost(&mut server.model));
    // The line has only semicolons.
    if words.is_empty() {
        // The program's name alone: attach to the last session, or make one.
        let client = server.model.clients.get(&id);
        let is_tmux = client.is_some_and(|client| client.is_tmux);
        let command = if is_tmux || server.model.sessions.is_empty() {
            "new-session"
        } else {
            "attach-session"
        };
        list = from_words(&[Arg::from(command)], 0, &ConfigHost(&mut server.model));
    }
    let Some(client) = server.model.clients.get_mut(&id) else {
        return;
    };
    client.answer.is_owed = true;
    if let Some(control) = &mut client.control {
        control.is_busy = true;
    }
    for complaint in complaints {
        client
            .writer
            .send(FromServer::Stderr(format!("{complaint}\n").into_bytes()));
    }
    let mut queue = Queue::new(Caller::command_line(id));
    match first_fault(&list) {
        // As in tmux, the whole line is checked before any of it runs.
        Some(fault) => queue.push_next(vec![fault], 0),
        None => queue.push_next(items(&list), 0),
    }
    start_queue(server, queue);
}

pub(crate) fn core_request(server: &mut Server, id: ClientId, request: &Core) {
    let Some(client) = server.model.clients.get_mut(&id) else {
        return;
    };
    let target = request.word(0).to_owned();
    let argv: Vec<&str> = match request.verb {
        Verb::List => vec!["list-sessions"],
        Verb::Attach => {
            let colorterm = request.word(2);
            client.terminal.caps =
                Caps::detect(&caps::terminal_environment(request.word(1), colorterm));
            let mut argv = vec!["attach-session", "-t", &target];
            if request.word(3) == "read-only" {
                argv.push("-r");
            }
            argv
        }
        Verb::Detach => vec!["detach-client", "-s", &target],
        Verb::Kill => vec!["kill-session", "-t", &target],
        // The keeper has all notes already.
        Verb::Checkpoint => vec!["start-server"],
        Verb::Restart => {
            client.context.program = target.clone().into_bytes();
            vec!["restart-server"]
        }
    };
    client.answer.is_owed = true;
    let words: Vec<Arg> = argv.into_iter().map(Arg::from).collect();
    let list = from_words(&words, 0, &NoHost);
    run_list(server, Caller::command_line(id), &list);
}

/// Runs commands until one has to wait. The rest runs when that is over.
pub(crate) fn run_list(server: &mut Server, caller: Caller, list: &List) {
    let depth = match server.model.running() {
        Some(_) => server.commands.depth + 1,
        None => 0,
    };
    let mut queue = Queue::new(caller);
    queue.push_next(items(list), depth);
    start_queue(server, queue);
}

/// Runs commands in the background.
pub(crate) fn run_items_for(server: &mut Server, caller: Caller, items: Vec<Item>) {
    let mut queue = Queue::new(caller);
    queue.push_next(items, server.commands.depth + 1);
    start_queue(server, queue);
}

pub(crate) fn next_queue(server: &Server) -> QueueId {
    QueueId(server.commands.next_queue)
}

pub(crate) fn start_queue(server: &mut Server, mut queue: Queue) {
    server.model.changes.is_unsettled = true;
    if let Some(cause) = server
        .model
        .running()
        .and_then(|id| server.commands.queues.get(&id))
    {
        queue.spent = cause.spent.clone();
    }
    let id = QueueId(server.commands.next_queue);
    server.commands.next_queue = server.commands.next_queue.wrapping_add(1);
    server.commands.queues.insert(id, queue);
    advance(server, id);
}

/// Runs a queue's commands until one has to wait.
pub(crate) fn advance(server: &mut Server, id: QueueId) {
    // A command may run others, in a queue of their own.
    let before = (server.model.changes.running.clone(), server.commands.depth);
    run_items(server, id);
    (server.model.changes.running, server.commands.depth) = before;
    let is_over = server
        .commands
        .queues
        .get(&id)
        .is_some_and(|queue| queue.wait.is_none());
    if !is_over {
        return;
    }
    written::note_changes(&server.model, &mut server.commands.queues, id);
    if written::hold_answer(
        &mut server.model,
        &mut server.persistence,
        &mut server.commands.queues,
        id,
    ) {
        return;
    }
    let Some(queue) = server.commands.queues.remove(&id) else {
        return;
    };
    if queue.caller.origin == Origin::CommandLine {
        answer(server, &queue);
    }
    settings::config_read(server, id);
}

fn run_items(server: &mut Server, id: QueueId) {
    let mut slice = Slice::begin();
    loop {
        let Some(queue) = server.commands.queues.get_mut(&id) else {
            return;
        };
        if queue.wait.is_some() {
            return;
        }
        if slice.is_over() {
            queue.wait = Some(Wait::Turn);
            return server.commands.slices.add(id);
        }
        if waits_for_room(server, id) {
            return;
        }
        let Some(queue) = server.commands.queues.get_mut(&id) else {
            return;
        };
        let Some(item) = queue.items.pop_front() else {
            return;
        };
        queue.current = item.clone();
        let caller = queue.caller_now();
        let is_within = queue.spent.count_command();
        server.commands.depth = item.depth;
        control_lines::begin_answer(server, &caller);
        let result = match &item.fault {
            Some(fault) => Err(fault.clone()),
            None if item.depth > MAX_DEPTH => Err("commands name each other too deeply".into()),
            None => is_within.and_then(|()| run_command(server, id, &caller, &item.command)),
        };
        (server.carry_out)(server);
        written::note_changes(&server.model, &mut server.commands.queues, id);
        match result {
            Ok(reply) => replied(server, id, &caller, reply),
            Err(message) => failed(server, id, &message),
        }
        (server.carry_out)(server);
    }
}

fn replied(server: &mut Server, id: QueueId, caller: &Caller, mut reply: Reply) {
    let is_done = reply.wait.is_none();
    let command = server
        .commands
        .queues
        .get(&id)
        .map_or("", |queue| queue.command);
    printable::make_printable(&server.model, caller, command, &mut reply.stdout);
    if let Some(Wait::Pane(_)) = reply.wait {
        control::hold_notices(&mut server.model, caller);
    }
    if let Some(queue) = server.commands.queues.get_mut(&id) {
        queue.wait = reply.wait;
        queue.push_next(reply.next, server.commands.depth + 1);
        queue.push_next(reply.hooks, server.commands.depth + 1);
        if queue.wait == Some(Wait::Turn) {
            server.commands.slices.add(id);
        }
    }
    if !reply.stdout.is_empty() {
        answer::print(&mut server.model, caller, reply.stdout);
    }
    if is_done {
        control_lines::end_answer(server, Some(id), caller, Verdict::Done);
    }
}

/// A command has failed: reports the error, and drops the rest of its line.
fn failed(server: &mut Server, id: QueueId, message: &str) {
    let Some(queue) = server.commands.queues.get_mut(&id) else {
        return;
    };
    let item = std::mem::take(&mut queue.current);
    queue.drop_line_of(&item);
    let caller = queue.caller.clone();
    let message = match &item.place {
        Some((file, line)) => {
            let place = format!("{file}:{line}: ");
            if settings::passes_over(&mut server.model, &place, message) {
                return;
            }
            format!("{place}{message}")
        }
        None => message.to_owned(),
    };
    set_status(server, id, 1);
    answer::complain(&mut server.model, &caller, message);
    control_lines::end_answer(server, Some(id), &caller, Verdict::Failed);
}

/// The commands of a client's command line are done: sends the answer.
fn answer(server: &mut Server, queue: &Queue) {
    let Some(client) = queue
        .caller
        .client
        .and_then(|id| server.model.clients.get_mut(&id))
    else {
        return;
    };
    client.answer.status = queue.status;
    if client.control.is_some() {
        let (id, status) = (client.id, queue.status);
        return control::control_idle(&mut server.model, id, status);
    }
    if matches!(
        server.shutdown.ending,
        Some(Ending::Restart(_) | Ending::Killed(_))
    ) {
        // The server ends or restarts: `detach_clients` answers when everything is written. After a restart the end of the
        // connection is the answer, since the client continues with the next server.
        return;
    }
    // An attached client has its answer on the screen.
    if std::mem::take(&mut client.answer.is_owed) && client.session.is_none() {
        client.writer.send(FromServer::Done(queue.status));
    }
}

fn run_command(
    server: &mut Server,
    queue: QueueId,
    caller: &Caller,
    parsed: &Parsed,
) -> Result<Reply, String> {
    if let Some(client) = caller.client {
        server.model.log_command(client, caller.key, parsed);
    }
    let command = match parsed.command() {
        Ok(command) => command,
        Err(CommandError::Help(text)) => return Ok(Reply::text(text.clone())),
        Err(error) => return Err(error.to_string()),
    };
    let client = caller.client.and_then(|id| server.model.clients.get(&id));
    // A hook's commands are not limited by the client that caused it.
    let is_read_only = client.is_some_and(|client| client.is_read_only) && caller.hook.is_none();
    if is_read_only && !command.spec().traits.read_only {
        return Err("client is read-only".to_owned());
    }
    set_running(server, Some(queue));
    server.model.changes.commands_run += 1;
    let hook = hooks::after_hook(&server.model, caller, command.spec(), parsed);
    if let Some(queue) = server.commands.queues.get_mut(&queue) {
        queue.command = command.spec().name;
    }
    let mut reply = exec::execute(server, caller, command.clone())?;
    if let Some(hook) = hook {
        reply.hooks = hooks::after_hook_items(&server.model, caller, hook);
    }
    Ok(reply)
}

/// Sets which queue's command runs now. Returns the former one.
pub(crate) fn set_running(server: &mut Server, queue: Option<QueueId>) -> RunningCommand {
    let running = queue.and_then(|id| server.commands.queues.get(&id));
    let place = running.and_then(|queue| queue.current.place.as_ref());
    let running = RunningCommand {
        queue,
        hook: running.and_then(|queue| queue.current.hook.clone()),
        file: place.map(|(file, _)| file.clone()),
        is_mouse: running.is_some_and(|queue| queue.caller.mouse.is_some()),
    };
    std::mem::replace(&mut server.model.changes.running, running)
}

/// Sets the exit status of a queue's command line so far.
pub(crate) fn set_status(server: &mut Server, id: QueueId, status: u8) {
    if let Some(queue) = server.commands.queues.get_mut(&id) {
        queue.status = status;
    }
}

/// Resumes a queue with the outcome of what its command waited for.
pub(crate) fn resume(server: &mut Server, id: QueueId, outcome: Outcome) {
    server.model.changes.is_unsettled = true;
    let Some(queue) = server.commands.queues.get_mut(&id) else {
        return;
    };
    queue.wait = None;
    queue.timer = None;
    let caller = queue.caller_now();
    server.commands.depth = queue.current.depth;
    match outcome {
        Ok(reply) => replied(server, id, &caller, reply),
        Err(message) => failed(server, id, &message),
    }
    advance(server, id);
}

/// Runs the waiting command of a queue again from its beginning: what it needs is available now.
pub(crate) fn run_again(server: &mut Server, id: QueueId) -> Outcome {
    let Some(queue) = server.commands.queues.get(&id) else {
        return Ok(Reply::default());
    };
    let (caller, parsed) = (queue.caller_now(), queue.current.command.clone());
    let before = set_running(server, Some(id));
    let outcome = match parsed.command() {
        Ok(command) => exec::execute(server, &caller, command.clone()),
        Err(error) => Err(error.to_string()),
    };
    server.model.changes.running = before;
    outcome
}

/// Resumes the queues that waited for the start of a pane's program.
pub(crate) fn resume_waiting(server: &mut Server, pane: PaneId, failure: Option<&str>) {
    let wait = Some(Wait::Pane(pane));
    let waiting = server
        .commands
        .queues
        .iter_mut()
        .filter(|(_, queue)| queue.wait == wait);
    let waiting = waiting.map(|(id, queue)| {
        queue.wait = None;
        if failure.is_some() {
            queue.status = 1;
            queue.items.clear();
        }
        (*id, queue.caller.clone())
    });
    for (id, caller) in waiting.collect::<Vec<_>>() {
        let verdict = match failure {
            Some(reason) => {
                answer::complain(&mut server.model, &caller, reason.to_owned());
                Verdict::Failed
            }
            None => Verdict::Done,
        };
        control_lines::end_answer(server, Some(id), &caller, verdict);
        advance(server, id);
    }
}

/// Resumes the queues whose signal or lock has come. Not from within `wait-for` itself, since one queue may wake the
/// next, and so on.
pub(crate) fn resume_woken(server: &mut Server) {
    loop {
        let woken = server.commands.channels.take_woken();
        if woken.is_empty() {
            return;
        }
        for queue in woken {
            resume(server, queue, Ok(Reply::default()));
        }
    }
}

/// A client is gone: drops its queues that wait at channels. Its other queues are finished.
pub(crate) fn leave_channels(server: &mut Server, client: ClientId) {
    let gone: Vec<QueueId> = server
        .commands
        .queues
        .iter()
        .filter(|(_, queue)| {
            queue.caller.client == Some(client) && matches!(queue.wait, Some(Wait::Channel(_)))
        })
        .map(|(id, _)| *id)
        .collect();
    for id in &gone {
        server.commands.queues.remove(id);
    }
    server.commands.channels.leave(&gone);
}

/// Resumes a queue that has waited for its turn.
pub(crate) fn next_slice(server: &mut Server) {
    server.commands.slices.events = 0;
    let Some(id) = server.commands.slices.waiting.pop_front() else {
        return;
    };
    server.model.changes.is_unsettled = true;
    // A queue ends with its client.
    let Some(queue) = server.commands.queues.get_mut(&id) else {
        return server.pending.forget_queue(id);
    };
    match server.pending.take_turn(id) {
        Some(rest) => resume_queue::continue_queue(server, id, rest),
        None => {
            queue.wait = None;
            run::advance(server, id);
        }
    }
}

/// Makes a queue wait until its client has read earlier output, which would only pile up in memory. Returns whether it
/// waits.
pub(crate) fn waits_for_room(server: &mut Server, id: QueueId) -> bool {
    let Some(queue) = server
        .commands
        .queues
        .get_mut(&id)
        .filter(|it| !it.items.is_empty())
    else {
        return false;
    };
    let client = queue.caller.client;
    let client = client.filter(|_| queue.caller.origin == Origin::CommandLine);
    let client = client.and_then(|client| server.model.clients.get(&client));
    let Some(client) = client.filter(|client| client.writer.is_full()) else {
        return false;
    };
    queue.wait = Some(Wait::Room);
    let (room, events) = (client.writer.room(), server.events.clone());
    tokio::spawn(async move {
        room.await;
        let _ = events.send(Event::HasRoom { queue: id }).await;
    });
    true
}

pub(crate) fn has_room(server: &mut Server, id: QueueId) {
    let Some(queue) = server.commands.queues.get_mut(&id) else {
        return;
    };
    if queue.wait == Some(Wait::Room) {
        queue.wait = None;
        server.model.changes.is_unsettled = true;
        run::advance(server, id);
    }
}
