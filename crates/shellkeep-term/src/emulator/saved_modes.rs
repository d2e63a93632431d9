//! The modes that XTSAVE has saved.

/// The most modes that are saved. There are fewer modes than this.
const MAX_SAVED: usize = 64;

/// Numbers of private modes, and whether each was set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SavedModes {
    pub(crate) modes: Vec<(u16, bool)>,
}

impl SavedModes {
    pub(crate) fn save(&mut self, mode: u16, on: bool) {
        if let Some(known) = self.modes.iter_mut().find(|known| known.0 == mode) {
            known.1 = on;
        } else if self.modes.len() < MAX_SAVED {
            self.modes.push((mode, on));
        }
    }

    pub(crate) fn get(&self, mode: u16) -> Option<bool> {
        let known = self.modes.iter().find(|known| known.0 == mode)?;
        Some(known.1)
    }
}
