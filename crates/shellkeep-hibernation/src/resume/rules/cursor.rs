//! Cursor's agent.

use crate::resume::agent::FlagUse::{Drop, Id, Keep, Latest};
use crate::resume::agent::Takes::{Maybe, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};
use crate::resume::conversation_files::{ConversationFiles, CwdIn, IdIn};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--resume"], Maybe, Id),
        Flag(&["--continue"], Nothing, Latest),
        Flag(
            &["--print", "-p", "--background", "-b", "--fullscreen"],
            Nothing,
            Drop,
        ),
        Flag(&["--stream-partial-output", "--trust"], Nothing, Drop),
        Flag(&["--output-format"], One, Drop),
        Flag(&["--worktree", "-w"], Maybe, Drop),
        Flag(
            &[
                "--api-key",
                "-a",
                "--header",
                "-H",
                "--model",
                "-m",
                "--mode",
                "--workspace",
            ],
            One,
            Keep,
        ),
        Flag(&["--sandbox", "-e", "--plugin-dir"], One, Keep),
        Flag(
            &[
                "--force",
                "-f",
                "--yolo",
                "--approve-mcps",
                "--browser",
                "--plan",
                "--auto-review",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "login",
            "logout",
            "status",
            "whoami",
            "mcp",
            "update",
            "upgrade",
            "ls",
            "create-chat",
            "models",
            "about",
            "help",
            "install-shell-integration",
            "uninstall-shell-integration",
            "generate-rule",
        ];
        if begins(words, &["resume"]) {
            Asked::Latest
        } else if begins(words, &others) {
            Asked::Other
        } else {
            Asked::Talk
        }
    },
    by_id: &["--resume"],
    latest: None,
    choose: &["ls"],
    // Files are under a hash of the directory, so they do not name it.
    files: Some(&ConversationFiles {
        base: ("CURSOR_DATA_DIR", "", ".cursor"),
        below: "chats",
        pattern: "*/*/store.db",
        id: IdIn::Directory,
        cwd: CwdIn::Nowhere,
    }),
};
