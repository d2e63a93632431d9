//! The hint over a sleeping pane that a client shows: its contents are from disk, and a key wakes it.

use shellkeep_core::{Attrs, SessionId, Style};
use shellkeep_hibernation::{How, WakesOn};
use shellkeep_render::Rect;

use crate::display::scene::{Layer, word};
use crate::hibernation::resume;
use crate::model::{Asleep, Model, Pane, Rule};

/// A hint that is cut off before this many characters is not shown.
const MIN_HINT_CHARS: usize = 20;

/// The hint in the top right corner of a pane. None if the pane is awake, about to wake, or too narrow.
pub(crate) fn sleep_hint(
    model: &Model,
    pane: &Pane,
    session: Option<SessionId>,
    place: Rect,
) -> Option<Layer> {
    let asleep = pane.life.asleep()?;
    let is_at_rest = !pane.is_waking() && !pane.is_in_mode();
    if !is_at_rest || !waits_for_key(model, asleep, session) {
        return None;
    }
    let line = match &asleep.rule {
        Rule::Known(resume) if resume.how == How::Run => Some(&resume.line),
        _ => None,
    };
    let text = match (asleep.has_failed, line, resume::program_name(model, pane)) {
        (true, ..) => "cannot wake: a key tries again".to_owned(),
        // A command that will run is shown even if the hint has to be cut off, so it comes first.
        (false, Some(line), _) => format!("asleep: a key runs: {line}"),
        (false, None, Some(program)) => format!("asleep: a key brings {program} back"),
        (false, None, None) => "asleep: a key wakes it".to_owned(),
    };
    let text = fit(&text, place.cols)?;
    let col = place.cols.checked_sub(u16::try_from(text.len()).ok()?)?;
    let style = Style {
        attrs: Attrs::DIM | Attrs::REVERSE,
        ..Style::default()
    };
    Some(word((place.row, place.col + col), &text, style))
}

/// Whether a pane needs a key to wake. Others wake as soon as they are painted, and the hint would only flash.
fn waits_for_key(model: &Model, asleep: &Asleep, session: Option<SessionId>) -> bool {
    let is_by_rule = match &asleep.rule {
        Rule::Known(resume) => resume.wakes_on == WakesOn::FirstKey,
        Rule::Unasked | Rule::Sought { .. } => false,
    };
    let options = model.session_options(session);
    asleep.has_failed || is_by_rule || options.text("revive-on") == "key"
}

/// A text with spaces around it, shortened to this many columns. None if little would be left of it.
fn fit(text: &str, cols: u16) -> Option<String> {
    let is_plain = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let mut text: String = text.chars().filter(is_plain).collect();
    let room = usize::from(cols).checked_sub(2)?;
    if text.len() > room {
        text.truncate(room.checked_sub(3).filter(|room| *room >= MIN_HINT_CHARS)?);
        text.push_str("...");
    }
    Some(format!(" {text} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_line_is_shortened_and_a_narrow_pane_shows_none() {
        let text = "asleep: a key runs: tail -f log";
        assert_eq!(fit(text, 33).unwrap(), format!(" {text} "));
        assert_eq!(fit(text, 32).unwrap(), " asleep: a key runs: tail -f... ");
        assert_eq!(fit(text, 24), None);
        assert_eq!(fit("\u{e9}a\x1b[31m", 24).unwrap(), " a[31m ");
        assert_eq!(fit(text, 0), None);
    }
}
