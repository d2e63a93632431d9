//! Search requests: which panes are searched, and how the results reach the caller.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shellkeep_copy::Spot;
use shellkeep_core::{ClientId, PaneId};
use shellkeep_store::schema::{SessionFile, StoredWindow};
use shellkeep_store::{KeptSession, Store};
use tokio::sync::mpsc::Sender;

use crate::action::Action;
use crate::commands::form::Form;
use crate::commands::queue::{Caller, Item, Queue, QueueId, Wait};
use crate::commands::reply::{Outcome, Reply};
use crate::commands::terminal_check::check_terminal;
use crate::commands::{answer, targets};
use crate::event::Event;
use crate::formats;
use crate::formats::current_path;
use crate::hibernation::asleep;
use crate::inbox::ThreadEvents;
use crate::model::{Model, Pane, Session};
use crate::modes::copy_options::copy_options;
use crate::modes::{copy, stack};
use crate::persistence::keeping::Keeping;
use crate::process::call;
use crate::search;
use crate::search::cancel_on_drop::CancelOnDrop;
use crate::search::done::SearchDone;
use crate::search::{Kept, Life, PanePlace, Query, SearchResults, SearchedPane, Text};

pub(crate) use crate::search::done::Printing;

/// How many lines are formatted before other events get a turn.
const LINES_PER_TURN: usize = 200;

/// Which panes are searched. A pane must meet all conditions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Panes of this server; all, if none are named.
    pub(crate) panes: Option<BTreeSet<PaneId>>,
    /// Archived sessions of this name or id, and the error if there is none; all, if none is named.
    pub(crate) archived: Option<(String, String)>,
    pub(crate) life: Option<Life>,
    pub(crate) tag: Option<String>,
    /// Panes in or below this directory.
    pub(crate) directory: Option<PathBuf>,
}

impl Wanted {
    fn has_tag(&self, mut tags: impl Iterator<Item = impl AsRef<str>>) -> bool {
        let wanted = self.tag.as_deref();
        wanted.is_none_or(|wanted| tags.any(|tag| tag.as_ref() == wanted))
    }

    fn is_in(&self, directory: &Path) -> bool {
        let wanted = self.directory.as_ref();
        wanted.is_none_or(|wanted| directory.starts_with(wanted))
    }

    fn wants(&self, life: Life) -> bool {
        self.life.is_none_or(|wanted| wanted == life)
    }

    /// Whether archived sessions are to be searched.
    fn wants_archive(&self) -> bool {
        self.wants(Life::Archived) && (self.panes.is_none() || self.archived.is_some())
    }
}

/// Makes the output from the results: a text, or a format for each line.
pub(crate) type Ending = Box<dyn FnOnce(&SearchResults) -> Printing + Send>;

/// Starts a search in the background. Dropping the returned value cancels it.
pub(crate) fn start_search(
    model: &Model,
    keeping: Option<Keeping>,
    events: ThreadEvents,
    number: u64,
    (wanted, query, ending): (Wanted, Query, Ending),
) -> CancelOnDrop {
    let cancel_on_drop = CancelOnDrop::default();
    let cancel = cancel_on_drop.flag();
    let keeping = keeping.filter(|_| wanted.wants_archive());
    let grounds = grounds(model, &wanted);
    let work = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let grounds = with_archive(grounds, keeping.as_ref(), &wanted)?;
            let found = search::run(&grounds, &query, &cancel);
            let printing = ending(&found);
            Ok((found, printing))
        }));
        let mut outcome = outcome.unwrap_or_else(|_| {
            tracing::error!("a search was dropped after a panic; this is a bug in shellkeep");
            Err("the search has failed; shellkeep's log says why".to_owned())
        });
        let unindexed = match &mut outcome {
            Ok((found, _)) => std::mem::take(&mut found.unindexed),
            Err(_) => Vec::new(),
        };
        let done = SearchDone {
            number,
            outcome,
            printed: 0,
        };
        events.send(Event::SearchDone(Box::new(done)));
        make_indexes(unindexed);
        // The screens that were read have been freed.
        shellkeep_keeper::process::give_back_memory();
    };
    // A blocking task of the runtime, because a test's stopped clock waits for it.
    tokio::task::spawn_blocking(work);
    cancel_on_drop
}

