//! Sentences and advice that several checks share.

use crate::finding::Finding;
use crate::setup::{Setup, quoted};

/// The fix for a file that a later version of the program wrote.
pub(crate) const UPGRADE: &str = "install the shellkeep that wrote it, or a later one";

/// `1 session`, `2 sessions`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// The finding for a pipe in the state directory. Checks that open files there must give up and report it: opening a
/// pipe would block until a program writes to it.
pub(crate) fn pipe_in_the_way(setup: &Setup<'_>, check: &'static str) -> Option<Finding> {
    let pipe = setup.pipe()?;
    let sentence = format!(
        "{} is a pipe and no file, so nothing could be looked at",
        pipe.display()
    );
    let fix = format!("find {} -type p -delete", quoted(&setup.state_dir));
    Some(Finding::problem(check, sentence, fix))
}
