//! Input on its way to a program.

/// Gives a program what was typed before it could take it, when its turn comes.
///
/// The host carries it out once the keeper has all that it was told before. A pane that wakes is noted as awake first: the next
/// server would end a shell that is noted as asleep, with the input that it has.
pub struct Delivery(Box<dyn FnOnce() + Send>);

impl Delivery {
    /// A delivery by `give`.
    #[must_use]
    pub fn new(give: impl FnOnce() + Send + 'static) -> Self {
        Self(Box::new(give))
    }

    pub fn carry_out(self) {
        (self.0)();
    }
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Delivery").finish_non_exhaustive()
    }
}
