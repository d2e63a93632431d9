//! When the policy starts a round.

use std::time::{Duration, Instant};

use shellkeep_core::PaneId;

use crate::alarm::{Alarm, Timer};
use crate::hibernation::state::Hibernation;
use crate::model::Model;

/// How long the policy waits after an event, because more events may follow.
pub(crate) const ROUND_DELAY: Duration = Duration::from_secs(1);

/// Something has happened after which a session may be due: starts a round soon, unless one is coming.
pub(crate) fn round_due(model: &Model, hibernation: &mut Hibernation) {
    start_round_in(model, hibernation, ROUND_DELAY);
}

/// A shell shows its prompt: its session is due when it has been left alone for long enough.
pub(crate) fn pane_left_alone(model: &Model, hibernation: &mut Hibernation, pane: PaneId) {
    let options = model.session_options(model.session_of(pane));
    if let Some(after) = options.duration("hibernate-after") {
        start_round_in(model, hibernation, after.max(ROUND_DELAY));
    }
}

/// Starts a round after this time, unless one is due earlier.
pub(crate) fn start_round_in(model: &Model, hibernation: &mut Hibernation, after: Duration) {
    let at = Instant::now() + after;
    let is_sooner = |timer: &(Timer, Instant)| timer.1 > at;
    if hibernation.policy_timer.as_ref().is_none_or(is_sooner) {
        hibernation.policy_timer = Some((model.set_alarm(Alarm::Policy, after), at));
    }
}
