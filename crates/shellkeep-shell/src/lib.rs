//! The shells' side of hibernation: scripts that make bash, zsh and fish mark their prompts, write down their state on
//! request, and restore it. It must never change a file of the user; the user's own start-up files run as always.
//!
//! # Requests
//!
//! Each pane has a private directory (0700), whose path its shell has in `SHELLKEEP_SHELL_DIR`. To request the state,
//! the server calls [`Request::place`], which makes three files (0600) there: `state` and `line`, empty, and `request`
//! with a nonce. Then it sends [`Shell::signal`] to the shell. A shell at the first line of its prompt writes `state`
//! and closes it (wait for IN_CLOSE_WRITE on [`Request::state_path`]). [`Request::state`] returns the state once its
//! last line is there. A shell that has just drawn its prompt may miss the signal: send it again if there is no answer
//! after about 300 ms. A request is answered only once. A shell that runs a command, is at a continuation line, or was
//! replaced by another program does nothing; all of them ignore these signals.
//!
//! The half-typed line is part of the state, unless [`ShellState::line_key`] returns a key. Then the server sends these
//! bytes to the PTY *after* the state has arrived, when the shell is known to read keys at its prompt, and waits until
//! [`Request::line_path`] is closed. The line is the last thing that a shell writes, so the next request may follow at
//! once. The key also makes a shell answer that has lost its signal handler. In the middle of a key sequence the shell
//! would read our key as a part of it, so bash gets a key that aborts the sequence first, or is not asked for its line.
//! [`Request::withdraw`] withdraws the request at any time.
//!
//! # The exit of a shell
//!
//! A shell that exits writes its state by itself if [`ShellState::expect_at_exit`] has made the files for it.
//! [`ShellState::told_at_exit`] returns that state when the shell is gone.
//!
//! # What is trusted
//!
//! Nothing that is printed: marks (OSC 133) are only hints to read the files in which a shell writes what it is doing
//! ([`Said`]) and which commands it has run ([`CommandLog`]).
//!
//! # Revival
//!
//! [`revive()`] writes files into the pane's directory, and returns how to start the shell, and which variables of the
//! environment it gets ([`Launch::takes`]). If there is a [`Revival::line_key`], send its bytes to the PTY after the
//! first OSC 133;B and before all input that was typed meanwhile: at that key bash and zsh read the part of the state
//! that their first prompt does not need. Keys that only insert themselves may be sent before it
//! ([`Revival::goes_first`]). After that prompt, [`Revival::missing`] names the pieces that were not restored, and
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
