//! Panes, their programs, and their sleep.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Millis, Seconds, Settings, text_bytes};
use crate::StoreId;

/// A pane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredPane {
    /// Its id, as in `%1`.
    pub id: u32,
    /// Its id in the window's layout, if it has another one since. Never written, because the layout is written again
    /// together with the pane.
    #[serde(skip)]
    pub number_in_layout: Option<u32>,
    /// The command with which it was started, as typed; empty for a shell.
    pub start_command: String,
    /// The directory in which it was started.
    #[serde(with = "text_bytes::one")]
    pub start_path: Vec<u8>,
    /// Its pane options.
    pub options: Settings,
    /// The arguments with which it was started.
    #[serde(default)]
    pub argv: Vec<String>,
    /// The title set by `select-pane -T`.
    #[serde(default)]
    pub title: Option<String>,
    /// Input is disabled (`select-pane -d`).
    #[serde(default)]
    pub input_off: bool,
    /// Nothing of it may be written to disk. Set only in the keeper's notes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_secret: bool,
    /// Output that it has shown is not on disk, because nothing could be written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_gap: bool,
    /// When its program ended, if the pane remained.
    #[serde(default)]
    pub died: Option<Seconds>,
    /// The exit status of its program, if it exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<i32>,
    /// The signal that killed its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_signal: Option<i32>,
    /// Where it is stored.
    #[serde(default)]
    pub home: Option<PaneHome>,
    /// Why it has no program, if it is asleep.
    #[serde(default)]
    pub sleep: Option<StoredSleep>,
    /// The shell that is about to be ended, while the pane is already noted as asleep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<u32>,
    /// What was known of its program when the server last checked.
    #[serde(default)]
    pub facts: StoredFacts,
    /// The shell that can be asked for its state.
    #[serde(default)]
    pub shell: Option<PathBuf>,
}

/// Where a pane is stored: the directory of which session, and the name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PaneHome {
    /// The session whose directory holds it.
    pub session: StoreId,
    /// Its own directory there.
    pub pane: StoreId,
}

/// The sleep of a pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredSleep {
    /// When it began.
    pub since: Seconds,
    /// Why it began.
    pub cause: StoredCause,
    /// The arguments of the program that ran, if it was not the shell itself.
    #[serde(default)]
    pub program: Vec<String>,
    /// What else is known of that program.
    #[serde(default)]
    pub run: StoredProgram,
    /// The old prompt was erased for a shell that never showed its own prompt, so there is none to erase any more.
    #[serde(default)]
    pub is_tidied: bool,
}

/// Why a pane is asleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoredCause {
    /// It was hibernated, and its shell's state was captured.
    Hibernated,
    /// Its processes ended with the machine or the keeper.
    Lost,
    /// Its session was archived and reopened.
    Reopened,
    /// It was hibernated by force, and its shell cannot write its state.
    Ended,
}

/// What the system reports about a pane's program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredFacts {
    /// The working directory of its shell.
    pub directory: Option<String>,
    /// The arguments of the program in the foreground, if it is not the shell.
    pub program: Vec<String>,
    /// What else is known of that program.
    pub run: StoredProgram,
}

/// What is known of a program besides its arguments, for the rule that resumes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredProgram {
    /// Its working directory; empty if unknown.
    pub directory: String,
    /// The command line with which it was started, if its shell reported it. Earlier builds trusted anything that was
    /// printed, and called the field `typed`; that field is not read.
    #[serde(rename = "line")]
    pub typed: Option<String>,
    /// The variables of its environment that resume rules use.
    pub variables: Vec<(String, String)>,
    /// When it was started.
    pub started: Millis,
    /// When its pane last printed something, if the pane is asleep.
    pub last_output: Millis,
    /// When other panes with the same program in the same directory last printed something, at the time when this one
    /// fell asleep. `None` if that was not looked up yet.
    pub rivals: Option<Vec<Millis>>,
}

/// How a pane's program was started: the file `start`. Missing fields are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredStart {
    /// The arguments of a program; empty for a login shell.
    #[serde(with = "text_bytes::list")]
    pub argv: Vec<Vec<u8>>,
    /// The login shell.
    #[serde(with = "text_bytes::option")]
    pub shell: Option<Vec<u8>>,
    /// Its working directory.
    #[serde(with = "text_bytes::one")]
    pub directory: Vec<u8>,
    /// Its environment, as `NAME=value`.
    #[serde(with = "text_bytes::list")]
    pub environ: Vec<Vec<u8>>,
    /// Its umask.
    pub umask: u32,
}

impl StoredStart {
    /// The content of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data has a JSON form")
    }
}
