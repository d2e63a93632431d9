//! The channels of `wait-for`: which queues wait for a signal or a lock.

use std::collections::{BTreeMap, VecDeque};

use crate::commands::queue::{QueueId, Wait};
use crate::commands::reply::{Outcome, Reply};

/// Channels that are waited for, signalled or locked.
#[derive(Debug, Default)]
pub(crate) struct Channels {
    by_name: BTreeMap<String, Channel>,
    /// Queues whose signal or lock has come.
    woken: Vec<QueueId>,
}

#[derive(Debug, Default)]
struct Channel {
    /// It was signalled while no queue waited: the next one need not wait.
    is_woken: bool,
    is_locked: bool,
    waiting: Vec<QueueId>,
    /// Queues that want the lock, in order.
    locking: VecDeque<QueueId>,
}

impl Channel {
    fn is_idle(&self) -> bool {
        !self.is_woken && !self.is_locked && self.waiting.is_empty() && self.locking.is_empty()
    }
}

impl Channels {
    /// Waits for a channel's signal, unless it has come.
    pub(crate) fn wait(&mut self, name: &str, queue: QueueId) -> Reply {
        let channel = self.by_name.entry(name.to_owned()).or_default();
        if std::mem::take(&mut channel.is_woken) {
            self.forget_idle(name);
            return Reply::default();
        }
        channel.waiting.push(queue);
        wait_at(name)
    }

    /// Wakes the queues that wait for a channel, or else the next one that does.
    pub(crate) fn signal(&mut self, name: &str) {
        let channel = self.by_name.entry(name.to_owned()).or_default();
        let waiting = std::mem::take(&mut channel.waiting);
        if waiting.is_empty() {
            channel.is_woken = true;
        }
        self.woken.extend(waiting);
        self.forget_idle(name);
    }

    /// Locks a channel, or waits for the lock.
    pub(crate) fn lock(&mut self, name: &str, queue: QueueId) -> Reply {
        let channel = self.by_name.entry(name.to_owned()).or_default();
        if std::mem::replace(&mut channel.is_locked, true) {
            channel.locking.push_back(queue);
            return wait_at(name);
        }
        Reply::default()
    }

    /// Passes a channel's lock to the next queue that wants it.
    pub(crate) fn unlock(&mut self, name: &str) -> Outcome {
        let channel = self.by_name.get_mut(name);
        let Some(channel) = channel.filter(|channel| channel.is_locked) else {
            return Err(format!("channel {name} not locked"));
        };
        match channel.locking.pop_front() {
            Some(next) => self.woken.push(next),
            None => channel.is_locked = false,
        }
        self.forget_idle(name);
        Ok(Reply::default())
    }

    /// Takes the queues whose signal or lock has come.
    pub(crate) fn take_woken(&mut self) -> Vec<QueueId> {
        std::mem::take(&mut self.woken)
    }

    /// Removes queues that have ended.
    pub(crate) fn leave(&mut self, gone: &[QueueId]) {
        self.by_name.retain(|_, channel| {
            channel.waiting.retain(|id| !gone.contains(id));
            channel.locking.retain(|id| !gone.contains(id));
            !channel.is_idle()
        });
    }

    fn forget_idle(&mut self, name: &str) {
        if self.by_name.get(name).is_some_and(Channel::is_idle) {
            self.by_name.remove(name);
        }
    }
}

fn wait_at(name: &str) -> Reply {
    Reply {
        wait: Some(Wait::Channel(name.to_owned())),
        ..Reply::default()
    }
}
