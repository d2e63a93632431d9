//! One command table, one language. The command line, key bindings, the config file and (through the
//! generator) man pages and completions all come from what is declared here.
//!
//! Pure: nothing here reads a file, the environment or the clock; running a command is the server's work.

pub mod bind;
pub mod call;
pub mod cmd;
mod declaration;
pub mod format;
pub mod glob;
pub mod options;
pub mod parse;
mod script;
mod table;
pub mod target;

pub use declaration::{Target, Traits};
pub use script::Script;
pub use table::{
    Command, CommandError, Spec, TABLE, Taken, clap_command, clap_root, find, parse, root_args,
    usage,
};
