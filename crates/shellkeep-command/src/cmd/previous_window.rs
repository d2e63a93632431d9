//! `previous-window`.

use crate::{Target, Traits};

pub const NAME: &str = "previous-window";
pub const ALIASES: &[&str] = &["prev"];
pub const EXAMPLE: &str = "previous-window";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Go to the previous window
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// To the previous one with an alert
    #[arg(short = 'a')]
    pub alert: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
}
