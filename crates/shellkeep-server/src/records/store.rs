//! Has the entries of commands written to the disk.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use shellkeep_core::PaneId;
use shellkeep_store::schema::{CommandEntry, CommandRepository};

use crate::model::Model;
use crate::persistence::state::Persistence;
use crate::records::repository::Repository;

/// Has an entry stored, unless nothing of the pane may be on disk.
pub(crate) fn keep_command(
    model: &Model,
    persistence: &Persistence,
    id: PaneId,
    entry: CommandEntry,
) {
    let (Some(pane), Some(keeping)) = (model.panes.get(&id), &persistence.keeping) else {
        return;
    };
    let home = pane.screen.with_record(|record| record.home());
    let Some(home) = home.filter(|_| !pane.is_secret) else {
        return;
    };
    let began = match &entry {
        CommandEntry::Began(began) => Some((began.id, began.cwd.clone())),
        CommandEntry::Repository(_) | CommandEntry::Ended(_) => None,
    };
    keeping.recorder.add_command(home, entry);
    let Some((command, cwd)) = began.filter(|(_, cwd)| !cwd.is_empty()) else {
        return;
    };
    let recorder = keeping.recorder.clone();
    // The directory may be on a disk that does not answer: neither the loop nor the recorder waits for it.
    tokio::task::spawn_blocking(move || {
        let cwd = Path::new(OsStr::from_bytes(&cwd));
        if let Some(repository) = Repository::around(cwd) {
            let entry = CommandRepository {
                id: command,
                branch: repository.branch,
                commit: repository.commit,
            };
            recorder.add_command(home, CommandEntry::Repository(entry));
        }
    });
}
