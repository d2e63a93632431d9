//! Holds back a line that the program would run unseen.

use super::call::Call;
use super::outcome::{How, Resume, unsent};

/// Turns a line that would be run into one that waits for Enter, if the rules did not understand the whole command or
/// if it runs as another user.
pub(super) fn careful(mut resumed: Resume, call: &Call) -> Resume {
    if resumed.how == How::Run {
        let doubt = match call.doubt {
            _ if call.parts.is_other_user => Some("runs as another user: press Enter to go on"),
            doubt => doubt,
        };
        if let Some(doubt) = doubt {
            resumed = unsent(resumed.line, Some(doubt));
        }
    }
    if resumed.line.contains(char::is_control) {
        return unsent(
            String::new(),
            Some("the command cannot be typed in one line"),
        );
    }
    resumed
}
