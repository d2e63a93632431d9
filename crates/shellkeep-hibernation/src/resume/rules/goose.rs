//! goose.

use crate::resume::agent::FlagUse::{Drop, Keep, Names};
use crate::resume::agent::Takes::{Nothing, One};
use crate::resume::agent::{Agent, Asked, Flag, Words, begins};

pub(super) static AGENT: Agent = Agent {
    flags: &[
        Flag(
            &["--name", "-n", "--session-id", "--id", "--path"],
            One,
            Names,
        ),
        Flag(&["--resume", "-r"], Nothing, Drop),
        Flag(
            &[
                "--interactive",
                "-s",
                "--no-session",
                "--explain",
                "--quiet",
                "-q",
            ],
            Nothing,
            Drop,
        ),
        Flag(
            &[
                "--instructions",
                "-i",
                "--text",
                "-t",
                "--recipe",
                "--params",
                "--system",
            ],
            One,
            Drop,
        ),
        Flag(&["--output-format", "--sub-recipe"], One, Drop),
        Flag(&["--fork"], Nothing, Drop),
        Flag(&["--history", "--debug"], Nothing, Keep),
        Flag(
            &[
                "--max-turns",
                "--max-tool-repetitions",
                "--provider",
                "--model",
            ],
            One,
            Keep,
        ),
        Flag(
            &[
                "--with-extension",
                "--with-remote-extension",
                "--with-builtin",
            ],
            One,
            Keep,
        ),
        Flag(&["--with-streamable-http-extension"], One, Keep),
    ],
    words: Words::Prompt,
    asked: |words| {
        let is_list = words.get(1).is_some_and(|word| {
            ["list", "remove", "export", "diagnostics", "import"].contains(&word.as_str())
        });
        match begins(words, &["session", "s", "run"]) && !is_list || words.is_empty() {
            true => Asked::Talk,
            false => Asked::Other,
        }
    },
    by_id: &["session", "--resume", "--session-id"],
    // The latest conversation may belong to any directory, so it is not run.
    latest: None,
    choose: &["session", "--resume"],
    files: None,
};
