//! Many panes fall asleep: some of their shells are asked at a time, and the others when these have answered. A machine has few
//! processors, and whoever is asked together with a thousand others might not get to answer within its time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shellkeep_core::PaneId;

use crate::alarm::Alarm;
use crate::hibernation::admission_queue::Waiting;
use crate::hibernation::fall_asleep::fall_asleep;
use crate::hibernation::refusal::{Force, Refusal};
use crate::hibernation::state::Hibernation;
use crate::hibernation::told::sleep_told;
use crate::hibernation::waiting_panes::{is_awaited, put_to_sleep_in_turn, settles};
use crate::model::Model;
use crate::process::process_scan::{JUDGING_PAUSE, JUDGING_SLICE, ScanPurpose};
use crate::process::processes::Processes;

/// So many shells are asked at a time. With 16 a machine of two processors was slower: each took three times as long to answer, and keys
/// typed elsewhere waited for a processor.
const AT_A_TIME: usize = 4;

/// So many panes are on their way at most, those included that are being written down: the recorder tells of each, and is never to
/// wait until the loop has heard it.
const MOST: usize = 64;

/// Panes are judged by a scan of all processes for so long. Whether a pane was typed into since is asked for each of them.
const SCAN_LIFETIME: Duration = Duration::from_millis(50);

/// Begins to put a pane to sleep, or has it wait until it is asked.
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
    if hibernation.admission.waiting.is_empty() && sleepers_wanted(model, hibernation) > 0 {
        fall_asleep(model, hibernation, id, processes, force)?;
        hibernation
            .admission
            .falling
            .insert(id, Waiting::new(id, force));
    } else {
        put_to_sleep_in_turn(model, hibernation, id, force);
    }
    Ok(())
}

/// Those that were about to show a prompt are judged again.
pub(crate) fn look_at_unsettled(hibernation: &mut Hibernation) {
    hibernation.admission.timer = None;
    let unsettled = std::mem::take(&mut hibernation.admission.unsettled);
    hibernation.admission.waiting.extend(unsettled);
}

/// Other events have had their turn: the panes that wait are asked when this event is over.
pub(crate) fn bedtime_goes_on(hibernation: &mut Hibernation) {
    hibernation.admission.turn = None;
}

/// How many more shells can be asked.
fn sleepers_wanted(model: &Model, hibernation: &mut Hibernation) -> usize {
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
    AT_A_TIME
        .saturating_sub(asked)
        .min(MOST.saturating_sub(all))
}

/// The processes are known by which the panes that wait are judged when this event is over.
pub(crate) fn bedtime_scanned(hibernation: &mut Hibernation, processes: Arc<Processes>) {
    hibernation.admission.scan = Some((processes, Instant::now()));
}

/// Asks the next shells, when half of those before them have answered.
pub(crate) fn ask_next_sleepers(model: &mut Model, hibernation: &mut Hibernation) {
    // With a turn ahead, everything else goes first.
    if hibernation.admission.waiting.is_empty() || hibernation.admission.turn.is_some() {
        return;
    }
    if hibernation
        .process_scans
        .is_under_way(ScanPurpose::Admission)
    {
        return;
    }
    let wanted = sleepers_wanted(model, hibernation);
    if wanted < AT_A_TIME / 2 {
        return;
    }
    // What they do now is what counts, not what they did when others were asked before.
    let scan = hibernation.admission.scan.take();
    let Some((processes, known)) = scan.filter(|(_, known)| known.elapsed() < SCAN_LIFETIME) else {
        return hibernation.scan_for(ScanPurpose::Admission);
    };
    ask_by_scan(model, hibernation, wanted, &processes);
    hibernation.admission.scan = Some((processes, known));
}

/// Judges panes that wait, and asks the shells of so many that can sleep.
fn ask_by_scan(
    model: &mut Model,
    hibernation: &mut Hibernation,
    mut wanted: usize,
    processes: &Processes,
) {
    let began = Instant::now();
    // Those that cannot sleep count nothing: if none of them did, nothing would ever call us again.
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
                settles(model, hibernation, waiting);
            }
            Err(refusal) => sleep_told(model, id, Err(refusal.text)),
        }
        if began.elapsed() > JUDGING_SLICE && !hibernation.admission.waiting.is_empty() {
            hibernation.admission.turn = Some(model.set_alarm(Alarm::Bedtime, JUDGING_PAUSE));
            return;
        }
    }
}
