//! Gemini CLI.

use crate::resume::agent::FlagUse::{Drop, Id, Keep};
use crate::resume::agent::Takes::{Many, Maybe, Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(&["--session-id"], One, Id),
        Flag(&["--resume", "-r"], Maybe, Id),
        Flag(
            &[
                "--prompt",
                "-p",
                "--prompt-interactive",
                "-i",
                "--output-format",
                "-o",
            ],
            One,
            Drop,
        ),
        Flag(&["--delete-session"], One, Drop),
        Flag(
            &["--list-sessions", "--list-extensions", "-l"],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--model",
                "-m",
                "--approval-mode",
                "--sandbox-image",
                "--proxy",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--telemetry-target",
                "--telemetry-otlp-endpoint",
                "--telemetry-outfile",
            ],
            One,
            Keep,
        ),
        Flag(&["--telemetry-otlp-protocol"], One, Keep),
        Flag(
            &[
                "--extensions",
                "-e",
                "--include-directories",
                "--allowed-tools",
            ],
            Many,
            Keep,
        ),
        Flag(&["--allowed-mcp-server-names", "--policy"], Many, Keep),
        Flag(
            &[
                "--sandbox",
                "-s",
                "--debug",
                "-d",
                "--yolo",
                "-y",
                "--checkpointing",
                "-c",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--all-files",
                "-a",
                "--show-memory-usage",
                "--screen-reader",
            ],
            Nothing,
            Keep,
        ),
        Flag(
            &[
                "--telemetry",
                "--telemetry-log-prompts",
                "--skip-trust",
                "--raw-output",
            ],
            Nothing,
            Keep,
        ),
    ],
    words: Words::Prompt,
    asked: |words| match begins(
        words,
        &["mcp", "extensions", "extension", "skills", "hooks"],
    ) {
        true => Asked::Other,
        false => Asked::Talk,
    },
    by_id: &["--resume"],
    // Its files are under a hash of the project, so only the latest of the project can be resumed.
    latest: Some(&["--resume"]),
    choose: &["--resume"],
    files: None,
};
