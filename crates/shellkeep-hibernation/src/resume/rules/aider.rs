//! aider.

use crate::resume::agent::FlagUse::Drop;
use crate::resume::agent::Takes::{Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(
            &[
                "--message",
                "--msg",
                "-m",
                "--message-file",
                "-f",
                "--load",
                "--apply",
            ],
            One,
            Drop,
        ),
        Flag(
            &["--restore-chat-history", "--no-restore-chat-history"],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--test",
                "--lint",
                "--commit",
                "--exit",
                "--apply-clipboard-edits",
            ],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--upgrade",
                "--update",
                "--install-main-branch",
                "--just-check-update",
            ],
            Nothing,
            Drop,
        ),
        Flag(&["--show-prompts", "--show-repo-map"], Nothing, Drop),
    ],
    words: Words::Files,
    asked: |_| Asked::Talk,
    by_id: &["--restore-chat-history"],
    // The history is a file of the directory: two panes there write into the same one.
    latest: Some(&["--restore-chat-history"]),
    choose: &["--restore-chat-history"],
    files: None,
};
