//! What is in the archive for too long is deleted.

use std::time::{Duration, SystemTime};

use shellkeep_store::Expired;

use crate::alarm::Alarm;
use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::model::Model;
use crate::persistence::archive_thread;
use crate::persistence::state::Persistence;

/// Something was archived: looks when it may be too old, unless that is coming anyway.
pub(crate) fn expiry_due(model: &mut Model, persistence: &mut Persistence) {
    if persistence.expiry_timer.is_none() {
        expiry_changed(model, persistence);
    }
}

/// Something may be too old for the archive.
pub(crate) fn expiry_changed(model: &mut Model, persistence: &mut Persistence) {
    let keep = model.options.server().duration("archive-keep");
    look_for_expired_in(
        model,
        persistence,
        keep.unwrap_or_default().clamp(CALM, PATIENCE),
    );
}

fn look_for_expired_in(model: &mut Model, persistence: &mut Persistence, after: Duration) {
    let keep = model.options.server().duration("archive-keep");
    persistence.expiry_timer = keep.map(|_| model.set_alarm(Alarm::Expiry, after));
}

/// Deletes what has been in the archive for too long.
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
        look_for_expired_in(model, persistence, PATIENCE);
    }
}

/// What was too old is deleted: says what, and looks again when the next one is.
pub(crate) fn expired(model: &mut Model, persistence: &mut Persistence, expired: &Expired) {
    for (id, name) in &expired.removed {
        let said = format!("deleted {name} ({id}): archived for longer than archive-keep");
        tracing::info!("{said}");
        model.log_message(said);
    }
    for complaint in &expired.complaints {
        tracing::warn!(%complaint, "too old for the archive");
    }
    let keep = model.options.server().duration("archive-keep");
    if let (Some(keep), Some(oldest)) = (keep, expired.oldest) {
        let age = oldest.elapsed().unwrap_or_default();
        let after = keep.saturating_sub(age).clamp(CALM, FAR);
        look_for_expired_in(model, persistence, after);
    }
}

/// Not sooner than so after something has happened: much may follow.
const CALM: Duration = Duration::from_secs(1);

/// What is deleted is gone. So nothing is before this server has run for as long as things are kept, or for so long: the clock of a
/// machine that has just started may be years ahead until somebody sets it.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Longer is not worth a timer: the server looks when it starts, and when something is archived.
const FAR: Duration = Duration::from_secs(24 * 60 * 60);
