//! Styles that options hold.

use shellkeep_command::options::View;
use shellkeep_core::{SessionId, Style, StyleText};

use crate::event_loop::Server;
use crate::variables::Scope;

/// What a style option comes to over a base. One that cannot be read says nothing.
pub(crate) fn option_style(options: View<'_>, name: &str, scope: &Scope<'_>, base: Style) -> Style {
    let Some(value) = options.style(name) else {
        return base;
    };
    match &value.style {
        Some(text) => text.change.over(base),
        None => match scope.expand(&value.text).parse::<StyleText>() {
            Ok(text) => text.change.over(base),
            Err(_) => base,
        },
    }
}

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
