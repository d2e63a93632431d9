//! The server's end while something cannot be written, as on a full disk: what would be lost with it is nowhere but here, so it goes
//! on until that is written. A system that goes down does not wait for ever, and kills us anyway.

use std::time::Duration;

use super::{Ending, Server};
use crate::alarm::{Alarm, Timer};

/// How often it is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// An end that is put off.
pub(super) struct Leaving {
    ending: Ending,
    /// What would be lost, and why.
    pub(super) why: String,
    /// Somebody wants it all the same.
    is_urged: bool,
    _retry: Timer,
}

impl Server {
    /// SIGTERM. Who says it again while we wait means it.
    pub(super) fn terminated(&mut self) {
        let waits = self.leaving.as_mut();
        if let Some(leaving) = waits.filter(|leaving| leaving.ending == Ending::Terminated) {
            leaving.is_urged = true;
        }
        self.ending = Some(Ending::Terminated);
    }

    /// The end that is due, unless it has to be put off. Commands that end the server have asked before what would be lost.
    pub(super) fn take_ending(&mut self) -> Option<Ending> {
        let ending = self.ending.take()?;
        let is_urged = self.leaving.as_ref().is_some_and(|it| it.is_urged);
        if is_urged || !matches!(ending, Ending::Empty | Ending::Terminated) {
            return Some(ending);
        }
        let Some(why) = self.unsaved() else {
            return Some(ending);
        };
        self.put_off(ending, why);
        None
    }

    fn put_off(&mut self, ending: Ending, why: String) {
        if self.leaving.as_ref().map(|it| &it.ending) != Some(&ending) {
            tracing::error!(?ending, why, "cannot end yet");
        }
        self.leaving = Some(Leaving {
            ending,
            why,
            is_urged: false,
            _retry: self.set_alarm(Alarm::Leave, RETRY),
        });
        self.redraw_all();
        self.guarded(Self::show_stale);
    }

    /// Tries again to end, if that is still wanted.
    pub(super) fn leave_again(&mut self) {
        let Some(leaving) = &self.leaving else {
            return;
        };
        if leaving.ending == Ending::Empty && !self.state.sessions.is_empty() {
            self.leaving = None;
            return;
        }
        self.ending.get_or_insert(leaving.ending.clone());
    }
}
