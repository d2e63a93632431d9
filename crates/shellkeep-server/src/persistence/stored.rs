//! Sessions read from the store: as sleeping sessions at the start of a server, and when they are reopened; and trouble
//! with the store.

use std::collections::{BTreeSet, HashSet};

use shellkeep_core::{PaneId, SessionId};
use shellkeep_store::{Complaint, Orphan, StoreId};
use shellkeep_term::Config;

use crate::commands::queue::Caller;
use crate::hibernation::resume;
use crate::model::command_tracker::CommandTracker;
use crate::model::{
    Asleep, Backlog, Cause, Dead, Model, Pane, PaneLife, Seconds, ShellReport, Sleep,
};
use crate::panes::screen::Screen;
use crate::panes::sessions;
use crate::panes::shell_dir::shell_dir;
use crate::persistence::keeping::Keeping;
use crate::persistence::moved_panes::Noted;
use crate::persistence::notes::{Displaced, Memory, Numbers, SessionBody};
use crate::persistence::record::{Facts, Home, Record};
use crate::persistence::state::Persistence;
use crate::persistence::{keep_changes, keeper_notes, kept_buffers, moved_panes, notes, record};
use crate::process::call;

/// Adds the sessions of the store that are not in the model. Nothing runs in them until they are used. Those that were
/// being closed when the last server ended are archived. There may be thousands, and a client waits.
pub(crate) fn take_up_stored(
    model: &mut Model,
    persistence: &mut Persistence,
    closed: &BTreeSet<StoreId>,
) {
    let Some(keeping) = persistence.keeping.clone() else {
        return;
    };
    let known = model.sessions.values();
    let known: BTreeSet<StoreId> = known.filter_map(|s| s.standing.kept).collect();
    let names = model.sessions.values();
    let mut names: HashSet<String> = names.map(|session| session.name.clone()).collect();
    let now = model.now();
    let mut count = 0;
    // Most sessions have the same environment; share it.
    let mut environ = None;
    let mut adopted = moved_panes::Adopted::new();
    let found = keeping.store.take_up(SessionBody::read, |session| {
        if let Some(size) = session.size {
            keeping.recorder.sizes().set(session.id, size);
        }
        if known.contains(&session.id) {
            return;
        }
        if session.is_closed || closed.contains(&session.id) {
            model.changes.stored.closed_sessions.push(session.id);
        } else if let Some(body) = read_stored(session.id, session.body) {
            // Copy the body: the few strings that stay would otherwise keep all the memory of the thread that has read
            // them.
            let mut body = body.clone();
            if moved_panes::finish_closing(model, session.id, &mut body, &keeping) {
                return;
            }
            moved_panes::find_panes(
                model,
                &mut body,
                session.id,
                Noted::IsTrue,
                &keeping,
                &adopted,
            );
            let (mut memory, numbers) = notes::stored_session(body, model, Cause::Lost, now);
            adopted.extend(memory.panes.values().filter_map(|place| {
                let home = place.home.filter(|home| home.session != session.id);
                home.map(|home| (home, place.window))
            }));
            for session in &mut memory.sessions {
                let first = environ.get_or_insert_with(|| session.environ.clone());
                session.environ.share(first);
            }
            let name = |name: &str| !names.contains(name);
            if let Some(id) = add_asleep(model, memory, session.id, &keeping, name) {
                count += 1;
                names.extend(model.sessions.get(&id).map(|session| session.name.clone()));
                persistence.unnoted.insert(id);
                if numbers == Numbers::Others {
                    model.session_note_due(id);
                }
            }
        }
    });
    for complaint in &found.complaints {
        tracing::error!(%complaint, "a session in the store cannot be read");
    }
    complain_of_unread(model, &found.complaints);
    for id in found.uncatalogued {
        keeping.recorder.changed(id);
    }
    if count > 0 {
        tracing::info!(count, "sessions read from the store");
        model.server_note_due();
        model.pack();
        // The memory of what was read has been freed, but the allocator keeps its pages. Return them on a thread, since
        // a client waits.
        let thread = std::thread::Builder::new().name("memory".to_owned());
        let _ = thread.spawn(shellkeep_keeper::process::give_back_memory);
    }
    for orphan in found.orphans {
        take_up_orphan(model, persistence, &orphan, now);
    }
}

