//! When the policy looks at all sessions.

use std::time::{Duration, Instant};

use shellkeep_core::PaneId;

use crate::alarm::{Alarm, Timer};
use crate::hibernation::state::Hibernation;
use crate::model::Model;

/// After something has happened, this long before anybody is looked at: much may follow.
pub(crate) const CALM: Duration = Duration::from_secs(1);

/// Something happened after which others may be due: looks soon, unless that is coming anyway.
pub(crate) fn sleepers_due(model: &Model, hibernation: &mut Hibernation) {
    look_for_sleepers_in(model, hibernation, CALM);
}

/// A shell shows its prompt: its session may be due when it has been left alone for long enough.
pub(crate) fn sleeper_due(model: &Model, hibernation: &mut Hibernation, pane: PaneId) {
    let options = model.session_options(model.session_of(pane));
    if let Some(after) = options.duration("hibernate-after") {
        look_for_sleepers_in(model, hibernation, after.max(CALM));
    }
}

/// Looks after so long, unless it does so before anyway.
pub(crate) fn look_for_sleepers_in(model: &Model, hibernation: &mut Hibernation, after: Duration) {
    let at = Instant::now() + after;
    let is_sooner = |timer: &(Timer, Instant)| timer.1 > at;
    if hibernation.policy_timer.as_ref().is_none_or(is_sooner) {
        hibernation.policy_timer = Some((model.set_alarm(Alarm::Sleepers, after), at));
    }
}
