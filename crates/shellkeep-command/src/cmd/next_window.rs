//! `next-window`.

use crate::{Target, Traits};

pub const NAME: &str = "next-window";
pub const ALIASES: &[&str] = &["next"];
pub const EXAMPLE: &str = "next-window";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Go to the next window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// To the next one with an alert
    #[arg(short = 'a')]
    pub alert: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
