//! `new-session`.

use crate::{Target, Traits};

pub const NAME: &str = "new-session";
pub const ALIASES: &[&str] = &["new"];
pub const EXAMPLE: &str = "new-session -A -s work -c project";
pub const TARGET: Target = Target::Session;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: true,
    read_only: true,
};

/// Create a session with a program in it
///
/// Without -d the session is shown in this terminal. The program is the user's shell unless another one is given. A
/// single word is run by the shell; several words are a program and its arguments.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Attach to the session if one of this name exists
    #[arg(short = 'A')]
    pub attach_existing: bool,
    /// Do not show it
    #[arg(short = 'd')]
    pub detached: bool,
    /// With -A, detach all other clients of the session
    #[arg(short = 'D')]
    pub detach_others: bool,
    /// Leave the session's environment as it is
    #[arg(short = 'E')]
    pub keep_environment: bool,
    /// Print where it is
    #[arg(short = 'P')]
    pub print: bool,
    /// With -A, also hang up the other clients' parents
    #[arg(short = 'X')]
    pub hang_up_others: bool,
    /// Directory to start in
    #[arg(short = 'c', value_name = "DIR")]
    pub directory: Option<String>,
    /// Set a variable in the session's environment
    #[arg(short = 'e', value_name = "VAR=VALUE")]
    pub environment: Vec<String>,
    /// What -P prints
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Flags of the client, with commas between them
    #[arg(short = 'f', value_name = "FLAGS")]
    pub client_flags: Option<String>,
    /// Name of the first window
    #[arg(short = 'n', value_name = "NAME")]
    pub window_name: Option<String>,
    /// Name of the session
    #[arg(short = 's', value_name = "NAME")]
    pub name: Option<String>,
    /// Share the windows of this session, or of this group
    #[arg(short = 't', value_name = "GROUP")]
    pub group: Option<String>,
    /// Columns of a session without clients; - for the terminal's
    #[arg(short = 'x', value_name = "COLS", value_parser = Extent::parse_cols)]
    pub cols: Option<Extent>,
    /// Rows of a session without clients; - for the terminal's
    #[arg(short = 'y', value_name = "ROWS", value_parser = Extent::parse_rows)]
    pub rows: Option<Extent>,
    /// Never write anything of the session to disk
    #[arg(long = "private")]
    pub private: bool,
    /// What creates the session: user, or the name of a program
    #[arg(long = "created-by", value_name = "WHO")]
    pub created_by: Option<String>,
    /// Put a tag on the session
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Program to run instead of the shell
    #[arg(trailing_var_arg = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// One side of the size of a session without clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// This many cells.
    Cells(u16),
    /// The size of the terminal in which the command was typed.
    Terminal,
}

impl Extent {
    /// The cells, if they were given as a number.
    #[must_use]
    pub const fn cells(self) -> Option<u16> {
        match self {
            Self::Cells(cells) => Some(cells),
            Self::Terminal => None,
        }
    }

    fn parse_cols(text: &str) -> Result<Self, String> {
        Self::parse(text, "width")
    }

    fn parse_rows(text: &str) -> Result<Self, String> {
        Self::parse(text, "height")
    }

    fn parse(text: &str, what: &str) -> Result<Self, String> {
        const MAX_SIDE: i64 = 10_000;
        if text == "-" {
            return Ok(Self::Terminal);
        }
        match text.parse::<i64>() {
            Ok(cells @ 1..=MAX_SIDE) => Ok(Self::Cells(u16::try_from(cells).unwrap_or(u16::MAX))),
            Ok(cells) if cells > MAX_SIDE => Err(format!("{what} too large")),
            Ok(_) => Err(format!("{what} too small")),
            Err(_) => Err(format!("{what} invalid")),
        }
    }
}
