//! The event loop: the only place where the model changes.

mod alerts;
mod answers;
mod archive;
mod bedtime;
pub(crate) mod beside;
pub(crate) mod buffers;
mod capture;
mod channels;
mod client_order;
mod client_state;
pub(crate) mod clipboard;
mod clock;
mod command_state;
pub(crate) mod commands;
mod control;
mod control_notices;
pub(crate) mod control_settings;
pub(crate) mod copy;
mod copy_picture;
mod customize;
mod customize_text;
mod dead;
mod drag;
mod edit_buffer;
mod facts;
mod file_work;
mod focus;
mod forgetting;
pub(crate) mod front;
pub(crate) mod hibernate;
mod hibernation;
mod hooks;
mod idle_capture;
mod input;
pub(crate) mod jobs;
mod keep;
pub(crate) mod keys;
mod last_capture;
pub(crate) mod leaving;
pub(crate) mod lock;
pub(crate) mod marks;
pub(crate) mod menu;
mod message;
mod messages;
mod modes;
mod mouse;
mod moved_panes;
pub(crate) mod names;
pub(crate) mod native;
mod notices;
pub(crate) mod pan;
mod pane_numbers;
pub(crate) mod panes;
mod persistence;
mod picture;
mod pipes;
pub(crate) mod place;
mod popup;
mod process_scan;
pub(crate) mod prompt;
mod prompt_history;
mod prompt_words;
mod report;
mod resume;
mod retouch;
mod revival;
pub(crate) mod search;
pub(crate) mod sessions;
mod settings;
pub(crate) mod shells;
pub(crate) mod show;
mod shutdown;
pub(crate) mod sizes;
mod sleep_hint;
mod sleep_jobs;
mod sleepers;
mod sleepless;
mod slices;
pub(crate) mod spawn;
pub(crate) mod status;
mod stored;
pub(crate) mod subscriptions;
mod tree;
mod tree_nodes;
mod tree_preview;
mod turns;
mod view;
pub(crate) mod wake;
pub(crate) mod windows;
mod written;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use client_state::ClientState;
use command_state::CommandState;
use hibernation::Hibernation;
use persistence::Persistence;
use shellkeep_keeper::HostHandle;
use shutdown::Shutdown;
use tokio::sync::{mpsc, watch};

use crate::alarm::{Alarm, Alarms};
use crate::event::Event;
use crate::exec::Reply;
use crate::inbox::{Inbox, ThreadEvents};
use crate::shim::Shim;
use crate::state::{Client, Model, Session};
use crate::{Clock, CloseDoor, Idle};
pub use shutdown::{Ending, Rest};

pub(crate) use alerts::Silence;
pub(crate) use archive::{Archive, Archived, ClosedByHand};
pub(crate) use capture::Captured;
pub(crate) use copy::Searched;
pub(crate) use facts::facts;
pub(crate) use file_work::FileWorkDone;
pub(crate) use front::{Front, Patience};
pub(crate) use hibernate::{Falling, Force};
pub(crate) use idle_capture::IdleCapture;
pub(crate) use keys::{PREFIX, ROOT};
pub(crate) use marks::Resting;
pub(crate) use message::Message;
pub(crate) use messages::Shown;
pub(crate) use mouse::{Mouse, Pointer};
pub(crate) use pan::Direction;
pub(crate) use pane_numbers::NumberKeys;
pub(crate) use panes::{Left, Zoom};
pub(crate) use prompt::{Purpose, Question};
pub(crate) use report::Report;
pub(crate) use resume::{Found, would_wake};
pub(crate) use revival::Prepared;
pub(crate) use search::{Printing, SearchDone, Wanted};
pub(crate) use sizes::Decides;
pub(crate) use sleep_jobs::{SleepJob, Told};
pub(crate) use slices::Again;
pub(crate) use spawn::{NewProgram, is_shell, variables};
pub(crate) use status::{StatusClick, option_style};
pub(crate) use tree::TreeZoom;
pub(crate) use wake::Waker;
pub(crate) use windows::{InUse, Show, Taken};

/// The tmux whose behaviour is matched.
pub(crate) const TMUX_VERSION: &str = "3.3a";

/// With events to handle, the loop gives way to the tasks that bring keys and show echoes after so long: the runtime has one thread.
const TURN: Duration = Duration::from_millis(4);

/// The router: it knows the model, the components and the lines to the outside, and no other type knows all of them.
pub(crate) struct Server {
    pub(crate) state: Model,
    pub(crate) commands: CommandState,
    pub(crate) clients: ClientState,
    pub(crate) hibernation: Hibernation,
    pub(crate) persistence: Persistence,
    pub(crate) shutdown: Shutdown,
    pub(crate) host: HostHandle,
    /// How programs find this server as `tmux`.
    pub(crate) shim: Option<Shim>,
    /// The way into the loop for tasks of the runtime.
    events: mpsc::Sender<Event>,
    /// The way into the loop for threads, which must not wait for it.
    thread_events: ThreadEvents,
}

