//! Orderly ends of a server with one pane on disk, whose shell the test simulates: what an end waits for, and which
//! panes outlive their programs.

use std::path::PathBuf;
use std::sync::Arc;

use shellkeep_keeper::{Exit, Held, HostEvent, HostRequest, ProcessId};
use shellkeep_shell::{Phase, Shell};
use shellkeep_store::Store;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::event::Event;
use crate::event_loop::settle::settle;
use crate::inbox::Inbox;
use crate::model::{Cause, Falling, ShellReport, Sleep};
use crate::panes::shells;
use crate::persistence::keeping::Keeping;
use crate::persistence::recorder::Recorder;
use crate::server::Server;
use crate::shutdown::last_capture;
use crate::shutdown::leaving::*;
use crate::test_server::Quiet;
use crate::{event_loop, test_server};

const PANE: PaneId = PaneId(0);

const SIGTERM: i32 = 15;
const SIGHUP: i32 = 1;

struct World {
    server: Server,
    requests: UnboundedReceiver<HostRequest>,
    inbox: Inbox,
    process: ProcessId,
    temp: tempfile::TempDir,
    // The last field, since the server's timers end in it.
    runtime: Runtime,
}

impl World {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        let inside = runtime.enter();
        let temp = tempfile::tempdir().unwrap();
        let (mut server, mut requests, inbox) = test_server::server(temp.path(), "/bin/sh");
        let store = Store::open(&temp.path().join("state"), "test").unwrap();
        let recorder = Recorder::start(store.clone(), server.thread_events.clone());
        server.persistence.keeping = Some(Keeping { store, recorder });
        server.hibernation.keeping = server.persistence.keeping.clone();
        let config = Ok("new-session -d -s work".to_owned());
        event_loop::configure(&mut server, Some(("test".to_owned(), config)));
        let generation = loop {
            if let HostRequest::Spawn { generation, .. } = requests.try_recv().unwrap() {
                break generation;
            }
        };
        // No process has this pid.
        let process = ProcessId {
            pid: i32::MAX.cast_unsigned(),
            generation,
        };
        event_loop::handle_and_carry_out(
            &mut server,
            Event::Host(HostEvent::Held(Held {
                pane: PANE,
                process,
                tty: String::new(),
                pty: Arc::new(Quiet::default()),
                exit: None,
            })),
        );
        drop(inside);
        let mut world = Self {
            server,
            requests,
            inbox,
            process,
            temp,
            runtime,
        };
        world.shell_says("0 prompt");
        let word = ShellReport::expected(world.temp.path());
        let pane = world.pane();
        pane.shell_program = Some(PathBuf::from("/bin/bash"));
        pane.shell_report = word;
        shells::read_shell_report(&mut world.server.model, PANE);
        world
    }

    fn pane(&mut self) -> &mut Pane {
        let pane = self.server.model.panes.get_mut(&PANE);
        pane.expect("the pane is there")
    }

    fn is_open(&self) -> bool {
        self.server.model.panes.contains_key(&PANE) && !self.server.model.sessions.is_empty()
    }

    /// The shell writes this report.
    fn shell_says(&self, text: &str) {
        let number = text.split(' ').next().unwrap();
        let text = format!("#shellkeep {text}\n#shellkeep {number} end\n");
        std::fs::write(Phase::file(self.temp.path()), text).unwrap();
    }

    fn happens(&mut self, event: Event) {
        let _inside = self.runtime.enter();
        event_loop::handle_and_carry_out(&mut self.server, event);
        settle(&mut self.server);
    }

    fn program_ends(&mut self, exit: Exit) {
        let (pane, process) = (PANE, self.process);
        let exited = HostEvent::Exited {
            pane,
            process,
            exit,
        };
        self.happens(Event::Host(exited));
    }

    fn output_ends(&mut self) {
        let (pane, process) = (PANE, self.process);
        self.happens(Event::Ended { pane, process });
    }

    /// Advances the clock until an alarm of this kind fires.
    fn wait_for(&mut self, is_it: impl Fn(&Alarm) -> bool) {
        loop {
            let event = self.runtime.block_on(self.inbox.recv()).unwrap();
            let is_last = matches!(&event, Event::Alarm(ring) if ring.due().is_some_and(&is_it));
            self.happens(event);
            if is_last {
                return;
            }
        }
    }

    /// Begins an orderly end. Returns whether it waits for the pane's shell.
    fn begins_to_end(&mut self) -> Option<u64> {
        let _inside = self.runtime.enter();
        last_capture::begin_last_capture(
            &mut self.server.model,
            &mut self.server.shutdown,
            &mut self.server.hibernation,
            &[PANE],
        )
    }

    fn is_waited_for(&self, number: u64) -> bool {
        self.server.shutdown.leaving.captures.is_running(number)
    }

    fn has_let_go(&mut self) -> bool {
        let mut requests = std::iter::from_fn(|| self.requests.try_recv().ok());
        requests.any(|request| matches!(request, HostRequest::Close(PANE)))
    }
}

