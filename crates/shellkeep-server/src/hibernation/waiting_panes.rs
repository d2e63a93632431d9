//! Queueing panes until they are judged and asked whether they can fall asleep.

use std::time::Duration;

use shellkeep_core::PaneId;

use crate::alarm::Alarm;
use crate::hibernation::admission_queue::Waiting;
use crate::hibernation::refusal::Force;
use crate::hibernation::state::Hibernation;
use crate::model::Model;

/// After how long a pane is judged again whose shell is about to show its prompt.
const REJUDGE_DELAY: Duration = Duration::from_millis(50);

/// Queues a pane. Commands that wait for it get the outcome.
pub(crate) fn queue_for_sleep(
    model: &mut Model,
    hibernation: &mut Hibernation,
    pane: PaneId,
    force: Force,
) {
    hibernation.admission.add(pane, force);
    model.changes.is_unsettled = true;
}

/// Judges a pane again in a moment.
pub(crate) fn rejudge_later(model: &mut Model, hibernation: &mut Hibernation, waiting: Waiting) {
    hibernation.admission.unsettled.push(waiting);
    if hibernation.admission.timer.is_none() {
        hibernation.admission.timer = Some(model.set_alarm(Alarm::Settled, REJUDGE_DELAY));
    }
}

/// A pane that has begun to fall asleep cannot, but may in a moment. Returns whether it is judged again.
pub(crate) fn rejudge_falling(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
) -> bool {
    if !is_awaited(hibernation, id) {
        return false;
    }
    let begun = hibernation.admission.falling.remove(&id);
    let Some(mut waiting) = begun.filter(|waiting| waiting.left > 0) else {
        return false;
    };
    waiting.left -= 1;
    rejudge_later(model, hibernation, waiting);
    true
}

/// Whether a command waits for a pane's outcome.
pub(crate) fn is_awaited(hibernation: &Hibernation, id: PaneId) -> bool {
    let mut jobs = hibernation.jobs.values();
    jobs.any(|job| !job.is_dry && job.waiting.contains(&id))
}
