//! Commands: from a client's request, a key or a file into a queue, and out of it one by one.

use shellkeep_command::CommandError;
use shellkeep_command::parse::{Arg, List, NoHost, Parsed, from_words};
use shellkeep_core::{ClientId, PaneId, Size};
use shellkeep_proto::{Core, FromServer, RunRequest, Verb};
use shellkeep_render::Caps;

use super::control::Verdict;
use super::slices::Slice;
use super::{Ending, Server, control, hooks};
use crate::config::Reader;
use crate::exec::{self, Outcome, Reply};
use crate::queue::{Caller, Item, Origin, Queue, QueueId, Wait, items};
use crate::state::{Model, RunningCommand};
use crate::world;

/// How many commands may lead to one, each by naming the next.
const DEEPEST: usize = 200;

/// What is wrong with a list of several commands, in the place of the list.
fn first_fault(list: &List) -> Option<Item> {
    // One alone is understood when it is run, which is soon enough.
    list.commands().nth(1)?;
    let fault = list.commands().find_map(Parsed::fault)?;
    Some(Item {
        fault: Some(fault.to_string()),
        ..Item::default()
    })
}

impl Server {
    pub(super) fn run_request(&mut self, id: ClientId, request: RunRequest) {
        if self.hold_for_config(id, &request) {
            return;
        }
        let client = self.state.clients.get(&id);
        // tmux's tools take every word on standard error for a failure, and tmux has none to say there.
        let complaints = match client.is_some_and(|client| client.is_tmux) {
            true => Vec::new(),
            false => self.take_complaints(),
        };
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        if let Some(terminal) = &request.context.terminal {
            client.size = Size::new(terminal.rows, terminal.cols);
        }
        client.caps = exec::caps_of(&request.context);
        client.is_described = false;
        client.context = request.context;
        let words: Vec<Arg> = request.argv.into_iter().map(Arg::Text).collect();
        let mut list = from_words(&words, 0, &Reader(self));
        // Semicolons alone ask for nothing.
        if words.is_empty() {
            // The program's name alone: go on where the user was, or begin.
            let client = self.state.clients.get(&id);
            let is_tmux = client.is_some_and(|client| client.is_tmux);
            let command = if is_tmux || self.state.sessions.is_empty() {
                "new-session"
            } else {
                "attach-session"
            };
            list = from_words(&[Arg::from(command)], 0, &Reader(self));
        }
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        client.owes_answer = true;
        if let Some(control) = &mut client.control {
            control.is_busy = true;
        }
        for complaint in complaints {
            client
                .writer
                .say(FromServer::Stderr(format!("{complaint}\n").into_bytes()));
        }
        let mut queue = Queue::new(Caller::command_line(id));
        match first_fault(&list) {
            // As in tmux, a line is understood as a whole before any of it is run.
            Some(fault) => queue.push_next(vec![fault], 0),
            None => queue.push_next(items(&list), 0),
        }
        self.start_queue(queue);
    }

    pub(super) fn core_request(&mut self, id: ClientId, request: &Core) {
        let Some(client) = self.state.clients.get_mut(&id) else {
            return;
        };
        let target = request.word(0).to_owned();
        let argv: Vec<&str> = match request.verb {
            Verb::List => vec!["list-sessions"],
            Verb::Attach => {
                let colorterm = request.word(2);
                client.caps = Caps::detect(&exec::terminal_environment(request.word(1), colorterm));
                let mut argv = vec!["attach-session", "-t", &target];
                if request.word(3) == "read-only" {
                    argv.push("-r");
                }
                argv
            }
            Verb::Detach => vec!["detach-client", "-s", &target],
            Verb::Kill => vec!["kill-session", "-t", &target],
            // Everything worth keeping is already with the keeper.
            Verb::Checkpoint => vec!["start-server"],
            Verb::Restart => {
                client.context.program = target.clone().into_bytes();
                vec!["restart-server"]
            }
        };
        client.owes_answer = true;
        let words: Vec<Arg> = argv.into_iter().map(Arg::from).collect();
        let list = from_words(&words, 0, &NoHost);
        self.run_list(Caller::command_line(id), &list);
    }

