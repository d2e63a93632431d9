//! Why a pane does not fall asleep, and whether what runs in it may be ended.

use shellkeep_hibernation::Verdict;

/// Whether programs that run may be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    Off,
    On,
}

/// Why a pane does not fall asleep.
pub(crate) struct Refusal {
    /// In one sentence.
    pub(crate) text: String,
    /// It could in a moment.
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
    /// What a verdict says.
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
