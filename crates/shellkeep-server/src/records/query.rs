//! Questions about commands: answered by a thread, from the catalogue and the panes' texts, while the command that asks waits.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use shellkeep_core::{PaneId, SessionId};
use shellkeep_store::catalogue::{Catalogue, CatalogueState, CommandRow};
use shellkeep_store::schema::CommandLines;
use shellkeep_store::{Store, StoreId};
use shellkeep_term::{Emulator, HistoryRows};

use crate::action::Action;
use crate::commands::answer;
use crate::commands::queue::{Queue, QueueId, Wait};
use crate::commands::reply::Reply;
use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::model::Model;
use crate::panes::screen::Screen;
use crate::persistence::keeping::Keeping;
use crate::records::answer::Answer;
use crate::search::Kept;

/// Clocks that are set and marks that are read late may put a line's time this many seconds out of its command's.
const CLOCK_TOLERANCE: u64 = 2;

/// Where a command's pane is, if it is one of this server's.
#[derive(Clone)]
pub(crate) struct LivePlace {
    pub(crate) session: SessionId,
    pub(crate) session_name: String,
    /// The index of its window.
    pub(crate) window: u32,
    pub(crate) pane: PaneId,
    pub(crate) screen: Arc<Screen>,
}

/// What an answer is made from.
pub(crate) struct Sources {
    pub(crate) store: Store,
    pub(crate) catalogue: Catalogue,
    /// The panes of this server by their names in the store.
    pub(crate) panes: BTreeMap<StoreId, LivePlace>,
}

/// Has a question answered on a thread; returns what the command that asks waits for.
///
/// # Errors
/// If nothing is stored by this server.
pub(crate) fn ask(
    model: &mut Model,
    keeping: Option<Keeping>,
    events: ThreadEvents,
    work: impl FnOnce(&mut Sources) -> Result<Answer, String> + Send + 'static,
) -> Result<Wait, String> {
    let keeping = keeping.ok_or("commands are not kept: this server has no state directory")?;
    let panes = live_places(model);
    let number = model.next_wait();
    let work = move || {
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let mut sources = Sources {
                catalogue: up_to_date(&keeping)?,
                store: keeping.store.clone(),
                panes,
            };
            work(&mut sources)
        }));
        let answer = answer.unwrap_or_else(|_| {
            tracing::error!(
                "a question about commands was dropped after a panic; this is a bug in shellkeep"
            );
            Err("the commands cannot be listed; shellkeep's log says why".to_owned())
        });
        let answer = answer.map(Box::new);
        events.send(Event::CommandsAnswered { number, answer });
    };
    // The runtime's clock, where it is a test's, waits for such a thread.
    tokio::task::spawn_blocking(work);
    Ok(Wait::Commands(number))
}

/// A question was answered.
pub(crate) fn answered(
    model: &mut Model,
    queues: &mut BTreeMap<QueueId, Queue>,
    number: u64,
    answer: Result<Box<Answer>, String>,
) {
    let wait = Some(Wait::Commands(number));
    let mut waiting = queues.iter_mut();
    // The client may be gone, and its queue with it.
    let Some((id, queue)) = waiting.find(|(_, queue)| queue.wait == wait) else {
        return;
    };
    let outcome = answer.map(|answer| {
        if !answer.is_found {
            queue.status = 1;
        }
        let caller = queue.caller_now();
        if let Some(complaint) = answer.complaint {
            answer::complain(model, &caller, complaint);
        }
        if answer.has_colors {
            answer::print(model, &caller, answer.text.into_bytes());
            return Reply::default();
        }
        Reply::text(answer.text)
    });
    model.act(Action::Resume(*id, outcome));
}

fn up_to_date(keeping: &Keeping) -> Result<Catalogue, String> {
    let failed = |error: shellkeep_store::catalogue::CatalogueError| error.to_string();
    let opened = Catalogue::open(keeping.store.root()).map_err(failed)?;
    let mut catalogue = opened.catalogue;
    if opened.state != CatalogueState::Sound {
        catalogue.rebuild(&mut |_, _| ()).map_err(failed)?;
    }
    keeping
        .recorder
        .catalogue_commands(&mut catalogue)
        .map_err(failed)?;
    Ok(catalogue)
}

fn live_places(model: &Model) -> BTreeMap<StoreId, LivePlace> {
    let mut places = BTreeMap::new();
    for session in model.sessions.values() {
        for (index, link) in &session.links {
            let panes = model.windows.get(&link.window);
            for id in panes.iter().flat_map(|window| window.panes()) {
                let Some(pane) = model.panes.get(id) else {
                    continue;
                };
                if let Some(home) = pane.screen.with_record(|record| record.home()) {
                    let place = LivePlace {
                        session: session.id,
                        session_name: session.name.clone(),
                        window: *index,
                        pane: *id,
                        screen: pane.screen.clone(),
                    };
                    places.entry(home.pane).or_insert(place);
                }
            }
        }
    }
    places
}

impl Sources {
    /// The output of a command.
    ///
    /// # Errors
    /// One sentence, if it is not known or not there any more.
    pub(crate) fn output(&self, row: &CommandRow) -> Result<Output, String> {
        let lines = match (&row.lines, row.ended) {
            (Some(lines), _) => lines,
            (None, None) => {
                return Err(format!("command {} has not ended: {}", row.id, row.line));
            }
            (None, Some(_)) => {
                return Err(format!("where the output of {} is was not marked", row.id));
            }
        };
        let emulator = self.text(row)?;
        Output::of(&emulator, lines, row)
    }

    /// The text of a command's pane.
    fn text(&self, row: &CommandRow) -> Result<Emulator, String> {
        match self.panes.get(&row.pane) {
            Some(place) => match place.screen.at_rest() {
                Some(kept) => kept.emulator(),
                None => Ok(place.screen.lock().copied()),
            },
            None => Kept::plain(self.store.pane(row.session, row.pane)).emulator(),
        }
    }
}

/// What a command has printed.
pub(crate) struct Output {
    /// Its rows, wrapped at so many columns.
    pub(crate) rows: HistoryRows,
    pub(crate) cols: u16,
    /// How many cells of the last line are output; all if it is not said.
    pub(crate) last_cells: Option<usize>,
    /// How many lines at its beginning the pane does not have any more.
    pub(crate) missing: u64,
}

impl Output {
    fn of(emulator: &Emulator, lines: &CommandLines, row: &CommandRow) -> Result<Self, String> {
        let known = emulator.line_numbers();
        let gone = || format!("the output of {} is gone: the pane was cleared", row.id);
        let first = lines.first.max(known.start);
        if first >= lines.end && lines.first < lines.end {
            return Err(gone());
        }
        let cols = emulator.size().cols();
        let rows = emulator.lines(first..lines.end, cols);
        // Where a program has cleared the screen, other output has the same numbers.
        let end = row.ended.unwrap_or(u64::MAX) / 1000;
        let span = (row.started / 1000).saturating_sub(CLOCK_TOLERANCE)
            ..=end.saturating_add(CLOCK_TOLERANCE);
        let is_of_it = |time: u32| span.contains(&u64::from(time));
        if rows
            .iter()
            .any(|row| row.time().is_some_and(|time| !is_of_it(time)))
        {
            return Err(gone());
        }
        if let Some(missing) = rows.missing() {
            return Err(missing.to_string());
        }
        Ok(Self {
            rows,
            cols,
            last_cells: lines.last_cells,
            missing: first - lines.first,
        })
    }
}
