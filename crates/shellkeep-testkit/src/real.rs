//! The real-PTY rig: the real binary, on real PTYs, seen through an independent terminal (`vt100`).
//!
//! ```no_run
//! # use shellkeep_testkit::real::Rig;
//! let rig = Rig::new("target/debug/shellkeep");
//! let mut terminal = rig.attach(&["new", "-s", "work"], (24, 80));
//! terminal.wait_until("a prompt", |screen| screen.row(0) == "$");
//! terminal.keys("e c h o Space h i Enter");
//! terminal.wait_for_text("hi");
//! terminal.keys("C-b d");
//! assert_eq!(terminal.wait_exit(), 0);
//! ```
//!
//! Nothing here waits for time: every wait has a condition, a name and a deadline, and a missed deadline
//! prints what the terminals showed, the server's log and the processes. Needs Linux's `/proc`.

mod process;
mod rig;
mod terminal;
mod wait;

pub use process::Process;
pub use rig::{Output, Rig};
pub use shellkeep_keeper::process::Role;
pub(crate) use terminal::at_least_one;
pub use terminal::{Screen, Terminal};
pub use wait::{DEADLINE, nothing_happens_for, wait_for};
