//! `kill-pane`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "kill-pane";
/// Short names.
pub const ALIASES: &[&str] = &["killp"];
/// How it may be used.
pub const EXAMPLE: &str = "kill-pane -t %3";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