/// A search is done, or its next lines are to be printed.
pub(crate) fn search_done(
    model: &mut Model,
    queues: &mut BTreeMap<QueueId, Queue>,
    events: &Sender<Event>,
    mut done: SearchDone,
) {
    let wait = Some(Wait::Search(done.number));
    let mut waiting = queues.iter().filter(|(_, queue)| queue.wait == wait);
    // The client may be gone, and its queue with it.
    let Some((id, queue)) = waiting.next() else {
        return;
    };
    let (id, caller) = (*id, queue.caller_now());
    let (found, printing) = match &done.outcome {
        Ok((found, printing)) => (found, printing),
        Err(error) => {
            let outcome = Err(error.clone());
            return end_search(model, queues, id, outcome);
        }
    };
    if found.panes.is_empty()
        && let Some(queue) = queues.get_mut(&id)
    {
        queue.status = 1;
    }
    match printing {
        Printing::Text(text) => {
            if !text.is_empty() {
                answer::print(model, &caller, text.clone().into_bytes());
            }
        }
        Printing::Format { format, form } => {
            let lines = found.panes.iter().map(|pane| pane.hits.len().max(1));
            let lines: usize = lines.sum();
            let items = in_format(model, &caller, found, (format, *form), done.printed);
            let is_first = done.printed == 0;
            done.printed += LINES_PER_TURN;
            let is_last = done.printed >= lines;
            let text = match form {
                Form::Lines => items.join("\n") + "\n",
                Form::Json => {
                    let (begin, end) = (
                        if is_first { "[\n" } else { ",\n" },
                        if is_last { "\n]\n" } else { "" },
                    );
                    format!("{begin}{}{end}", items.join(",\n"))
                }
            };
            answer::print(model, &caller, text.into_bytes());
            if !is_last {
                let events = events.clone();
                tokio::spawn(async move {
                    let _ = events.send(Event::SearchDone(Box::new(done))).await;
                });
                return;
            }
        }
        Printing::Go(number) => {
            let outcome = go_to_hit(model, &caller, found, *number);
            return end_search(model, queues, id, outcome);
        }
    }
    report_omissions(model, &caller, found);
    end_search(model, queues, id, Ok(Reply::default()));
}

fn end_search(
    model: &mut Model,
    queues: &mut BTreeMap<QueueId, Queue>,
    id: QueueId,
    outcome: Outcome,
) {
    if let Some(queue) = queues.get_mut(&id) {
        queue.cancel_on_drop = None;
    }
    model.act(Action::Resume(id, outcome));
}

/// Reports what was left out.
fn report_omissions(model: &mut Model, caller: &Caller, found: &SearchResults) {
    if let Some(first) = found.unread.first() {
        let others = match found.unread.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        answer::complain(model, caller, format!("could not be read: {first}{others}"));
    }
    if found.is_cut {
        let lines = found.panes.iter().map(|pane| pane.count).sum::<usize>();
        answer::complain(
            model,
            caller,
            format!("these are the newest {lines} lines; there may be more (-n 0 shows all)"),
        );
    }
}

/// The next lines in the user's format.
fn in_format(
    model: &Model,
    caller: &Caller,
    found: &SearchResults,
    (format, form): (&str, Form),
    skip: usize,
) -> Vec<String> {
    let panes = found.panes.iter().flat_map(|pane| {
        let hits = pane.hits.iter().map(Some);
        // If only panes are wanted, each has one line.
        let alone = pane.hits.is_empty().then_some(None);
        hits.chain(alone).map(move |hit| (pane, hit))
    });
    let mut expander = shellkeep_command::format::Expander::new();
    let mut out = Vec::new();
    for (pane, hit) in panes.skip(skip).take(LINES_PER_TURN) {
        let mut scope = formats::scope(model).client(caller.client);
        if let Some(place) = pane.place.pane.and_then(|pane| model.place_of(pane)) {
            scope = scope.found(place);
        }
        for (name, value) in search::variables(pane, hit) {
            scope = scope.with(name, value);
        }
        let text = expander.expand(format, &scope);
        out.push(match form {
            Form::Lines => text,
            Form::Json => search::json_with(pane, hit, text).to_string(),
        });
    }
    out
}

