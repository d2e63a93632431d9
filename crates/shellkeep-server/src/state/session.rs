//! A session.

use shellkeep_core::{PaneId, SessionId};

use super::{Environ, Options, Seconds};

/// A kept thing with a name and, for now, one pane.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) name: String,
    pub(crate) created: Seconds,
    /// When somebody last attached or typed.
    pub(crate) activity: Seconds,
    pub(crate) pane: PaneId,
    /// What it adds to the server's environment.
    pub(crate) environ: Environ,
    /// Options set for it alone.
    pub(crate) options: Options,
}

/// A name as tmux would have it: a colon or a dot in it could never be typed as a target. `None` if
/// nothing is left.
pub(crate) fn clean_name(name: &str) -> Option<String> {
    let clean = name.chars().map(|c| match c {
        ':' | '.' => '_',
        c if c.is_control() => '_',
        c => c,
    });
    Some(clean.collect()).filter(|name: &String| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_made_safe_to_target_and_print() {
        assert_eq!(clean_name("a:b.c\u{1b}[m").as_deref(), Some("a_b_c_[m"));
        assert_eq!(clean_name(""), None);
    }
}
