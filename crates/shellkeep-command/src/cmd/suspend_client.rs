//! `suspend-client`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "suspend-client";
/// Short names.
pub const ALIASES: &[&str] = &["suspendc"];
/// How it may be used.
pub const EXAMPLE: &str = "suspend-client";
/// What `-t` names.
pub const TARGET: Target = Target::Client;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Stop a client as C-z stops a program; `fg` brings it back
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// The client, by its terminal
    #[arg(short = 't', value_name = "CLIENT")]
    pub target: Option<String>,
}
