//! GitHub's Copilot CLI.

use crate::resume::agent::FlagUse::{Drop, Id, Keep, Latest};
use crate::resume::agent::Takes::{Many, Maybe, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};
use crate::resume::conversation_files::{ConversationFiles, CwdIn, IdIn};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--resume"], Maybe, Id),
        Flag(&["--session-id"], One, Id),
        Flag(&["--continue"], Nothing, Latest),
        Flag(&["--share"], Maybe, Drop),
        Flag(
            &["--prompt", "-p", "--interactive", "-i", "--output-format"],
            One,
            Drop,
        ),
        Flag(
            &[
                "--silent",
                "-s",
                "--share-gist",
                "--banner",
                "--autopilot",
                "--fleet",
            ],
            Nothing,
            Drop,
        ),
        Flag(
            &["--allow-tool", "--deny-tool", "--allow-url", "--deny-url"],
            Many,
            Keep,
        ),
        Flag(&["--available-tools", "--excluded-tools"], Many, Keep),
        Flag(
            &[
                "--add-dir",
                "--additional-mcp-config",
                "--agent",
                "--model",
                "-C",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--disable-mcp-server",
                "--log-dir",
                "--log-level",
                "--stream",
                "--config-dir",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--reasoning-effort",
                "--effort",
                "--add-github-mcp-tool",
                "--name",
                "-n",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--allow-all-tools",
                "--allow-all-paths",
                "--allow-all-urls",
                "--allow-all",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--yolo",
                "--no-color",
                "--screen-reader",
                "--no-auto-update",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--no-custom-instructions",
                "--disable-builtin-mcps",
                "--experimental",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--disallow-temp-dir",
                "--no-ask-user",
                "--enable-all-github-mcp-tools",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "help",
            "init",
            "update",
            "version",
            "plugin",
            "login",
            "logout",
            "mcp",
            "app",
            "config",
            "sessions",
            "skill",
            "completion",
            "workflow",
            "memories",
            "instruction",
            "lsp",
            "sandbox",
        ];
        match begins(words, &others) {
            true => Asked::Other,
            false => Asked::Talk,
        }
    },
    by_id: &["--resume"],
    latest: None,
    choose: &["--resume"],
    files: Some(&ConversationFiles {
        base: ("COPILOT_HOME", "", ".copilot"),
        below: "session-state",
        pattern: "*/events.jsonl",
        id: IdIn::Directory,
        cwd: CwdIn::Key("cwd"),
    }),
};
