//! `output`.

use crate::{Target, Traits};

pub const NAME: &str = "output";
pub const ALIASES: &[&str] = &[];
pub const EXAMPLE: &str = "output -2";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: true,
};

/// Print what a command has printed
///
/// Prints the output of the last command of the pane that has ended, or of another one: -2 is the one before, and an id
/// is that of any command, as history --json tells it, also in a session that sleeps or is archived. A pane that was
/// cleared since has no output of earlier commands any more. What a full-screen program showed is not output.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// With the colours it was printed in
    #[arg(short = 'e')]
    pub colors: bool,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Print it as JSON: the fields of history, and output
    #[arg(long = "json")]
    pub json: bool,
    /// The command: its id, or -1 for the last one, -2 for the one before
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    pub id: Option<String>,
}