impl Server {
    pub(crate) fn new(
        host: HostHandle,
        clock: Clock,
        socket: PathBuf,
        (events, thread_events): (mpsc::Sender<Event>, ThreadEvents),
        escape_time: watch::Sender<Duration>,
        close_door: CloseDoor,
    ) -> Self {
        Self {
            state: Model::new(clock, Alarms::new(events.clone()), socket),
            commands: CommandState::default(),
            clients: ClientState::new(escape_time),
            hibernation: Hibernation::default(),
            persistence: Persistence::default(),
            shutdown: Shutdown::new(close_door),
            host,
            shim: None,
            events,
            thread_events,
        }
    }

    /// Runs until something ends it.
    pub(crate) async fn run(mut self, mut inbox: Inbox) -> Ending {
        let mut busy = Duration::ZERO;
        loop {
            if let Some(ending) = self.take_ending() {
                self.leave(&ending, &mut inbox).await;
                return ending;
            }
            let Some(event) = self.next_event(&mut inbox).await else {
                return Ending::Terminated;
            };
            let began = std::time::Instant::now();
            self.take_event(event).await;
            busy += began.elapsed();
            if busy >= TURN {
                busy = Duration::ZERO;
                tokio::task::yield_now().await;
            }
        }
    }

    /// Handles an event, and what follows from it.
    async fn take_event(&mut self, event: Event) {
        self.guarded(|server| {
            // A key that is typed into a program changes nothing but that program, whose echo waits for us.
            server.state.changes.is_unsettled = !event.is_keys();
            server.handle(event);
        });
        // What is left to do for a new pane, directories above all, takes as long as the keeper needs to start its program.
        if std::mem::take(&mut self.state.changes.is_starting) {
            tokio::task::yield_now().await;
        }
        if self.state.changes.is_unsettled {
            self.guarded(Self::settle);
        }
        if std::mem::take(&mut self.state.changes.is_painting) {
            // Its painter goes first.
            tokio::task::yield_now().await;
            self.guarded(Self::settle);
        }
        let mut has_gone_on = true;
        while std::mem::take(&mut has_gone_on) {
            self.guarded(|server| {
                has_gone_on = server.await_written();
                if has_gone_on {
                    server.settle();
                }
            });
        }
    }

    /// The next thing to happen: an event, or the turn of a queue that waits for it.
    async fn next_event(&mut self, inbox: &mut Inbox) -> Option<Event> {
        if self.commands.slices.is_empty() {
            return inbox.recv().await;
        }
        // Panes, clients and the disk have their turn as well.
        tokio::task::yield_now().await;
        let event = match self.commands.slices.lets_event_first() {
            true => inbox.try_recv(),
            false => None,
        };
        Some(event.unwrap_or(Event::NextSlice))
    }

