//! Chooses how a new shell is started, by its program.

use std::ffi::OsString;
use std::path::Path;

use crate::bash;
use crate::fish;
use crate::launch::{Kind, Launch};
use crate::shell::Shell;
use crate::zsh;

/// How to start a shell with the integration; `None` for a shell without one, or when the scripts cannot be written to `dir`, which is
/// private to the user. `inherited` gives a variable of the environment the
/// shell would have had.
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
