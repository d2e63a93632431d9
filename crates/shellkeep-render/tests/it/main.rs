//! The effect of the bytes on terminals, seen through emulators.

mod doubt;
mod equation;
mod ours;
mod outer;
mod screen;
mod size;
