//! What the bytes do to a terminal, seen through emulators.

mod equation;
mod screen;
mod size;
