//! Takes over what an earlier server has left with the keeper and in the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shellkeep_core::PaneId;
use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{Held, HostRequest, InputFile};
use shellkeep_term::{Effects, Emulator};

use crate::action::Action;
use crate::clients::client_order;
use crate::commands::option_changes;
use crate::hibernation::{idle_capture, policy_timer, resume};
use crate::model::{Backlog, Pane, Waker};
use crate::modes::popup;
use crate::panes::screen::Screen;
use crate::panes::{emulator, runtime_files, sessions, sizes};
use crate::persistence::keeper_notes::forget_note;
use crate::persistence::notes::{Memory, NotedPane, Unheld};
use crate::persistence::record::{Record, dim_line};
use crate::persistence::{expiry, keep_changes, keeper_notes, kept_buffers, notes, stored};
use crate::records::follow;
use crate::server::Server;

/// Takes over what an earlier server has left.
pub(crate) fn recover(server: &mut Server, mut recovered: Recovered) {
    popup::end_orphaned_popups(&mut server.model, &server.host, &mut recovered);
    keeper_notes::end_spare_of_earlier_version(&server.model, &mut recovered);
    let screens: BTreeMap<PaneId, Vec<u8>> = notes::screens(&recovered.notes);
    notes::restore_server(&recovered.notes, &mut server.model);
    client_order::expect_clients(&mut server.model, &recovered.notes);
    if let Some(tables) = notes::restore_keys(&recovered.notes) {
        server.model.key_tables = tables;
        server.model.keys_note_due();
    }
    let held: Vec<PaneId> = recovered.panes.iter().map(|held| held.pane).collect();
    let unheld = match server.persistence.keeping {
        Some(_) => Unheld::Sleeps,
        None => Unheld::Gone,
    };
    let Memory {
        sessions,
        windows,
        mut panes,
        displaced,
    } = notes::model(&recovered.notes, &held, unheld, server.model.now());
    stored::complain_of_displaced(&mut server.model, &displaced);
    if let Some(keeping) = &server.persistence.keeping {
        // The server may have died after moving a pane and before noting it.
        for home in panes.values_mut().filter_map(|place| place.home.as_mut()) {
            home.session = keeping.store.home_of(home.session, home.pane);
        }
    }
    for window in windows {
        server.model.next.window = server.model.next.window.max(window.id.0 + 1);
        server.model.window_note_due(window.id);
        server.model.windows.insert(window.id, window);
    }
    // Sessions go first, since the configuration of a pane depends on its session.
    for session in sessions {
        server.model.next.session = server.model.next.session.max(session.id.0 + 1);
        sessions::add_session(&mut server.model, &server.persistence, session);
    }
    for held in recovered.panes {
        let place = panes.get(&held.pane);
        if place
            .is_some_and(|place| place.sleep.is_some() && !keeper_notes::is_spared(place, &held))
        {
            // Everything of this pane is on disk: its program was about to be ended, or was just being revived.
            let _ = kill(
                Pid::from_raw(held.process.pid.cast_signed()),
                Signal::SIGKILL,
            );
            server
                .model
                .outside
                .keeper
                .request(HostRequest::Close(held.pane));
            continue;
        }
        if let Some(place) = panes.remove(&held.pane) {
            let screen = screens.get(&held.pane).map(Vec::as_slice);
            let input = recovered.inputs.get(&held.pane).cloned();
            take_over(server, held, place, screen, input);
        }
    }
    take_up_asleep(server, panes, &recovered.inputs);
    let closed = recovered.notes.keys();
    let closed = closed.filter_map(|key| key.strip_prefix(notes::CLOSED)?.parse().ok());
    stored::take_up_stored(
        &mut server.model,
        &mut server.persistence,
        &closed.collect(),
    );
    resume::note_rivals(&mut server.model);
    kept_buffers::take_up_buffers(&mut server.model, &server.persistence);
    let count = server.model.sessions.len();
    if count > 0 {
        tracing::info!(count, "sessions taken over from an earlier server");
    }
    runtime_files::tidy_runtime_files(&server.model);
    if count > 0 {
        // Sessions may have become due while no server was running.
        policy_timer::round_due(&server.model, &mut server.hibernation);
    }
    option_changes::apply_options(server);
    give_input(server, recovered.inputs.keys().copied().collect());
    // The earlier server's `archive-keep` may have been another one.
    expiry::expiry_due(&mut server.model, &mut server.persistence);
    keeper_notes::write_notes(&mut server.model, &mut server.persistence);
}

