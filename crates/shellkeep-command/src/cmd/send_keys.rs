//! `send-keys`.

use crate::{Target, Traits};

pub const NAME: &str = "send-keys";
pub const ALIASES: &[&str] = &["send"];
pub const EXAMPLE: &str = "send-keys -t work 'make test' Enter";
pub const TARGET: Target = Target::Pane;
pub const SOURCE: Target = Target::None;
pub const TRAITS: Traits = Traits {
    starts_server: false,
    read_only: false,
};

/// Type into a pane
///
/// Each word is a key name such as Enter, C-c or F5, or else text to be typed as it stands.
#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "one field a flag of tmux's")]
pub struct Args {
    /// Expand formats in the words of -X
    #[arg(short = 'F')]
    pub expand: bool,
    /// Each word is a byte in hexadecimal
    #[arg(short = 'H')]
    pub hex: bool,
    /// Type every word as text, also one that names a key
    #[arg(short = 'l')]
    pub literal: bool,
    /// Pass the mouse event on
    #[arg(short = 'M')]
    pub mouse: bool,
    /// Reset the pane's terminal first
    #[arg(short = 'R')]
    pub reset: bool,
    /// The words are a command of copy mode
    #[arg(short = 'X')]
    pub mode_command: bool,
    /// Repeat it so many times
    #[arg(short = 'N', value_name = "COUNT")]
    pub count: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
    /// What to type
    #[arg(trailing_var_arg = true, value_name = "KEY")]
    pub keys: Vec<String>,
}

impl Args {
    /// How often to repeat it. Checked only when it is run, because a binding may have `%%` here.
    ///
    /// # Errors
    /// When it is not a number above 0.
    pub fn times(&self) -> Result<u32, String> {
        let Some(count) = &self.count else {
            return Ok(1);
        };
        match count.parse::<i64>() {
            Ok(count @ 1..) => {
                u32::try_from(count).map_err(|_| "repeat count too large".to_owned())
            }
            Ok(_) => Err("repeat count too small".to_owned()),
            Err(_) => Err("repeat count invalid".to_owned()),
        }
    }
}
