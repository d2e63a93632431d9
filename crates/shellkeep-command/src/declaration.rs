//! What a command declares besides its name and arguments.

/// What the `-t` or `-s` of a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    None,
    Session,
    Window,
    /// An index for a window in a session, used or not.
    WindowIndex,
    Pane,
    Client,
}

/// Properties of a command that matter before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Whether it starts a server if there is none, instead of being refused.
    pub starts_server: bool,
    /// Whether read-only clients may run it.
    pub read_only: bool,
}
