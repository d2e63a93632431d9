//! The options that copy mode uses.

use shellkeep_copy::{CopyMode, CopyOptions, EnterOptions, Frozen, ModeKeys, Pos};
use shellkeep_core::PaneId;

use crate::model::{Model, Pane};

/// The options of a pane that copy mode uses.
pub(crate) fn copy_options(model: &Model, pane: PaneId) -> CopyOptions {
    let session = model.session_of(pane);
    let window = model.pane_options(pane);
    let server = model.options.server();
    CopyOptions {
        word_separators: model
            .session_options(session)
            .text("word-separators")
            .to_owned(),
        wrap_search: window.flag("wrap-search"),
        mode_keys: match window.text("mode-keys") {
            "vi" => ModeKeys::Vi,
            _ => ModeKeys::Emacs,
        },
        copy_command: server.text("copy-command").to_owned(),
        set_clipboard: server.text("set-clipboard") != "off",
    }
}

/// The word at a position of a pane's screen.
pub(crate) fn word_on_screen(model: &Model, pane: &Pane, at: Pos) -> String {
    let options = copy_options(model, pane.id);
    let emulator = pane.screen.lock();
    let frozen = Frozen::new(&emulator);
    let text = frozen.text(&emulator);
    let place = CopyMode::enter(at, &text, EnterOptions::default());
    place.word_at(at, &text, &options)
}
