//! The answer of the resume rules: the line to type, whether it is sent, and what wakes the pane.

/// What happens to the command when its pane wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is run.
    Run,
    /// It is typed at the prompt and waits for Enter.
    TypeUnsent,
}

/// What wakes the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakesOn {
    /// The first key. Showing the pane starts nothing.
    FirstKey,
    /// Being shown.
    View,
}

/// How a program comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resume {
    /// Whether the line is sent.
    pub how: How,
    /// The text to type; empty for nothing.
    pub line: String,
    /// What wakes it.
    pub wakes_on: WakesOn,
    /// A hint for the user, in one sentence.
    pub note: Option<String>,
}

/// The line is run.
pub(super) fn run(line: String, note: Option<&str>) -> Resume {
    Resume {
        how: How::Run,
        line,
        wakes_on: WakesOn::FirstKey,
        note: note.map(str::to_owned),
    }
}

/// The line stands at the prompt and waits for Enter.
pub(super) fn unsent(line: String, note: Option<&str>) -> Resume {
    Resume {
        how: How::TypeUnsent,
        line,
        wakes_on: WakesOn::View,
        note: note.map(str::to_owned),
    }
}
