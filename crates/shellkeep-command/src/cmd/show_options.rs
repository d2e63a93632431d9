//! `show-options`.

use crate::{Target, Traits};

pub const NAME: &str = "show-options";
pub const ALIASES: &[&str] = &["show"];
pub const EXAMPLE: &str = "show-options -gv prefix";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show options and their values
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Also those that were not set
    #[arg(short = 'A')]
    pub inherited: bool,
    /// For every session or window
    #[arg(short = 'g')]
    pub global: bool,
    /// Also the hooks
    #[arg(short = 'H')]
    pub hooks: bool,
    /// For the pane
    #[arg(short = 'p')]
    pub pane: bool,
    /// Say nothing about an unknown option
    #[arg(short = 'q')]
    pub quiet: bool,
    /// Those of the server
    #[arg(short = 's')]
    pub server: bool,
    /// Only the value
    #[arg(short = 'v')]
    pub value_only: bool,
    /// For the window
    #[arg(short = 'w')]
    pub window: bool,
    /// The session, window or pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// Only this option
    #[arg(value_name = "OPTION")]
    pub option: Option<String>,
}
