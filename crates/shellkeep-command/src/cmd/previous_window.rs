//! `previous-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "previous-window";
/// Short names.
pub const ALIASES: &[&str] = &["prev"];
/// How it may be used.
pub const EXAMPLE: &str = "previous-window";
/// What `-t` names.
pub const TARGET: Target = Target::Session;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
