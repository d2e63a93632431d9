//! Requests of copy mode to the server.

/// A request of a command to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyEffect {
    Copy {
        text: String,
        /// The prefix of its name; `None` for the usual one.
        prefix: Option<String>,
        /// Whether to send it to the outer terminal's clipboard as well.
        clipboard: bool,
    },
    /// Add to the newest paste buffer, or make one.
    Append {
        text: String,
        /// Whether to send it to the outer terminal's clipboard as well.
        clipboard: bool,
    },
    /// Run a command with this as its input.
    Pipe {
        command: String,
        text: String,
    },
    /// Freeze the pane again and call `CopyMode::refresh`.
    Refresh,
    Cancel,
    Redraw,
}
