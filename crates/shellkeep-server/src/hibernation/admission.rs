//! Admission: only a few shells are asked for their state at a time, and the next ones when these have answered. If a
//! thousand shells were asked at once, each would compete for a few CPUs, and some would not answer in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_core::PaneId;

use crate::alarm::Alarm;
use crate::hibernation::admission_queue::Waiting;
use crate::hibernation::fall_asleep::fall_asleep;
use crate::hibernation::outcome::report_outcome;
use crate::hibernation::refusal::{Force, Refusal};
use crate::hibernation::state::Hibernation;
use crate::hibernation::waiting_panes::{is_awaited, queue_for_sleep, rejudge_later};
use crate::model::Model;
use crate::process::process_scan::{JUDGING_PAUSE, JUDGING_SLICE, ScanPurpose};
use crate::process::processes::Processes;

/// How many shells are asked at a time. With 16, on two CPUs, each took three times as long to answer and keys typed
/// elsewhere waited for a CPU.
const MAX_ASKED_SHELLS: usize = 4;

/// How many panes may be on their way to sleep, including those that are being written: the recorder reports each one,
/// and must never wait for the loop to take the report.
const MAX_FALLING_PANES: usize = 64;

/// How long a scan of all processes is used to judge panes. Whether a pane got input since the scan is checked
/// separately.
const SCAN_LIFETIME: Duration = Duration::from_millis(50);

/// Begins to put a pane to sleep, or queues it.
///
/// # Errors
/// Why it cannot sleep, if that is known already.
pub(crate) fn put_to_sleep(
    model: &mut Model,
    hibernation: &mut Hibernation,
    id: PaneId,
    processes: &Processes,
    force: Force,
) -> Result<(), Refusal> {
    if hibernation.admission.waiting.is_empty() && free_slots(model, hibernation) > 0 {
        fall_asleep(model, hibernation, id, processes, force)?;
        hibernation
            .admission
            .falling
            .insert(id, Waiting::new(id, force));
    } else {
        queue_for_sleep(model, hibernation, id, force);
    }
    Ok(())
}

/// Queues the panes again that were about to show a prompt.
pub(crate) fn requeue_unsettled(hibernation: &mut Hibernation) {
    hibernation.admission.timer = None;
    let unsettled = std::mem::take(&mut hibernation.admission.unsettled);
    hibernation.admission.waiting.extend(unsettled);
}

/// The pause for other events is over: queued panes are judged when this event is settled.
pub(crate) fn continue_admission(hibernation: &mut Hibernation) {
    hibernation.admission.pause = None;
}

/// How many more shells may be asked now.
fn free_slots(model: &Model, hibernation: &mut Hibernation) -> usize {
    let panes = &model.panes;
    let falling = &mut hibernation.admission.falling;
    falling.retain(|id, _| {
        panes
            .get(id)
            .is_some_and(|pane| pane.life.falling().is_some())
    });
    let falling = falling.keys().filter_map(|id| panes.get(id));
    let (all, asked) = falling.fold((0, 0), |(all, asked), pane| {
        (all + 1, asked + usize::from(pane.is_asked()))
    });
    MAX_ASKED_SHELLS
        .saturating_sub(asked)
        .min(MAX_FALLING_PANES.saturating_sub(all))
}

/// A scan of the processes is ready: queued panes are judged by it when this event is settled.
pub(crate) fn admission_scanned(hibernation: &mut Hibernation, processes: Arc<Processes>) {
    hibernation.admission.scan = Some((processes, Instant::now()));
}

/// Asks the next shells, when half of the last ones have answered.
pub(crate) fn admit_next(model: &mut Model, hibernation: &mut Hibernation) {
    // A slice was interrupted to let other events go first.
    if hibernation.admission.waiting.is_empty() || hibernation.admission.pause.is_some() {
        return;
    }
    if hibernation
        .process_scans
        .is_under_way(ScanPurpose::Admission)
    {
        return;
    }
    let wanted = free_slots(model, hibernation);
    if wanted < MAX_ASKED_SHELLS / 2 {
        return;
    }
    // What panes do now counts, so an older scan is not used.
    let scan = hibernation.admission.scan.take();
    let Some((processes, known)) = scan.filter(|(_, known)| known.elapsed() < SCAN_LIFETIME) else {
        return hibernation.scan_for(ScanPurpose::Admission);
    };
    admit_by_scan(model, hibernation, wanted, &processes);
    hibernation.admission.scan = Some((processes, known));
}

/// Judges queued panes, and asks the shells of up to `wanted` that can sleep.
fn admit_by_scan(
    model: &mut Model,
    hibernation: &mut Hibernation,
    mut wanted: usize,
    processes: &Processes,
) {
    let began = Instant::now();
    // A pane that cannot sleep does not count: if none of them could, no answer would come to call this again.
    while wanted > 0
        && let Some(mut waiting) = hibernation.admission.waiting.pop_front()
    {
        let id = waiting.pane;
        match fall_asleep(model, hibernation, id, processes, waiting.force) {
            Ok(()) => {
                wanted -= 1;
                hibernation.admission.falling.insert(id, waiting);
            }
            Err(refusal)
                if refusal.is_passing && waiting.left > 0 && is_awaited(hibernation, id) =>
            {
                waiting.left -= 1;
                rejudge_later(model, hibernation, waiting);
            }
            Err(refusal) => report_outcome(model, id, Err(refusal.text)),
        }
        if began.elapsed() > JUDGING_SLICE && !hibernation.admission.waiting.is_empty() {
            hibernation.admission.pause = Some(model.set_alarm(Alarm::Admission, JUDGING_PAUSE));
            return;
        }
    }
}
