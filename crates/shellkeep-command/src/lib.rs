//! One command table, one language. The command line, key bindings, the config file and (through the
//! generator) man pages and completions all come from what is declared here.
//!
//! Pure: nothing here reads a file, the environment or the clock; running a command is the server's work.
#![warn(missing_docs)]

pub mod bind;
pub mod call;
pub mod cmd;
pub mod format;
pub mod glob;
pub mod options;
pub mod parse;
mod table;
pub mod target;

pub use parse::Script;
pub use table::{
    Command, CommandError, Spec, TABLE, Taken, Target, Traits, clap_command, clap_root, find,
    parse, root_args, usage,
};
