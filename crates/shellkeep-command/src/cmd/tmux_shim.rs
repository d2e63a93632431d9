//! `tmux-shim`.

use crate::{Target, Traits};

pub const NAME: &str = "tmux-shim";
pub const ALIASES: &[&str] = &[];
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const EXAMPLE: &str = "tmux-shim bin";
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Make a directory with a tmux in it that is this program
///
/// Called as tmux, the program accepts tmux's own flags, reports tmux's version, reads tmux's configuration if there is
/// no shellkeep.conf, and sets $TMUX in its panes. Put the directory before others in $PATH, and tools that call tmux
/// call this program. Panes, and commands that the server runs, do not need this: the option tmux-shim gives them such
/// a directory.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The directory
    #[arg(value_name = "DIR", required = true)]
    pub directory: String,
}
