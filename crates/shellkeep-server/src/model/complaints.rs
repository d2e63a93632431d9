//! Which configuration files were read, and their errors until they are shown to a client.

use std::collections::BTreeSet;

use crate::model::Model;

/// How many errors are shown.
const MAX_COMPLAINTS: usize = 1000;

/// How many messages `log_once` remembers.
const MAX_SAID_ONCE: usize = 1000;

#[derive(Default)]
pub(crate) struct Complaints {
    pub(crate) files: Vec<String>,
    /// Errors for the first client that runs a command.
    errors: Vec<String>,
    /// Messages about ignored settings, each logged once.
    logged_once: BTreeSet<String>,
    /// A configuration is being read, so more errors may come.
    pub(crate) is_reading: bool,
}

impl Complaints {
    pub(crate) fn add(&mut self, complaint: String) {
        match self.errors.len() {
            ..MAX_COMPLAINTS => self.errors.push(complaint),
            MAX_COMPLAINTS => self
                .errors
                .push("there are more errors than are shown here".to_owned()),
            _ => {}
        }
    }

    /// Takes the errors, once the configuration is read to its end.
    pub(crate) fn take(&mut self) -> Vec<String> {
        match self.is_reading {
            true => Vec::new(),
            false => std::mem::take(&mut self.errors),
        }
    }

    pub(crate) fn errors(&self) -> &[String] {
        &self.errors
    }
}

impl Model {
    /// Logs a message for `show-messages`, unless it was logged before.
    pub(crate) fn log_once(&mut self, message: String) {
        let said = &mut self.complaints.logged_once;
        if said.len() < MAX_SAID_ONCE && said.insert(message.clone()) {
            self.log_message(message);
        }
    }
}
