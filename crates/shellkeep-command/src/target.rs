//! Targets: the texts with which users name a session, a window, a pane or a client.

mod directions;
mod resolve;
mod world;

pub use resolve::{resolve, resolve_client, resolve_extent, resolve_index, resolve_or_marked};
pub use world::{
    ClientSpot, Current, Extent, Link, PaneBox, ResolvedTarget, Slot, TargetError, World,
};

#[cfg(test)]
#[path = "target/tests.rs"]
mod resolve_tests;
