//! The integrations in the real shells, on real terminals.

mod bash;
mod bash_odd;
mod bash_state;
mod fish;
mod pane;
mod speed;
mod world;
mod zsh;
