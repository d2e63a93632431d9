//! The checks, in the order in which a person would look: what is kept, who keeps it, then everything around it.

mod buffers;
pub(crate) mod catalogue;
mod clock;
mod keeper;
mod limits;
mod lock;
mod logout;
mod permissions;
mod quarantine;
mod room;
mod runtime_directory;
mod saving;
mod sessions;
mod shell;
mod socket;
mod state_directory;
mod stray_panes;
mod terminal;

use std::path::Path;

use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

/// What to do about something that a later version wrote.
pub(crate) const UPGRADE: &str = "install the shellkeep that wrote it, or a later one";

type Check = fn(&Setup<'_>) -> Vec<Finding>;

const ALL: &[Check] = &[
    state_directory::check,
    permissions::check,
    sessions::check,
    buffers::check,
    quarantine::check,
    catalogue::check,
    runtime_directory::check,
    socket::check,
    lock::check,
    keeper::check,
    saving::check,
    room::check,
    logout::check,
    terminal::check,
    shell::check,
    limits::check,
    clock::check,
];

/// Runs them all.
pub(crate) fn all(setup: &Setup<'_>) -> Vec<Finding> {
    ALL.iter().flat_map(|check| check(setup)).collect()
}

/// What is said where a pipe lies among what is kept, instead of waiting for somebody to write into it.
pub(crate) fn tell_of_pipe(setup: &Setup<'_>, name: &'static str, pipe: &Path) -> Finding {
    let sentence = format!(
        "{} is a pipe and no file, so nothing could be looked at",
        pipe.display()
    );
    let fix = format!("find {} -type p -delete", quoted(&setup.state_dir));
    Finding::problem(name, sentence, fix)
}

/// `1 session`, `2 sessions`.
fn number(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
