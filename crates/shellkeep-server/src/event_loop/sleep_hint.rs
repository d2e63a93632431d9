//! A word over a pane that sleeps while somebody looks at it: what is shown is stored, and a key brings it to life.

use shellkeep_core::{Attrs, SessionId, Style};
use shellkeep_render::Rect;
use shellkeep_sleep::WakesOn;

use super::Server;
use super::pane_numbers::word;
use crate::scene::Layer;
use crate::state::{Pane, Rule};

impl Server {
    /// The word, in the top right corner of a pane that a session shows there; none if the pane is awake, about to be, or too narrow.
    pub(super) fn sleep_hint(
        &self,
        pane: &Pane,
        session: Option<SessionId>,
        place: Rect,
    ) -> Option<Layer> {
        let is_at_rest = pane.is_asleep() && !pane.is_waking && !pane.is_in_mode();
        if !is_at_rest || !self.waits_for_key(pane, session) {
            return None;
        }
        let text = match (pane.has_failed, self.program_name(pane)) {
            (true, _) => " cannot wake: a key tries again ".to_owned(),
            (false, Some(program)) => format!(" asleep: a key brings {program} back "),
            (false, None) => " asleep: a key wakes it ".to_owned(),
        };
        let is_plain = |c: &char| c.is_ascii_graphic() || *c == ' ';
        let text: String = text.chars().filter(is_plain).collect();
        let col = place.cols.checked_sub(u16::try_from(text.len()).ok()?)?;
        let style = Style {
            attrs: Attrs::DIM | Attrs::REVERSE,
            ..Style::default()
        };
        Some(word((place.row, place.col + col), &text, style))
    }

    /// Whether it takes a key to wake a pane. Others wake when they are painted, and would be painted with the word before.
    fn waits_for_key(&self, pane: &Pane, session: Option<SessionId>) -> bool {
        let is_by_rule = match &pane.rule {
            Rule::Known(resume) => resume.wakes_on == WakesOn::FirstKey,
            Rule::Unasked | Rule::Sought { .. } => false,
        };
        let options = self.state.session_options(session);
        pane.has_failed || is_by_rule || options.text("revive-on") == "key"
    }
}
