//! `server-access`.

use crate::{Target, Traits};

pub const NAME: &str = "server-access";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "server-access -l";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Set which other users may use the server
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Let this user in
    #[arg(short = 'a')]
    pub add: bool,
    /// Keep this user out
    #[arg(short = 'd')]
    pub deny: bool,
    /// List the users
    #[arg(short = 'l')]
    pub list: bool,
    /// Let this user only look
    #[arg(short = 'r')]
    pub read_only: bool,
    /// Let this user type
    #[arg(short = 'w')]
    pub read_write: bool,
    /// Not used
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Print the list as JSON
    #[arg(long = "json")]
    pub json: bool,
    /// The user
    #[arg(value_name = "USER")]
    pub user: Option<String>,
}
