//! What a text needs from outside: variables, home directories, conditions and aliases.

/// Whether programs get a variable that is set by `NAME=value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Exported,
    /// It was set by `%hidden`: only configurations and formats see it.
    Hidden,
}

/// The values that a text needs while it is parsed.
pub trait Host {
    fn variable(&self, name: &str) -> Option<String>;
    /// Sets an environment variable.
    fn set_variable(&mut self, name: &str, value: &str, visibility: Visibility);
    /// The home directory of a user; without a name, the one of the server's user.
    fn home(&self, user: Option<&str>) -> Option<String>;
    /// Expands the format of a `%if`.
    fn expand(&mut self, format: &str) -> String;
    fn alias(&self, name: &str) -> Option<String>;
}

/// A host without any values, for text that we printed ourselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn set_variable(&mut self, _: &str, _: &str, _: Visibility) {}

    fn home(&self, _: Option<&str>) -> Option<String> {
        None
    }

    fn expand(&mut self, format: &str) -> String {
        format.to_owned()
    }

    fn alias(&self, _: &str) -> Option<String> {
        None
    }
}
