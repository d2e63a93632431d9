//! `paste-buffer`.

use crate::{Target, Traits};

pub const NAME: &str = "paste-buffer";
pub const ALIASES: &[&str] = &["pasteb"];
pub const EXAMPLE: &str = "paste-buffer -p -t %3";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Paste a buffer into a pane
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Delete the buffer afterwards
    #[arg(short = 'd')]
    pub delete: bool,
    /// Mark it as a paste for programs that have requested this
    #[arg(short = 'p')]
    pub bracket: bool,
    /// Leave line feeds as they are
    #[arg(short = 'r')]
    pub raw: bool,
    /// What to write for a line feed
    #[arg(short = 's', value_name = "SEPARATOR")]
    pub separator: Option<String>,
    /// The buffer; the newest if none is named
    #[arg(short = 'b', value_name = "BUFFER")]
    pub buffer: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
