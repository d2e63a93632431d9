//! A model of the real keeper, with messages that are on their way for any length of time. Every message must be
//! attributed to the right process.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Weak;

use proptest::prelude::*;
use shellkeep_core::Size;

use super::*;
use crate::protocol::Program;

/// The next step of the model.
#[derive(Clone, Copy, Debug)]
enum Step {
    Spawn(PaneId),
    Close(PaneId),
    /// The keeper handles the next request.
    Obey,
    /// One of the running processes ends.
    Die(usize),
    /// The server receives the next message.
    Hear,
}

fn step() -> impl Strategy<Value = Step> {
    let pane = prop_oneof![Just(PaneId(1)), Just(PaneId(2)), Just(PaneId(3))];
    prop_oneof![
        2 => pane.clone().prop_map(Step::Spawn),
        1 => pane.prop_map(Step::Close),
        4 => Just(Step::Obey),
        2 => any::<usize>().prop_map(Step::Die),
        4 => Just(Step::Hear),
    ]
}

#[derive(Clone, Copy, Debug)]
enum Request {
    Spawn(PaneId, Generation),
    Close(PaneId),
}

/// Messages of the model, with the process that each is about, which only the test knows.
#[derive(Clone, Copy, Debug)]
enum Said {
    Held(PaneId, ProcessId),
    Exited(PaneId, ProcessId),
}

/// Variants of keeper and kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The keeper reports pids.
    Naming,
    /// The keeper reports pids, and the kernel reuses them as soon as it can.
    Reusing,
    /// The keeper reports no pids.
    Old,
}

struct World {
    kind: Kind,
    ledger: Ledger,
    last: u64,
    requests: VecDeque<Request>,
    said: VecDeque<Said>,
    held: BTreeMap<PaneId, ProcessId>,
    living: Vec<ProcessId>,
    /// Processes whose end the keeper has reported.
    ended: Vec<ProcessId>,
    used: BTreeSet<u32>,
}

impl World {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            ledger: Ledger::default(),
            last: 0,
            requests: VecDeque::new(),
            said: VecDeque::new(),
            held: BTreeMap::new(),
            living: Vec::new(),
            ended: Vec::new(),
            used: BTreeSet::new(),
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Spawn(pane) => {
                self.last += 1;
                let generation = Generation(self.last);
                self.ledger.asked(generation, request(pane));
                self.requests.push_back(Request::Spawn(pane, generation));
            }
            Step::Close(pane) => {
                self.ledger.closed(pane);
                self.requests.push_back(Request::Close(pane));
            }
            Step::Obey => match self.requests.pop_front() {
                Some(Request::Spawn(pane, generation)) => {
                    let pid = self.free_pid();
                    let process = ProcessId { pid, generation };
                    self.living.push(process);
                    self.held.insert(pane, process);
                    self.said.push_back(Said::Held(pane, process));
                }
                Some(Request::Close(pane)) => drop(self.held.remove(&pane)),
                None => {}
            },
            Step::Die(which) if !self.living.is_empty() => {
                let dead = self.living.swap_remove(which % self.living.len());
                let is_its = |held: &ProcessId| held.pid == dead.pid && !self.ended.contains(held);
                if let Some((pane, held)) = self.held.iter().find(|(_, held)| is_its(held)) {
                    self.said.push_back(Said::Exited(*pane, dead));
                    self.ended.push(*held);
                }
            }
            Step::Die(_) => {}
            Step::Hear => self.next_message(),
        }
    }

    fn free_pid(&mut self) -> u32 {
        let is_living = |pid: u32| self.living.iter().any(|process| process.pid == pid);
        let is_free = |pid: &u32| match self.kind {
            Kind::Reusing => !is_living(*pid),
            Kind::Naming | Kind::Old => !self.used.contains(pid),
        };
        let pid = (1..).find(is_free).unwrap();
        self.used.insert(pid);
        pid
    }

    fn next_message(&mut self) {
        match self.said.pop_front() {
            Some(Said::Held(pane, process)) => match self.ledger.answered(pane) {
                Answer::Wanted(generation) => {
                    assert_eq!(generation, process.generation);
                    let pty: Weak<dyn Pty> = Weak::<crate::pty::Master>::new();
                    let tty = String::new();
                    self.ledger.holds(pane, KnownPane { pty, process, tty });
                }
                Answer::Abandoned(generation) => assert_eq!(generation, process.generation),
            },
            Some(Said::Exited(pane, process)) => {
                let pid = (self.kind != Kind::Old).then_some(process.pid);
                let found = self.ledger.exited(pane, pid);
                let is_known = self.ledger.panes().any(|(_, it)| it.process == process);
                // An exit is matched to its process if the pane still has that one.
                assert_eq!(found, is_known.then_some(process));
            }
            None => {}
        }
    }
}

fn request(pane: PaneId) -> SpawnRequest {
    SpawnRequest {
        pane,
        size: Size::new(24, 80),
        program: Program::Argv(Vec::new()),
        cwd: Vec::new(),
        environ: Vec::new(),
        umask: 0,
        terminal: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_message_is_attributed_to_its_process(
        steps in proptest::collection::vec(step(), 1..60),
        kind in prop_oneof![Just(Kind::Naming), Just(Kind::Reusing), Just(Kind::Old)],
    ) {
        let mut world = World::new(kind);
        for step in steps {
            world.take(step);
        }
        while !world.requests.is_empty() || !world.said.is_empty() {
            world.take(Step::Obey);
            world.take(Step::Hear);
        }
    }
}

#[test]
fn starts_are_requested_again_unless_their_pane_was_closed() {
    let mut ledger = Ledger::default();
    ledger.asked(Generation(1), request(PaneId(2)));
    ledger.asked(Generation(2), request(PaneId(1)));
    ledger.closed(PaneId(2));
    ledger.asked(Generation(3), request(PaneId(2)));
    let lost = [(PaneId(2), Generation(1))];
    assert_eq!(ledger.lost(), lost);
    let again: Vec<PaneId> = ledger.to_ask_again().iter().map(|it| it.pane).collect();
    assert_eq!(again, [PaneId(1), PaneId(2)]);
    assert_eq!(ledger.answered(PaneId(2)), Answer::Wanted(Generation(3)));
    let left = [(PaneId(1), Generation(2))];
    assert_eq!(ledger.give_up(), left);
    assert!(ledger.to_ask_again().is_empty());
}
