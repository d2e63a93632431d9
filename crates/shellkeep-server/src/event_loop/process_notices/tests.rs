//! A pane falls asleep and wakes while late notices about its former processes arrive, in any order. None of them must
//! change anything.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use shellkeep_core::PaneId;
use shellkeep_hibernation::{How, Resume, WakesOn};
use shellkeep_keeper::HostRequest;
use shellkeep_term::{Effect, PromptMark};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::alarm::Alarm;
use crate::alarms::Timers;
use crate::commands::exec::sleeping;
use crate::event::Event;
use crate::event_loop::handle_and_carry_out;
use crate::event_loop::process_notices::*;
use crate::hibernation::prepared::Prepared;
use crate::hibernation::refusal::Force;
use crate::hibernation::{fall_asleep, outcome};
use crate::inbox::Inbox;
use crate::model::ticket::Ticket;
use crate::model::{Cause, Falling, ShellReport, Sleep, Waker};
use crate::test_server::Quiet;
use crate::{alarms, event_loop, test_server};

const PANE: PaneId = PaneId(0);

/// Input while the pane is asleep.
const TYPED: &[u8] = b"echo once\r";

/// A notice about one of the pane's former processes.
#[derive(Clone, Copy, Debug)]
enum Late {
    Held,
    SpawnFailed,
    Exited,
    Printed,
    Prompt,
    Ended,
    Facts,
    ShellAnswered,
    WrittenDown,
    NotWrittenDown,
    NotedDown,
    Prepared,
    RuleFound,
    AwakeAlarm,
    AsleepAlarm,
}

const ALL: [Late; 15] = [
    Late::Held,
    Late::SpawnFailed,
    Late::Exited,
    Late::Printed,
    Late::Prompt,
    Late::Ended,
    Late::Facts,
    Late::ShellAnswered,
    Late::WrittenDown,
    Late::NotWrittenDown,
    Late::NotedDown,
    Late::Prepared,
    Late::RuleFound,
    Late::AwakeAlarm,
    Late::AsleepAlarm,
];

/// A server with one session, whose pane has run something and is asleep.
struct World {
    server: Server,
    requests: UnboundedReceiver<HostRequest>,
    /// The start that was requested and not answered.
    spawn: Option<(Generation, PaneId)>,
    ends: Vec<HostRequest>,
    /// Events of the server's tasks are dropped.
    _inbox: Inbox,
    old: ProcessId,
}

impl World {
    fn new(dir: &Path) -> Self {
        let (server, requests, inbox) = test_server::server(dir, "/bin/bash");
        let mut world = Self {
            server,
            requests,
            spawn: None,
            ends: Vec::new(),
            _inbox: inbox,
            old: ProcessId {
                pid: 0,
                generation: Generation::INHERITED,
            },
        };
        let config = Ok("new-session -d -s work".to_owned());
        event_loop::configure(&mut world.server, Some(("test".to_owned(), config)));
        let (old, _) = world.answer_spawn();
        world.old = old;
        world.hibernates();
        world
    }

    /// Answers the last start request.
    fn answer_spawn(&mut self) -> (ProcessId, Arc<Quiet>) {
        self.keeper_works();
        let (generation, pane) = self.spawn.take().expect("a program was asked for");
        assert_eq!(pane, PANE);
        // The kernel may reuse the same pid.
        let process = ProcessId {
            pid: i32::MAX.cast_unsigned(),
            generation,
        };
        let pty = Arc::new(Quiet::default());
        self.held(process, pty.clone());
        (process, pty)
    }

    fn held(&mut self, process: ProcessId, pty: Arc<Quiet>) {
        let held = Held {
            pane: PANE,
            process,
            tty: String::new(),
            pty,
            exit: None,
        };
        handle_and_carry_out(&mut self.server, Event::Host(HostEvent::Held(held)));
    }

    fn pane(&mut self) -> &mut crate::model::Pane {
        let pane = self.server.model.panes.get_mut(&PANE);
        pane.expect("the pane is there")
    }

    fn hibernates(&mut self) {
        let pane = self.pane();
        pane.falls_asleep(Sleep {
            cause: Cause::Ended,
            ..Sleep::lost(0)
        });
    }

    fn prompt(&mut self, process: ProcessId) {
        handle_and_carry_out(
            &mut self.server,
            Event::Effects {
                pane: PANE,
                process,
                effects: vec![Effect::Prompt {
                    mark: PromptMark::InputStart,
                    line: None,
                    cell: 0,
                }],
            },
        );
    }

    /// An alarm that fired and was cancelled before it was handled.
    fn taken_back(runtime: &Runtime, alarm: Alarm) -> Event {
        let (events, mut rung) = mpsc::channel(1);
        let timer = alarms::set(alarm, Duration::ZERO, Timers::Runtime, events);
        let Some(Event::Alarm(ring)) = runtime.block_on(rung.recv()) else {
            panic!("the alarm rings");
        };
        drop(timer);
        Event::Alarm(ring)
    }

