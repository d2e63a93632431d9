//! The window's title and the icon's name.

/// The depth of the stack, as in xterm.
const MAX_PUSHED: usize = 10;

/// Both names, and the stack of earlier ones.
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
