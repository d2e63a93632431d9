//! What was typed before a program could take it, on its way there.

/// Input that was noted with the keeper, on its way to a program.
///
/// The host gives it and forgets the notes without anything in between: a server that is killed before both are done leaves
/// the notes, and the next one types it once more.
pub struct Delivery {
    give: Box<dyn FnOnce() + Send>,
    notes: Vec<String>,
}

impl Delivery {
    /// A delivery by `give`, after which these notes are forgotten.
    #[must_use]
    pub fn new(notes: Vec<String>, give: impl FnOnce() + Send + 'static) -> Self {
        Self {
            give: Box::new(give),
            notes,
        }
    }

    /// Gives the input; returns the notes that have to be forgotten now.
    #[must_use]
    pub fn carry_out(self) -> Vec<String> {
        (self.give)();
        self.notes
    }
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Delivery").field(&self.notes).finish()
    }
}
