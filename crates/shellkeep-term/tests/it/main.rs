//! Everything that a program can request of the terminal, by category, through the public interface only.

mod corpus;
mod cursor;
mod differential;
mod dump;
mod edit;
mod history;
mod kept;
mod kit;
mod lines;
mod memory_store;
mod modes;
mod osc;
mod prompt_storm;
mod property;
mod recordings;
mod rect;
mod reflow;
mod report;
mod save;
mod store;
mod strings;
mod style;
mod times;
mod unicode;
mod xterm;