/// Leaves a message for the first client about sessions that cannot be read, because the system refuses access or a
/// later version wrote them. They are not lost.
fn complain_of_unread(model: &mut Model, complaints: &[Complaint]) {
    let of_sessions = complaints.iter().filter(|it| it.session.is_some());
    let Some(unread) = crate::persistence::archive::unread(of_sessions) else {
        return;
    };
    model.complaints.add(format!(
        "a kept session is missing here: {unread} ({} doctor explains)",
        call::call_for(model, &Caller::background())
    ));
}

/// Leaves a message for the first client about panes that got windows of their own.
pub(crate) fn complain_of_displaced(model: &mut Model, displaced: &[Displaced]) {
    for each in displaced {
        tracing::error!("{each}");
        model.complaints.add(each.to_string());
    }
}

/// Adds panes of a session whose description is lost, each in a window of its own.
fn take_up_orphan(model: &mut Model, persistence: &mut Persistence, orphan: &Orphan, now: Seconds) {
    let is_known = |pane: &StoreId| {
        let homes = model.panes.values();
        let mut homes = homes.filter_map(|pane| pane.screen.with_record(|r| r.home().pane));
        homes.any(|home| home == *pane)
    };
    if orphan.panes.is_empty() || orphan.panes.iter().any(is_known) {
        return;
    }
    tracing::error!(session = %orphan.id, "the session's description is lost; its panes are there");
    let body = notes::orphan_body(orphan, now);
    take_up(
        model,
        persistence,
        orphan.id,
        &body.to_string(),
        Cause::Lost,
        now,
    );
}

/// Adds one session of the store, with notices. Returns its id.
pub(crate) fn take_up(
    model: &mut Model,
    persistence: &mut Persistence,
    kept: StoreId,
    body: &str,
    cause: Cause,
    now: Seconds,
) -> Option<SessionId> {
    let keeping = persistence.keeping.clone()?;
    let mut body = read_stored(kept, SessionBody::read(body))?;
    let adopted = moved_panes::Adopted::new();
    moved_panes::find_panes(model, &mut body, kept, Noted::MayBeOld, &keeping, &adopted);
    let (memory, _) = notes::stored_session(body, model, cause, now);
    let names = model.sessions.values();
    let names: HashSet<String> = names.map(|session| session.name.clone()).collect();
    let id = add_asleep(model, memory, kept, &keeping, |name| !names.contains(name))?;
    // Whatever it was before, it is open now.
    keeper_notes::forget_note(model, notes::closed_key(kept));
    sessions::session_opened(model, id);
    let session = model.sessions.get(&id);
    let links = session
        .into_iter()
        .flat_map(|session| session.links.values());
    for window in links.map(|link| link.window).collect::<Vec<_>>() {
        model.window_note_due(window);
    }
    // At once: if server and keeper died now, a session described as a closed pane would go back into the archive.
    if let Some(session) = model.sessions.get(&id) {
        let body = notes::session_body(session, model);
        if let Err(error) = keeping.store.put_session(kept, &body) {
            tracing::warn!(session = %kept, %error, "cannot write the reopened session's description yet");
        }
    }
    Some(id)
}

/// Adds a session of the store to the model, asleep, under a free name. Returns its id.
fn add_asleep(
    model: &mut Model,
    memory: Memory,
    kept: StoreId,
    keeping: &Keeping,
    is_free: impl Fn(&str) -> bool,
) -> Option<SessionId> {
    complain_of_displaced(model, &memory.displaced);
    let mut session = memory.sessions.into_iter().next()?;
    session.standing.kept = Some(kept);
    if !is_free(&session.name) {
        let mut others = (2..).map(|number| format!("{}-{number}", session.name));
        session.name = others.find(|name| is_free(name))?;
    }
    let id = session.id;
    model.next.session = model.next.session.max(id.0 + 1);
    model.sessions.insert(id, session);
    let config = keep_changes::kept_config_in(model, Some(id));
    for window in memory.windows {
        model.next.window = model.next.window.max(window.id.0 + 1);
        model.windows.insert(window.id, window);
    }
    for (id, place) in memory.panes {
        model.next.pane = model.next.pane.max(id.0 + 1);
        let home = place.home.unwrap_or_else(|| Home {
            session: kept,
            pane: StoreId::new(record::now()),
        });
        let pane = sleeping_pane(model, id, place, home, keeping, config.clone());
        model.panes.insert(id, pane);
    }
    Some(id)
}