    /// Runs commands, or begins to: the rest follows when what they wait for has come.
    pub(crate) fn run_list(&mut self, caller: Caller, list: &List) {
        let depth = match self.state.running() {
            Some(_) => self.commands.depth + 1,
            None => 0,
        };
        let mut queue = Queue::new(caller);
        queue.push_next(items(list), depth);
        self.start_queue(queue);
    }

    /// Runs commands that nobody waits for.
    pub(crate) fn run_items_for(&mut self, caller: Caller, items: Vec<Item>) {
        let mut queue = Queue::new(caller);
        queue.push_next(items, self.commands.depth + 1);
        self.start_queue(queue);
    }

    /// What the next queue will be called.
    pub(super) fn next_queue(&self) -> QueueId {
        QueueId(self.commands.next_queue)
    }

    /// Begins to run a queue.
    pub(crate) fn start_queue(&mut self, mut queue: Queue) {
        self.state.changes.is_unsettled = true;
        if let Some(cause) = self
            .state
            .running()
            .and_then(|id| self.commands.queues.get(&id))
        {
            queue.spent = cause.spent.clone();
        }
        let id = QueueId(self.commands.next_queue);
        self.commands.next_queue = self.commands.next_queue.wrapping_add(1);
        self.commands.queues.insert(id, queue);
        self.advance(id);
    }

    /// Runs a queue's commands until one has to wait for something.
    pub(crate) fn advance(&mut self, id: QueueId) {
        // A command may have others run, in a queue of their own.
        let before = (self.state.changes.running, self.commands.depth);
        self.run_items(id);
        (self.state.changes.running, self.commands.depth) = before;
        let is_over = self
            .commands
            .queues
            .get(&id)
            .is_some_and(|queue| queue.wait.is_none());
        if !is_over {
            return;
        }
        self.note_changes(id);
        if self.hold_answer(id) {
            return;
        }
        let Some(queue) = self.commands.queues.remove(&id) else {
            return;
        };
        if queue.caller.origin == Origin::CommandLine {
            self.answer(&queue);
        }
        self.config_read(id);
    }

    fn run_items(&mut self, id: QueueId) {
        let mut slice = Slice::begin();
        loop {
            let Some(queue) = self.commands.queues.get_mut(&id) else {
                return;
            };
            if queue.wait.is_some() {
                return;
            }
            if slice.is_over() {
                queue.wait = Some(Wait::Turn);
                return self.commands.slices.add(id);
            }
            if self.waits_for_room(id) {
                return;
            }
            let Some(queue) = self.commands.queues.get_mut(&id) else {
                return;
            };
            let Some(item) = queue.items.pop_front() else {
                return;
            };
            queue.current = item.clone();
            let caller = queue.caller_now();
            let is_within = queue.spent.count_command();
            self.commands.depth = item.depth;
            self.begin_answer(&caller);
            let result = match &item.fault {
                Some(fault) => Err(fault.clone()),
                None if item.depth > DEEPEST => Err("commands name each other too deeply".into()),
                None => is_within.and_then(|()| self.run_command(id, &caller, &item.command)),
            };
            self.note_changes(id);
            match result {
                Ok(reply) => self.replied(id, &caller, reply),
                Err(message) => self.failed(id, &message),
            }
        }
    }

    fn replied(&mut self, id: QueueId, caller: &Caller, mut reply: Reply) {
        let is_done = reply.wait.is_none();
        let command = self
            .commands
            .queues
            .get(&id)
            .map_or("", |queue| queue.command);
        exec::make_printable(self, caller, command, &mut reply.stdout);
        if let Some(Wait::Pane(_)) = reply.wait {
            control::hold_notices(&mut self.state, caller);
        }
        if let Some(queue) = self.commands.queues.get_mut(&id) {
            queue.wait = reply.wait;
            queue.again = reply.again;
            queue.push_next(reply.next, self.commands.depth + 1);
            queue.push_next(reply.hooks, self.commands.depth + 1);
            if queue.wait == Some(Wait::Turn) {
                self.commands.slices.add(id);
            }
        }
        if !reply.stdout.is_empty() {
            self.print(caller, reply.stdout);
        }
        if is_done {
            self.end_answer(Some(id), caller, Verdict::Done);
        }
    }