    /// A panic would be a bug, and is logged as one; it ends the event, not the sessions.
    fn guarded(&mut self, work: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            tracing::error!("an event was dropped after a panic; this is a bug in shellkeep");
        }
    }

    fn handle(&mut self, event: Event) {
        self.hibernation.glance.take();
        match event {
            Event::Connected {
                client,
                pid,
                writer,
            } => {
                let mut new = Client::new(client, pid, writer);
                (new.created, new.activity) = (self.state.now(), self.state.now());
                self.state.clients.insert(client, new);
            }
            Event::Run { client, request } => self.run_request(client, *request),
            Event::Role { client, role } => control::client_role(&mut self.state, client, role),
            Event::ControlLine { client, line } => self.control_line(client, line),
            Event::Core { client, request } => self.core_request(client, &request),
            Event::Typed { client, input } => self.typed(client, input),
            Event::Resized { client, size } => self.client_resized(client, size),
            Event::PartMoved { client, last } => self.part_moved(client, last),
            Event::Ready { client } => self.client_ready(client),
            Event::Paused { client } => show::suspend(&mut self.state, client),
            Event::Gone { client } => self.client_gone(client),
            Event::Host(event) => self.host_event(event),
            Event::Printed { pane, process } => self.output_came(pane, process),
            Event::Asked {
                pane,
                process,
                effects,
            } => self.wishes_came(pane, process, effects),
            Event::Ended { pane, process } => self.output_ended(pane, process),
            Event::JobEnded { job, end } => self.job_ended(job, end),
            Event::Searched(searched) => self.searched(*searched),
            Event::Piped { pane, pipe, bytes } => pipes::piped(&mut self.state, pane, pipe, &bytes),
            Event::PipeLost { pane, lost } => self.pipe_lost(pane, lost),
            Event::Stdin { client, bytes } => self.stdin(client, &bytes),
            Event::Alarm(ring) => {
                if let Some(alarm) = ring.due() {
                    self.ring(alarm);
                }
            }
            Event::Facts {
                pane,
                process,
                facts,
            } => notices::facts_came(&mut self.state, pane, process, facts),
            Event::ShellAnswered { pane, attempt } => self.shell_answered(pane, attempt),
            Event::Prepared { pane, prepared } => self.shell_prepared(pane, *prepared),
            Event::SleeplessEnded => self.sleepers_due(),
            Event::RuleFound {
                pane,
                question,
                round,
                resume,
            } => self.rule_found(pane, question, round, resume),
            Event::WrittenDown {
                pane,
                attempt,
                written,
            } => self.written_down(pane, attempt, written),
            Event::NotedDown {
                pane,
                attempt,
                noted,
            } => self.noted_down(pane, attempt, noted),
            Event::Keeping { trouble } => self.keeping_trouble(trouble),
            Event::MemoryShort => self.sleepers_due(),
            Event::Scanned(processes) => self.processes_scanned(processes),
            Event::StoreGone => stored::store_anew(&mut self.state),
            Event::StoreReady => self.store_is_ready(),
            Event::Kept { number, left } => self.kept(number, left.as_deref()),
            Event::Written { revision } => self.written(revision),
            Event::Flushed { number, left } => self.flushed(number, left),
            Event::ArchiveRead { number, archive } => self.archive_read(number, &archive),
            Event::SearchDone(done) => self.search_done(*done),
            Event::Captured(captured) => self.captured(*captured),
            Event::FileWorkDone(done) => self.file_work_done(done),
            Event::NextSlice => self.next_slice(),
            Event::HasRoom { queue } => self.has_room(queue),
            Event::Expired(expired) => self.expired(&expired),
            Event::Terminated => self.terminated(),
        }
    }

    fn ring(&mut self, alarm: &Alarm) {
        match alarm {
            Alarm::Repeat(client) => keys::repeat_over(&mut self.state, *client),
            Alarm::Click(client) => self.clicked_enough(*client),
            Alarm::Scroll(client) => drag::drag_goes_on(&mut self.state, *client),
            Alarm::Rename(window) => self.naming_due(*window),
            Alarm::Status(client) => status::status_due(&mut self.state, *client),
            Alarm::Silence(window) => self.silence_due(*window),
            Alarm::FirstKey => self.get_ready_for_keys(),
            Alarm::Clock => self.clock_due(),
            Alarm::Message(client) => message::message_over(&mut self.state, *client),
            Alarm::PaneNumbers(client) => self.pane_numbers_over(*client),
            Alarm::Subscriptions(client) => self.look_at_subscriptions(*client),
            Alarm::Tree(pane) => self.refresh_tree(*pane),
            Alarm::Size(pane) => sizes::size_due(&mut self.state, *pane),
            Alarm::Asleep(pane) => self.asleep_due(*pane),
            Alarm::Capture(pane) => self.capture_due(*pane),
            Alarm::Bedtime => self.bedtime_goes_on(),
            Alarm::Settled => self.look_at_unsettled(),
            Alarm::Judging => self.judging_goes_on(),
            Alarm::Awake(pane) => self.awake_due(*pane),
            Alarm::EndGrace(pane) => self.end_grace_over(*pane),
            Alarm::Sleepers => self.look_for_sleepers(),
            Alarm::Expiry => self.expire(),
            Alarm::Leave => self.leave_again(),
            Alarm::LastCapture(number) => self.last_capture_over(*number),
            Alarm::LookAtLastCapture(number) => self.look_at_last_capture(*number),
            Alarm::Lock(session) => self.lock_due(*session),
            Alarm::Queue(queue) => self.resume(*queue, Ok(Reply::default())),
        }
    }

    /// What follows from an event, once for all that it changed: sizes, notes to the next server, pictures.
    fn settle(&mut self) {
        self.wake_in_turn();
        self.ask_next_sleepers();
        self.resume_woken();
        self.run_waiting_lines();
        focus::update_focus(&mut self.state);
        self.run_hooks();
        self.fit_windows();
        if !self.state.changes.hooks.is_empty() {
            self.run_hooks();
            self.fit_windows();
        }
        self.check_native_clients();
        // After the sizes, so that changes of them are told with what led to them.
        let notices = std::mem::take(&mut self.state.changes.notices);
        self.tell_control_clients(&notices);
        control::end_control_clients(&mut self.state);
        self.fit_windows();
        copy::refit_modes(&mut self.state);
        if !self.state.changes.is_painting {
            self.wake_shown();
        }
        self.keep_buffers();
        self.write_notes();
        self.show_stale();
        self.start_format_jobs();
    }
}

/// The sessions in the order in which they are listed.
pub(crate) fn sessions_by_name(model: &Model) -> Vec<&Session> {
    let mut sessions: Vec<&Session> = model.sessions.values().collect();
    sessions.sort_by(|a, b| a.name.cmp(&b.name));
    sessions
}
