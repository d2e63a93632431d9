//! The checks, in the order in which a person would look: what is kept, who keeps it, then everything around it.

mod catalogue;
mod clock;
mod keeper;
mod limits;
mod lock;
mod logout;
mod permissions;
mod quarantine;
mod room;
mod runtime_directory;
mod sessions;
mod shell;
mod socket;
mod state_directory;
mod terminal;

use crate::Setup;
use crate::finding::Finding;

type Check = fn(&Setup<'_>) -> Vec<Finding>;

const ALL: &[Check] = &[
    state_directory::check,
    permissions::check,
    sessions::check,
    quarantine::check,
    catalogue::check,
    runtime_directory::check,
    socket::check,
    lock::check,
    keeper::check,
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

/// `1 session`, `2 sessions`.
fn number(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
