//! What a command declares of itself beside its name and its arguments.

/// What a command's `-t` or `-s` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    None,
    Session,
    Window,
    /// A place for a window in a session, taken or not.
    WindowIndex,
    Pane,
    Client,
}

/// What the core does for a command before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Whether it starts a server where there is none, or is refused.
    pub starts_server: bool,
    /// Whether a read-only client may run it.
    pub read_only: bool,
}
