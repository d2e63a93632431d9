//! What a check has found.

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// As it should be.
    Ok,
    /// It works, but could be better, or may not work one day.
    Warning,
    /// Something does not work, or is not safe.
    Problem,
}

impl Status {
    /// As it is printed.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The check that found it.
    pub(crate) name: &'static str,
    /// How bad it is.
    pub(crate) status: Status,
    /// What it is, in one sentence.
    pub(crate) sentence: String,
    /// What to type or do against it.
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
