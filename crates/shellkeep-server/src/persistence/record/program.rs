//! Facts about a pane's program, recorded for when it is gone.

use std::sync::Arc;

use shellkeep_keeper::{ProcessId, Pty};

use crate::hibernation::running::Run;
use crate::process::process_info;
use crate::process::processes::Processes;

/// What the system knows of a pane's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The directory of its shell.
    pub(crate) directory: Option<String>,
    /// The words of the foreground program, if that is not the shell.
    pub(crate) program: Vec<String>,
    /// What else is known of that program.
    pub(crate) run: Run,
}

/// A handle for reading the facts of a pane's program.
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
            // Once all programs of a terminal have ended, its foreground group is 0, which is that of kernel threads.
            .filter(|group| *group != shell && group.as_raw() > 0);
        let mut program = group.map(process_info::argv_of).unwrap_or_default();
        let mut leader = group;
        if let Some(group) = group.filter(|_| program.is_empty()) {
            // The first process of a pipeline may have ended before the others.
            leader = Processes::scan().in_group(group);
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
