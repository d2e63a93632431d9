//! Panes, their programs and their sleep.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Millis, Seconds, Settings, text_bytes};
use crate::StoreId;

/// A pane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredPane {
    /// Its number: `%1`.
    pub id: u32,
    /// The number by which the layout of its window names it, if it was given another one since. Never written: the layout is
    /// written anew with the pane.
    #[serde(skip)]
    pub number_in_layout: Option<u32>,
    /// The command it was started with, as typed; empty for a shell.
    pub start_command: String,
    /// The directory it was started in.
    #[serde(with = "text_bytes::one")]
    pub start_path: Vec<u8>,
    /// Options set for it alone.
    pub options: Settings,
    /// The words of the command it was started with.
    #[serde(default)]
    pub argv: Vec<String>,
    /// A title that was given by `select-pane -T`.
    #[serde(default)]
    pub title: Option<String>,
    /// Keys are kept from it.
    #[serde(default)]
    pub input_off: bool,
    /// Nothing of it may be on disk. Only the keeper's notes ever have it set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_secret: bool,
    /// When its program ended, if the pane stayed.
    #[serde(default)]
    pub died: Option<Seconds>,
    /// The exit status of its program, if it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<i32>,
    /// The signal that ended its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_signal: Option<i32>,
    /// Where it is kept.
    #[serde(default)]
    pub home: Option<PaneHome>,
    /// Why it has no program, if it sleeps.
    #[serde(default)]
    pub sleep: Option<StoredSleep>,
    /// The shell that is about to be ended, while it is noted that the pane sleeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<u32>,
    /// Where its program was when the server last looked.
    #[serde(default)]
    pub facts: StoredFacts,
    /// The shell that can be asked for its state.
    #[serde(default)]
    pub shell: Option<PathBuf>,
}

/// Where a pane is kept: in the directory of which session, under which name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PaneHome {
    /// The session in whose directory it is.
    pub session: StoreId,
    /// Its own directory there.
    pub pane: StoreId,
}

/// The sleep of a pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredSleep {
    /// Since when.
    pub since: Seconds,
    /// Why.
    pub cause: StoredCause,
    /// The words of the program that ran, if it was not the shell alone.
    #[serde(default)]
    pub program: Vec<String>,
    /// What else is known of that program.
    #[serde(default)]
    pub run: StoredProgram,
    /// Its screen was put in order for a shell that never came to its prompt: there is no old prompt to be erased any more.
    #[serde(default)]
    pub is_tidied: bool,
}

/// Why a pane sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoredCause {
    /// It was put to sleep, and its shell's state was captured.
    Hibernated,
    /// Its processes ended with the machine, or with the keeper.
    Lost,
    /// Its session was archived, and has been reopened.
    Reopened,
    /// It was put to sleep by force, and its shell cannot tell its state.
    Ended,
}

/// What the system knows of a pane's program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredFacts {
    /// The working directory of its shell.
    pub directory: Option<String>,
    /// The words of the program that has the terminal, if it is not the shell.
    pub program: Vec<String>,
    /// What else is known of that program.
    pub run: StoredProgram,
}

/// What is known of a program besides its words, for the rule that resumes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredProgram {
    /// Its working directory; empty if it is not known.
    pub directory: String,
    /// The command line it was started with, if its shell reported it. Earlier builds believed whatever was printed, and called
    /// the field `typed`: what they wrote is not read.
    #[serde(rename = "line")]
    pub typed: Option<String>,
    /// Of its environment what the resume rules look at.
    pub variables: Vec<(String, String)>,
    /// When it was started.
    pub started: Millis,
    /// When its pane last printed something, once it sleeps.
    pub last_output: Millis,
    /// When other panes with the same program in the same directory last printed something, as of the moment when this one fell
    /// asleep. `None` if nothing was looked up yet.
    pub rivals: Option<Vec<Millis>>,
}

/// How a pane's program was started: the file `start`. What is missing is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredStart {
    /// The words of a program; none for a login shell.
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
    /// The mask for files it makes.
    pub umask: u32,
}

impl StoredStart {
    /// The content of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data has a JSON form")
    }
}
