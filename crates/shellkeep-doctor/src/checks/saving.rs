//! Checks that the server can save its sessions.

use nix::errno::Errno;
use shellkeep_store::log_path;

use super::{limits, room, state_directory};
use crate::Setup;
use crate::finding::{Finding, Status};
use crate::saving::{Saving, errno_in};
use crate::setup::quoted;

const NAME: &str = "saving";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    vec![match setup.saving() {
        Saving::NoServer => Finding::ok(NAME, "there is no server that has anything to save"),
        Saving::All => Finding::ok(NAME, "the server can save everything it has"),
        Saving::Unknown => Finding::warning(
            NAME,
            "the server does not say whether everything it has is saved",
            setup.typed("stats"),
        ),
        Saving::Not(why) => Finding::problem(
            NAME,
            format!("the server cannot save everything now: {why}"),
            fix(setup, why),
        ),
    }]
}

/// The fix for the reason that the server gives.
fn fix(setup: &Setup<'_>, why: &str) -> String {
    let directory = state_directory::look(setup);
    if let (Status::Problem, Some(fix)) = (directory.status, directory.fix) {
        return fix;
    }
    match errno_in(why) {
        Some(Errno::ENOSPC) if room::is_out_of_files(&setup.state_dir) => {
            room::free_files(&setup.state_dir)
        }
        Some(Errno::ENOSPC | Errno::EDQUOT) => room::free(setup, &setup.state_dir),
        Some(Errno::EROFS) => room::remount(&setup.state_dir),
        Some(Errno::EACCES | Errno::EPERM) => setup.unlock(),
        Some(Errno::EMFILE) => limits::raise_files(setup),
        Some(Errno::EFBIG) => "see what is said of limits below".to_owned(),
        _ => format!(
            "tail {}: its last lines say what was tried",
            quoted(&log_path(&setup.state_dir, &setup.label()))
        ),
    }
}
