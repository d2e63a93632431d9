//! `find-window`.

use crate::{Target, Traits};

pub const NAME: &str = "find-window";
pub const ALIASES: &[&str] = &["findw"];
pub const EXAMPLE: &str = "find-window -N log";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Choose among the windows that match a pattern
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Look in what the panes show
    #[arg(short = 'C')]
    pub content: bool,
    /// Ignore case
    #[arg(short = 'i')]
    pub ignore_case: bool,
    /// Look in the windows' names
    #[arg(short = 'N')]
    pub name: bool,
    /// The pattern is a regular expression
    #[arg(short = 'r')]
    pub regex: bool,
    /// Look in the panes' titles
    #[arg(short = 'T')]
    pub title: bool,
    /// Zoom the pane
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// What to look for
    #[arg(value_name = "PATTERN")]
    pub pattern: String,
}
