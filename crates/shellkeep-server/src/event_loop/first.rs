//! The shell that was started ahead for the first session ([`crate::first_shell`]): who gets it, and what becomes of it otherwise. Like a
//! spare shell it is nobody's pane at first.

use std::path::PathBuf;

use shellkeep_keeper::host::AheadGate;
use shellkeep_keeper::{GATE, Held, HostEvent, HostRequest, NOBODY, SpawnRequest, steps};
use shellkeep_shell::News;

use super::Server;
use super::spawn::shell_in;
use crate::event::Event;
use crate::first_shell::{FirstShell, difference, value};

/// Where the shell is that was started ahead.
#[derive(Default)]
pub(crate) enum First {
    /// There is none, or it is a pane's like any other.
    #[default]
    None,
    /// At its gate.
    Waiting(FirstShell),
    /// It is for a pane that does not know of it yet.
    Given(Given),
}

/// A shell that a pane will have.
pub(crate) struct Given {
    /// What would have been started without it.
    spawn: SpawnRequest,
    /// What it is told when its terminal has the right size; none if it has been told.
    untold: Option<(AheadGate, Vec<u8>)>,
    /// If the keeper told of it before anybody asked for it.
    held: Option<Held>,
}

impl Server {
    /// Gives the shell that was started ahead to a pane, if it is what would be started there. Gives back what is to be started instead, and
    /// ends the shell: the first program of a server is the one it was meant for.
    pub(super) fn give_first_shell(&mut self, spawn: SpawnRequest) -> Option<SpawnRequest> {
        let first = match std::mem::take(&mut self.first) {
            First::Waiting(first) => first,
            first => {
                self.first = first;
                return Some(spawn);
            }
        };
        steps::reached("first-found");
        let Some((program, told)) = self.telling(&first.begun, &spawn) else {
            self.end_first(first);
            return Some(spawn);
        };
        let FirstShell { begun, gate, held } = first;
        self.set_shell(spawn.pane, Some(program));
        let mut untold = Some((gate, told));
        if begun.size == spawn.size && !tell(untold.take()) {
            if let Some(held) = held {
                self.end_held(&held);
            }
            return Some(spawn);
        }
        steps::reached("first-let-in");
        let given = Given {
            spawn,
            untold,
            held,
        };
        self.first = First::Given(given);
        None
    }

    /// What the keeper has told of the shell that was started ahead, for the pane that has been given it since. It is an event of its own, as if it
    /// came only now: the command that opens the pane waits for it when it is done, and would wait for ever if it had come before.
    pub(super) fn first_shell_event(&mut self) -> Option<Event> {
        let First::Given(given) = &mut self.first else {
            return None;
        };
        let held = given.held.take()?;
        Some(Event::Host(HostEvent::Held(held)))
    }

    /// The shell's program and what to tell it, if a pane can have it.
    fn telling(&self, begun: &SpawnRequest, spawn: &SpawnRequest) -> Option<(PathBuf, Vec<u8>)> {
        let changes = difference(begun, spawn)?;
        let (program, _) = shell_in(&spawn.program)?;
        let is_possible = shellkeep_shell::can_wait(&program)
            && self.is_integrated(spawn.pane)
            && self.make_shell_dir(spawn.pane);
        let news = News {
            changes: &changes,
            variable: &|name| value(spawn, name),
            dir: &self.shell_dir(spawn.pane),
        };
        let scripts = self.shells_dir().join("scripts");
        let told = || shellkeep_shell::told(GATE, &news, &scripts).ok();
        is_possible.then(told)?.map(|told| (program, told))
    }

    /// The keeper has told of a shell that a pane is to have.
    fn first_shell_runs(&mut self, given: Given, held: Held) {
        let Given { spawn, untold, .. } = given;
        if untold.is_some() {
            // It is no worse than a size that changes a moment later.
            let _ = held.pty.resize(spawn.size);
            if !tell(untold) {
                self.end_held(&held);
                return self.ask_for_program(spawn);
            }
        }
        self.pass_to(spawn.pane, held);
    }

    /// Takes what the keeper says of the shell that was started ahead; gives back what it says of others.
    pub(super) fn first_host_event(&mut self, event: HostEvent) -> Option<HostEvent> {
        let (HostEvent::Held(Held { pane, .. })
        | HostEvent::SpawnFailed { pane, .. }
        | HostEvent::Exited { pane, .. }) = &event;
        if *pane != NOBODY {
            return Some(event);
        }
        match (std::mem::take(&mut self.first), event) {
            (First::Waiting(first), HostEvent::Held(held)) => {
                self.first = First::Waiting(FirstShell {
                    held: Some(held),
                    ..first
                });
            }
            (First::Given(given), HostEvent::Held(held)) => self.first_shell_runs(given, held),
            (First::Given(given), HostEvent::SpawnFailed { reason, .. }) => {
                tracing::debug!(reason, "no shell was started ahead");
                self.ask_for_program(given.spawn);
            }
            (First::Waiting(first), HostEvent::Exited { process, .. }) if first.is(process) => {
                self.host.request(HostRequest::Close(NOBODY));
            }
            (First::Waiting(_), HostEvent::SpawnFailed { .. }) => {}
            (first, event) => {
                self.first = first;
                return Some(event);
            }
        }
        None
    }

    /// Nobody has wanted the shell that was started ahead, and nobody will.
    pub(super) fn end_first_shell(&mut self) {
        match std::mem::take(&mut self.first) {
            First::Waiting(first) => self.end_first(first),
            first => self.first = first,
        }
    }

    /// One that the keeper has not told of yet is let go when it does.
    fn end_first(&self, first: FirstShell) {
        if let Some(held) = first.turn_away() {
            self.end_held(&held);
        }
    }
}

/// Lets a shell through its gate; whether it was still there.
fn tell(untold: Option<(AheadGate, Vec<u8>)>) -> bool {
    untold.is_none_or(|(gate, told)| gate.say(&told).is_ok())
}
