//! Deletes sessions that have been in the archive for longer than `archive-keep`.

use std::time::{Duration, SystemTime};

use shellkeep_store::Expired;

use crate::alarm::Alarm;
use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::model::Model;
use crate::persistence::archive_thread;
use crate::persistence::state::Persistence;

/// A session was archived: sets the timer, unless it runs.
pub(crate) fn expiry_due(model: &mut Model, persistence: &mut Persistence) {
    if persistence.expiry_timer.is_none() {
        expiry_changed(model, persistence);
    }
}

/// The server has started or the option has changed: sets the timer.
pub(crate) fn expiry_changed(model: &mut Model, persistence: &mut Persistence) {
    let keep = model.options.server().duration("archive-keep");
    set_expiry_timer(
        model,
        persistence,
        keep.unwrap_or_default().clamp(MIN_DELAY, MIN_UPTIME),
    );
}

fn set_expiry_timer(model: &mut Model, persistence: &mut Persistence, after: Duration) {
    let keep = model.options.server().duration("archive-keep");
    persistence.expiry_timer = keep.map(|_| model.set_alarm(Alarm::Expiry, after));
}

/// Deletes what has been in the archive for too long, on a thread.
pub(crate) fn expire(model: &mut Model, persistence: &mut Persistence, events: &ThreadEvents) {
    persistence.expiry_timer = None;
    let keep = model.options.server().duration("archive-keep");
    let (Some(keep), Some(keeping)) = (keep, persistence.keeping.clone()) else {
        return;
    };
    let Some(before) = SystemTime::now().checked_sub(keep) else {
        return;
    };
    let events = events.clone();
    let begun = archive_thread::run(move || {
        keeping.recorder.settle();
        let expired = keeping.store.expire(before);
        for (id, _) in &expired.removed {
            keeping.recorder.changed(*id);
        }
        events.send(Event::Expired(expired));
    });
    if begun.is_err() {
        set_expiry_timer(model, persistence, MIN_UPTIME);
    }
}

/// Old sessions were deleted: logs them, and sets the timer for the next one.
pub(crate) fn expired(model: &mut Model, persistence: &mut Persistence, expired: &Expired) {
    for (id, name) in &expired.removed {
        let said = format!("deleted {name} ({id}): archived for longer than archive-keep");
        tracing::info!("{said}");
        model.log_message(said);
    }
    for complaint in &expired.complaints {
        tracing::warn!(%complaint, "cannot delete an expired session");
    }
    let keep = model.options.server().duration("archive-keep");
    if let (Some(keep), Some(oldest)) = (keep, expired.oldest) {
        let age = oldest.elapsed().unwrap_or_default();
        let after = keep.saturating_sub(age).clamp(MIN_DELAY, MAX_DELAY);
        set_expiry_timer(model, persistence, after);
    }
}

/// The shortest time until a look, because more changes may follow.
const MIN_DELAY: Duration = Duration::from_secs(1);

/// The shortest time a server has to run before it deletes anything. Deletion is final, and the clock of a machine that
/// has just booted may be years ahead until it is set.
const MIN_UPTIME: Duration = Duration::from_secs(60 * 60);

/// The longest time of a timer. The server also looks when it starts and when a session is archived.
const MAX_DELAY: Duration = Duration::from_secs(24 * 60 * 60);