    fn late(&mut self, runtime: &Runtime, late: Late) {
        let (pane, process) = (PANE, self.old);
        let generation = process.generation;
        let attempt = Ticket::new();
        let exit = Exit::Signal(9);
        let event = match late {
            Late::Held => return self.held(process, Arc::default()),
            Late::SpawnFailed => Event::Host(HostEvent::SpawnFailed {
                pane,
                generation,
                reason: "late".to_owned(),
            }),
            Late::Exited => Event::Host(HostEvent::Exited {
                pane,
                process,
                exit,
            }),
            Late::Printed => Event::Printed { pane, process },
            Late::Prompt => return self.prompt(process),
            Late::Ended => Event::Ended { pane, process },
            Late::Facts => Event::Facts {
                pane,
                process,
                facts: Facts {
                    directory: Some("/late".to_owned()),
                    ..Facts::default()
                },
            },
            Late::ShellAnswered => Event::ShellAnswered { pane, attempt },
            Late::WrittenDown => Event::WrittenDown {
                pane,
                attempt,
                written: Ok(()),
            },
            Late::NotWrittenDown => Event::WrittenDown {
                pane,
                attempt,
                written: Err("late".to_owned()),
            },
            Late::NotedDown => Event::NotedDown {
                pane,
                attempt,
                noted: Ok(()),
            },
            Late::Prepared => Event::Prepared {
                pane,
                prepared: Box::new(Prepared::failed(attempt, PANE)),
            },
            Late::RuleFound => Event::RuleFound {
                pane,
                question: attempt,
                round: 0,
                resume: Resume {
                    line: "late".to_owned(),
                    how: How::Run,
                    wakes_on: WakesOn::View,
                    note: None,
                },
            },
            Late::AwakeAlarm => Self::taken_back(runtime, Alarm::Awake(PANE)),
            Late::AsleepAlarm => Self::taken_back(runtime, Alarm::Asleep(PANE)),
        };
        handle_and_carry_out(&mut self.server, event);
    }

    /// The keeper carries out its requests, and records those about a pane's program.
    fn keeper_works(&mut self) {
        while let Ok(request) = self.requests.try_recv() {
            match request {
                HostRequest::Spawn { generation, spawn } => {
                    assert!(self.spawn.is_none(), "one start at a time");
                    self.spawn = Some((generation, spawn.pane));
                }
                HostRequest::Deliver(delivery) => delivery.carry_out(),
                HostRequest::Remember { .. }
                | HostRequest::HoldInput { .. }
                | HostRequest::ForgetInput(_) => {}
                request => self.ends.push(request),
            }
        }
    }
}

/// The order of late notices, and before which step of the pane's life each one arrives.
fn orders() -> impl Strategy<Value = Vec<(Late, usize)>> {
    let order = Just(ALL.to_vec()).prop_shuffle();
    let steps = proptest::collection::vec(0..4_usize, ALL.len());
    (order, steps).prop_map(|(order, steps)| order.into_iter().zip(steps).collect())
}

/// A runtime whose clock stands still.
fn stopped_clock() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().start_paused(true).build().unwrap()
}

fn check(orders: &[(Late, usize)]) {
    let runtime = stopped_clock();
    let _inside = runtime.enter();
    let temp = tempfile::tempdir().unwrap();
    let mut world = World::new(temp.path());
    let come = |world: &mut World, step: usize| {
        for (late, _) in orders.iter().filter(|(_, its)| *its == step) {
            world.late(&runtime, *late);
        }
    };
    come(&mut world, 0);
    assert!(!world.pane().life.has_process(), "it sleeps");
    world.pane().write(TYPED);
    sleeping::wake(&mut world.server, PANE, Waker::Command);
    // A shell known by its marks alone: the test has no shell that writes a report file.
    world.pane().shell_report = ShellReport::default();
    come(&mut world, 1);
    assert!(world.pane().has_early_input(), "it waits for the shell");
    let (new, pty) = world.answer_spawn();
    come(&mut world, 2);
    world.keeper_works();
    assert_eq!(pty.typed(), b"", "it waits for the prompt");
    world.prompt(new);
    let falling = Falling::new(None, new);
    world.pane().life.falls_asleep(Box::new(falling));
    come(&mut world, 3);
    let falling = world.pane().life.falling();
    assert!(falling.is_some(), "nothing is known of it yet");
    world.keeper_works();
    assert_eq!(pty.typed(), TYPED);
    assert!(world.pane().runs(new));
    assert_eq!(world.pane().life.exit(), None);
    assert_eq!(world.pane().facts.directory, None);
    assert!(!world.pane().is_asleep());
    assert_eq!(world.server.model.sessions.len(), 1);
    assert!(world.ends.is_empty(), "{:?}", world.ends);
    assert_eq!(world.spawn, None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn late_notices_change_nothing_whenever_they_come(orders in orders()) {
        check(&orders);
    }
}

#[test]
fn each_late_notice_changes_nothing_at_any_step() {
    for late in ALL {
        for step in 0..4 {
            check(&[(late, step)]);
        }
    }
}

#[test]
fn shell_on_its_way_back_is_not_put_to_sleep_and_gets_its_input_at_its_prompt() {
    let runtime = stopped_clock();
    let _inside = runtime.enter();
    let temp = tempfile::tempdir().unwrap();
    let mut world = World::new(temp.path());
    world.pane().write(TYPED);
    sleeping::wake(&mut world.server, PANE, Waker::Command);
    world.pane().shell_report = ShellReport::default();
    let (new, pty) = world.answer_spawn();
    let processes = crate::process::processes::Processes::scan();
    let refused = fall_asleep::fall_asleep(
        &mut world.server.model,
        &mut world.server.hibernation,
        PANE,
        &processes,
        Force::On,
    );
    assert!(refused.is_err(), "what it was is on disk only");
    outcome::cancel_sleep(&mut world.server.model, PANE, "it was refused");
    world.keeper_works();
    assert_eq!(pty.typed(), b"", "the next server would end this shell");
    world.prompt(new);
    world.keeper_works();
    assert_eq!(pty.typed(), TYPED);
}
