//! The store from outside: what it keeps, what it survives, and the bytes it promises to read for ever.

mod journal;
mod sample;
mod store;
