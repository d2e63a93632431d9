//! Why a pane does not fall asleep, and whether its programs may be ended.

use shellkeep_hibernation::Verdict;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    Off,
    On,
}

/// Why a pane does not fall asleep.
pub(crate) struct Refusal {
    /// The reason, as one sentence.
    pub(crate) text: String,
    /// The reason will be gone in a moment.
    pub(crate) is_passing: bool,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            is_passing: false,
        }
    }
}

impl Refusal {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        let is_passing = match verdict {
            Verdict::Refused { reason } => reason.is_passing(),
            _ => false,
        };
        Self {
            text: verdict.to_string(),
            is_passing,
        }
    }
}
