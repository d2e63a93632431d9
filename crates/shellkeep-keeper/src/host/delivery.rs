//! Input that is to be written to a program, in order with requests to the keeper.

/// Writes pending input to a program when it is called.
///
/// The host calls it once the keeper has received everything requested before. In particular the keeper must have the
/// note that a pane is awake: the next server would end a shell that is noted as asleep, together with the input that
/// it has read.
pub struct Delivery(Box<dyn FnOnce() + Send>);

impl Delivery {
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
