//! What a text asks of its reader: variables, home directories, conditions and aliases.

/// Whether programs see a variable that is set by `NAME=value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Exported,
    /// It was set by `%hidden`: only configurations and formats see it.
    Hidden,
}

/// What the text may ask for while it is read.
pub trait Host {
    fn variable(&self, name: &str) -> Option<String>;
    /// Sets a variable of the environment.
    fn set_variable(&mut self, name: &str, value: &str, visibility: Visibility);
    /// The home directory of a user; of the server's own if none is named.
    fn home(&self, user: Option<&str>) -> Option<String>;
    /// Expands the format of a `%if`.
    fn expand(&mut self, format: &str) -> String;
    fn alias(&self, name: &str) -> Option<String>;
}

/// A host that knows nothing: for text that was printed by us.
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
