//! Watches for answers of shells with inotify. All panes share one instance: a user has few of them, and closing one
//! takes longer than a shell takes to answer.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};
use shellkeep_core::PaneId;
use tokio::io::Interest;
use tokio::sync::mpsc::Sender;

use crate::event::Event;
use crate::model::ticket::Ticket;

/// The inotify instance; none before the first watch.
#[derive(Default)]
pub(crate) struct Answers(Option<Watcher>);

struct Watcher {
    shared: Arc<Shared>,
    task: tokio::task::AbortHandle,
}

struct Shared {
    inotify: Inotify,
    panes: Mutex<BTreeMap<WatchDescriptor, (PaneId, Ticket)>>,
}

/// While this exists, the event loop is sent [`Event::ShellAnswered`] whenever a file in a pane's directory was written
/// and closed.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    descriptor: WatchDescriptor,
}

impl Answers {
    /// Watches a pane's directory.
    pub(crate) fn watch(
        &mut self,
        dir: &Path,
        pane: PaneId,
        attempt: Ticket,
        events: &Sender<Event>,
    ) -> io::Result<Watch> {
        let watcher = match &mut self.0 {
            Some(watcher) => watcher,
            none => none.insert(Watcher::start(events.clone())?),
        };
        let shared = watcher.shared.clone();
        let closed = AddWatchFlags::IN_CLOSE_WRITE | AddWatchFlags::IN_MOVED_TO;
        // Under the lock, so that no event is read before its watch is registered.
        let mut panes = shared.panes.lock().unwrap_or_else(PoisonError::into_inner);
        let descriptor = shared.inotify.add_watch(dir, closed)?;
        panes.insert(descriptor, (pane, attempt));
        drop(panes);
        Ok(Watch { shared, descriptor })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut panes = self
            .shared
            .panes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        panes.remove(&self.descriptor);
        drop(panes);
        // The kernel has removed the watch already if the directory is gone.
        let _ = self.shared.inotify.rm_watch(self.descriptor);
    }
}

impl Watcher {
    fn start(events: Sender<Event>) -> io::Result<Self> {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC)?;
        let readable = inotify.as_fd().try_clone_to_owned()?;
        let readable = shellkeep_keeper::process::watch(readable, Interest::READABLE)?;
        let shared = Arc::new(Shared {
            inotify,
            panes: Mutex::default(),
        });
        let heard = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok(mut ready) = readable.readable().await {
                let answered = heard.answered();
                ready.clear_ready();
                for (pane, attempt) in answered {
                    let answered = Event::ShellAnswered { pane, attempt };
                    if events.send(answered).await.is_err() {
                        return;
                    }
                }
            }
        });
        let task = task.abort_handle();
        Ok(Self { shared, task })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    /// The panes with new answers since the last call, each once.
    fn answered(&self) -> Vec<(PaneId, Ticket)> {
        let mut answered = Vec::new();
        while let Ok(events) = self.inotify.read_events() {
            let panes = self.panes.lock().unwrap_or_else(PoisonError::into_inner);
            for event in events {
                match panes.get(&event.wd) {
                    Some(pane) => answered.push(*pane),
                    None if event.mask.contains(AddWatchFlags::IN_Q_OVERFLOW) => {
                        answered.extend(panes.values());
                    }
                    None => {}
                }
            }
        }
        answered.sort_unstable();
        answered.dedup();
        answered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More watches than a user may have inotify instances.
    const COUNT: u32 = 300;

    #[tokio::test]
    async fn answers_in_many_directories_are_all_heard() {
        let temp = tempfile::tempdir().unwrap();
        let (sender, mut events) = tokio::sync::mpsc::channel(1000);
        let mut answers = Answers::default();
        let mut watches = Vec::new();
        for number in 0..COUNT {
            let dir = temp.path().join(number.to_string());
            std::fs::create_dir(&dir).unwrap();
            let watch = answers.watch(&dir, PaneId(number), Ticket::new(), &sender);
            watches.push(watch.unwrap());
        }
        for number in 0..COUNT {
            std::fs::write(temp.path().join(number.to_string()).join("state"), "x").unwrap();
        }
        let mut heard = std::collections::BTreeSet::new();
        while heard.len() < COUNT as usize {
            if let Some(Event::ShellAnswered { pane, .. }) = events.recv().await {
                heard.insert(pane);
            }
        }
        // Events of a removed watch are ignored.
        watches.remove(0);
        std::fs::write(temp.path().join("0/line"), "x").unwrap();
        std::fs::write(temp.path().join("1/line"), "x").unwrap();
        let next = events.recv().await;
        assert!(matches!(
            next,
            Some(Event::ShellAnswered {
                pane: PaneId(1),
                ..
            })
        ));
    }
}