/// The command that shows a result to a caller.
///
/// # Errors
/// If it could not be shown: then no pane must be left in copy mode.
fn way_to_hit(model: &Model, caller: &Caller) -> Result<&'static str, String> {
    let client = caller.client.and_then(|id| model.clients.get(&id));
    let is_inside = client.is_some_and(|client| client.session.is_some())
        || targets::caller_pane(model, caller).is_some();
    if is_inside {
        targets::client(model, caller, None)?;
        Ok("switch-client")
    } else {
        check_terminal(model, caller)?;
        Ok("attach-session")
    }
}

/// Shows a matching line in copy mode.
fn go_to_hit(model: &mut Model, caller: &Caller, found: &SearchResults, number: usize) -> Outcome {
    let hits = found.panes.iter().rev().flat_map(|pane| {
        let hits = pane.hits.iter().rev().filter(|hit| !hit.is_context);
        hits.map(move |hit| (pane, hit))
    });
    let hits: Vec<_> = hits.collect();
    let Some((pane, hit)) = hits.get(number.saturating_sub(1)) else {
        let lines = hits.len();
        return Err(format!("there is no line {number}: {lines} found"));
    };
    let place = &pane.place;
    let Some(id) = place.pane else {
        let archived = place.archived.map(|id| id.to_string()).unwrap_or_default();
        let name = &place.session;
        let call = call::call_for(model, caller);
        return Err(format!(
            "session {name} is archived; to have it back, type: {call} reopen {archived}"
        ));
    };
    let command = way_to_hit(model, caller)?;
    copy::enter_copy_mode(model, id, None, shellkeep_copy::EnterOptions::default());
    copy_to(model, id, hit.line, hit.column);
    Ok(Reply {
        next: vec![Item::of(
            [command, "-t", &id.to_string()].map(Into::into).to_vec(),
        )],
        ..Reply::default()
    })
}

/// A client is gone: cancels its searches and captures.
pub(crate) fn drop_searches_of(queues: &mut BTreeMap<QueueId, Queue>, client: ClientId) {
    queues.retain(|_, queue| {
        let is_its = queue.caller.client == Some(client);
        !(is_its && queue.cancel_on_drop.is_some())
    });
}

/// The wanted panes of this server, the one used last first.
fn grounds(model: &Model, wanted: &Wanted) -> Vec<SearchedPane> {
    let mut sessions: Vec<&Session> = model.sessions.values().collect();
    sessions.sort_by_key(|session| session.recency());
    let mut seen = BTreeSet::new();
    let mut grounds = Vec::new();
    for session in sessions.into_iter().rev() {
        if !wanted.has_tag(session.standing.tags.iter()) {
            continue;
        }
        let life = match asleep::is_session_asleep(model, session.id) {
            true => Life::Hibernated,
            false => Life::Active,
        };
        for (index, link) in session.links.iter().rev() {
            let Some(window) = model.windows.get(&link.window) else {
                continue;
            };
            let base = model.window_options(window.id).number("pane-base-index");
            let base = usize::try_from(base).unwrap_or(0);
            for (at, pane) in window.panes().iter().enumerate().rev() {
                let is_named = wanted
                    .panes
                    .as_ref()
                    .is_none_or(|named| named.contains(pane));
                let Some(pane) = model.panes.get(pane).filter(|_| is_named) else {
                    continue;
                };
                // A session is active if any of its panes is, but what is wanted is the state of this pane.
                let own = if pane.is_asleep() {
                    Life::Hibernated
                } else {
                    life
                };
                let place = place_of(session, (*index, &window.name), (at + base, pane), own);
                let is_wanted = wanted.wants(own) && wanted.is_in(&place.directory);
                if is_wanted && seen.insert(pane.id) {
                    grounds.push(SearchedPane {
                        place: Arc::new(place),
                        text: Text::Screen(pane.screen.clone()),
                    });
                }
            }
        }
    }
    grounds
}

