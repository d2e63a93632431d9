//! `clear-prompt-history`.

use crate::{Target, Traits};

pub const NAME: &str = "clear-prompt-history";
pub const ALIASES: &[&str] = &["clearphist"];
pub const EXAMPLE: &str = "clear-prompt-history -T command";
pub const TARGET: Target = Target::None;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Forget what was typed at prompts
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Only at prompts of this type
    #[arg(short = 'T', value_name = "TYPE")]
    pub prompt_type: Option<String>,
}
