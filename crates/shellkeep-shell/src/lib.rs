//! The shells' side of keeping: what bash, zsh and fish are given to run so that they mark their prompts, tell
//! their state when asked, and are what they were when they come back.
//!
//! No file of the user's is touched, and their own files run as always.
//!
//! # The protocol
//!
//! Each pane has a private directory (0700), told to its shell in `SHELLKEEP_SHELL_DIR`. To ask, the server
//! calls [`Request::place`], which puts three files (0600) there: `state` and `line`, empty, and `request`, which
//! holds a nonce. Then it sends [`Shell::signal`] to the shell's process. A shell at the first line of its
//! prompt writes `state` and closes it (wait for IN_CLOSE_WRITE on [`Request::state_path`]); [`Request::state`]
//! gives it once it is whole, which its last line says. A shell just back at its prompt may miss the signal:
//! send it again if no answer has come after some 300 ms; a question is answered only once. A shell that is busy, at a continuation line or
//! replaced by another program does nothing at all; all of them ignore these signals.
//!
//! The half-typed line comes with it, except where [`State::line_key`] names a key: then the server sends those
//! bytes to the PTY *after* the state has come (so it is known that the shell reads keys at its prompt) and
//! waits for [`Request::line_path`] to be closed. The line is the last that a shell writes: the next question may follow at once. That key also makes a shell answer that lost the handler of the
//! signal. Where a key was begun, ours would be taken for the rest of it: bash is told to forget it first, or is not asked for its line. [`Request::withdraw`] takes the question back at any time.
//!
//! # What is believed
//!
//! Nothing that is printed: marks (OSC 133) only say when to look at the file through which a shell tells what it does ([`Said`]).
//!
//! # Coming back
//!
//! [`revive()`] makes files in the pane's directory and says how to start the shell, and with how little of the environment
//! ([`Launch::takes`]). If [`Revival::line_key`] is there, its bytes go to the PTY after the first OSC 133;B and before anything the
//! user typed meanwhile: bash and zsh read what their prompt could do without when they come, so keys that only insert
//! themselves may go before them ([`Revival::goes_first`]). After
//! that prompt, [`Revival::missing`] tells which pieces did not load, and [`Revival::clean`] removes the files. The
//! file of the state itself is the server's to remove.

#![warn(missing_docs)]

mod bash;
mod fish;
mod launch;
mod phase;
mod pieces;
mod posix;
mod report;
mod request;
mod revive;
mod shell;
mod state;
mod terminal;
pub mod user_file;
mod words;
mod zsh;

pub use launch::{Kind, Launch, prepare};
pub use phase::{Phase, Said};
pub use posix::keep_shim;
pub use report::Report;
pub use request::{Line, Purpose, Request};
pub use revive::{Revival, RunRc, revive};
pub use shell::{Shell, Wake};
pub use state::{MidKey, State, StateError};
