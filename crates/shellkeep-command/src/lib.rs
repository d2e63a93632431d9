//! The command table and the command language. The command line, key bindings, the config file and (through the
//! generator) man pages and completions are all derived from the declarations here.
//!
//! Pure: no files, environment or clock. Commands are run by the server.

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
pub mod when;

pub use declaration::{Target, Traits};
pub use script::Script;
pub use table::{
    Command, CommandError, Spec, TABLE, Taken, clap_command, clap_root, find, parse, root_args,
    usage,
};
