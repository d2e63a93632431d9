//! `show-prompt-history`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "show-prompt-history";
/// Short names.
pub const ALIASES: &[&str] = &["showphist"];
/// How it may be used.
pub const EXAMPLE: &str = "show-prompt-history -T command";
/// What `-t` names.
pub const TARGET: Target = Target::None;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
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
