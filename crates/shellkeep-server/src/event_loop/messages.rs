//! What was said of late: for `show-messages`.

use std::collections::VecDeque;
use std::time::Duration;

use shellkeep_core::ClientId;

use super::Server;
use crate::state::Seconds;

/// Messages with their times, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    said: VecDeque<Message>,
    next: u64,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) number: u64,
    pub(crate) time: Seconds,
    pub(crate) text: String,
}

/// How a message is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// How long, if not as long as display-time says; no time at all is until a key is pressed.
    pub(crate) delay: Option<Duration>,
    /// Only time takes it away.
    pub(crate) ignores_keys: bool,
}

impl Messages {
    /// The oldest first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.said.iter()
    }

    fn add(&mut self, time: Seconds, text: String, most: usize) {
        let number = self.next;
        self.next += 1;
        self.said.push_back(Message { number, time, text });
        let excess = self.said.len().saturating_sub(most);
        self.said.drain(..excess);
    }
}

impl Server {
    /// Remembers what was said, as many messages as message-limit allows.
    pub(crate) fn log_message(&mut self, text: impl Into<String>) {
        let most = self.state.options.server().number("message-limit");
        let (now, most) = (self.now(), usize::try_from(most).unwrap_or(0));
        self.messages.add(now, text.into(), most);
    }

    /// Shows a message on a client's terminal; `#[…]` in it is obeyed.
    pub(crate) fn show_message(&mut self, id: ClientId, text: &str, shown: Shown) {
        let Some(client) = self.state.clients.get(&id) else {
            return;
        };
        let name = client.name();
        self.log_message(format!("{name} message: {text}"));
        self.put_message(id, text.to_owned(), shown);
    }

    /// Shows a message as it is, for as long as display-time says.
    pub(crate) fn show_plain_message(&mut self, id: ClientId, text: &str) {
        let Some(client) = self.state.clients.get(&id) else {
            return;
        };
        let name = client.name();
        self.log_message(format!("{name} message: {text}"));
        self.put_message(id, text.replace('#', "##"), Shown::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_beyond_the_limit_forget_the_oldest() {
        let mut messages = Messages::default();
        for text in ["a", "b", "c"] {
            messages.add(7, text.to_owned(), 2);
        }
        let kept: Vec<_> = messages.iter().map(|m| (m.number, &m.text[..])).collect();
        assert_eq!(kept, [(1, "b"), (2, "c")]);
        messages.add(8, "d".to_owned(), 0);
        assert_eq!(messages.iter().count(), 0);
    }
}
