//! The integrations in real shells on real terminals.

#![allow(
    clippy::unwrap_used,
    reason = "what stands around the tests may fail them as they do"
)]

mod bash;
mod bash_functions;
mod bash_keys;
mod bash_odd;
mod bash_state;
mod conformance;
mod exit;
mod fish;
mod fish_prompts;
mod pane;
mod realistic;
mod speed;
mod world;
mod zsh;
mod zsh_odd;
