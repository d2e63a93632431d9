//! A report of a damaged file.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::schema::layout::HISTORY;

/// A file that was found damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The damaged file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// Where its content is preserved: the file itself, or a copy in the quarantine.
    pub kept_at: Option<PathBuf>,
    /// Other files hold the same content.
    pub is_harmless: bool,
}

impl Damage {
    pub(crate) fn new(file: &Path, what: String, kept_at: Option<PathBuf>) -> Self {
        Self {
            file: file.to_owned(),
            what,
            kept_at,
            is_harmless: false,
        }
    }

    pub(crate) fn noted(file: &Path, what: &str) -> Self {
        Self::new(file, what.to_owned(), None)
    }

    /// Whether it is the history that is damaged, which is read only when a client scrolls back.
    #[must_use]
    pub fn is_of_history(&self) -> bool {
        self.file.ends_with(HISTORY)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is damaged: {}", self.file.display(), self.what)?;
        match &self.kept_at {
            Some(place) => write!(f, " (set aside as {})", place.display()),
            None => Ok(()),
        }
    }
}
