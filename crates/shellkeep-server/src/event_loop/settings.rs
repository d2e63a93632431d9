//! Where options come from, from the start: defaults that follow the environment, the configuration, and variables that
//! win over it; and what follows when one changes.

use std::time::Duration;

use shellkeep_command::options::{self, Change, OptionError, View};
use shellkeep_core::{ClientId, WindowId};
use shellkeep_proto::RunRequest;

use super::{Server, alerts, panes};
use crate::config;
use crate::foreign;
use crate::queue::{Caller, Item, Queue, QueueId};
use crate::state::{Model, refusal};

/// The configuration on its way in.
#[derive(Default)]
pub(super) struct Setup {
    /// Its commands, while they run: they may wait for shell commands.
    queue: Option<QueueId>,
    /// What the client wants that waits for them.
    request: Option<Box<RunRequest>>,
}

/// Faults of a configuration that are told.
const MAX_COMPLAINTS: usize = 1000;

/// Things that were passed over and are remembered.
const MAX_SAID_ONCE: usize = 1000;

/// Who is let in first: the client that the server was started for.
const FIRST: ClientId = ClientId(0);

impl Server {
    /// Sets the options a server begins with.
    pub(crate) fn configure(&mut self, config: Option<(String, Result<String, String>)>) {
        follow_editor(&mut self.state);
        match config {
            Some((file, text)) => self.load_config(&file, text),
            None => self.configured(),
        }
        self.settle();
    }

    /// Begins to run the commands of the configuration.
    fn load_config(&mut self, file: &str, text: Result<String, String>) {
        let mut queue = Queue::new(Caller::config());
        self.commands.config_files.push(file.to_owned());
        let items = match text {
            Ok(text) => config::read(self, file, &text),
            Err(reason) => vec![Item {
                fault: Some(format!("{file}: {reason}")),
                ..Item::default()
            }],
        };
        queue.push_next(items, 0);
        // Known before it runs, since it may be over at once.
        self.commands.setup.queue = Some(self.next_queue());
        self.start_queue(queue);
    }

    /// A queue is over: if it was the configuration, what waited for it goes on.
    pub(super) fn config_read(&mut self, id: QueueId) {
        if self.commands.setup.queue != Some(id) {
            return;
        }
        self.commands.setup.queue = None;
        self.configured();
        if let Some(request) = self.commands.setup.request.take() {
            self.run_request(FIRST, *request);
        }
    }

    /// The configuration is read: variables of the environment win over it.
    fn configured(&mut self) {
        let environ: Vec<(String, String)> = self
            .state
            .environ
            .pairs()
            .filter_map(|(name, value)| {
                let name = std::str::from_utf8(name).ok()?;
                Some((
                    name.to_owned(),
                    String::from_utf8_lossy(value?).into_owned(),
                ))
            })
            .collect();
        let pairs = environ
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for assignment in options::assignments(pairs) {
            let done = assignment.and_then(|assignment| {
                set_globally(&mut self.state, assignment.option.name, &assignment.text)
            });
            match done {
                Ok(()) => {}
                // Many things begin with our name, and not all of them are meant for us.
                Err(error @ OptionError::UnknownVariable { .. }) => self.say_once(refusal(&error)),
                Err(error) => self.add_complaint(refusal(&error)),
            }
        }
        for complaint in self.commands.complaints.clone() {
            self.log_message(complaint);
        }
        self.apply_options();
        self.read_prompt_history();
        self.state.server_note_due();
    }

    /// Notes what is wrong with the configuration, for the first client that asks for something.
    pub(super) fn add_complaint(&mut self, complaint: String) {
        match self.commands.complaints.len() {
            ..MAX_COMPLAINTS => self.commands.complaints.push(complaint),
            MAX_COMPLAINTS => self
                .commands
                .complaints
                .push("more is wrong than is told here".to_owned()),
            _ => {}
        }
    }

