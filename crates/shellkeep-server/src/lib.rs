//! The server: one event loop over sessions, panes and clients.
//!
//! [`daemon`] is the process around it; [`start`] is the loop itself, over any kind of connection and
//! any kind of PTY host, so that a test can run the whole of it in memory, with the clock stopped.

mod alarm;
mod big_digits;
mod birth;
mod call;
mod capture;
mod cataloguer;
mod client_writer;
mod config;
mod connection;
mod control_feed;
pub mod daemon;
mod damage_tracker;
mod event;
mod event_loop;
mod exec;
mod flood_throttle;
mod foreign;
mod frame_pacer;
mod inbox;
mod intake;
mod job;
mod keeping;
mod keyboard;
mod listen;
mod logging;
mod mailbox;
mod memory;
mod native_feed;
mod notice;
mod old_slate;
mod overlay;
mod pane_task;
mod pipe;
mod pressure;
mod process_info;
mod processes;
mod prompt;
mod prompt_filter;
mod queue;
mod ratatui_picture;
mod record;
mod recorder;
mod running;
pub mod runtime_dir;
mod scene;
mod screen;
mod search;
mod server_lock;
mod shim;
mod sizes;
mod state;
pub mod stats;
mod tap;
mod terminal;
mod terminfo;
mod ticket;
mod variables;
mod wall;
mod world;

use std::path::PathBuf;
use std::time::Duration;

use shellkeep_keeper::host::Recovered;
use shellkeep_keeper::{HostEvent, HostHandle};
use shellkeep_store::Store;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use event::Event;
use event_loop::Server;
use keeping::Keeping;
use recorder::Recorder;
use shim::Shim;
use state::Environ;

pub use alarm::Timers;
pub use birth::Birth;
pub use event_loop::{Ending, Rest};
pub use inbox::EVENT_SLOTS;
pub use listen::Acceptor;

/// Tells the time, in seconds since 1970.
pub type Clock = fn() -> i64;

/// Lets nobody in any more.
pub type CloseDoor = Box<dyn FnOnce(&Ending) + Send>;

/// Everything the loop needs from outside.
pub struct Parts {
    /// Where programs are started.
    pub host: HostHandle,
    /// What is heard from there.
    pub host_events: mpsc::Receiver<HostEvent>,
    /// What an earlier server left.
    pub recovered: Recovered,
    /// Where sessions are kept, if that is possible.
    pub store: Option<Store>,
    /// Why that is not possible, if somebody ought to know.
    pub not_kept: Option<String>,
    /// The environment of the client that started the server, as `NAME=value`.
    pub environ: Vec<Vec<u8>>,
    /// Where and how that client was.
    pub birth: Birth,
    /// The configuration: its name and its text, or why that cannot be read.
    pub config: Option<(String, Result<String, String>)>,
    /// The socket's path, for `$SHELLKEEP`.
    pub socket: PathBuf,
    /// This program, for what calls it as `tmux`; none if nothing is to find it.
    pub program: Option<PathBuf>,
    /// The wall clock.
    pub clock: Clock,
    /// Whose clock alarms go by.
    pub timers: Timers,
    /// What to do as long as there was no session.
    pub idle: Idle,
    /// Called when the end begins: no more clients.
    pub close_door: CloseDoor,
    /// How many events wait for the loop before those who bring more have to wait; [`EVENT_SLOTS`] but for tests.
    pub event_slots: usize,
}

/// What a server does that has no session yet, when nobody asks for anything any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// It waits.
    Stays,
    /// It ends, if `exit-empty` says so: what it was started for has failed.
    Ends,
}

/// A server that runs.
pub struct Running {
    /// Lets clients in.
    pub acceptor: Acceptor,
    /// Ends when the server does.
    pub ending: JoinHandle<Ending>,
    terminate: mpsc::Sender<Event>,
}

impl Running {
    /// Ends the server in order, leaving every program to the next one.
    pub async fn terminate(&self) {
        let _ = self.terminate.send(Event::Terminated).await;
    }
}

/// Starts the loop.
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
    let mut server = Server::new(host, clock, socket, ways, escape_tx, close_door);
    server.shim = program.map(|program| Shim::new(&server.state.socket, program));
    server.state.alarms.timers = timers;
    server.shutdown.idle = idle;
    server.state.environ = Environ::from_entries(environ.iter().map(Vec::as_slice));
    server.state.birth = birth;
    if let Some(store) = &store {
        // Before any pane is read from the store: the output belongs to one of them.
        old_slate::take_over(&server.state.socket, store);
    }
    server.persistence.keeping = store.map(|store| Keeping {
        recorder: Recorder::start(store.clone(), thread_events),
        store,
    });
    if let Some(why) = not_kept {
        server.nothing_is_kept(why);
    }
    let is_first = recovered.panes.is_empty();
    server.recover(recovered);
    if is_first {
        server.configure(config);
    }
    if server.persistence.keeping.is_some()
        && let Err(error) = pressure::watch(events.clone())
    {
        tracing::debug!(%error, "nobody says when memory is short");
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
    let ending = tokio::spawn(server.run(inbox));
    Running {
        acceptor,
        ending,
        terminate: events,
    }
}
