//! Sessions that a command has closed, for the command's output.

use shellkeep_command::call::word;

/// A session that a command has closed.
#[derive(Debug)]
pub(crate) struct ClosedByHand {
    pub(crate) name: String,
    /// How the user calls this program, for the command line in the output.
    pub(crate) call: String,
}

impl ClosedByHand {
    /// Where the session is now, and which command brings it back.
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
