//! The result of a check: its status, a sentence for the user, and a fix.

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// As it should be.
    Ok,
    /// It works, but not as well as it could, or may fail later.
    Warning,
    /// Something does not work, or is not safe.
    Problem,
}

impl Status {
    /// The word in the report and in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The name of the check.
    pub(crate) name: &'static str,
    pub(crate) status: Status,
    /// What was found, in one sentence.
    pub(crate) sentence: String,
    /// A command to type, or something else to do.
    pub(crate) fix: Option<String>,
}

impl Finding {
    pub(crate) fn ok(name: &'static str, sentence: impl Into<String>) -> Self {
        Self {
            name,
            status: Status::Ok,
            sentence: sentence.into(),
            fix: None,
        }
    }

    pub(crate) fn warning(
        name: &'static str,
        sentence: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Warning,
            fix: Some(fix.into()),
            ..Self::ok(name, sentence)
        }
    }

    pub(crate) fn problem(
        name: &'static str,
        sentence: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Problem,
            fix: Some(fix.into()),
            ..Self::ok(name, sentence)
        }
    }
}
