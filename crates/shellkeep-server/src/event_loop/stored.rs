//! What is kept in the store: panes come into it and leave it, sessions are written down, archived and opened again.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use shellkeep_core::{PaneId, SessionId, WindowId};
use shellkeep_keeper::HostRequest;
use shellkeep_store::{Complaint, Orphan, Store, StoreError, StoreId};
use shellkeep_term::Config;

use super::moved_panes::Noted;
use super::{Server, beside, moved_panes, panes, resume, shells};
use crate::call;
use crate::keeping::Keeping;
use crate::memory::{self, Displaced, Memory, Numbers, SessionBody};
use crate::queue::Caller;
use crate::record::{self, Facts, Home, Record};
use crate::recorder::{Begun, Captured};
use crate::screen::Screen;
use crate::state::{
    Asleep, Backlog, Cause, Dead, Model, Pane, PaneLife, Seconds, Session, ShellWord, Sleep, Window,
};

/// A pane that was closed, and what is to become of its record.
pub(super) struct ClosedPane {
    screen: Arc<Screen>,
    /// The state that its shell told last.
    captured: Arc<Captured>,
    pub(super) home: Home,
    /// What it was, as a session of its own, if its session goes on.
    body: Option<(StoreId, serde_json::Value)>,
}

/// Windows with panes in the directory of another session than the one that was taken up with them.
pub(super) type Adopted = BTreeMap<Home, WindowId>;

/// A kept pane's pages leave memory with every checkpoint, so packing them before would be work for nothing. More than a journal
/// may grow to only if nothing can be written.
const UNPACKED: usize = 8 << 20;

impl Server {
    /// Gives a session its place in the store.
    pub(super) fn keep_session(&self, session: &mut Session) {
        let standing = &mut session.standing;
        if self.persistence.keeping.is_some() && !standing.is_private && standing.kept.is_none() {
            standing.kept = Some(StoreId::new(record::now()));
        }
    }

    /// Brings the store up to date with what an event has changed, but for the sessions' own notes.
    pub(super) fn keep_panes(&mut self) {
        let new = std::mem::take(&mut self.persistence.unkept);
        let starts = std::mem::take(&mut self.persistence.starts_due);
        let Some(keeping) = self.persistence.keeping.clone() else {
            self.persistence.closed_panes.clear();
            self.persistence.closed_sessions.clear();
            return;
        };
        for id in &new {
            keep_pane(&mut self.state, *id, &new, &keeping);
        }
        for start in starts {
            let home = self.state.panes.get(&start.pane);
            let home = home.and_then(|pane| pane.screen.with_record(|record| record.home()));
            if let Some(home) = home {
                keeping.recorder.write_start(home, start.into());
            }
        }
        for window in perhaps_elsewhere(&self.state) {
            settle_homes(&mut self.state, window, &keeping);
        }
        self.archive_closed(&keeping);
    }

    /// A pane is gone: what was on it stays.
    pub(super) fn pane_closed(&mut self, pane: &Pane, closed_window: Option<&Window>) {
        let Some(home) = pane.screen.with_record(|record| {
            record.close_for_good();
            record.home()
        }) else {
            return;
        };
        let sessions = self.state.sessions.values();
        let mut sessions = sessions.filter(|s| s.standing.kept == Some(home.session));
        let body = sessions.next().map(|session| {
            let kept = StoreId::new(record::now());
            let window = self.state.windows.get(&pane.window).or(closed_window);
            let body = memory::closed_pane_body(session, window, pane, kept);
            (kept, body)
        });
        self.state.changes.is_unsettled = true;
        self.persistence.closed_panes.push(ClosedPane {
            screen: pane.screen.clone(),
            captured: pane.capture.captured(),
            home,
            body,
        });
    }

    /// Puts what was closed into the archive.
    fn archive_closed(&mut self, keeping: &Keeping) {
        for closed in std::mem::take(&mut self.persistence.closed_panes) {
            let Home { session, pane } = closed.home;
            keeping
                .recorder
                .write_last(session, closed.screen, closed.captured);
            let is_session_closed = self.persistence.closed_sessions.contains(&session);
            if let Some((id, body)) = closed.body
                && !is_session_closed
            {
                keeping.recorder.run(session, move |store| {
                    store.archive_pane_as(session, pane, id, &body, record::now())
                });
                keeping.recorder.changed(id);
            }
        }
        if !self.persistence.closed_sessions.is_empty() {
            self.expiry_due();
        }
        for id in std::mem::take(&mut self.persistence.closed_sessions) {
            let host = self.host.clone();
            keeping.recorder.archive(id, move || {
                // The next server need not do it.
                let (key, value) = (memory::closed_key(id), Vec::new());
                host.request(HostRequest::Remember { key, value });
            });
        }
        for number in std::mem::take(&mut self.persistence.awaited) {
            keeping.recorder.say_when_done(number);
        }
    }

