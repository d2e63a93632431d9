//! The server's state: the model, the components, and the channels to the outside.

use std::path::PathBuf;
use std::time::Duration;

use shellkeep_keeper::HostHandle;
use tokio::sync::{mpsc, watch};

use crate::alarms::Alarms;
use crate::clients::state::ClientState;
use crate::commands::pending::Pending;
use crate::commands::state::CommandState;
use crate::event::Event;
use crate::hibernation::state::Hibernation;
use crate::inbox::ThreadEvents;
use crate::model::{Model, Outside};
use crate::persistence::state::Persistence;
use crate::process::wall::Clock;
use crate::shutdown::ending::CloseDoor;
use crate::shutdown::state::Shutdown;

/// The model, the components, and the channels to the outside. Only the event loop and the commands see all of them; a
/// component gets the model and its own state.
pub(crate) struct Server {
    pub(crate) model: Model,
    pub(crate) commands: CommandState,
    pub(crate) clients: ClientState,
    pub(crate) hibernation: Hibernation,
    pub(crate) persistence: Persistence,
    pub(crate) shutdown: Shutdown,
    pub(crate) pending: Pending,
    /// Carries out requested actions. Set by the event loop, so that the commands, in a lower layer, need not depend on
    /// it.
    pub(crate) carry_out: fn(&mut Self),
    pub(crate) host: HostHandle,
    /// The channel into the loop for tasks of the runtime.
    pub(crate) events: mpsc::Sender<Event>,
    /// The channel into the loop for threads, which must not wait for it.
    pub(crate) thread_events: ThreadEvents,
}

impl Server {
    pub(crate) fn new(
        host: HostHandle,
        clock: Clock,
        socket: PathBuf,
        (events, thread_events): (mpsc::Sender<Event>, ThreadEvents),
        escape_time: watch::Sender<Duration>,
        close_door: CloseDoor,
        carry_out: fn(&mut Self),
    ) -> Self {
        Self {
            model: Model::new(
                Outside::new(clock, Alarms::new(events.clone()), host.clone()),
                socket,
            ),
            commands: CommandState::default(),
            clients: ClientState::new(escape_time),
            hibernation: Hibernation::new(events.clone(), thread_events.clone()),
            persistence: Persistence::default(),
            shutdown: Shutdown::new(close_door),
            pending: Pending::default(),
            carry_out,
            host,
            events,
            thread_events,
        }
    }
}
