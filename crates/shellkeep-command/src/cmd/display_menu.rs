//! `display-menu`.

use crate::{Script, Target, Traits};

pub const NAME: &str = "display-menu";
pub const ALIASES: &[&str] = &["menu"];
pub const EXAMPLE: &str = "display-menu -T files Edit e 'new-window vim' Quit q ''";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Show a menu
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct Args {
    /// Keep it open when the mouse button is released
    #[arg(short = 'O')]
    pub stay_open: bool,
    /// The client
    #[arg(short = 'c', value_name = "CLIENT")]
    pub client: Option<String>,
    /// The pane its formats and commands are about
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// Its title
    #[arg(short = 'T', value_name = "TITLE")]
    pub title: Option<String>,
    /// Where, from the left
    #[arg(short = 'x', value_name = "POSITION")]
    pub column: Option<String>,
    /// Where, from the top
    #[arg(short = 'y', value_name = "POSITION")]
    pub row: Option<String>,
    /// Name, key and command of each line; an empty name draws a line
    #[arg(trailing_var_arg = true, value_name = "ITEM", required = true)]
    pub items: Vec<Script>,
}
