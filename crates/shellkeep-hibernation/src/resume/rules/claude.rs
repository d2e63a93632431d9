//! Claude Code.

use crate::resume::agent::FlagUse::{Drop, Fork, Id, Keep, Latest};
use crate::resume::agent::Takes::{Many, Maybe, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};
use crate::resume::conversation_files::{ConversationFiles, CwdIn, IdIn};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--session-id"], One, Id),
        Flag(&["--resume", "-r"], Maybe, Id),
        Flag(&["--from-pr"], Maybe, Drop),
        Flag(&["--continue", "-c"], Nothing, Latest),
        Flag(&["--fork-session"], Nothing, Fork),
        Flag(&["--background", "--forward-subagent-text"], Nothing, Drop),
        Flag(&["--restricted", "--safe-mode"], Nothing, Keep),
        Flag(&["--exclude-dynamic-system-prompt-sections"], Nothing, Keep),
        Flag(
            &["--print", "-p", "--init", "--init-only", "--maintenance"],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--include-partial-messages",
                "--replay-user-messages",
                "--no-session-persistence",
            ],
            Nothing,
            Drop,
        ),
        Flag(&["--tmux", "--include-hook-events"], Nothing, Drop),
        Flag(
            &[
                "--output-format",
                "--input-format",
                "--json-schema",
                "--max-turns",
            ],
            One,
            Drop,
        ),
        Flag(
            &["--max-budget-usd", "--permission-prompt-tool", "--remote"],
            One,
            Drop,
        ),
        Flag(&["--worktree", "-w", "--teleport"], Maybe, Drop),
        Flag(&["--debug", "-d"], Maybe, Keep),
        Flag(
            &[
                "--verbose",
                "--ide",
                "--strict-mcp-config",
                "--chrome",
                "--no-chrome",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--dangerously-skip-permissions",
                "--allow-dangerously-skip-permissions",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &["--disable-slash-commands", "--mcp-debug", "--bare"],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--add-dir",
                "--allowedTools",
                "--allowed-tools",
                "--betas",
                "--tools",
            ],
            Many,
            Keep,
        ),
        Flag(
            &["--disallowedTools", "--disallowed-tools", "--mcp-config"],
            Many,
            Keep,
        ),
        Flag(
            &[
                "--model",
                "--fallback-model",
                "--advisor",
                "--agent",
                "--agents",
                "--effort",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--settings",
                "--setting-sources",
                "--permission-mode",
                "--plugin-dir",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--system-prompt",
                "--system-prompt-file",
                "--append-system-prompt",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--append-system-prompt-file",
                "--debug-file",
                "--name",
                "-n",
            ],
            One,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| {
        let others = [
            "mcp",
            "plugin",
            "plugins",
            "config",
            "doctor",
            "update",
            "upgrade",
            "install",
            "setup-token",
            "auth",
            "agents",
            "remote-control",
            "auto-mode",
            "migrate-installer",
        ];
        match begins(words, &others) {
            true => Asked::Other,
            false => Asked::Talk,
        }
    },
    by_id: &["--resume"],
    // The latest conversation of a directory may belong to another terminal, so the files are needed.
    latest: None,
    choose: &["--resume"],
    files: Some(&ConversationFiles {
        base: ("CLAUDE_CONFIG_DIR", "", ".claude"),
        below: "projects/{cwd}",
        pattern: "*.jsonl",
        id: IdIn::Name,
        cwd: CwdIn::Path,
    }),
};
