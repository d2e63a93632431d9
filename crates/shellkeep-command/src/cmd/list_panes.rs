//! `list-panes`.

use crate::{Target, Traits};

pub const NAME: &str = "list-panes";
pub const ALIASES: &[&str] = &["lsp"];
pub const EXAMPLE: &str = "list-panes -a -F '#{pane_id} #{pane_current_command}'";
pub const TARGET: Target = Target::Window;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// List the panes
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Of every session
    #[arg(short = 'a')]
    pub all: bool,
    /// Of the whole session; -t names it
    #[arg(short = 's')]
    pub session: bool,
    /// How to print each
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only those this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// The window
    #[arg(short = 't', value_name = "WINDOW")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
