//! OpenCode.

use crate::resume::agent::FlagUse::{Drop, Fork, Id, Keep, Latest};
use crate::resume::agent::Takes::{Many, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};
use crate::resume::conversation_files::{ConversationFiles, CwdIn, IdIn};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--session", "-s"], One, Id),
        Flag(&["--continue", "-c"], Nothing, Latest),
        Flag(&["--fork"], Nothing, Fork),
        Flag(&["--prompt"], One, Drop),
        // Of `opencode run`, which asks once and ends.
        Flag(
            &["--command", "--format", "--title", "--attach", "--variant"],
            One,
            Drop,
        ),
        Flag(&["--file", "-f"], Many, Drop),
        Flag(&["--share", "--thinking"], Nothing, Drop),
        Flag(
            &[
                "--model",
                "-m",
                "--agent",
                "--port",
                "--hostname",
                "--log-level",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--mdns-domain",
                "--cors",
                "--dir",
                "--password",
                "-p",
                "--username",
                "-u",
            ],
            One,
            Keep,
        ),
        Flag(
            &["--mdns", "--print-logs", "--auto", "--pure"],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Files,
    asked: |words| {
        let others = [
            "serve",
            "web",
            "agent",
            "auth",
            "github",
            "mcp",
            "models",
            "session",
            "stats",
            "upgrade",
            "uninstall",
            "export",
            "import",
            "acp",
            "debug",
            "pr",
            "db",
            "providers",
            "plugin",
            "completion",
        ];
        match begins(words, &others) {
            true => Asked::Other,
            false if begins(words, &["run"]) => Asked::Once,
            false => Asked::Talk,
        }
    },
    by_id: &["--session"],
    latest: Some(&["--continue"]),
    choose: &["--continue"],
    // Later versions have a database in place of these files.
    files: Some(&ConversationFiles {
        base: ("XDG_DATA_HOME", "/opencode", ".local/share/opencode"),
        below: "storage/session",
        pattern: "*/ses_*.json",
        id: IdIn::NameBeginning("ses_"),
        cwd: CwdIn::Key("directory"),
    }),
};
