//! `clear-prompt-history`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "clear-prompt-history";
/// Short names.
pub const ALIASES: &[&str] = &["clearphist"];
/// How it may be used.
pub const EXAMPLE: &str = "clear-prompt-history -T command";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
