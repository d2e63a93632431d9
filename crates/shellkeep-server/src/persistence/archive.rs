//! The archive: listing it, reopening sessions from it, and waiting until sessions are in it. It may hold thousands of
//! sessions, so a thread reads it; the loop never does.

use std::sync::Arc;

use shellkeep_store::{Complaint, KeptSession, StoreError, StoreId};

use crate::action::{Action, Awaited};
use crate::commands::answer;
use crate::commands::queue::{Caller, Wait};
use crate::commands::reply::Reply;
use crate::event::Event;
use crate::formats::Value;
use crate::hibernation::resume;
use crate::inbox::ThreadEvents;
use crate::model::{Cause, Model, Seconds};
use crate::persistence::archive_thread;
use crate::persistence::archived::{Archive, Archived};
use crate::persistence::closed_by_hand::ClosedByHand;
use crate::persistence::keeping::Keeping;
use crate::persistence::state::Persistence;
use crate::persistence::{keep_changes, stored};
use crate::process::call;

impl Archived {
    fn new(kept: &KeptSession, size: u64) -> Self {
        let file = kept.file();
        let part_of = file.as_ref().and_then(|file| file.part_of);
        // A session that cannot be read is listed by its id, so that it can be deleted with `forget`.
        let session = file.map(|file| file.session).unwrap_or_default();
        Self {
            id: kept.id,
            name: session.name,
            part_of,
            size,
            windows: session.links.len(),
            created: session.created,
            activity: session.activity,
        }
    }

    /// When it was created, and when it was last used.
    pub(crate) fn times(&self) -> (Seconds, Seconds) {
        (self.created, self.activity)
    }

    /// Its variables for formats and JSON.
    pub(crate) fn variables(&self, now: Seconds) -> Vec<(&'static str, Value)> {
        let number = |number: Seconds| Value::Number(number.to_string());
        vec![
            ("session_name", Value::Text(self.name.clone())),
            ("session_windows", Value::Number(self.windows.to_string())),
            ("session_created", Value::Time(self.created)),
            ("session_activity", Value::Time(self.activity)),
            ("session_age", number((now - self.created).max(0))),
            ("session_idle", number((now - self.activity).max(0))),
            ("session_disk_size", Value::Number(self.size.to_string())),
            ("session_state", Value::Text("archived".to_owned())),
            ("session_archive_id", Value::Text(self.id.to_string())),
            ("session_attached", number(0)),
            ("session_grouped", Value::Flag(false)),
        ]
    }
}

/// Reads the archive. Must not run on the event loop.
fn read(keeping: &Keeping) -> Archive {
    // The requests made so far must be visible in what is read.
    keeping.recorder.settle();
    let sweep = keeping.store.archived();
    for complaint in &sweep.complaints {
        tracing::error!(%complaint, "a session in the archive cannot be read");
    }
    let sessions = sweep.sessions.iter();
    let sessions = sessions.map(|kept| Archived::new(kept, keeping.store.disk_use(kept.id)));
    let mut archived: Vec<Archived> = sessions.collect();
    archived.sort_by_key(|each| (each.activity, each.id));
    Archive {
        sessions: archived,
        unread: unread(sweep.complaints.iter()),
    }
}

/// A message about sessions that cannot be listed, because the system refuses access or a later version wrote them.
/// They are not lost.
pub(crate) fn unread<'a>(complaints: impl Iterator<Item = &'a Complaint>) -> Option<String> {
    let is_whole = |error: &_| matches!(error, StoreError::Io { .. } | StoreError::Newer { .. });
    let mut unread = complaints.filter(|complaint| is_whole(&complaint.error));
    let first = unread.next()?;
    Some(match unread.count() {
        0 => first.to_string(),
        count => format!("{first}, and {count} more"),
    })
}

