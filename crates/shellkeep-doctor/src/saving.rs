//! Whether a server that runs can save what it has, by its own word: nothing else that is looked at tells as surely.

use std::path::Path;
use std::time::Duration;

use nix::errno::Errno;
use serde_json::Value;
use shellkeep_proto::{Agreement, Hello};

use crate::ask::{self, Patience};
use crate::probe::{self, Answer};

/// It may have to look through a large archive first, and has some words for each session.
const PATIENCE: Patience = Patience {
    time: Duration::from_secs(10),
    most: 1 << 26,
};

/// What the server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Saving {
    /// There is none that could be asked.
    NoServer,
    /// It has not said.
    Unknown,
    /// Everything is saved, or will be in a moment.
    All,
    /// Something cannot be saved now, and why.
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
        let said = ask::patiently(program, &["-S", &socket, "stats", "--json"], PATIENCE);
        said.map_or(Self::Unknown, |said| Self::of_stats(&said))
    }

    fn of_stats(said: &str) -> Self {
        let Ok(stats) = serde_json::from_str::<Value>(said) else {
            return Self::Unknown;
        };
        let sessions = stats["sessions"].as_array().into_iter().flatten();
        // What is gone from the disk is another matter: there is nothing left to be saved.
        let sessions = sessions.filter(|session| session["saved"] != "lost");
        let mut errors = std::iter::once(&stats).chain(sessions);
        match errors.find_map(|each| each["saved_error"].as_str()) {
            Some(why) => Self::Not(why.to_owned()),
            None => Self::All,
        }
    }
}

/// What the system said, out of a sentence that ends with it.
pub(crate) fn errno_in(sentence: &str) -> Option<Errno> {
    let (_, number) = sentence.rsplit_once("(os error ")?;
    let number = number.split(')').next()?.parse().ok()?;
    Some(Errno::from_raw(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_saved_is_found_wherever_it_is_said() {
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
        let said = "cannot write /x (os error 1)/y: No space left on device (os error 28)";
        assert_eq!(errno_in(said), Some(Errno::ENOSPC));
        assert_eq!(errno_in("no reason given"), None);
    }
}