    /// Everything ends: all sessions go into the archive.
    pub(super) fn archive_all(&mut self) {
        let panes: Vec<PaneId> = self.state.panes.keys().copied().collect();
        for id in panes {
            if let Some(pane) = self.state.panes.remove(&id) {
                pane.stop_reading();
                beside::remove_shell_dir(&self.state, id);
                self.pane_closed(&pane, None);
            }
        }
        for id in self.state.sessions.keys() {
            beside::remove_agent(&self.state, *id);
        }
        let sessions = self.state.sessions.values();
        self.persistence
            .closed_sessions
            .extend(sessions.filter_map(|session| session.standing.kept));
        self.keep_panes();
    }

    /// Writes sessions down.
    pub(super) fn store_sessions(&self, sessions: &BTreeSet<SessionId>) {
        let Some(keeping) = &self.persistence.keeping else {
            return;
        };
        for id in sessions {
            let Some(session) = self.state.sessions.get(id) else {
                continue;
            };
            if let Some(kept) = session.standing.kept {
                let body = memory::session_body(session, &self.state);
                // Before anybody is told that it is there, a new one is safe from the death of all of us.
                let mut begun = Begun::No;
                if !keeping.store.is_described(kept) {
                    match keeping.store.put_session(kept, &body) {
                        Ok(()) => begun = Begun::Yes,
                        Err(error) => {
                            tracing::warn!(session = %kept, %error, "not described yet");
                        }
                    }
                }
                keeping.recorder.write_session(kept, body, begun);
            }
        }
    }

    /// Takes up the sessions in the store that are not there already: nothing runs in them until somebody comes. Those that were
    /// being closed when the last server ended go where they were going. There may be thousands of them, and somebody waits.
    pub(super) fn take_up_stored(&mut self, closed: &BTreeSet<StoreId>) {
        let Some(keeping) = self.persistence.keeping.clone() else {
            return;
        };
        let known = self.state.sessions.values();
        let known: BTreeSet<StoreId> = known.filter_map(|s| s.standing.kept).collect();
        let names = self.state.sessions.values();
        let mut names: HashSet<String> = names.map(|session| session.name.clone()).collect();
        let now = self.state.now();
        let mut count = 0;
        // Most have the same.
        let mut environ = None;
        let mut adopted = Adopted::new();
        let found = keeping.store.take_up(SessionBody::read, |session| {
            if let Some(size) = session.size {
                keeping.recorder.sizes.set(session.id, size);
            }
            if known.contains(&session.id) {
                return;
            }
            if session.is_closed || closed.contains(&session.id) {
                self.persistence.closed_sessions.push(session.id);
            } else if let Some(body) = read_stored(session.id, session.body) {
                // A copy: the few words that stay would hold on to all the memory of the thread that has read them.
                let mut body = body.clone();
                if self.finish_closing(session.id, &mut body, &keeping) {
                    return;
                }
                moved_panes::find_panes(
                    &self.state,
                    &mut body,
                    session.id,
                    Noted::IsTrue,
                    &keeping,
                    &adopted,
                );
                let (mut memory, numbers) =
                    memory::stored_session(body, &self.state, Cause::Lost, now);
                adopted.extend(memory.panes.values().filter_map(|place| {
                    let home = place.home.filter(|home| home.session != session.id);
                    home.map(|home| (home, place.window))
                }));
                for session in &mut memory.sessions {
                    let first = environ.get_or_insert_with(|| session.environ.clone());
                    session.environ.share(first);
                }
                let name = |name: &str| !names.contains(name);
                if let Some(id) = self.add_asleep(memory, session.id, &keeping, name) {
                    count += 1;
                    names.extend(
                        self.state
                            .sessions
                            .get(&id)
                            .map(|session| session.name.clone()),
                    );
                    self.persistence.untold.insert(id);
                    if numbers == Numbers::Others {
                        self.state.session_note_due(id);
                    }
                }
            }
        });
        for complaint in &found.complaints {
            tracing::error!(%complaint, "in the store");
        }
        self.complain_of_unread(&found.complaints);
        for id in found.uncatalogued {
            keeping.recorder.changed(id);
        }
        if count > 0 {
            tracing::info!(count, "sessions taken up out of the store");
            self.state.server_note_due();
            self.state.pack();
            // What they were read from is gone, but its pages are still ours. Beside the loop: somebody waits for it.
            let thread = std::thread::Builder::new().name("memory".to_owned());
            let _ = thread.spawn(shellkeep_keeper::process::give_back_memory);
        }
        for orphan in found.orphans {
            self.take_up_orphan(&orphan, now);
        }
    }

