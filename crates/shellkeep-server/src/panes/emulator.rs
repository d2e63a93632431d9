//! How panes' emulators are set up, and how a screen goes to the next server.

use shellkeep_core::{SessionId, WindowId};
use shellkeep_term::{Config, Emulator};

use crate::model::Model;

/// So many lines has a pane that is kept nowhere if nobody set a limit: they are packed, and take about half a megabyte.
const MOST_IN_MEMORY: usize = 100_000;

/// How panes' emulators are set up.
pub(crate) fn emulator_config() -> Config {
    Config {
        history_limit: MOST_IN_MEMORY,
        ..Config::default()
    }
}

/// A screen as bytes, for the next server.
pub(crate) fn dump_screen(emulator: &Emulator) -> Vec<u8> {
    emulator.dump()
}

/// A screen from an earlier server, if it can be read.
pub(crate) fn restore_screen(bytes: &[u8]) -> Option<Emulator> {
    Emulator::restore(bytes, emulator_config())
        .inspect_err(
            |error| tracing::warn!(%error, "a screen of an earlier server is not readable"),
        )
        .ok()
}

/// The same for all windows of a session.
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

/// How the emulator of a new pane is set up, as long as nothing of it is kept. No limit on its history means as much as
/// memory is spent on.
pub(crate) fn emulator_config_for(model: &Model, window: WindowId) -> Config {
    emulator_config_in(model, model.session_with(window))
}