    /// A command's output goes to who asked for it.
    pub(crate) fn print(&mut self, caller: &Caller, text: Vec<u8>) {
        if control::say_in_answer(&mut self.state, caller, &text) {
            return;
        }
        let client = caller.client.and_then(|id| self.state.clients.get(&id));
        match (caller.origin, client) {
            (Origin::CommandLine, Some(client)) => client.writer.say(FromServer::Stdout(text)),
            (Origin::Key, Some(client)) => {
                let id = client.id;
                self.view(id, &text);
            }
            _ => tracing::debug!(?caller, "output nobody reads"),
        }
    }

    /// A command has failed: says so, and drops what stood in one line with it.
    fn failed(&mut self, id: QueueId, message: &str) {
        let Some(queue) = self.commands.queues.get_mut(&id) else {
            return;
        };
        let item = std::mem::take(&mut queue.current);
        queue.drop_line_of(&item);
        let caller = queue.caller.clone();
        let message = match &item.place {
            Some((file, line)) => {
                let place = format!("{file}:{line}: ");
                if self.passes_over(&place, message) {
                    return;
                }
                format!("{place}{message}")
            }
            None => message.to_owned(),
        };
        self.set_status(id, 1);
        self.complain(&caller, message);
        self.end_answer(Some(id), &caller, Verdict::Failed);
    }

    /// Says what is wrong to who asked for it.
    pub(crate) fn complain(&mut self, caller: &Caller, message: String) {
        let client = caller.client.and_then(|id| self.state.clients.get(&id));
        if let Some(name) = client.map(crate::state::Client::name) {
            self.log_message(format!("{name} message: {message}"));
        }
        if control::say_in_answer(&mut self.state, caller, message.as_bytes()) {
            return;
        }
        let client = caller.client.and_then(|id| self.state.clients.get(&id));
        match (caller.origin, client) {
            (Origin::CommandLine, Some(client)) if client.session.is_none() => {
                let line = exec::printable(format!("{message}\n").as_bytes());
                client.writer.say(FromServer::Stderr(line));
            }
            (Origin::Config, _) => self.add_complaint(message),
            (Origin::Key | Origin::CommandLine, Some(client)) if client.session.is_some() => {
                let id = client.id;
                let text = match begins_with_a_name(&self.state, &message) {
                    true => message,
                    false => capitalized(&message),
                };
                self.show_plain_message(id, &text);
            }
            _ => self.log_message(message),
        }
    }

    /// The commands of a client's command line are done.
    fn answer(&mut self, queue: &Queue) {
        let Some(client) = queue
            .caller
            .client
            .and_then(|id| self.state.clients.get_mut(&id))
        else {
            return;
        };
        client.status = queue.status;
        if client.control.is_some() {
            let (id, status) = (client.id, queue.status);
            return control::control_idle(&mut self.state, id, status);
        }
        if matches!(
            self.shutdown.ending,
            Some(Ending::Restart(_) | Ending::Killed(_))
        ) {
            // It is over when everything is written: `say_goodbye` answers. After a restart the end of the line is the answer, since the
            // client is to go on when the next server is there.
            return;
        }
        // A client that was attached has its answer: the screen.
        if std::mem::take(&mut client.owes_answer) && client.session.is_none() {
            client.writer.say(FromServer::Done(queue.status));
        }
    }

