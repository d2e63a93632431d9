//! Channels of `wait-for`: those who wait for a signal, and those who want a lock.

use std::collections::{BTreeMap, VecDeque};

use shellkeep_core::ClientId;

use super::Server;
use crate::exec::Reply;
use crate::queue::{QueueId, Wait};

/// The channels that somebody waits at, or that were signalled or locked.
#[derive(Debug, Default)]
pub(super) struct Channels(BTreeMap<String, Channel>);

#[derive(Debug, Default)]
struct Channel {
    /// Signalled while nobody waited: the next to wait need not.
    is_woken: bool,
    is_locked: bool,
    waiting: Vec<QueueId>,
    /// Those who want the lock, in the order in which they asked.
    locking: VecDeque<QueueId>,
}

impl Channel {
    fn is_idle(&self) -> bool {
        !self.is_woken && !self.is_locked && self.waiting.is_empty() && self.locking.is_empty()
    }
}

impl Server {
    /// Waits for a channel's signal, if it has not come already.
    pub(crate) fn wait_for_channel(&mut self, name: &str) -> Result<Reply, String> {
        let Some(queue) = self.state.running() else {
            return Err("not able to wait".to_owned());
        };
        let channel = self.commands.channels.0.entry(name.to_owned()).or_default();
        if std::mem::take(&mut channel.is_woken) {
            self.forget_channel(name);
            return Ok(Reply::default());
        }
        channel.waiting.push(queue);
        Ok(wait_at(name))
    }

    /// Wakes those who wait for a channel, or the next one to do so.
    pub(crate) fn signal_channel(&mut self, name: &str) {
        let channel = self.commands.channels.0.entry(name.to_owned()).or_default();
        let waiting = std::mem::take(&mut channel.waiting);
        if waiting.is_empty() {
            channel.is_woken = true;
        }
        self.commands.woken.extend(waiting);
        self.forget_channel(name);
    }

    /// Locks a channel, or waits until it can be.
    pub(crate) fn lock_channel(&mut self, name: &str) -> Result<Reply, String> {
        let Some(queue) = self.state.running() else {
            return Err("not able to lock".to_owned());
        };
        let channel = self.commands.channels.0.entry(name.to_owned()).or_default();
        if std::mem::replace(&mut channel.is_locked, true) {
            channel.locking.push_back(queue);
            return Ok(wait_at(name));
        }
        Ok(Reply::default())
    }

    /// Gives a channel's lock to the next who wants it.
    pub(crate) fn unlock_channel(&mut self, name: &str) -> Result<Reply, String> {
        let channel = self.commands.channels.0.get_mut(name);
        let Some(channel) = channel.filter(|channel| channel.is_locked) else {
            return Err(format!("channel {name} not locked"));
        };
        match channel.locking.pop_front() {
            Some(next) => self.commands.woken.push(next),
            None => channel.is_locked = false,
        }
        self.forget_channel(name);
        Ok(Reply::default())
    }

    fn forget_channel(&mut self, name: &str) {
        if self
            .commands
            .channels
            .0
            .get(name)
            .is_some_and(Channel::is_idle)
        {
            self.commands.channels.0.remove(name);
        }
    }

    /// Goes on with those whose signal or lock has come. Not at once when it comes: one may wake the next, and so on.
    pub(super) fn resume_woken(&mut self) {
        while !self.commands.woken.is_empty() {
            for queue in std::mem::take(&mut self.commands.woken) {
                self.resume(queue, Ok(Reply::default()));
            }
        }
    }

    /// A client has gone, and nobody waits for it any more. What it began and waits for something else is finished.
    pub(super) fn leave_channels(&mut self, client: ClientId) {
        let gone: Vec<QueueId> = self
            .commands
            .queues
            .iter()
            .filter(|(_, queue)| {
                queue.caller.client == Some(client) && matches!(queue.wait, Some(Wait::Channel(_)))
            })
            .map(|(id, _)| *id)
            .collect();
        for id in &gone {
            self.commands.queues.remove(id);
        }
        let names: Vec<String> = self.commands.channels.0.keys().cloned().collect();
        for name in names {
            if let Some(channel) = self.commands.channels.0.get_mut(&name) {
                channel.waiting.retain(|id| !gone.contains(id));
                channel.locking.retain(|id| !gone.contains(id));
            }
            self.forget_channel(&name);
        }
    }
}

fn wait_at(name: &str) -> Reply {
    Reply {
        wait: Some(Wait::Channel(name.to_owned())),
        ..Reply::default()
    }
}
