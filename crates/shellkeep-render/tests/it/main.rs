//! What the bytes do to a terminal, seen through emulators.

mod equation;
mod ours;
mod screen;
mod size;
