//! The configuration of panes' emulators, and the dump of a screen for the next server.

use shellkeep_core::{SessionId, WindowId};
use shellkeep_term::{Config, Emulator};

use crate::model::Model;

/// How many lines of history a pane has that is not on disk, without a limit set. Packed, they take about half a
/// megabyte.
const MAX_LINES_IN_MEMORY: usize = 100_000;

/// The configuration of a pane's emulator.
pub(crate) fn emulator_config() -> Config {
    Config {
        history_limit: MAX_LINES_IN_MEMORY,
        ..Config::default()
    }
}

/// A dump of a screen, for the next server.
pub(crate) fn dump_screen(emulator: &Emulator) -> Vec<u8> {
    emulator.dump()
}

/// A screen from an earlier server's dump, if it can be read.
pub(crate) fn restore_screen(bytes: &[u8]) -> Option<Emulator> {
    Emulator::restore(bytes, emulator_config())
        .inspect_err(|error| tracing::warn!(%error, "a screen of an earlier server cannot be read"))
        .ok()
}

pub(crate) fn emulator_config_in(model: &Model, session: Option<SessionId>) -> Config {
    let usual = emulator_config();
    let limit = model.session_options(session).number("history-limit");
    match usize::try_from(limit) {
        Ok(limit) if limit > 0 => Config {
            history_limit: limit,
            ..usual
        },
        _ => usual,
    }
}

/// The configuration of a pane that is not on disk (yet). Unlimited history is limited to [`MAX_LINES_IN_MEMORY`].
pub(crate) fn emulator_config_for(model: &Model, window: WindowId) -> Config {
    emulator_config_in(model, model.session_with(window))
}