    /// The first client hears of sessions that the system does not let us read, or that a later version wrote: they are not listed, and
    /// not lost.
    fn complain_of_unread(&mut self, complaints: &[Complaint]) {
        let of_sessions = complaints.iter().filter(|it| it.session.is_some());
        let Some(unread) = super::archive::unread(of_sessions) else {
            return;
        };
        self.add_complaint(format!(
            "a kept session is missing here: {unread} ({} doctor explains)",
            call::call_for(&self.state, &Caller::nobody())
        ));
    }

    /// The first client hears of panes that got windows of their own.
    pub(super) fn complain_of_displaced(&mut self, displaced: &[Displaced]) {
        for each in displaced {
            tracing::error!("{each}");
            self.commands.complaints.push(each.to_string());
        }
    }

    /// Takes up panes whose session's description is lost, each in a window of its own.
    fn take_up_orphan(&mut self, orphan: &Orphan, now: Seconds) {
        let is_known = |pane: &StoreId| {
            let homes = self.state.panes.values();
            let mut homes = homes.filter_map(|pane| pane.screen.with_record(|r| r.home().pane));
            homes.any(|home| home == *pane)
        };
        if orphan.panes.is_empty() || orphan.panes.iter().any(is_known) {
            return;
        }
        tracing::error!(session = %orphan.id, "its description is lost; its panes are there");
        let body = memory::orphan_body(orphan, now);
        self.take_up(orphan.id, &body.to_string(), Cause::Lost, now);
    }

    /// Takes up one session out of the store, and says so everywhere; its number.
    pub(super) fn take_up(
        &mut self,
        kept: StoreId,
        body: &str,
        cause: Cause,
        now: Seconds,
    ) -> Option<SessionId> {
        let keeping = self.persistence.keeping.clone()?;
        let mut body = read_stored(kept, SessionBody::read(body))?;
        let adopted = Adopted::new();
        moved_panes::find_panes(
            &self.state,
            &mut body,
            kept,
            Noted::MayBeOld,
            &keeping,
            &adopted,
        );
        let (memory, _) = memory::stored_session(body, &self.state, cause, now);
        let names = self.state.sessions.values();
        let names: HashSet<String> = names.map(|session| session.name.clone()).collect();
        let id = self.add_asleep(memory, kept, &keeping, |name| !names.contains(name))?;
        // Whatever became of it before, it is open now.
        self.forget_note(memory::closed_key(kept));
        self.session_opened(id);
        let session = self.state.sessions.get(&id);
        let links = session
            .into_iter()
            .flat_map(|session| session.links.values());
        for window in links.map(|link| link.window).collect::<Vec<_>>() {
            self.state.window_note_due(window);
        }
        // At once: described as a pane that was closed, it would go back into the archive if all of us died now.
        if let Some(session) = self.state.sessions.get(&id) {
            let body = memory::session_body(session, &self.state);
            if let Err(error) = keeping.store.put_session(kept, &body) {
                tracing::warn!(session = %kept, %error, "not described anew yet");
            }
        }
        Some(id)
    }

