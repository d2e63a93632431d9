//! Styles that options hold.

use shellkeep_core::{SessionId, Style};

use crate::event_loop::{Server, option_style};

impl Server {
    /// How what is chosen looks, in the window a session shows.
    pub(crate) fn mode_style(&self, session: Option<SessionId>) -> Style {
        let Some(window) = session.and_then(|id| self.state.current_window(id)) else {
            return Style::default();
        };
        let options = self.state.window_options(window.id);
        let scope = self.scope().window(window.id);
        option_style(options, "mode-style", &scope, Style::default())
    }
}
