//! Judging panes and sessions by scans of all processes, in slices between which other events are handled.

use std::sync::Arc;
use std::time::Instant;

use crate::alarm::Alarm;
use crate::hibernation::admission::admission_scanned;
use crate::hibernation::fall_asleep::settled;
use crate::hibernation::idle_capture::capture_scanned;
use crate::hibernation::outcome::cancel_sleep;
use crate::hibernation::policy::{apply_policy, judge_session, sessions_to_judge};
use crate::hibernation::policy_round::PolicyRound;
use crate::hibernation::state::Hibernation;
use crate::model::Model;
use crate::process::process_scan::{JUDGING_PAUSE, JUDGING_SLICE, ScanPurpose, Step, start_scan};
use crate::process::processes::Processes;

/// A scan of the processes is ready.
pub(crate) fn processes_scanned(
    model: &mut Model,
    hibernation: &mut Hibernation,
    processes: Option<Arc<Processes>>,
) {
    let (served, is_more) = hibernation.process_scans.done();
    if is_more {
        start_scan(hibernation.events.clone());
    }
    let Some(processes) = processes else {
        return served
            .into_iter()
            .for_each(|it| not_scanned(model, hibernation, it));
    };
    for purpose in served {
        let steps = match purpose {
            ScanPurpose::Admission => {
                admission_scanned(hibernation, processes.clone());
                Vec::new()
            }
            ScanPurpose::Settled(pane) => vec![Step::Settled(pane)],
            ScanPurpose::Capture(pane) => vec![Step::Capture(pane)],
            ScanPurpose::Policy => {
                let sessions = sessions_to_judge(model).into_iter().map(Step::Judge);
                sessions.chain([Step::Decide]).collect()
            }
        };
        let steps = steps.into_iter().map(|step| (processes.clone(), step));
        hibernation.process_scans.steps.extend(steps);
    }
    judge_by_scans(model, hibernation);
}

/// A scan has failed: what waits for it must not wait forever.
fn not_scanned(model: &mut Model, hibernation: &mut Hibernation, purpose: ScanPurpose) {
    match purpose {
        ScanPurpose::Settled(pane) => cancel_sleep(model, pane, "its processes are not known"),
        ScanPurpose::Policy => hibernation.policy_round = PolicyRound::default(),
        // The next event or the next prompt asks again.
        ScanPurpose::Admission | ScanPurpose::Capture(_) => {}
    }
}

/// Judges until the slice of time is used up.
fn judge_by_scans(model: &mut Model, hibernation: &mut Hibernation) {
    let began = Instant::now();
    while hibernation.process_scans.pause.is_none()
        && let Some((processes, step)) = hibernation.process_scans.steps.pop_front()
    {
        match step {
            Step::Settled(pane) => settled(model, hibernation, pane, &processes),
            Step::Capture(pane) => capture_scanned(model, hibernation, pane, &processes),
            Step::Judge(session) => judge_session(model, hibernation, session, &processes),
            Step::Decide => apply_policy(model, hibernation),
        }
        if began.elapsed() > JUDGING_SLICE && !hibernation.process_scans.steps.is_empty() {
            let pause = model.set_alarm(Alarm::Judging, JUDGING_PAUSE);
            hibernation.process_scans.pause = Some(pause);
        }
    }
}

/// The pause for other events is over: judges on.
pub(crate) fn continue_judging(model: &mut Model, hibernation: &mut Hibernation) {
    hibernation.process_scans.pause = None;
    judge_by_scans(model, hibernation);
}
