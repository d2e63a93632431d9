//! Named steps at which tests stop the server, to kill it there. Not part of releases.

use std::path::Path;

/// Sets the file into which a test writes the step at which the server is to stop.
pub fn look_in(file: &Path) {
    imp::look_in(file);
}

/// Marks a step: stops this process if a test has requested it.
pub fn reached(step: &str) {
    imp::reached(step);
}

#[cfg(not(debug_assertions))]
mod imp {
    pub(super) fn look_in(_: &std::path::Path) {}
    pub(super) fn reached(_: &str) {}
}

#[cfg(debug_assertions)]
mod imp {
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;

    use nix::sys::signal::{Signal, raise};

    static FILE: OnceLock<PathBuf> = OnceLock::new();

    pub(super) fn look_in(file: &Path) {
        // There is one server in a process, except in tests with many servers in memory, which never stop at a step.
        let _ = FILE.set(file.to_owned());
    }

    pub(super) fn reached(step: &str) {
        let Some(file) = FILE.get() else { return };
        // Opened without `shellkeep-files`: it is a test's file.
        let wanted = std::fs::read_to_string(file);
        if wanted.is_ok_and(|wanted| wanted.trim() == step) && std::fs::remove_file(file).is_ok() {
            let _ = raise(Signal::SIGSTOP);
        }
    }
}
