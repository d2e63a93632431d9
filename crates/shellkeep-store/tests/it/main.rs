//! The store from outside: what it stores, what it survives, and the formats that it must always read.

#![allow(
    clippy::unwrap_used,
    reason = "these are tests, their helpers included"
)]

mod buffers;
mod commands;
mod commands_listed;
mod damage;
mod golden;
mod history;
mod history_cut;
mod journal;
mod links;
mod recording;
mod sample;
mod store;
mod together;
mod waiting;
mod whole_store;
