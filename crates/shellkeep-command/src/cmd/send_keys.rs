//! `send-keys`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "send-keys";
/// Short names.
pub const ALIASES: &[&str] = &["send"];
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Type into a pane
///
/// Each word is a key name such as Enter, C-c or F5, or else text to be typed as it stands.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Type every word as text, also one that names a key
    #[arg(short = 'l')]
    pub literal: bool,
    /// Each word is a byte in hexadecimal
    #[arg(short = 'H', conflicts_with = "literal")]
    pub hex: bool,
    /// Do it so many times
    #[arg(short = 'N', value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub count: Option<u32>,
    /// Reset the pane's terminal first
    #[arg(short = 'R')]
    pub reset: bool,
    /// What to type
    #[arg(trailing_var_arg = true, value_name = "KEY")]
    pub keys: Vec<String>,
}
