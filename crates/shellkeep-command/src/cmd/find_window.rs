//! `find-window`.

use crate::{Target, Traits};

/// Name.
pub const NAME: &str = "find-window";
/// Short names.
pub const ALIASES: &[&str] = &["findw"];
/// How it may be used.
pub const EXAMPLE: &str = "find-window -N log";
/// What `-t` names.
pub const TARGET: Target = Target::Pane;
/// What `-s` names.
pub const SOURCE: Target = Target::None;
/// What the core does for it.
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Choose among the windows in which a pattern is found
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Look in what the panes show
    #[arg(short = 'C')]
    pub content: bool,
    /// Upper and lower case are alike
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
