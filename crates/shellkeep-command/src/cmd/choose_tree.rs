//! `choose-tree`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "choose-tree";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "choose-tree -Zs";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Choose a session, window or pane from a tree
///
/// z puts what is under the cursor to sleep and w wakes it; Z and W do so with all that is tagged. A window that sleeps
/// is marked by z behind its name, one that came back by r until the next command runs in it.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Show every session of a group
    #[arg(short = 'G')]
    pub whole_groups: bool,
    /// Start without the preview
    #[arg(short = 'N')]
    pub no_preview: bool,
    /// Sort the other way round
    #[arg(short = 'r')]
    pub reverse: bool,
    /// Start with the windows folded away
    #[arg(short = 's')]
    pub sessions: bool,
    /// Start with the panes folded away
    #[arg(short = 'w')]
    pub windows: bool,
    /// Zoom the pane
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// How to print each line
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only what this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// Which key chooses each line
    #[arg(short = 'K', value_name = "FORMAT")]
    pub key_format: Option<String>,
    /// What to sort by
    #[arg(short = 'O', value_name = "ORDER")]
    pub sort_order: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// The command to run; %% is what was chosen
    #[arg(value_name = "TEMPLATE")]
    pub template: Option<Script>,
}
