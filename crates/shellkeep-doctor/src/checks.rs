//! The checks, in the order of the report: what is kept, the processes that keep it, then their surroundings.

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

use crate::Setup;
use crate::finding::Finding;

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

pub(crate) fn all(setup: &Setup<'_>) -> Vec<Finding> {
    ALL.iter().flat_map(|check| check(setup)).collect()
}
