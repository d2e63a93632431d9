//! The server: one event loop over sessions, panes and clients.
//!
//! [`daemon`] is the process around it. [`start`] is the loop itself, over any kind of connection and any kind of PTY
//! host, so that a test can run all of it in memory, with the clock stopped.

mod action;
mod alarm;
mod alarms;
mod clients;
mod commands;
mod display;
mod event;
mod event_loop;
mod formats;
mod hibernation;
mod inbox;
mod model;
mod modes;
mod panes;
mod persistence;
mod process;
mod records;
mod search;
mod server;
mod shutdown;
pub mod stats;
mod status;
#[cfg(test)]
mod test_server;

use std::path::PathBuf;
use std::time::Duration;

use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{HostEvent, HostHandle};
use shellkeep_store::Store;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::event::Event;
use crate::model::Environ;
use crate::panes::shim::Shim;
use crate::persistence::keeping::Keeping;
use crate::persistence::recorder::Recorder;
use crate::persistence::{old_slate, stored};
use crate::process::pressure;
use crate::server::Server;

pub use crate::alarms::Timers;
pub use crate::inbox::EVENT_SLOTS;
pub use crate::model::birth::Birth;
pub use crate::process::listen::Acceptor;
pub use crate::process::wall::Clock;
pub use crate::process::{daemon, runtime_dir};
pub use crate::shutdown::ending::{CloseDoor, Ending, Idle, Rest};

/// What the loop needs from outside.
pub struct Parts {
    /// The keeper, where programs are started.
    pub host: HostHandle,
    /// The keeper's notices.
    pub host_events: mpsc::Receiver<HostEvent>,
    /// What an earlier server has left.
    pub recovered: Recovered,
    /// The store, if there is one.
    pub store: Option<Store>,
    /// Why there is no store, if the user has to know.
    pub not_kept: Option<String>,
    /// The environment of the client that started the server, as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    /// Directory and umask of that client.
    pub birth: Birth,
    /// The configuration: its name and its text, or why it cannot be read.
    pub config: Option<(String, Result<String, String>)>,
    /// The path of the socket, for `$SHELLKEEP`.
    pub socket: PathBuf,
    /// This program, for the tmux shim; none without a shim.
    pub program: Option<PathBuf>,
    pub clock: Clock,
    /// The clock of alarms.
    pub timers: Timers,
    /// What to do as long as there was no session.
    pub idle: Idle,
    /// Called when the end begins, to refuse further clients.
    pub close_door: CloseDoor,
    /// The bound of the channel of events; [`EVENT_SLOTS`] except in tests.
    pub event_slots: usize,
}

pub struct Running {
    /// Accepts clients.
    pub acceptor: Acceptor,
    /// Finishes when the server does.
    pub ending: JoinHandle<Ending>,
    terminate: mpsc::Sender<Event>,
}

impl Running {
    /// Ends the server in order, leaving every program to the next one.
    pub async fn terminate(&self) {
        let _ = self.terminate.send(Event::Terminated).await;
    }
}

#[must_use]
pub fn start(parts: Parts) -> Running {
    let (events, thread_events, inbox) = inbox::channels(parts.event_slots);
    let (escape_tx, escape_rx) = watch::channel(Duration::from_millis(10));
    let Parts {
        host,
        mut host_events,
        recovered,
        store,
        not_kept,
        environ,
        birth,
        config,
        socket,
        program,
        clock,
        timers,
        idle,
        close_door,
        event_slots: _,
    } = parts;
    let ways = (events.clone(), thread_events.clone());
    let mut server = Server::new(
        host,
        clock,
        socket,
        ways,
        escape_tx,
        close_door,
        event_loop::carry_out::carry_out,
    );
    server.model.outside.shim = program.map(|program| Shim::new(&server.model.socket, program));
    server.model.outside.alarms.timers = timers;
    server.shutdown.idle = idle;
    server.model.environ = Environ::from_entries(environ.iter().map(Vec::as_slice));
    server.model.birth = birth;
    if let Some(store) = &store {
        // Before any pane is read from the store: the output belongs to one of them.
        old_slate::take_over(&server.model.socket, store);
    }
    server.persistence.keeping = store.map(|store| Keeping {
        recorder: Recorder::start(store.clone(), thread_events),
        store,
    });
    if let Some(keeping) = &server.persistence.keeping {
        server.model.figures.disk_sizes = keeping.recorder.sizes().clone();
    }
    server.hibernation.keeping = server.persistence.keeping.clone();
    if let Some(why) = not_kept {
        stored::nothing_is_kept(&mut server.model, &mut server.persistence, why);
    }
    let is_first = recovered.panes.is_empty();
    event_loop::recover::recover(&mut server, recovered);
    event_loop::carry_out::carry_out(&mut server);
    if is_first {
        event_loop::configure(&mut server, config);
    }
    if server.persistence.keeping.is_some()
        && let Err(error) = pressure::watch(events.clone())
    {
        tracing::debug!(%error, "memory pressure is not reported");
    }
    let relay = events.clone();
    tokio::spawn(async move {
        while let Some(event) = host_events.recv().await {
            if relay.send(Event::Host(event)).await.is_err() {
                return;
            }
        }
    });
    let acceptor = Acceptor::new(
        events.clone(),
        escape_rx,
        server.shutdown.leaving.intake.clone(),
    );
    let ending = tokio::spawn(event_loop::run(server, inbox));
    Running {
        acceptor,
        ending,
        terminate: events,
    }
}
