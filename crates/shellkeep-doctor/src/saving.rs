//! Asks a running server whether it can save its sessions: only the server knows what its last write said.

use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use serde_json::Value;
use shellkeep_proto::{Agreement, Hello};

use crate::ask::{self, OutputLimits};
use crate::probe::{self, Answer};

/// `stats` may have to read a large archive first, and prints some lines for each session.
const STATS_LIMITS: OutputLimits = OutputLimits {
    time: Duration::from_secs(10),
    bytes: 1 << 26,
};

/// The server's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Saving {
    /// No server runs, or none that speaks our protocol.
    NoServer,
    /// The server did not answer in time, or its answer cannot be read.
    Unknown,
    /// Everything is saved, or is about to be.
    All,
    /// Something cannot be saved, and the reason that the server gives.
    Not(String),
}

impl Saving {
    /// Asks the server at a socket, as a user would.
    pub(crate) fn ask(program: &Path, socket: &Path) -> Self {
        match probe::server(socket) {
            Answer::Here(hello) if matches!(Hello::ours().agree(&hello), Agreement::Speak(_)) => {}
            _ => return Self::NoServer,
        }
        let Ok(socket) = std::path::absolute(socket) else {
            return Self::Unknown;
        };
        let socket = socket.to_string_lossy();
        let output = ask::output_within(program, &["-S", &socket, "stats", "--json"], STATS_LIMITS);
        output.map_or(Self::Unknown, |output| Self::of_stats(&output))
    }

    fn of_stats(output: &str) -> Self {
        let Ok(stats) = serde_json::from_str::<Value>(output) else {
            return Self::Unknown;
        };
        let sessions = stats["sessions"].as_array().into_iter().flatten();
        // The check of sessions reports a session whose files are gone; there is nothing left to save.
        let sessions = sessions.filter(|session| session["saved"] != "lost");
        let mut errors = std::iter::once(&stats).chain(sessions);
        match errors.find_map(|each| each["saved_error"].as_str()) {
            Some(why) => Self::Not(why.to_owned()),
            None => Self::All,
        }
    }
}

/// The error number in a sentence that was made of an I/O error.
pub(crate) fn errno_in(sentence: &str) -> Option<Errno> {
    let (_, number) = sentence.rsplit_once("(os error ")?;
    let number = number.split(')').next()?.parse().ok()?;
    Some(Errno::from_raw(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsaved_data_is_found_in_every_field() {
        let all = r#"{"saved_error": null, "sessions": [{"saved_error": null}]}"#;
        assert_eq!(Saving::of_stats(all), Saving::All);
        let top = r#"{"saved_error": "no room", "sessions": []}"#;
        assert_eq!(Saving::of_stats(top), Saving::Not("no room".to_owned()));
        let below = r#"{"saved_error": null, "sessions": [{}, {"saved_error": "x"}]}"#;
        assert_eq!(Saving::of_stats(below), Saving::Not("x".to_owned()));
        let lost = r#"{"sessions": [{"saved": "lost", "saved_error": "x is gone"}]}"#;
        assert_eq!(Saving::of_stats(lost), Saving::All);
        assert_eq!(Saving::of_stats("no JSON"), Saving::Unknown);
    }

    #[test]
    fn number_of_an_error_is_found_in_a_sentence() {
        let output = "cannot write /x (os error 1)/y: No space left on device (os error 28)";
        assert_eq!(errno_in(output), Some(Errno::ENOSPC));
        assert_eq!(errno_in("no reason given"), None);
    }
}
