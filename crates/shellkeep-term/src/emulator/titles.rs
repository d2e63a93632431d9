//! The window's title and the icon's name.

/// The most pairs on the stack; as many as xterm keeps.
const MAX_PUSHED: usize = 10;

/// Both names, and those that a program has pushed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Titles {
    pub(crate) title: String,
    pub(crate) icon: String,
    /// Pushed titles and icon names, oldest first.
    pub(crate) pushed: Vec<(String, String)>,
}

impl Titles {
    pub(crate) fn push(&mut self) {
        if self.pushed.len() == MAX_PUSHED {
            self.pushed.remove(0);
        }
        self.pushed.push((self.title.clone(), self.icon.clone()));
    }
}
