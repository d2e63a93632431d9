//! Which configurations were read, and what is wrong with them until a client has been told of it.

use std::collections::BTreeSet;

use crate::model::Model;

/// Faults of a configuration that are told.
const MAX_COMPLAINTS: usize = 1000;

/// Things that were passed over and are remembered.
const MAX_SAID_ONCE: usize = 1000;

#[derive(Default)]
pub(crate) struct Complaints {
    /// The configurations that were read.
    pub(crate) files: Vec<String>,
    /// For the first client that asks for something.
    told: Vec<String>,
    /// What was passed over in configurations, each told once.
    said_once: BTreeSet<String>,
    /// A configuration is being read: more may come.
    pub(crate) is_reading: bool,
}

impl Complaints {
    pub(crate) fn add(&mut self, complaint: String) {
        match self.told.len() {
            ..MAX_COMPLAINTS => self.told.push(complaint),
            MAX_COMPLAINTS => self.told.push("more is wrong than is told here".to_owned()),
            _ => {}
        }
    }

    /// What was wrong with the configuration, once it is read to its end.
    pub(crate) fn take(&mut self) -> Vec<String> {
        match self.is_reading {
            true => Vec::new(),
            false => std::mem::take(&mut self.told),
        }
    }

    pub(crate) fn told(&self) -> &[String] {
        &self.told
    }
}

impl Model {
    /// Notes something for `show-messages`, unless it was noted before.
    pub(crate) fn say_once(&mut self, message: String) {
        let said = &mut self.complaints.said_once;
        if said.len() < MAX_SAID_ONCE && said.insert(message.clone()) {
            self.log_message(message);
        }
    }
}
