//! `kill-pane`.

use crate::{Target, Traits};

pub const NAME: &str = "kill-pane";
pub const ALIASES: &[&str] = &["killp"];
pub const EXAMPLE: &str = "kill-pane -t %3";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// End a pane and the program in it
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Every pane of the window but this one
    #[arg(short = 'a')]
    pub all_others: bool,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
