//! Sessions that a command has closed, which tells what became of them.

use shellkeep_command::call::word;

/// A session that was closed by somebody who wants to hear what became of it.
#[derive(Debug)]
pub(crate) struct ClosedByHand {
    /// Its name.
    pub(crate) name: String,
    /// What a command begins with where it was closed.
    pub(crate) call: String,
}

impl ClosedByHand {
    /// Where it is, and how it comes back.
    pub(crate) fn way_back(&self, left: Option<&str>) -> String {
        let Self { name, call } = self;
        let reopen = format!("{call} reopen {}", word(name));
        match left {
            None => {
                format!("session {name} is in the archive; to have it back, type: {reopen}\n")
            }
            Some(why) => format!(
                "session {name} goes into the archive as soon as it can be written ({why}); to have it back then, type: {reopen}\n"
            ),
        }
    }
}
