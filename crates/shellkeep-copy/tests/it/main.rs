//! Copy mode over a real engine.

mod frozen;
mod kept;
mod kit;
mod output;
mod pages;
mod property;
mod replay;
mod view;