#[test]
fn shell_that_did_nothing_is_not_waited_for() {
    let mut world = World::new();
    assert_eq!(world.begins_to_end(), None);
}

#[test]
fn shell_that_is_being_put_to_sleep_is_waited_for_until_it_sleeps() {
    let mut world = World::new();
    let process = world.process;
    let falling = Falling::new(Some(Shell::Bash), process);
    world.pane().life.falls_asleep(Box::new(falling));
    let number = world.begins_to_end().expect("it is waited for");
    world.wait_for(|alarm| matches!(alarm, Alarm::RecheckLastCapture(_)));
    assert!(world.is_waited_for(number), "its state is not on disk yet");
    let pane = world.pane();
    pane.falls_asleep(Sleep {
        cause: Cause::Hibernated,
        ..Sleep::lost(0)
    });
    world.wait_for(|alarm| matches!(alarm, Alarm::RecheckLastCapture(_)));
    assert!(!world.is_waited_for(number));
}

#[test]
fn command_that_ran_unseen_is_not_missed_at_the_end() {
    let mut world = World::new();
    world.shell_says("1 prompt 0");
    assert!(world.begins_to_end().is_some(), "its state is older");
}

/// The order in which SIGTERM of a system shutdown reaches a program and the server, and in which notices about that
/// reach the event loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Exited,
    OutputEnded,
    Terminated,
}

#[test]
fn program_that_ends_with_the_system_leaves_its_pane_in_every_order() {
    use Step::{Exited, OutputEnded, Terminated};
    let orders = [
        [Exited, OutputEnded, Terminated],
        [Exited, Terminated, OutputEnded],
        [OutputEnded, Exited, Terminated],
        [OutputEnded, Terminated, Exited],
        [Terminated, Exited, OutputEnded],
        [Terminated, OutputEnded, Exited],
    ];
    let by_itself = [
        [Terminated, Exited, OutputEnded],
        [Terminated, OutputEnded, Exited],
        [OutputEnded, Terminated, Exited],
    ];
    for (exit, orders) in [
        (Exit::Signal(SIGTERM), &orders[..]),
        (Exit::Signal(SIGHUP), &orders),
        (Exit::Status(0), &by_itself),
    ] {
        for order in orders {
            let mut world = World::new();
            for step in *order {
                match step {
                    Exited => world.program_ends(exit),
                    OutputEnded => world.output_ends(),
                    Terminated => world.happens(Event::Terminated),
                }
            }
            assert!(world.is_open(), "{order:?} {exit:?}");
            assert!(world.has_let_go(), "{order:?} {exit:?}");
        }
    }
}

#[test]
fn pane_of_a_program_that_a_signal_has_ended_goes_if_the_server_stays() {
    let mut world = World::new();
    world.program_ends(Exit::Signal(SIGTERM));
    world.output_ends();
    assert!(world.is_open(), "the server may be told to end as well");
    world.wait_for(|alarm| matches!(alarm, Alarm::EndGrace(PANE)));
    assert!(!world.is_open());
}

#[test]
fn pane_of_a_program_that_ended_by_itself_goes_at_once() {
    for is_read_first in [true, false] {
        let mut world = World::new();
        if is_read_first {
            world.output_ends();
            assert!(world.is_open(), "nobody knows yet how it ended");
        }
        world.program_ends(Exit::Status(1));
        if !is_read_first {
            world.output_ends();
        }
        assert!(!world.is_open());
    }
}
