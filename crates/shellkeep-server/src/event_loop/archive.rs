//! The archive. It is read by a thread of its own, since there may be thousands of sessions in it and everybody would wait; and
//! what is older than `archive-keep` is deleted.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use shellkeep_command::call::word;
use shellkeep_store::{Complaint, Expired, KeptSession, StoreError, StoreId};

use super::{Server, resume};
use crate::alarm::Alarm;
use crate::call;
use crate::event::Event;
use crate::exec::Reply;
use crate::keeping::Keeping;
use crate::queue::{Caller, QueueId, Wait};
use crate::state::{Cause, Seconds};
use crate::variables::Value;

/// Not sooner than so after something has happened: much may follow.
const CALM: Duration = Duration::from_secs(1);

/// What is deleted is gone. So nothing is before this server has run for as long as things are kept, or for so long: the clock of a
/// machine that has just started may be years ahead until somebody sets it.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Longer is not worth a timer: the server looks when it starts, and when something is archived.
const FAR: Duration = Duration::from_secs(24 * 60 * 60);

/// What is in the archive.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// The newest last.
    pub(crate) sessions: Vec<Archived>,
    /// Why there may be more of them.
    pub(crate) unread: Option<String>,
}

/// A session in the archive.
#[derive(Clone, Debug)]
pub(crate) struct Archived {
    pub(crate) id: StoreId,
    pub(crate) name: String,
    /// The session that it was a pane of when it was closed.
    pub(crate) part_of: Option<StoreId>,
    /// Bytes on disk.
    pub(crate) size: u64,
    windows: usize,
    created: Seconds,
    activity: Seconds,
}

