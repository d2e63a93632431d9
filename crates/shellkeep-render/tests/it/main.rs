//! What the bytes do to a terminal, seen through emulators.

mod doubt;
mod equation;
mod ours;
mod outer;
mod screen;
mod size;
