//! `show-prompt-history`.

use crate::{Target, Traits};

pub const NAME: &str = "show-prompt-history";
pub const ALIASES: &[&str] = &["showphist"];
pub const EXAMPLE: &str = "show-prompt-history -T command";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Show what was typed at prompts
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Only at prompts of this type
    #[arg(short = 'T', value_name = "TYPE")]
    pub prompt_type: Option<String>,
    /// Print it as JSON
    #[arg(long = "json")]
    pub json: bool,
}
