//! `suspend-client`.

use crate::{Target, Traits};

pub const NAME: &str = "suspend-client";
pub const ALIASES: &[&str] = &["suspendc"];
pub const EXAMPLE: &str = "suspend-client";
pub const TARGET: Target = Target::Client;
pub const SOURCE: Target = Target::None;
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
