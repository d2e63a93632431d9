//! Chooses by the program how to start a new shell.

use std::ffi::OsString;
use std::path::Path;

use crate::bash;
use crate::fish;
use crate::launch::{Kind, Launch};
use crate::shell::Shell;
use crate::zsh;

/// How to start a shell with the integration; `None` for a shell that has none, or if the scripts cannot be written to
/// `dir`, which is private to the user. `inherited` reads the environment that the shell would have had.
pub fn prepare(
    program: &Path,
    kind: Kind,
    dir: &Path,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> Option<Launch> {
    match Shell::of(program)? {
        Shell::Bash => bash::start(program, kind, dir, inherited),
        Shell::Zsh => zsh::start(program, kind, dir, inherited),
        Shell::Fish => fish::start(program, kind, dir, inherited),
    }
    .ok()
}
