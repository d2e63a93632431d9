//! Files that commands read and write: beside the event loop, since a disk may be slow, while the queue waits.

use std::fmt;

use super::Server;
use crate::event::Event;
use crate::exec::{Outcome, Reply};
use crate::queue::Wait;

/// Work beside the loop is done: what the command that waits for it makes of it.
pub(crate) struct FileWorkDone {
    number: u64,
    then: Box<dyn FnOnce(&mut Server) -> Outcome + Send>,
}

impl fmt::Debug for FileWorkDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileWorkDone")
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Has work done on a thread; the command goes on with its result.
    pub(crate) fn work_on_files<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut Self, T) -> Outcome + Send + 'static,
    ) -> Reply {
        let number = self.number_to_wait_for();
        let events = self.events.clone();
        tokio::spawn(async move {
            let then: Box<dyn FnOnce(&mut Self) -> Outcome + Send> =
                match tokio::task::spawn_blocking(work).await {
                    Ok(result) => Box::new(move |server| then(server, result)),
                    Err(error) => {
                        tracing::error!(%error, "work on a file was dropped; this is a bug in shellkeep");
                        Box::new(
                            |_| Err("the file cannot be used; shellkeep's log says why".into()),
                        )
                    }
                };
            let done = FileWorkDone { number, then };
            let _ = events.send(Event::FileWorkDone(done)).await;
        });
        Reply {
            wait: Some(Wait::Files(number)),
            ..Reply::default()
        }
    }

    pub(super) fn file_work_done(&mut self, done: FileWorkDone) {
        let wait = Some(Wait::Files(done.number));
        let mut queues = self.commands.queues.iter();
        let queue = queues.find(|(_, queue)| queue.wait == wait);
        // A queue goes with its client.
        let Some(id) = queue.map(|(id, _)| *id) else {
            return;
        };
        let before = self.set_running(Some(id));
        let outcome = (done.then)(self);
        self.state.changes.running = before;
        self.resume(id, outcome);
    }
}