impl Archived {
    fn new(kept: &KeptSession, size: u64) -> Self {
        let file = kept.file();
        let part_of = file.as_ref().and_then(|file| file.part_of);
        // One that cannot be read is listed by its id, so that it can be forgotten.
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

    /// When it was made, and when it was last used.
    pub(crate) fn times(&self) -> (Seconds, Seconds) {
        (self.created, self.activity)
    }

    /// What formats and JSON can say of it.
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

/// Reads the archive. Not for the event loop.
fn read(keeping: &Keeping) -> Archive {
    // What was asked for a moment ago is to be seen.
    keeping.recorder.settle();
    let sweep = keeping.store.archived();
    for complaint in &sweep.complaints {
        tracing::error!(%complaint, "in the archive");
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

/// What the system does not let us read, or a later version wrote: it is not listed, and not lost.
pub(super) fn unread<'a>(complaints: impl Iterator<Item = &'a Complaint>) -> Option<String> {
    let is_whole = |error: &_| matches!(error, StoreError::Io { .. } | StoreError::Newer { .. });
    let mut unread = complaints.filter(|complaint| is_whole(&complaint.error));
    let first = unread.next()?;
    Some(match unread.count() {
        0 => first.to_string(),
        count => format!("{first}, and {count} more"),
    })
}

/// Does something in a thread that ends with it. One of the runtime's would stay, and wake up once more to end.
fn elsewhere(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("archive".to_owned());
    let work = move || {
        work();
        // Thousands of sessions that were read came and went in this process.
        shellkeep_keeper::process::give_back_memory();
    };
    thread.spawn(work).map(drop)
}

/// A session that was closed by somebody who wants to hear what became of it.
#[derive(Debug)]
pub(crate) struct ClosedByHand {
    /// Its name.
    pub(crate) name: String,
    /// What a command begins with where it was closed.
    pub(crate) call: String,
}

impl ClosedByHand {
    /// Where it is, and how it comes back.
    fn way_back(&self, left: Option<&str>) -> String {
        let Self { name, call } = self;
        let reopen = format!("{call} reopen {}", word(name));
        match left {
            None => {
                format!("session {name} is in the archive; to have it back, type: {reopen}\n")
            }
            Some(why) => format!(
                "session {name} goes into the archive as soon as it can be written ({why}); to have it back then, type: {reopen}\n"
            ),
        }
    }
}

impl Server {
    /// What is in the archive, for the command that runs. If it has not been read for it yet, what to answer:
    /// the command is run again from its beginning when it has, and must have done nothing before.
    pub(crate) fn archived(&mut self) -> Result<Arc<Archive>, Reply> {
        if let Some(archived) = self.persistence.archive.take() {
            return Ok(archived);
        }
        let Some(keeping) = self.persistence.keeping.clone() else {
            return Ok(Arc::default());
        };
        // What stands before it in the same line is to be seen, too.
        self.keep_panes();
        let number = self.persistence.next_kept;
        self.persistence.next_kept += 1;
        let (events, reader) = (self.thread_events.clone(), keeping);
        let begun = elsewhere(move || {
            let archive = Arc::new(read(&reader));
            events.send(Event::ArchiveRead { number, archive });
        });
        if let Err(error) = begun {
            // The loop must not read it: other clients would wait for the disk.
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

    /// Tells whoever looks at the archive that there may be more in it.
    pub(crate) fn complain_of_archive(&mut self, caller: &Caller, archive: &Archive) {
        if let Some(why) = &archive.unread {
            let call = call::call_for(&self.state, caller);
            let said = format!("what is archived is not all here: {why} ({call} doctor explains)");
            self.complain(caller, said);
        }
    }

    /// The archive was read: the command that waits for it is run with it.
    pub(super) fn archive_read(&mut self, number: u64, archive: &Arc<Archive>) {
        let wait = Some(Wait::Archive(number));
        let waiting = self
            .commands
            .queues
            .iter()
            .filter(|(_, queue)| queue.wait == wait);
        let waiting: Vec<QueueId> = waiting.map(|(id, _)| *id).collect();
        for id in waiting {
            self.persistence.archive = Some(archive.clone());
            let outcome = self.run_again(id);
            self.persistence.archive = None;
            self.resume(id, outcome);
        }
    }

    /// Brings an archived session back; its name.
    ///
    /// # Errors
    /// When it cannot be moved or read.
    pub(crate) fn reopen(&mut self, caller: &Caller, id: StoreId) -> Result<String, String> {
        let keeping = self
            .persistence
            .keeping
            .clone()
            .ok_or("nothing is kept here")?;
        keeping
            .store
            .reopen(id)
            .map_err(|error| error.to_string())?;
        let kept = keeping
            .store
            .read_session(id)
            .map_err(|error| error.to_string())?;
        let body = kept.body.to_string();
        let session = self.take_up(id, &body, Cause::Reopened, self.state.now());
        resume::note_rivals(&mut self.state);
        if let Some(id) = session {
            self.state.use_session(id, self.state.now());
        }
        let call = call::call_for(&self.state, caller);
        let session = session.and_then(|id| self.state.sessions.get_mut(&id));
        let unread = || format!("that session cannot be read; {call} doctor may know why");
        let session = session.ok_or_else(unread)?;
        // By its age, or as one too many, it would be in the archive again before anybody could look at it.
        session.standing.is_reopened = true;
        Ok(session.name.clone())
    }

    /// What a command waits for that closes sessions before somebody's eyes: what became of them is said then.
    pub(crate) fn until_archived(&mut self, closed: Vec<ClosedByHand>) -> Option<Wait> {
        if closed.is_empty() {
            return None;
        }
        let number = self.number_to_wait_for();
        self.persistence.awaited.push(number);
        self.persistence.closed_by_hand.insert(number, closed);
        Some(Wait::Kept(number))
    }

    /// What the recorder was asked for is done, or cannot be done for now: commands that waited for it go on.
    pub(super) fn kept(&mut self, number: u64, left: Option<&str>) {
        let forgotten = self.persistence.forgotten_by_hand.remove(&number);
        if let (Some(name), Some(why)) = (forgotten, left) {
            for queue in self.waiting_for_kept(number) {
                let said = format!("session {name} is gone, but not all of it is deleted: {why}");
                self.resume(queue, Err(said));
            }
            return;
        }
        let closed = self
            .persistence
            .closed_by_hand
            .remove(&number)
            .unwrap_or_default();
        let said: String = closed.iter().map(|each| each.way_back(left)).collect();
        for queue in self.waiting_for_kept(number) {
            self.resume(queue, Ok(Reply::text(said.clone())));
        }
    }

    fn waiting_for_kept(&self, number: u64) -> Vec<QueueId> {
        let wait = Some(Wait::Kept(number));
        let waiting = self
            .commands
            .queues
            .iter()
            .filter(|(_, queue)| queue.wait == wait);
        waiting.map(|(id, _)| *id).collect()
    }

    /// Everything is written, and the server ends before the recorder could say so: those who closed sessions hear of it.
    pub(super) fn tell_closers(&mut self) {
        for (number, closed) in std::mem::take(&mut self.persistence.closed_by_hand) {
            let said: String = closed.iter().map(|each| each.way_back(None)).collect();
            for queue in self.waiting_for_kept(number) {
                let caller = self
                    .commands
                    .queues
                    .get(&queue)
                    .map(|queue| queue.caller.clone());
                self.print(&caller.unwrap_or_default(), said.clone().into_bytes());
            }
        }
    }

    /// Something was archived: looks when it may be too old, unless that is coming anyway.
    pub(super) fn expiry_due(&mut self) {
        if self.persistence.expiry_timer.is_none() {
            self.expiry_changed();
        }
    }

    /// Something may be too old for the archive.
    pub(super) fn expiry_changed(&mut self) {
        let keep = self.state.options.server().duration("archive-keep");
        self.look_for_expired_in(keep.unwrap_or_default().clamp(CALM, PATIENCE));
    }

    fn look_for_expired_in(&mut self, after: Duration) {
        let keep = self.state.options.server().duration("archive-keep");
        self.persistence.expiry_timer = keep.map(|_| self.state.set_alarm(Alarm::Expiry, after));
    }

    /// Deletes what has been in the archive for too long.
    pub(super) fn expire(&mut self) {
        self.persistence.expiry_timer = None;
        let keep = self.state.options.server().duration("archive-keep");
        let (Some(keep), Some(keeping)) = (keep, self.persistence.keeping.clone()) else {
            return;
        };
        let Some(before) = SystemTime::now().checked_sub(keep) else {
            return;
        };
        let events = self.thread_events.clone();
        let begun = elsewhere(move || {
            keeping.recorder.settle();
            let expired = keeping.store.expire(before);
            for (id, _) in &expired.removed {
                keeping.recorder.changed(*id);
            }
            events.send(Event::Expired(expired));
        });
        if begun.is_err() {
            self.look_for_expired_in(PATIENCE);
        }
    }

    /// What was too old is deleted: says what, and looks again when the next one is.
    pub(super) fn expired(&mut self, expired: &Expired) {
        for (id, name) in &expired.removed {
            let said = format!("deleted {name} ({id}): archived for longer than archive-keep");
            tracing::info!("{said}");
            self.log_message(said);
        }
        for complaint in &expired.complaints {
            tracing::warn!(%complaint, "too old for the archive");
        }
        let keep = self.state.options.server().duration("archive-keep");
        if let (Some(keep), Some(oldest)) = (keep, expired.oldest) {
            let age = oldest.elapsed().unwrap_or_default();
            let after = keep.saturating_sub(age).clamp(CALM, FAR);
            self.look_for_expired_in(after);
        }
    }
}
