//! Where options come from, from the start: defaults that follow the environment, the configuration, and variables that
//! win over it; and what follows when one changes.

use shellkeep_command::options::{self, Change, OptionError, View};
use shellkeep_core::ClientId;
use shellkeep_proto::RunRequest;

use crate::commands::queue::{Caller, Item, Queue, QueueId};
use crate::commands::{config, foreign, option_changes, run};
use crate::model::{Model, refusal};
use crate::modes::prompt_history;
use crate::server::Server;

/// Who is let in first: the client that the server was started for.
const FIRST: ClientId = ClientId(0);

/// Sets the options a server begins with.
pub(crate) fn configure(server: &mut Server, config: Option<(String, Result<String, String>)>) {
    follow_editor(&mut server.model);
    match config {
        Some((file, text)) => load_config(server, &file, text),
        None => configured(server),
    }
}

/// Begins to run the commands of the configuration.
fn load_config(server: &mut Server, file: &str, text: Result<String, String>) {
    let mut queue = Queue::new(Caller::config());
    server.model.complaints.files.push(file.to_owned());
    let items = match text {
        Ok(text) => config::read(&mut server.model, file, &text),
        Err(reason) => vec![Item {
            fault: Some(format!("{file}: {reason}")),
            ..Item::default()
        }],
    };
    queue.push_next(items, 0);
    // Known before it runs, since it may be over at once.
    server.commands.setup.queue = Some(run::next_queue(server));
    server.model.complaints.is_reading = true;
    run::start_queue(server, queue);
}

/// A queue is over: if it was the configuration, what waited for it goes on.
pub(crate) fn config_read(server: &mut Server, id: QueueId) {
    if server.commands.setup.queue != Some(id) {
        return;
    }
    server.commands.setup.queue = None;
    server.model.complaints.is_reading = false;
    configured(server);
    if let Some(request) = server.commands.setup.request.take() {
        run::run_request(server, FIRST, *request);
    }
}

/// The configuration is read: variables of the environment win over it.
fn configured(server: &mut Server) {
    let environ: Vec<(String, String)> = server
        .model
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
            set_globally(&mut server.model, assignment.option.name, &assignment.text)
        });
        match done {
            Ok(()) => {}
            // Many things begin with our name, and not all of them are meant for us.
            Err(error @ OptionError::UnknownVariable { .. }) => {
                server.model.say_once(refusal(&error))
            }
            Err(error) => server.model.complaints.add(refusal(&error)),
        }
    }
    for complaint in server.model.complaints.told().to_vec() {
        server.model.log_message(complaint);
    }
    option_changes::apply_options(server);
    prompt_history::read_prompt_history(&mut server.model);
    server.model.server_note_due();
}

/// Keeps the first client's request until the configuration is read. Others need not wait: they may be what the
/// configuration waits for.
pub(crate) fn hold_for_config(server: &mut Server, client: ClientId, request: &RunRequest) -> bool {
    let is_held = server.commands.setup.queue.is_some() && client == FIRST;
    if is_held {
        server.commands.setup.request = Some(Box::new(request.clone()));
    }
    is_held
}

/// Whether a fault in a file is one of tmux's things that we do not have: then it is said once, quietly, so that a
/// configuration written for tmux is read without a fuss.
pub(crate) fn passes_over(model: &mut Model, place: &str, message: &str) -> bool {
    let is_foreign = foreign::is_foreign(message);
    if is_foreign {
        model.say_once(format!("{place}{message}"));
    }
    is_foreign
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