/// Moves the cursor of a pane's copy mode to a line, counted from the pane's first line.
pub(crate) fn copy_to(model: &mut Model, id: PaneId, line: u64, column: usize) {
    let options = copy_options(model, id);
    let Some(copy) = stack::copy_mut(model, id) else {
        return;
    };
    let Some(reading) = copy.reading.as_mut() else {
        return;
    };
    let emulator = copy.screen.lock();
    let spot = Spot {
        line,
        offset: column,
    };
    let at = reading.frozen.place(&emulator, spot);
    let text = reading.frozen.text(&emulator);
    reading.place.resize(at, &text, &options);
    drop(emulator);
    copy.search_frame = None;
    if let Some(pane) = model.panes.get(&id) {
        model.redraw_window(pane.window);
    }
}

/// Writes missing indexes, for the next search. On a thread of its own, since nothing waits for it and it must not use
/// up the runtime's threads.
fn make_indexes(panes: Vec<Kept>) {
    if panes.is_empty() {
        return;
    }
    let thread = std::thread::Builder::new().name("index".to_owned());
    let begun = thread.spawn(move || {
        panes.iter().for_each(search::refresh_index);
        shellkeep_keeper::process::give_back_memory();
    });
    if let Err(error) = begun {
        tracing::debug!(%error, "cannot start a thread for search indexes");
    }
}

fn place_of(
    session: &Session,
    (window, window_name): (u32, &str),
    (number, pane): (usize, &Pane),
    life: Life,
) -> PanePlace {
    PanePlace {
        session: session.name.clone(),
        window,
        window_name: window_name.to_owned(),
        number,
        pane: Some(pane.id),
        life,
        archived: None,
        directory: current_path(pane).into(),
        used: session.activity,
    }
}

/// Adds the wanted archived panes, and sorts all of them. Must not run on the event loop.
fn with_archive(
    mut grounds: Vec<SearchedPane>,
    keeping: Option<&Keeping>,
    wanted: &Wanted,
) -> Result<Vec<SearchedPane>, String> {
    let Some(keeping) = keeping else {
        return match &wanted.archived {
            Some((_, error)) => Err(error.clone()),
            None => Ok(grounds),
        };
    };
    // Earlier requests must be visible in the archive.
    keeping.recorder.settle();
    let mut sessions = keeping.store.archived().sessions;
    if let Some((name, error)) = &wanted.archived {
        sessions.retain(|kept| {
            let has_name = |file: SessionFile| file.session.name == *name;
            kept.id.to_string() == *name || kept.file().is_some_and(has_name)
        });
        if sessions.is_empty() {
            return Err(error.clone());
        }
    }
    for kept in &sessions {
        add_archived(&keeping.store, kept, wanted, &mut grounds);
    }
    // The sort is stable, and the panes of each session are in order.
    grounds.sort_by_key(|ground| std::cmp::Reverse(ground.place.used));
    Ok(grounds)
}

fn add_archived(
    store: &Store,
    kept: &KeptSession,
    wanted: &Wanted,
    grounds: &mut Vec<SearchedPane>,
) {
    let Some(SessionFile {
        session,
        mut windows,
        ..
    }) = kept.file()
    else {
        return;
    };
    if !wanted.has_tag(session.standing.tags.iter().map(String::as_str)) {
        return;
    }
    let index_of = |window: &StoredWindow| {
        let link = session.links.iter().find(|link| link.1 == window.id);
        link.map_or(0, |link| link.0)
    };
    windows.sort_by_key(index_of);
    for window in windows.iter().rev() {
        for (number, pane) in window.panes.iter().enumerate().rev() {
            let Some(home) = pane.home else { continue };
            let directory = pane.facts.directory.clone().unwrap_or_default();
            let place = PanePlace {
                session: session.name.clone(),
                window: index_of(window),
                window_name: window.name.clone(),
                number,
                pane: None,
                life: Life::Archived,
                archived: Some(kept.id),
                directory: directory.into(),
                used: session.activity,
            };
            if wanted.is_in(&place.directory) {
                grounds.push(SearchedPane {
                    place: Arc::new(place),
                    text: Text::Kept(Kept::plain(store.pane(kept.id, home.pane))),
                });
            }
        }
    }
}
