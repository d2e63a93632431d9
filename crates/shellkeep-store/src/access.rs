//! Whether a store may be changed.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::StoreError;

/// Whether a store may be changed. Clones share the state.
#[derive(Clone, Debug)]
pub(crate) enum StoreAccess {
    /// It may be changed, unless there is a reason here why not yet.
    Write(Arc<Mutex<Option<String>>>),
    /// It is opened for reading only.
    Look,
}

impl StoreAccess {
    /// Changes are allowed at once.
    pub(crate) fn write() -> Self {
        Self::Write(Arc::default())
    }

    /// Changes are allowed after [`StoreAccess::admit`].
    pub(crate) fn waiting(why: String) -> Self {
        Self::Write(Arc::new(Mutex::new(Some(why))))
    }

    /// Allows changes from now on.
    pub(crate) fn admit(&self) {
        if let Self::Write(why) = self {
            *why.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    pub(crate) fn is_look(&self) -> bool {
        matches!(self, Self::Look)
    }

    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        match self {
            Self::Look => Err(StoreError::LookOnly),
            Self::Write(why) => {
                let why = why.lock().unwrap_or_else(PoisonError::into_inner);
                why.clone()
                    .map_or(Ok(()), |why| Err(StoreError::Waiting(why)))
            }
        }
    }
}
