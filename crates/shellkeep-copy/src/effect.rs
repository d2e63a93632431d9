//! What copy mode asks of the server.

/// What a command asks of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyEffect {
    Copy {
        text: String,
        /// How its name begins; `None` for the usual way.
        prefix: Option<String>,
        /// Whether to tell the outer terminal's clipboard.
        clipboard: bool,
    },
    /// Add to the newest paste buffer, or make one.
    Append {
        text: String,
        /// Whether to tell the outer terminal's clipboard.
        clipboard: bool,
    },
    /// Run a command and give it this.
    Pipe {
        command: String,
        text: String,
    },
    /// Freeze the pane anew and call `CopyMode::refresh`.
    Refresh,
    Cancel,
    Redraw,
}
