//! Records of commands: what was run where, when, and how it ended. Follows the shells' marks, has the entries stored, and answers
//! questions about them. It never takes the text of a command from what is printed.

pub(crate) mod answer;
pub(crate) mod follow;
pub(crate) mod listing;
pub(crate) mod query;
mod repository;
pub(crate) mod store;
