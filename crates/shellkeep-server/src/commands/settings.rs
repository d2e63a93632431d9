//! Where options come from when the server starts: defaults that depend on the environment, the configuration, and
//! environment variables that override it.

use shellkeep_command::options::{self, Change, OptionError, View};
use shellkeep_core::ClientId;
use shellkeep_proto::RunRequest;

use crate::commands::queue::{Caller, Item, Queue, QueueId};
use crate::commands::{config, foreign, option_changes, run};
use crate::model::{Model, refusal};
use crate::modes::prompt_history;
use crate::server::Server;

/// The first client, for which the server was started.
const FIRST: ClientId = ClientId(0);

/// Sets the options that a server begins with.
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
    // Set before it runs, since it may end at once.
    server.commands.setup.queue = Some(run::next_queue(server));
    server.model.complaints.is_reading = true;
    run::start_queue(server, queue);
}

/// A queue has ended: if it was the configuration, the first client's request runs now.
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

/// The configuration was read: environment variables override it.
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
            // Variables with the prefix SHELLKEEP may belong to other programs, so an unknown one is logged, not an
            // error.
            Err(error @ OptionError::UnknownVariable { .. }) => {
                server.model.log_once(refusal(&error))
            }
            Err(error) => server.model.complaints.add(refusal(&error)),
        }
    }
    for complaint in server.model.complaints.errors().to_vec() {
        server.model.log_message(complaint);
    }
    option_changes::apply_options(server);
    prompt_history::read_prompt_history(&mut server.model);
    server.model.server_note_due();
}

/// Holds the first client's request until the configuration was read. Other clients' requests are not held: the
/// configuration may wait for them.
pub(crate) fn hold_for_config(server: &mut Server, client: ClientId, request: &RunRequest) -> bool {
    let is_held = server.commands.setup.queue.is_some() && client == FIRST;
    if is_held {
        server.commands.setup.request = Some(Box::new(request.clone()));
    }
    is_held
}

/// Whether an error in a file is about a name from tmux that shellkeep does not have. Then it is logged once, so that
/// configurations written for tmux work.
pub(crate) fn passes_over(model: &mut Model, place: &str, message: &str) -> bool {
    let is_foreign = foreign::is_foreign(message);
    if is_foreign {
        model.log_once(format!("{place}{message}"));
    }
    is_foreign
}

/// As in tmux: `$VISUAL` or `$EDITOR` is the editor, and a vi selects vi keys.
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
            tracing::info!(%error, option, "cannot set an option");
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
