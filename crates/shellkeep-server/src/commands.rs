//! Running commands: queues, what they wait for, configuration files, hooks, jobs, and one file for each command in
//! `exec/`. No command blocks the event loop: a queue waits instead.

pub(crate) mod answer;
pub(crate) mod capture_job;
pub(crate) mod capture_text;
pub(crate) mod captured;
pub(crate) mod channels;
pub(crate) mod config;
pub(crate) mod control_lines;
pub(crate) mod exec;
pub(crate) mod foreign;
pub(crate) mod form;
pub(crate) mod hooks;
pub(crate) mod ids;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod option_changes;
pub(crate) mod pending;
pub(crate) mod printable;
pub(crate) mod queue;
pub(crate) mod reply;
pub(crate) mod resume_queue;
pub(crate) mod run;
pub(crate) mod run_text;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod slices;
pub(crate) mod state;
pub(crate) mod targets;
pub(crate) mod terminal_check;
