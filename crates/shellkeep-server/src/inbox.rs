//! The two channels into the event loop, and the loop's end of both.
//!
//! The loop never waits for a thread, and no thread waits for the loop. Otherwise a thread with an event for the loop,
//! and the loop waiting for that thread, would deadlock.
//!
//! - Tasks of the runtime send external events (keys, connections, output) through a bounded channel. A task that finds
//!   it full waits, and with it the client or program whose events it carries.
//! - Threads send through [`ThreadEvents`], which is unbounded and never waits. It needs no bound: a thread reports
//!   work that the loop has requested, once or a few times for each request.

use std::future::poll_fn;
use std::task::{Context, Poll};

use tokio::sync::mpsc::{self, Receiver, Sender, UnboundedReceiver, UnboundedSender};

use crate::event::Event;

/// How many events of tasks may be queued before a task has to wait.
pub const EVENT_SLOTS: usize = 256;

/// A thread's sender of events. Sending never waits.
#[derive(Clone, Debug)]
pub(crate) struct ThreadEvents(UnboundedSender<Event>);

impl ThreadEvents {
    /// Sends an event. Without a loop it is dropped.
    pub(crate) fn send(&self, event: Event) {
        let _ = self.0.send(event);
    }
}

/// The receiver of both channels.
pub(crate) struct Inbox {
    tasks: Receiver<Event>,
    threads: UnboundedReceiver<Event>,
    /// The last event came from a thread.
    was_thread: bool,
}

impl Inbox {
    /// The next event; none when no sender is left. Threads and tasks take turns: a key must not wait for all reports
    /// of the recorder, nor the recorder for a flood of requests.
    pub(crate) async fn recv(&mut self) -> Option<Event> {
        poll_fn(|cx| self.poll_recv(cx)).await
    }

    /// The next event, if there is one already.
    pub(crate) fn try_recv(&mut self) -> Option<Event> {
        if self.was_thread
            && let Ok(event) = self.tasks.try_recv()
        {
            self.was_thread = false;
            return Some(event);
        }
        let from_thread = self.threads.try_recv().ok();
        self.was_thread = from_thread.is_some();
        from_thread.or_else(|| self.tasks.try_recv().ok())
    }

    fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if std::mem::take(&mut self.was_thread)
            && let Poll::Ready(Some(event)) = self.tasks.poll_recv(cx)
        {
            return Poll::Ready(Some(event));
        }
        match self.threads.poll_recv(cx) {
            Poll::Ready(Some(event)) => {
                self.was_thread = true;
                Poll::Ready(Some(event))
            }
            Poll::Ready(None) | Poll::Pending => self.tasks.poll_recv(cx),
        }
    }
}

/// Both senders of a loop, and their receiver.
pub(crate) fn channels(slots: usize) -> (Sender<Event>, ThreadEvents, Inbox) {
    let (sender, tasks) = mpsc::channel(slots);
    #[expect(
        clippy::disallowed_methods,
        reason = "a bound would have threads wait for the loop; each event answers one request of the loop"
    )]
    let (thread_sender, threads) = mpsc::unbounded_channel();
    let inbox = Inbox {
        tasks,
        threads,
        was_thread: false,
    };
    (sender, ThreadEvents(thread_sender), inbox)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn threads_do_not_wait_for_a_loop_whose_tasks_have_to() {
        let (tasks, threads, mut inbox) = channels(1);
        tasks.try_send(Event::Terminated).unwrap();
        assert!(tasks.try_send(Event::Terminated).is_err(), "it is full");
        let thread = std::thread::spawn(move || {
            (0..1000).for_each(|_| threads.send(Event::MemoryShort));
        });
        thread.join().unwrap();
        assert!(matches!(inbox.recv().await, Some(Event::MemoryShort)));
        // A task has its turn, however many events threads send.
        assert!(matches!(inbox.recv().await, Some(Event::Terminated)));
        for _ in 1..1000 {
            assert!(matches!(inbox.recv().await, Some(Event::MemoryShort)));
        }
        drop(tasks);
        assert!(inbox.recv().await.is_none(), "no sender is left");
    }
}
