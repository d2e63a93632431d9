//! The log of recent messages and commands, for `show-messages`.

use std::collections::VecDeque;

use shellkeep_command::parse::{Arg, Parsed, print_args};
use shellkeep_core::ClientId;
use shellkeep_core::key::Key;

use crate::model::{Model, Seconds};

/// Messages with their times, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct MessageLog {
    said: VecDeque<LoggedMessage>,
    next: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoggedMessage {
    pub(crate) number: u64,
    pub(crate) time: Seconds,
    said: Said,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Text(String),
    /// A command, its client, and the key it is bound to. It is formatted only when shown: many are logged and few are
    /// shown.
    Command {
        name: String,
        key: Option<Key>,
        argv: Vec<Arg>,
    },
}

impl LoggedMessage {
    pub(crate) fn text(&self) -> String {
        match &self.said {
            Said::Text(text) => text.clone(),
            Said::Command { name, key, argv } => {
                let argv = print_args(&Parsed::new(0, argv.clone()).canonical());
                match key {
                    Some(key) => format!("{name} key {key}: {argv}"),
                    None => format!("{name} command: {argv}"),
                }
            }
        }
    }
}

impl MessageLog {
    /// All messages, the oldest first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &LoggedMessage> {
        self.said.iter()
    }

    fn add(&mut self, time: Seconds, said: Said, most: usize) {
        let number = self.next;
        self.next += 1;
        self.said.push_back(LoggedMessage { number, time, said });
        let excess = self.said.len().saturating_sub(most);
        self.said.drain(..excess);
    }
}

impl Model {
    /// Logs a message. The log holds as many as `message-limit` allows.
    pub(crate) fn log_message(&mut self, text: impl Into<String>) {
        self.log(Said::Text(text.into()));
    }

    pub(crate) fn log_command(&mut self, client: ClientId, key: Option<Key>, command: &Parsed) {
        if let Some(client) = self.clients.get(&client) {
            let (name, argv) = (client.name(), command.argv().to_vec());
            self.log(Said::Command { name, key, argv });
        }
    }

    fn log(&mut self, said: Said) {
        let most = self.options.server().number("message-limit");
        let (now, most) = (self.now(), usize::try_from(most).unwrap_or(0));
        self.messages.add(now, said, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_by_their_full_names() {
        let words = ["lsw", "-F", "#S x", "-a"].map(|word| Arg::Text(word.to_owned()));
        let message = |key: Option<Key>| LoggedMessage {
            number: 0,
            time: 0,
            said: Said::Command {
                name: "client-7".to_owned(),
                key,
                argv: words.to_vec(),
            },
        };
        assert_eq!(
            message(None).text(),
            "client-7 command: list-windows -a -F \"#S x\""
        );
        assert_eq!(
            message("C-a".parse().ok()).text(),
            "client-7 key C-a: list-windows -a -F \"#S x\""
        );
    }

    #[test]
    fn messages_beyond_the_limit_forget_the_oldest() {
        let mut messages = MessageLog::default();
        for text in ["a", "b", "c"] {
            messages.add(7, Said::Text(text.to_owned()), 2);
        }
        let kept: Vec<_> = messages.iter().map(|m| (m.number, m.text())).collect();
        assert_eq!(kept, [(1, "b".to_owned()), (2, "c".to_owned())]);
        messages.add(8, Said::Text("d".to_owned()), 0);
        assert_eq!(messages.iter().count(), 0);
    }
}