/// The contents of the archive, for the running command. If they were not read yet, returns the reply with which the
/// command waits; it is then run again from its beginning, so it must not have changed anything before.
pub(crate) fn archived(
    model: &mut Model,
    persistence: &mut Persistence,
    events: &ThreadEvents,
) -> Result<Arc<Archive>, Reply> {
    if let Some(archived) = persistence.archive.take() {
        return Ok(archived);
    }
    let Some(keeping) = persistence.keeping.clone() else {
        return Ok(Arc::default());
    };
    // Sessions that earlier commands of the same line have closed must be in what is read.
    keep_changes::keep_panes(model, persistence);
    let number = model.next_wait();
    let (events, reader) = (events.clone(), keeping);
    let begun = archive_thread::run(move || {
        let archive = Arc::new(read(&reader));
        events.send(Event::ArchiveRead { number, archive });
    });
    if let Err(error) = begun {
        // The loop must not read it instead: other clients would wait for the disk.
        return Ok(Arc::new(Archive {
            sessions: Vec::new(),
            unread: Some(format!("the system gives no thread to read it: {error}")),
        }));
    }
    Err(Reply {
        wait: Some(Wait::Archive(number)),
        ..Reply::default()
    })
}

/// Warns a caller who uses the archive that it may hold more sessions.
pub(crate) fn complain_of_archive(model: &mut Model, caller: &Caller, archive: &Archive) {
    if let Some(why) = &archive.unread {
        let call = call::call_for(model, caller);
        let said = format!("what is archived is not all here: {why} ({call} doctor explains)");
        answer::complain(model, caller, said);
    }
}

/// The archive was read: runs the command that waits for it.
pub(crate) fn archive_read(model: &mut Model, number: u64, archive: &Arc<Archive>) {
    let awaited = Awaited::Archive(archive.clone());
    model.act(Action::RunAgain(Wait::Archive(number), awaited));
}

/// Reopens an archived session. Returns its name.
///
/// # Errors
/// If it cannot be moved or read.
pub(crate) fn reopen(
    model: &mut Model,
    persistence: &mut Persistence,
    caller: &Caller,
    id: StoreId,
) -> Result<String, String> {
    let keeping = persistence.keeping.clone().ok_or("nothing is kept here")?;
    keeping
        .store
        .reopen(id)
        .map_err(|error| error.to_string())?;
    let kept = keeping
        .store
        .read_session(id)
        .map_err(|error| error.to_string())?;
    let body = kept.body.to_string();
    let session = stored::take_up(model, persistence, id, &body, Cause::Reopened, model.now());
    resume::note_rivals(model);
    if let Some(id) = session {
        model.use_session(id, model.now());
    }
    let call = call::call_for(model, caller);
    let session = session.and_then(|id| model.sessions.get_mut(&id));
    let unread = || format!("that session cannot be read; {call} doctor may know why");
    let session = session.ok_or_else(unread)?;
    // Otherwise its age or the number of sessions could send it back to the archive before it is used.
    session.standing.is_reopened = true;
    Ok(session.name.clone())
}

/// Makes a command that closes sessions wait until they are in the archive, so that its output can say so.
pub(crate) fn until_archived(
    model: &mut Model,
    persistence: &mut Persistence,
    closed: Vec<ClosedByHand>,
) -> Option<Wait> {
    if closed.is_empty() {
        return None;
    }
    let number = model.next_wait();
    persistence.awaited.push(number);
    persistence.closed_by_hand.insert(number, closed);
    Some(Wait::Kept(number))
}

/// The recorder has handled a request, or cannot do so for now: resumes the command that waits for it.
pub(crate) fn kept(
    model: &mut Model,
    persistence: &mut Persistence,
    number: u64,
    left: Option<&str>,
) {
    let forgotten = persistence.forgotten_by_hand.remove(&number);
    if let (Some(name), Some(why)) = (forgotten, left) {
        let said = format!("session {name} is gone, but not all of it is deleted: {why}");
        return model.act(Action::ResumeAll(Wait::Kept(number), Err(said)));
    }
    let closed = persistence
        .closed_by_hand
        .remove(&number)
        .unwrap_or_default();
    let said: String = closed.iter().map(|each| each.way_back(left)).collect();
    model.act(Action::ResumeAll(Wait::Kept(number), Ok(said)));
}

/// The output of commands that have closed sessions, by the number they wait for. Used when the server ends before the
/// recorder could report.
pub(crate) fn take_closed(persistence: &mut Persistence) -> Vec<(u64, String)> {
    let closed = std::mem::take(&mut persistence.closed_by_hand).into_iter();
    let said = closed.map(|(number, closed)| {
        let said = closed.iter().map(|each| each.way_back(None));
        (number, said.collect())
    });
    said.collect()
}
