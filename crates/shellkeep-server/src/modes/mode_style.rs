//! The style `mode-style`.

use shellkeep_core::{SessionId, Style};

use crate::formats;
use crate::model::Model;
use crate::status::status_line::option_style;

/// The style of the selected line, in the current window of a session.
pub(crate) fn mode_style(model: &Model, session: Option<SessionId>) -> Style {
    let Some(window) = session.and_then(|id| model.current_window(id)) else {
        return Style::default();
    };
    let options = model.window_options(window.id);
    let scope = formats::scope(model).window(window.id);
    option_style(options, "mode-style", &scope, Style::default())
}
