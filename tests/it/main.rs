//! The real program, end to end: real processes, sockets and PTYs, seen as a user sees them.
//!
//! One binary with a module a subject; see `shellkeep_testkit::real` for the rig.

mod commands;

use shellkeep_testkit::real::Rig;

/// A world of its own for a test, with the program under test in it.
fn rig() -> Rig {
    Rig::new(env!("CARGO_BIN_EXE_shellkeep"))
}
