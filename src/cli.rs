//! The program's own flags, before the command.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Arg;
use shellkeep_client::{Calling, ClientError, ControlMode, Start};
use shellkeep_command::TABLE;

/// What was typed.
pub(crate) struct Cli {
    /// `-L`
    pub(crate) label: Option<String>,
    /// `-S`
    pub(crate) socket: Option<PathBuf>,
    /// `-f`
    pub(crate) config: Option<PathBuf>,
    /// `-V`
    pub(crate) version: bool,
    /// `-D`
    pub(crate) is_foreground: bool,
    /// `-C`, and what only tmux has.
    pub(crate) calling: Calling,
    /// Command and arguments.
    pub(crate) argv: Vec<String>,
}

/// What to do.
pub(crate) enum Parsed {
    /// Run it.
    Run(Cli),
    /// Print this.
    Help(String),
}

/// Reads the flags.
pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Parsed, ClientError> {
    let rest = Arg::new("argv")
        .num_args(0..)
        .trailing_var_arg(true)
        .allow_hyphen_values(false)
        .value_name("COMMAND");
    let root =
        clap::Command::new("shellkeep")
            .about("A terminal multiplexer that feels like tmux and never loses a session")
            .disable_help_flag(true)
            .disable_version_flag(true)
            .args(shellkeep_command::root_args())
            .arg(rest.help(
                "Command and its arguments; without one, the session used last, or a new one",
            ));
    // Only who asks for the list pays for it.
    let args: Vec<OsString> = args.collect();
    refuse_other_than_utf8(&args)?;
    let root = if args.iter().any(|arg| arg == "--help") {
        root.after_help(commands())
    } else {
        root
    };
    let matches = match root.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelp => {
            return Ok(Parsed::Help(error.to_string()));
        }
        Err(error) => {
            let text = error.to_string();
            let first = text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("error: ");
            return Err(ClientError::Usage(format!(
                "{first} (see shellkeep --help)"
            )));
        }
    };
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let mut calling = Calling {
        is_verbose: matches.get_count("verbose") > 0,
        control: match matches.get_count("control") {
            0 => ControlMode::Off,
            1 => ControlMode::Lines,
            _ => ControlMode::Terminal,
        },
        start: matches.get_flag("no-start").then_some(Start::Never),
        ..Calling::default()
    };
    if matches.get_flag("colors") {
        calling.say_colors("256");
    }
    if let Some(features) = text("features") {
        calling.say_colors(&features);
    }
    if matches.get_flag("utf8") {
        calling.say_utf8();
    }
    Ok(Parsed::Run(Cli {
        label: text("label"),
        socket: text("socket").map(PathBuf::from),
        config: text("config").map(PathBuf::from),
        version: matches.get_flag("version"),
        is_foreground: matches.get_flag("foreground"),
        calling,
        argv: matches
            .get_many::<String>("argv")
            .unwrap_or_default()
            .cloned()
            .collect(),
    }))
}

/// Commands are text, and text is UTF-8: names the word that is not.
pub(crate) fn refuse_other_than_utf8(args: &[OsString]) -> Result<(), ClientError> {
    match args.iter().find(|arg| arg.to_str().is_none()) {
        Some(arg) => Err(ClientError::Usage(format!("not UTF-8: {arg:?}"))),
        None => Ok(()),
    }
}

fn commands() -> String {
    let mut text = String::from("Commands (each has --help):\n");
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
