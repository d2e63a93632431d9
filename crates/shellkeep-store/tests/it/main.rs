//! The store from outside: what it keeps, what it survives, and the bytes it promises to read for ever.

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
