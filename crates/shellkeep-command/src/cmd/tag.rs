//! `tag`.

use crate::{Target, Traits};

pub const NAME: &str = "tag";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "tag -t work project-x review";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Add tags to a session, or remove them
///
/// A tag is any word. Without one, the session's tags are listed.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Remove these tags; all of them if none is named
    #[arg(short = 'd')]
    pub delete: bool,
    /// The session
    #[arg(short = 't', value_name = "SESSION")]
    pub target: Option<String>,
    /// The tags
    #[arg(value_name = "TAG")]
    pub tags: Vec<String>,
}