/// A pane that is on disk alone.
pub(crate) fn sleeping_pane(
    model: &mut Model,
    id: PaneId,
    mut place: notes::NotedPane,
    home: Home,
    keeping: &Keeping,
    config: Config,
) -> Pane {
    let record = Record::found(&keeping.store, &keeping.recorder, home, place.size, config);
    let screen = Screen::asleep(id, record);
    let mut pane = Pane::new(id, place.window, place.size, screen);
    pane.life = match (place.sleep.take(), place.died) {
        (Some(sleep), _) => PaneLife::Asleep(Asleep::new(sleep)),
        (None, Some(since)) => PaneLife::Dead(Dead {
            since,
            exit: place.exit,
            program: None,
        }),
        (None, None) => PaneLife::Asleep(Asleep::new(Sleep::lost(model.now()))),
    };
    pane.has_title = place.title.is_some();
    restore_facts(model, &mut pane, place);
    pane.keeps_input(Backlog::new(id, model.outside.keeper.clone(), None));
    pane
}

/// This server has no store: leaves a message for the first client, and shows it in the status line.
pub(crate) fn nothing_is_kept(model: &mut Model, persistence: &mut Persistence, why: String) {
    let call = call::call_for(model, &Caller::background());
    let complaint = format!("sessions are not kept: {why} ({call} doctor explains)");
    model.complaints.add(complaint);
    persistence.trouble = Some(why);
}

/// The store could be opened after all: adds its sessions, and writes everything there is.
pub(crate) fn store_is_ready(model: &mut Model, persistence: &mut Persistence) {
    take_up_stored(model, persistence, &BTreeSet::new());
    resume::note_rivals(model);
    kept_buffers::take_up_buffers(model, persistence);
    write_everything(model);
    model.redraw_all();
}

/// The recorder reports that it cannot write, or can again.
pub(crate) fn keeping_trouble(
    model: &mut Model,
    persistence: &mut Persistence,
    trouble: Option<String>,
) {
    if persistence.trouble != trouble {
        match &trouble {
            Some(trouble) => tracing::error!(trouble, "sessions cannot be written"),
            None => tracing::info!("sessions can be written again"),
        }
        persistence.trouble = trouble;
        model.redraw_all();
    }
}

/// Notes whether output of a pane is missing on disk, for a server that takes over from this one.
pub(crate) fn note_gap(model: &mut Model, pane: PaneId) {
    if let Some(pane) = model.panes.get(&pane) {
        model.window_note_due(pane.window);
    }
}

/// Restores what a pane was besides its screen.
pub(crate) fn restore_facts(model: &mut Model, pane: &mut Pane, place: notes::NotedPane) {
    pane.shell_report = ShellReport::found(&shell_dir(model, pane.id), CommandTracker::default());
    pane.start_command = place.start_command;
    pane.start_path = place.start_path;
    pane.options = place.options;
    pane.argv = place.argv;
    pane.input_off = place.input_off;
    pane.is_secret = place.is_secret;
    pane.facts = place.facts;
    pane.shell_program = place.shell;
    pane.used = model.next_use();
}

/// The recorder has read the facts of a pane's program.
pub(crate) fn set_facts(model: &mut Model, pane: PaneId, mut facts: Facts) {
    let Some(pane) = model.panes.get_mut(&pane) else {
        return;
    };
    if facts.directory.is_none() {
        // A shell that has just ended has no directory any more. The last known one is used for the next shell.
        facts.directory.clone_from(&pane.facts.directory);
    }
    if !facts.program.is_empty() {
        facts.run.typed = pane.shell_report.line(facts.run.started);
    }
    if pane.facts != facts {
        pane.facts = facts;
        let window = pane.window;
        model.window_note_due(window);
    }
}

/// The recorder found files gone and has made new ones: writes everything again.
pub(crate) fn write_everything(model: &mut Model) {
    let sessions: Vec<SessionId> = model.sessions.keys().copied().collect();
    for id in sessions {
        model.session_note_due(id);
    }
    for pane in model.panes.values() {
        pane.screen.with_record(Record::check_files);
    }
    model.buffers.all_changed();
}

/// A session's description, if it can be read.
fn read_stored(kept: StoreId, body: Result<SessionBody, serde_json::Error>) -> Option<SessionBody> {
    body.inspect_err(|error| {
        tracing::error!(session = %kept, %error, "a session's description cannot be read");
    })
    .ok()
}
