//! Amp.

use crate::resume::agent::FlagUse::{Drop, Keep, Latest};
use crate::resume::agent::Takes::{Maybe, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};
use crate::resume::conversation_files::{ConversationFiles, CwdIn, IdIn};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--execute", "-x", "--orb-execute", "-ox"], Maybe, Drop),
        Flag(
            &[
                "--stream-json",
                "--stream-json-input",
                "--stream-json-thinking",
            ],
            Nothing,
            Drop,
        ),
        Flag(&["--last"], Nothing, Latest),
        Flag(
            &[
                "--mode",
                "-m",
                "--settings-file",
                "--mcp-config",
                "--log-level",
                "--log-file",
            ],
            One,
            Keep,
        ),
        Flag(
            &["--visibility", "--toolbox", "--executor", "--runner-dir"],
            One,
            Keep,
        ),
        Flag(
            &[
                "--dangerously-allow-all",
                "--no-dangerously-allow-all",
                "--no-ide",
                "--ide",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--no-notifications",
                "--notifications",
                "--no-color",
                "--no-tui",
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
            "mcp",
            "permissions",
            "permission",
            "tools",
            "tool",
            "update",
            "up",
            "doctor",
            "review",
            "account",
            "usage",
            "skill",
            "skills",
            "completions",
            "secrets",
            "clone",
            "runner",
        ];
        if begins(words, &["threads", "thread", "t"]) {
            match words.get(1).map(String::as_str) {
                Some("continue" | "c") => {
                    let id = words.get(2);
                    id.map_or(Asked::Talk, |id| Asked::Id(id.clone()))
                }
                _ => Asked::Other,
            }
        } else if begins(words, &others) {
            Asked::Other
        } else {
            Asked::Talk
        }
    },
    by_id: &["threads", "continue"],
    latest: None,
    choose: &["threads", "continue"],
    // Versions of 2026 keep threads on the service's side; earlier ones here, without the directory.
    files: Some(&ConversationFiles {
        base: ("XDG_DATA_HOME", "/amp", ".local/share/amp"),
        below: "threads",
        pattern: "T-*.json",
        id: IdIn::NameBeginning("T-"),
        cwd: CwdIn::Nowhere,
    }),
};