    /// Puts a session out of the store into the model, under a name that is free; its number.
    fn add_asleep(
        &mut self,
        memory: Memory,
        kept: StoreId,
        keeping: &Keeping,
        is_free: impl Fn(&str) -> bool,
    ) -> Option<SessionId> {
        self.complain_of_displaced(&memory.displaced);
        let mut session = memory.sessions.into_iter().next()?;
        session.standing.kept = Some(kept);
        if !is_free(&session.name) {
            let mut others = (2..).map(|number| format!("{}-{number}", session.name));
            session.name = others.find(|name| is_free(name))?;
        }
        let id = session.id;
        self.state.next_session = self.state.next_session.max(id.0 + 1);
        self.state.sessions.insert(id, session);
        let config = kept_config_in(&self.state, Some(id));
        for window in memory.windows {
            self.state.next_window = self.state.next_window.max(window.id.0 + 1);
            self.state.windows.insert(window.id, window);
        }
        for (id, place) in memory.panes {
            self.state.next_pane = self.state.next_pane.max(id.0 + 1);
            let home = place.home.unwrap_or_else(|| Home {
                session: kept,
                pane: StoreId::new(record::now()),
            });
            let pane = self.sleeping_pane(id, place, home, keeping, config.clone());
            self.state.panes.insert(id, pane);
        }
        Some(id)
    }

    /// A pane that is on disk and nowhere else.
    pub(super) fn sleeping_pane(
        &mut self,
        id: PaneId,
        mut place: memory::Place,
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
            (None, None) => PaneLife::Asleep(Asleep::new(Sleep::lost(self.state.now()))),
        };
        pane.has_title = place.title.is_some();
        furnish(&mut self.state, &mut pane, place);
        pane.keeps_input(Backlog::new(id, self.host.clone(), None));
        pane
    }

    /// There is no store for this server: the first client hears of it, and the status line goes on saying so.
    pub(crate) fn nothing_is_kept(&mut self, why: String) {
        let call = call::call_for(&self.state, &Caller::nobody());
        let complaint = format!("sessions are not kept: {why} ({call} doctor explains)");
        self.add_complaint(complaint);
        self.persistence.trouble = Some(why);
    }

    /// The store could be opened at last: what is in it is taken up, and all that there is here is written.
    pub(super) fn store_is_ready(&mut self) {
        self.take_up_stored(&BTreeSet::new());
        resume::note_rivals(&mut self.state);
        self.take_up_buffers();
        store_anew(&mut self.state);
        self.state.redraw_all();
    }

    /// The recorder says that something cannot be written, or can again.
    pub(super) fn keeping_trouble(&mut self, trouble: Option<String>) {
        if self.persistence.trouble != trouble {
            match &trouble {
                Some(trouble) => tracing::error!(trouble, "sessions cannot be kept"),
                None => tracing::info!("sessions are kept again"),
            }
            self.persistence.trouble = trouble;
            self.state.redraw_all();
        }
    }
}

