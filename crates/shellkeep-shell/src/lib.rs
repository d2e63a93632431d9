//! The shells' side of hibernation: what bash, zsh and fish are given to run so that they mark their prompts, write down their state when
//! they are asked, and come back with it.
//!
//! No file of the user is changed, and the user's own files run as always.
//!
//! # The protocol
//!
//! Each pane has a private directory (0700), whose path its shell has in `SHELLKEEP_SHELL_DIR`. To ask for the state, the server calls
//! [`Request::place`], which puts three files (0600) there: `state` and `line`, empty, and `request`, which holds a nonce. Then it sends
//! [`Shell::signal`] to the shell. A shell at the first line of its prompt writes `state` and closes it (wait for IN_CLOSE_WRITE on
//! [`Request::state_path`]); [`Request::state`] returns it once it is whole, which its last line says. A shell that has just drawn its
//! prompt may miss the signal: send it again if no answer has come after some 300 ms; a request is answered only once. A shell that is
//! busy, at a continuation line, or replaced by another program does nothing; all of them ignore these signals.
//!
//! The half-typed line comes with the state, except where [`ShellState::line_key`] names a key: then the server sends those bytes to the
//! PTY *after* the state has come, so it is known that the shell reads keys at its prompt, and waits for [`Request::line_path`] to be
//! closed. The line is the last that a shell writes: the next request may follow at once. The same key makes a shell answer that has
//! lost the handler of the signal. In the middle of a key sequence the shell would take our key for the rest of it: bash is told to
//! abort the sequence first, or is not asked for its line. [`Request::withdraw`] takes the request back at any time.
//!
//! # The end of a shell
//!
//! A shell that exits tells its state without being asked, if [`ShellState::expect_at_exit`] has made the files for it;
//! [`ShellState::told_at_exit`] gives it when the shell has gone.
//!
//! # What is trusted
//!
//! Nothing that is printed: marks (OSC 133) only say when to read the files in which a shell writes what it does ([`Said`]) and which
//! commands it has run ([`CommandLog`]).
//!
//! # Revival
//!
//! [`revive()`] writes files into the pane's directory and says how to start the shell, and which variables of the environment it gets
//! ([`Launch::takes`]). If [`Revival::line_key`] is there, its bytes go to the PTY after the first OSC 133;B and before anything that the
//! user typed meanwhile: with that key bash and zsh read what their first prompt could do without. Keys that only insert themselves may
//! go before it ([`Revival::goes_first`]). After that prompt, [`Revival::missing`] names the pieces that did not load, and
//! [`Revival::clean`] removes the files. The server removes the file of the state itself.

#![warn(missing_docs)]

mod bash;
mod command_log;
mod counts;
mod exit_state;
mod fish;
mod launch;
mod line;
mod line_key;
mod phase;
mod pieces;
mod plain_keys;
mod posix;
mod prepare;
mod private_files;
mod report;
mod request;
mod revive;
mod revived;
mod session_variables;
mod shell;
mod state;
mod terminal;
pub mod user_file;
mod words;
mod zsh;

pub use command_log::{CommandLog, Logged};
pub use launch::{Kind, Launch, RunRc};
pub use line::Line;
pub use line_key::MidKey;
pub use phase::{Phase, Said};
pub use posix::keep_shim;
pub use prepare::prepare;
pub use report::Report;
pub use request::{Purpose, Request};
pub use revive::{Revival, revive};
pub use shell::{Shell, Wake};
pub use state::{ShellState, StateError};
