//! What can be asked about a pane's program, and is kept for when it is gone.

use std::sync::Arc;

use shellkeep_keeper::{ProcessId, Pty};

use crate::hibernation::running::Run;
use crate::process::process_info;
use crate::process::processes::Processes;

/// What the system knows of a pane's program, and is wanted when its processes are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Where its shell is.
    pub(crate) directory: Option<String>,
    /// The words of the program that has the terminal, if it is not the shell.
    pub(crate) program: Vec<String>,
    /// What else is known of that program.
    pub(crate) run: Run,
}

/// Where a pane's program can be asked about.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) process: ProcessId,
    pub(crate) pty: Arc<dyn Pty>,
}

impl Program {
    pub(crate) fn facts(&self) -> Facts {
        let shell = nix::unistd::Pid::from_raw(self.process.pid.cast_signed());
        let group = self
            .pty
            .fd()
            .and_then(|fd| nix::unistd::tcgetpgrp(fd).ok())
            // Nobody has a terminal whose programs have ended; the system's own processes are in a group of that number.
            .filter(|group| *group != shell && group.as_raw() > 0);
        let mut program = group.map(process_info::argv_of).unwrap_or_default();
        let mut leader = group;
        if let Some(group) = group.filter(|_| program.is_empty()) {
            // The first of a pipeline may have ended before the rest of it.
            leader = Processes::look().in_group(group);
            program = leader.map(process_info::argv_of).unwrap_or_default();
        }
        let leader = leader.filter(|_| !program.is_empty());
        Facts {
            directory: process_info::directory_of(shell),
            program,
            run: leader.map(Run::of).unwrap_or_default(),
        }
    }
}
