//! Waking many panes: those that clients show at once, the others one after another within `revive-budget`, so that a
//! machine which has just booted is not overloaded by a hundred shells.

use std::collections::BTreeSet;

use shellkeep_core::PaneId;

use crate::action::Action;
use crate::hibernation::outcome::report_outcome;
use crate::hibernation::running::memory_of;
use crate::hibernation::state::Hibernation;
use crate::model::{Asleep, Model, Pane, Waker};

/// Wakes these panes, the visible ones at once.
pub(crate) fn wake_all(model: &mut Model, hibernation: &mut Hibernation, panes: &[PaneId]) {
    let visible = visible_panes(model);
    let (seen, unseen): (Vec<PaneId>, Vec<PaneId>) =
        panes.iter().partition(|pane| visible.contains(pane));
    for pane in &seen {
        model.act(Action::Wake(*pane, Waker::User));
    }
    hibernation.wake_queue.current.extend(seen);
    hibernation.wake_queue.waiting.extend(unseen);
    model.changes.is_unsettled = true;
}

/// Wakes the next pane, if the last one is done.
pub(crate) fn wake_next(model: &mut Model, hibernation: &mut Hibernation) {
    if hibernation.wake_queue.waiting.is_empty() {
        return;
    }
    let panes = &model.panes;
    // A pane whose prompt does not come is not waited for longer than its own alarm.
    let is_waking = |pane: &Pane| {
        let asleep = pane.life.asleep();
        let wakes_by_rule = asleep.is_some_and(Asleep::wakes_by_rule);
        pane.is_waking() || pane.is_held() || wakes_by_rule
    };
    let current = &mut hibernation.wake_queue.current;
    current.retain(|id| panes.get(id).is_some_and(is_waking));
    if !current.is_empty() {
        return;
    }
    while let Some(id) = hibernation.wake_queue.waiting.pop_front() {
        let pane = model.panes.get(&id);
        if !pane.is_some_and(|pane| pane.is_asleep() && !pane.is_waking()) {
            // The pane was woken by something else, and the command gets its outcome from there.
            continue;
        }
        if let Some(budget) = spent_budget(model, hibernation) {
            let reason = format!(
                "revive-budget of {budget} MiB is used up; it wakes when a client shows it"
            );
            report_outcome(model, id, Err(reason));
            continue;
        }
        hibernation.wake_queue.current.push(id);
        hibernation.wake_queue.woken.insert(id);
        model.act(Action::Wake(id, Waker::User));
        return;
    }
}

/// The budget in MiB, if woken panes that no client shows use more memory than that.
fn spent_budget(model: &Model, hibernation: &mut Hibernation) -> Option<u64> {
    let budget = model.options.server().number("revive-budget");
    let budget = u64::try_from(budget).ok().filter(|budget| *budget > 0)?;
    let visible = visible_panes(model);
    let panes = &model.panes;
    let is_unseen = |id: &PaneId| {
        let pane = panes.get(id);
        pane.is_some_and(|pane| !pane.is_asleep()) && !visible.contains(id)
    };
    hibernation.wake_queue.woken.retain(is_unseen);
    let woken = hibernation.wake_queue.woken.iter();
    let woken = woken.filter_map(|id| model.panes.get(id));
    let memory = woken.map(|pane| {
        let screen = u64::try_from(pane.screen.memory()).unwrap_or(u64::MAX);
        pane.pid().map_or(0, memory_of).saturating_add(screen)
    });
    let memory = memory.fold(0, u64::saturating_add);
    (memory > budget << 20).then_some(budget)
}

/// The panes that clients show.
fn visible_panes(model: &Model) -> BTreeSet<PaneId> {
    let clients = model.clients.values();
    let shown = clients.filter_map(|client| client.session);
    let windows = shown.filter_map(|id| model.current_window(id));
    let panes = windows.flat_map(|window| window.shown().places());
    panes.map(|(pane, _)| pane).collect()
}
