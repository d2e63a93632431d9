//! The program's command line: flags, help, and errors about them.

use std::ffi::OsString;

use clap::Arg;
use clap::error::ErrorKind;
use shellkeep_client::{CalledAs, ClientError};
use shellkeep_command::TABLE;

use crate::flags::{self, Cli};

pub(crate) enum Parsed {
    Run(Cli),
    /// The text to print.
    Help(String),
}

pub(crate) fn parse(args: Vec<OsString>) -> Result<Parsed, ClientError> {
    let words = words(args)?;
    match flags::read(words.clone(), CalledAs::Shellkeep) {
        Ok(cli) if cli.help => explain(vec!["--help".to_owned()]),
        Ok(cli) => Ok(Parsed::Run(cli)),
        Err(_) => explain(words),
    }
}

/// The help that was asked for, or the error in the flags.
fn explain(words: Vec<String>) -> Result<Parsed, ClientError> {
    let rest = Arg::new("argv")
        .num_args(0..)
        .trailing_var_arg(true)
        .allow_hyphen_values(false)
        .value_name("COMMAND")
        .help("Command and its arguments; without one, the session used last, or a new one");
    let root = clap::Command::new("shellkeep")
        .about("A terminal multiplexer that feels like tmux and never loses a session")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .no_binary_name(true)
        .args(shellkeep_command::root_args())
        .arg(rest)
        .after_help(commands());
    let text = match root.try_get_matches_from(words) {
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            return Ok(Parsed::Help(error.to_string()));
        }
        Err(error) => error.to_string(),
        Ok(_) => "these flags cannot be read".to_owned(),
    };
    let first = text.lines().next().unwrap_or_default();
    let first = first.trim_start_matches("error: ");
    let hint = "(see shellkeep --help)";
    Err(ClientError::Usage(format!("{first} {hint}")))
}

/// All words after the program's name as UTF-8. The error quotes the word that is not UTF-8.
pub(crate) fn words(args: Vec<OsString>) -> Result<Vec<String>, ClientError> {
    let words = args.into_iter().skip(1).map(OsString::into_string);
    let words: Result<Vec<String>, OsString> = words.collect();
    words.map_err(|word| ClientError::Usage(format!("not UTF-8: {word:?}")))
}

fn commands() -> String {
    let mut text = String::from("Commands (help COMMAND, or --help behind it, explains each):\n");
    let names = TABLE.iter().map(|spec| spec.name.len());
    let width = names.max().unwrap_or(0) + 2;
    for spec in TABLE {
        let command = shellkeep_command::clap_command(spec);
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        text.push_str(&format!("  {:<width$}{about}\n", spec.name));
    }
    text
}