/// Adds panes that the keeper does not hold: they are asleep, with what the store has of them.
fn take_up_asleep(
    server: &mut Server,
    panes: BTreeMap<PaneId, NotedPane>,
    inputs: &BTreeMap<PaneId, Arc<InputFile>>,
) {
    let Some(keeping) = server.persistence.keeping.clone() else {
        return;
    };
    for (id, place) in panes {
        let Some(home) = place.home else {
            continue;
        };
        let config = keep_changes::kept_config(&server.model, place.window);
        let mut pane = stored::sleeping_pane(&mut server.model, id, place, home, &keeping, config);
        let input = inputs.get(&id).cloned();
        pane.keeps_input(Backlog::new(id, server.model.outside.keeper.clone(), input));
        server.model.panes.insert(id, pane);
        server.model.next.pane = server.model.next.pane.max(id.0 + 1);
    }
}

/// Wakes panes with input that an earlier server had not sent.
fn give_input(server: &mut Server, typed: Vec<PaneId>) {
    for id in typed {
        match server.model.panes.get(&id) {
            // Who sent the keys is not known, so nothing must be typed before them.
            Some(pane) if pane.has_early_input() => {
                server.model.act(Action::Wake(id, Waker::Command))
            }
            Some(_) => {}
            None => server
                .model
                .outside
                .keeper
                .request(HostRequest::ForgetInput(id)),
        }
    }
}

/// Output is missing below what is on a pane's screen. The program, which draws relative to a cursor that is further down, must
/// not draw over what is shown: it goes on at the bottom.
fn skip_gap(screen: &Screen) {
    let mut screen = screen.lock();
    if !screen.is_alternate() {
        let line = dim_line(
            "output is missing here: it could not be written before the server was killed",
        );
        let text = format!("\x1b[999;1H\r\n{line}");
        screen.feed(text.as_bytes(), &mut Effects::new());
    }
}

/// Takes over a pane whose program runs. Its screen comes from the store or the keeper; if neither has it, the program
/// is asked to repaint it.
fn take_over(
    server: &mut Server,
    held: Held,
    mut place: NotedPane,
    screen: Option<&[u8]>,
    input: Option<Arc<InputFile>>,
) {
    let id = held.pane;
    server.model.next.pane = server.model.next.pane.max(id.0 + 1);
    let kept = place
        .home
        .zip(server.persistence.keeping.clone())
        .map(|(home, keeping)| {
            let config = keep_changes::kept_config(&server.model, place.window);
            Record::found(&keeping.store, &keeping.recorder, home, place.size, config)
        });
    let mut has_screen = true;
    let screen = if let Some(record) = kept {
        Screen::found(id, record)
    } else {
        let remembered = screen.and_then(emulator::restore_screen);
        has_screen = remembered.is_some();
        let fresh = || {
            Emulator::new(
                place.size,
                emulator::emulator_config_for(&server.model, place.window),
            )
        };
        Screen::new(id, remembered.unwrap_or_else(fresh))
    };
    let mut pane = Pane::new(id, place.window, place.size, screen);
    pane.screen.lock().resize(place.size);
    if place.has_gap {
        skip_gap(&pane.screen);
    }
    if has_screen {
        // The end of its program is on the screen already.
        if let Some(died) = place.died {
            pane.life.dies(died);
        }
    }
    pane.has_title = place.title.is_some();
    if let Some(title) = place.title.take() {
        pane.screen.lock().set_title(&title);
    }
    stored::restore_facts(&mut server.model, &mut pane, place);
    pane.keeps_input(Backlog::new(id, server.model.outside.keeper.clone(), input));
    pane.start(
        held,
        server.events.clone(),
        server.clients.flood_throttle.clone(),
    );
    follow::take_over(&server.model, &mut pane);
    if !has_screen {
        if server.persistence.keeping.is_some() {
            let text = "what was shown here is gone: a private session is kept nowhere";
            let line = dim_line(text);
            pane.screen
                .lock()
                .feed(line.as_bytes(), &mut Effects::new());
        }
        pane.ask_to_repaint();
    }
    forget_note(&server.model, notes::screen_key(id));
    server.model.panes.insert(id, pane);
    sizes::send_size(&mut server.model, id);
    idle_capture::capture_taken_over(&mut server.model, id);
}