    fn run_command(
        &mut self,
        queue: QueueId,
        caller: &Caller,
        parsed: &Parsed,
    ) -> Result<Reply, String> {
        if let Some(client) = caller.client {
            self.log_command(client, caller.key, parsed);
        }
        let command = match parsed.command() {
            Ok(command) => command,
            Err(CommandError::Help(text)) => return Ok(Reply::text(text.clone())),
            Err(error) => return Err(error.to_string()),
        };
        let client = caller.client.and_then(|id| self.state.clients.get(&id));
        // What a hook does is not the client's doing.
        let is_read_only =
            client.is_some_and(|client| client.is_read_only) && caller.hook.is_none();
        if is_read_only && !command.spec().traits.read_only {
            return Err("client is read-only".to_owned());
        }
        self.set_running(Some(queue));
        self.commands.run_so_far += 1;
        let hook = self.after_hook(caller, command.spec(), parsed);
        if let Some(queue) = self.commands.queues.get_mut(&queue) {
            queue.command = command.spec().name;
        }
        let mut reply = exec::execute(self, caller, command.clone())?;
        if let Some(hook) = hook {
            reply.hooks = hooks::after_hook_items(&self.state, caller, hook);
        }
        Ok(reply)
    }

    /// Notes which queue's command is being run. Returns what was before.
    pub(super) fn set_running(&mut self, queue: Option<QueueId>) -> RunningCommand {
        let running = queue.and_then(|id| self.commands.queues.get(&id));
        let is_hook = running.is_some_and(|queue| queue.current.hook.is_some());
        std::mem::replace(
            &mut self.state.changes.running,
            RunningCommand { queue, is_hook },
        )
    }

    /// The exit status of a queue's command line, so far.
    pub(crate) fn set_status(&mut self, id: QueueId, status: u8) {
        if let Some(queue) = self.commands.queues.get_mut(&id) {
            queue.status = status;
        }
    }

    /// Goes on with a queue: what its command waited for has come, and this came of it.
    pub(crate) fn resume(&mut self, id: QueueId, outcome: Outcome) {
        self.state.changes.is_unsettled = true;
        let Some(queue) = self.commands.queues.get_mut(&id) else {
            return;
        };
        queue.wait = None;
        queue.timer = None;
        let caller = queue.caller_now();
        self.commands.depth = queue.current.depth;
        match outcome {
            Ok(reply) => self.replied(id, &caller, reply),
            Err(message) => self.failed(id, &message),
        }
        self.advance(id);
    }

    /// Runs the command that a queue waits in once more, from its beginning: what it has to know is known now.
    pub(super) fn run_again(&mut self, id: QueueId) -> Outcome {
        let Some(queue) = self.commands.queues.get(&id) else {
            return Ok(Reply::default());
        };
        let (caller, parsed) = (queue.caller_now(), queue.current.command.clone());
        let before = self.set_running(Some(id));
        let outcome = match parsed.command() {
            Ok(command) => exec::execute(self, &caller, command.clone()),
            Err(error) => Err(error.to_string()),
        };
        self.state.changes.running = before;
        outcome
    }

    /// Goes on with the commands that waited for a pane's start.
    pub(super) fn resume_waiting(&mut self, pane: PaneId, failure: Option<&str>) {
        let wait = Some(Wait::Pane(pane));
        let waiting = self
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
                    self.complain(&caller, reason.to_owned());
                    Verdict::Failed
                }
                None => Verdict::Done,
            };
            self.end_answer(Some(id), &caller, verdict);
            self.advance(id);
        }
    }
}

/// A caller that does not wait: what is current stays so for it, and it has no command line to print on.
pub(crate) fn in_background(model: &Model, caller: &Caller) -> Caller {
    Caller {
        current: caller
            .current
            .or_else(|| world::current(model, caller).place),
        origin: match caller.origin {
            Origin::CommandLine => Origin::Nobody,
            origin => origin,
        },
        ..caller.clone()
    }
}

/// Whether a message begins with the name of a session, such as `work:0.1: …`: that is written as it is.
fn begins_with_a_name(model: &Model, message: &str) -> bool {
    model.sessions.values().any(|session| {
        let rest = message.strip_prefix(&session.name);
        rest.is_some_and(|rest| rest.starts_with([':', ' ', ',']))
    })
}

/// With a capital at its beginning, as a sentence of its own has.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