    /// What was wrong with the configuration, once it is read to its end.
    pub(super) fn take_complaints(&mut self) -> Vec<String> {
        match self.commands.setup.queue {
            Some(_) => Vec::new(),
            None => std::mem::take(&mut self.commands.complaints),
        }
    }

    /// Keeps the first client's request until the configuration is read. Others need not wait: they may be what the
    /// configuration waits for.
    pub(super) fn hold_for_config(&mut self, client: ClientId, request: &RunRequest) -> bool {
        let is_held = self.commands.setup.queue.is_some() && client == FIRST;
        if is_held {
            self.commands.setup.request = Some(Box::new(request.clone()));
        }
        is_held
    }

    /// Whether a fault in a file is one of tmux's things that we do not have: then it is said once, quietly, so that a
    /// configuration written for tmux is read without a fuss.
    pub(super) fn passes_over(&mut self, place: &str, message: &str) -> bool {
        let is_foreign = foreign::is_foreign(message);
        if is_foreign {
            self.say_once(format!("{place}{message}"));
        }
        is_foreign
    }

    /// Notes something for `show-messages`, unless it was noted before.
    fn say_once(&mut self, message: String) {
        if self.commands.said_once.len() < MAX_SAID_ONCE
            && !self.commands.said_once.contains(&message)
        {
            self.log_message(message.clone());
            self.commands.said_once.insert(message);
        }
    }

    /// Passes options on to where they are needed.
    pub(crate) fn apply_options(&mut self) {
        let milliseconds = self.state.options.server().number("escape-time");
        let time = Duration::from_millis(milliseconds.unsigned_abs());
        self.clients.escape_time.send_replace(time);
        // What is around the panes may look otherwise, and take more rows or fewer.
        self.state.sizes_due();
        self.state.redraw_all();
        alerts::follow_silence_options(&mut self.state);
        if let Some(keeping) = &self.persistence.keeping {
            let mebibytes = self.state.options.server().number("record-limit");
            let limit = u64::try_from(mebibytes)
                .unwrap_or(0)
                .saturating_mul(1 << 20);
            keeping.recorder.set_record_limit(limit);
        }
    }

    /// An option has another value, somewhere.
    pub(crate) fn option_changed(&mut self, name: &str) {
        self.apply_options();
        match name {
            "pane-border-status" | "pane-border-lines" => {
                let windows: Vec<WindowId> = self.state.windows.keys().copied().collect();
                for window in windows {
                    panes::layout_changed(&mut self.state, window);
                }
            }
            "lock-after-time" => self.lock_time_changed(),
            "key-table" => {
                for client in self.state.clients.values_mut() {
                    client.key_table.clear();
                }
            }
            "hibernate" | "hibernate-after" | "max-active" | "max-total" | "archive-after"
            | "spare-unread" => self.sleepers_due(),
            "archive-keep" => self.expiry_changed(),
            "resume-rules" => self.resume_rules_changed(),
            _ => {}
        }
    }
}

/// As in tmux: `$VISUAL` or `$EDITOR` edits, and if it is a vi the keys are vi's.
fn follow_editor(model: &mut Model) {
    let environ = &model.environ;
    let editor = environ.get("VISUAL").or_else(|| environ.get("EDITOR"));
    let Some(editor) = editor.map(|text| String::from_utf8_lossy(text).into_owned()) else {
        return;
    };
    let name = editor.rsplit('/').next().unwrap_or(&editor);
    let keys = if name.contains("vi") { "vi" } else { "emacs" };
    for (option, text) in [
        ("editor", &editor[..]),
        ("status-keys", keys),
        ("mode-keys", keys),
    ] {
        if let Err(error) = set_globally(model, option, text) {
            tracing::info!(%error, option, "not set");
        }
    }
}

fn set_globally(model: &mut Model, option: &str, text: &str) -> Result<(), OptionError> {
    let name = options::find(option)?;
    let Some(spec) = name.spec() else {
        return Ok(());
    };
    let set = model.options.of_mut(spec.scope);
    set.change(&name, Change::Set(Some(text)), View::default())
}
