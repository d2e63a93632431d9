//! Codex.

use crate::resume::agent::FlagUse::{Drop, Keep, Latest};
use crate::resume::agent::Takes::{Many, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};
use crate::resume::conversation_files::{ConversationFiles, CwdIn, IdIn};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--last"], Nothing, Latest),
        Flag(
            &["--all", "--json", "--skip-git-repo-check", "--ephemeral"],
            Nothing,
            Drop,
        ),
        Flag(&["--include-non-interactive"], Nothing, Drop),
        Flag(&["--image", "-i"], Many, Drop),
        Flag(
            &["--output-last-message", "-o", "--output-schema", "--color"],
            One,
            Drop,
        ),
        // `codex resume` refuses it since 0.145. Without it codex asks more often, which is the safe side.
        Flag(&["--full-auto"], Nothing, Drop),
        Flag(
            &["--oss", "--search", "--no-alt-screen", "--yolo"],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--dangerously-bypass-approvals-and-sandbox",
                "--strict-config",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--model",
                "-m",
                "--profile",
                "-p",
                "--sandbox",
                "-s",
                "--ask-for-approval",
                "-a",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--cd",
                "-C",
                "--config",
                "-c",
                "--enable",
                "--disable",
                "--add-dir",
            ],
            One,
            Keep,
        ),
        Flag(
            &["--local-provider", "--remote", "--remote-auth-token-env"],
            One,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let words = match begins(words, &["exec", "e"]) {
            true => &words[1..],
            false => words,
        };
        let others = [
            "login",
            "logout",
            "mcp",
            "mcp-server",
            "app-server",
            "completion",
            "sandbox",
            "debug",
            "apply",
            "a",
            "cloud",
            "features",
            "review",
            "help",
            "execpolicy",
            "app",
            "proto",
            "plugin",
        ];
        if begins(words, &["resume"]) {
            // Without an id the conversation was chosen from a list, and is known only from its file.
            let id = words.get(1);
            id.map_or(Asked::Talk, |id| Asked::Id(id.clone()))
        } else if begins(words, &others) {
            Asked::Other
        } else {
            Asked::Talk
        }
    },
    by_id: &["resume"],
    latest: None,
    choose: &["resume"],
    files: Some(&ConversationFiles {
        base: ("CODEX_HOME", "", ".codex"),
        below: "sessions",
        pattern: "*/*/*/rollout-*.jsonl",
        id: IdIn::NameEnd,
        cwd: CwdIn::Key("cwd"),
    }),
};