/// What a pane was besides its screen.
pub(super) fn furnish(model: &mut Model, pane: &mut Pane, place: memory::Place) {
    pane.shell_word = ShellWord::found(&shells::shell_dir(model, pane.id));
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

/// The session in whose directory the panes of a window are kept.
fn home_of(model: &Model, window: WindowId) -> Option<StoreId> {
    let sessions = model.links_of(window);
    let sessions = sessions.filter_map(|(id, _)| model.sessions.get(&id));
    let kept = sessions.filter(|session| session.standing.kept.is_some());
    let first = kept.min_by_key(|session| session.id)?;
    first.standing.kept
}

/// Begins to keep a new pane, unless its session is private, or those that were in its window before it are.
fn keep_pane(model: &mut Model, id: PaneId, new: &[PaneId], keeping: &Keeping) {
    let Some(window) = model.panes.get(&id).map(|pane| pane.window) else {
        return;
    };
    let older = model.panes_of(window);
    let older = older.filter(|pane| !new.contains(&pane.id));
    let is_secret = older.map(|pane| pane.is_secret).reduce(|a, b| a && b);
    let home = home_of(model, window).filter(|_| is_secret != Some(true));
    let Some(session) = home else {
        if let Some(pane) = model.panes.get_mut(&id) {
            pane.is_secret = true;
        }
        return;
    };
    let home = Home {
        session,
        pane: StoreId::new(record::now()),
    };
    let config = kept_config(model, window);
    let Some(pane) = model.panes.get(&id) else {
        return;
    };
    let record = Record::create(&keeping.store, &keeping.recorder, home, pane.size, config);
    pane.screen.keep(record);
    let _ = pane.screen.with_record(Record::lay_out);
    model.window_note_due(window);
}

/// How the emulator of a kept pane is set up. There is no limit on its history unless somebody set one.
pub(super) fn kept_config(model: &Model, window: WindowId) -> Config {
    kept_config_in(model, model.session_with(window))
}

/// The same for all windows of a session.
fn kept_config_in(model: &Model, session: Option<SessionId>) -> Config {
    let usual = panes::emulator_config_in(model, session);
    let limit = model.session_options(session).number("history-limit");
    let limit = usize::try_from(limit).unwrap_or(0);
    Config {
        keep: shellkeep_term::Keep::Store,
        uncompressed_budget: UNPACKED,
        history_limit: if limit == 0 { usize::MAX } else { limit },
        ..usual
    }
}

/// The windows whose panes may not be kept where they are shown, by what an event has changed.
fn perhaps_elsewhere(model: &Model) -> BTreeSet<WindowId> {
    let mut windows = model.changes.notes.windows.clone();
    let sessions = model.changes.notes.sessions.iter();
    for session in sessions.filter_map(|id| model.sessions.get(id)) {
        let is_here = |pane: &Pane| {
            let home = pane.screen.with_record(|record| record.home().session);
            home.is_none() || home == session.standing.kept
        };
        let links = session.links.values().map(|link| link.window);
        windows.extend(links.filter(|id| !model.panes_of(*id).all(is_here)));
    }
    windows
}

/// A window that is no longer in the session in whose directory its panes are takes their records along.
fn settle_homes(model: &mut Model, window: WindowId, keeping: &Keeping) {
    let sessions = model.links_of(window);
    let sessions = sessions.filter_map(|(id, _)| model.sessions.get(&id));
    let homes: Vec<Option<StoreId>> = sessions.map(|each| each.standing.kept).collect();
    if homes.is_empty() {
        return;
    }
    let home = home_of(model, window);
    let mut secret = Vec::new();
    for pane in model.panes_of(window) {
        let Some(now) = pane.screen.with_record(|record| record.home()) else {
            continue;
        };
        match home {
            _ if homes.contains(&Some(now.session)) => {}
            Some(to) => {
                let screen = pane.screen.clone();
                keeping
                    .recorder
                    .run(to, move |store| move_home(&screen, store, to));
                keeping.recorder.changed(now.session);
                keeping.recorder.changed(to);
            }
            // What was kept of it stays in the session it came from; nothing more is added.
            None => {
                drop(pane.screen.take_record());
                secret.push(pane.id);
            }
        }
    }
    for id in secret {
        if let Some(pane) = model.panes.get_mut(&id) {
            pane.is_secret = true;
        }
    }
}

/// The recorder has looked where a pane's program is.
pub(super) fn learn(model: &mut Model, pane: PaneId, mut facts: Facts) {
    let Some(pane) = model.panes.get_mut(&pane) else {
        return;
    };
    if facts.directory.is_none() {
        // A shell that has just ended has no directory any more; it comes back in the one it was last seen in.
        facts.directory.clone_from(&pane.facts.directory);
    }
    if !facts.program.is_empty() {
        facts.run.typed = pane.shell_word.line(facts.run.started);
    }
    if pane.facts != facts {
        pane.facts = facts;
        let window = pane.window;
        model.window_note_due(window);
    }
}

/// The recorder found files of ours gone and has made new ones: everything is written anew.
pub(super) fn store_anew(model: &mut Model) {
    let sessions: Vec<SessionId> = model.sessions.keys().copied().collect();
    for id in sessions {
        model.session_note_due(id);
    }
    for pane in model.panes.values() {
        pane.screen.with_record(Record::check_files);
    }
    model.buffers.all_changed();
}

/// Moves what is kept of a pane to another session. By where it is when its turn comes: it may have been moved meanwhile.
fn move_home(screen: &Screen, store: &Store, to: StoreId) -> Result<(), StoreError> {
    let moved = screen.with_record(|record| record.move_to(store, to));
    match moved.transpose()? {
        Some(from) => store.sync_move(from, to),
        None => Ok(()),
    }
}

/// What is written of a session, if it can be read.
fn read_stored(kept: StoreId, body: Result<SessionBody, serde_json::Error>) -> Option<SessionBody> {
    body.inspect_err(|error| {
        tracing::error!(session = %kept, %error, "a kept session cannot be read");
    })
    .ok()
}
