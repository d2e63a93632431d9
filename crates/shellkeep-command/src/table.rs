//! The table: every command once, and what can be asked of it.

use clap::{Arg, ArgAction, Args as _, FromArgMatches as _};

use crate::cmd;

/// What a command's `-t` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing.
    None,
    /// A session.
    Session,
    /// A pane.
    Pane,
    /// A client.
    Client,
}

/// What the core does for a command before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Whether it starts a server where there is none, or is refused.
    pub starts_server: bool,
    /// Whether a read-only client may run it.
    pub read_only: bool,
}

/// One command, as declared in its file.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// Its short names.
    pub aliases: &'static [&'static str],
    /// What its `-t` names.
    pub target: Target,
    /// What the core does for it.
    pub traits: Traits,
    augment: fn(clap::Command) -> clap::Command,
    parse: fn(&clap::ArgMatches) -> Result<Command, clap::Error>,
}

macro_rules! commands {
    ($($variant:ident => $module:ident,)*) => {
        /// A command with its arguments, understood.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Command {
            $(
                #[doc = concat!("See [`cmd::", stringify!($module), "`].")]
                $variant(cmd::$module::Args),
            )*
        }

        impl Command {
            /// What is declared of it.
            #[must_use]
            pub fn spec(&self) -> &'static Spec {
                let name = match self {
                    $(Self::$variant(_) => cmd::$module::NAME,)*
                };
                exact(name).expect("every variant stands in the table")
            }
        }

        /// Every command.
        pub static TABLE: &[Spec] = &[
            $(Spec {
                name: cmd::$module::NAME,
                aliases: cmd::$module::ALIASES,
                target: cmd::$module::TARGET,
                traits: cmd::$module::TRAITS,
                augment: cmd::$module::Args::augment_args,
                parse: |matches| {
                    cmd::$module::Args::from_arg_matches(matches).map(Command::$variant)
                },
            },)*
        ];
    };
}

commands! {
    AttachSession => attach_session,
    CapturePane => capture_pane,
    DetachClient => detach_client,
    HasSession => has_session,
    KillServer => kill_server,
    KillSession => kill_session,
    ListCommands => list_commands,
    ListSessions => list_sessions,
    NewSession => new_session,
    RefreshClient => refresh_client,
    RenameSession => rename_session,
    RestartServer => restart_server,
    SendKeys => send_keys,
    SendPrefix => send_prefix,
    SetOption => set_option,
    ShowOptions => show_options,
    SourceFile => source_file,
    StartServer => start_server,
    SuspendClient => suspend_client,
}

/// Why a command cannot be run as typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Nothing was typed.
    #[error("no command given")]
    Empty,
    /// No command has this name.
    #[error("unknown command: {name}{}", hint(.nearest.as_deref()))]
    Unknown {
        /// What was typed.
        name: String,
        /// The nearest name there is.
        nearest: Option<String>,
    },
    /// Several commands begin so.
    #[error("ambiguous command: {name}, could be: {}", .candidates.join(", "))]
    Ambiguous {
        /// What was typed.
        name: String,
        /// What it could be.
        candidates: Vec<String>,
    },
    /// The arguments do not fit.
    #[error("{name}: {reason}")]
    Arguments {
        /// The command.
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// Not an error: the user asked for help.
    #[error("{0}")]
    Help(String),
}

fn hint(nearest: Option<&str>) -> String {
    nearest
        .map(|name| format!("; did you mean {name}?"))
        .unwrap_or_default()
}

fn exact(name: &str) -> Option<&'static Spec> {
    TABLE
        .iter()
        .find(|spec| spec.name == name || spec.aliases.contains(&name))
}

/// Finds a command by name, alias or unique beginning.
///
/// # Errors
/// When there is none, or more than one.
pub fn find(name: &str) -> Result<&'static Spec, CommandError> {
    if name.is_empty() {
        return Err(CommandError::Empty);
    }
    if let Some(spec) = exact(name) {
        return Ok(spec);
    }
    let candidates: Vec<&Spec> = TABLE
        .iter()
        .filter(|spec| spec.name.starts_with(name))
        .collect();
    match candidates[..] {
        [spec] => Ok(spec),
        [] => Err(CommandError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name),
        }),
        _ => Err(CommandError::Ambiguous {
            name: name.to_owned(),
            candidates: candidates.iter().map(|spec| spec.name.to_owned()).collect(),
        }),
    }
}

fn nearest(name: &str) -> Option<String> {
    let names = TABLE
        .iter()
        .flat_map(|spec| std::iter::once(&spec.name).chain(spec.aliases));
    names
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| (*known).to_owned())
}

/// Understands one command: its name and arguments.
///
/// # Errors
/// When the name or the arguments do not fit; also, as [`CommandError::Help`], when help is asked for.
pub fn parse<S: AsRef<str>>(argv: &[S]) -> Result<Command, CommandError> {
    let (name, _) = argv.split_first().ok_or(CommandError::Empty)?;
    let spec = find(name.as_ref())?;
    let words = argv.iter().map(AsRef::as_ref);
    let result = clap_command(spec)
        .try_get_matches_from(words)
        .and_then(|m| (spec.parse)(&m));
    result.map_err(|error| match error.kind() {
        clap::error::ErrorKind::DisplayHelp => CommandError::Help(error.to_string()),
        _ => CommandError::Arguments {
            name: spec.name,
            reason: one_sentence(&error),
        },
    })
}

/// clap explains at length, over several lines; a user of a prompt or a config file has one.
fn one_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
    let first = first.trim_start_matches("error: ");
    match usage {
        Some(usage) => format!("{first} (usage: {usage})"),
        None => first.to_owned(),
    }
}

/// One command as clap knows it.
#[must_use]
pub fn clap_command(spec: &Spec) -> clap::Command {
    let command = clap::Command::new(spec.name)
        .no_binary_name(false)
        // `-h` belongs to the commands, as in tmux.
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args_override_self(true);
    (spec.augment)(command).visible_aliases(spec.aliases).arg(
        Arg::new("help")
            .long("help")
            .action(ArgAction::Help)
            .help("Print help"),
    )
}

/// The whole program as clap knows it: for help, man pages and completions.
#[must_use]
pub fn clap_root() -> clap::Command {
    clap::Command::new("shellkeep")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A terminal multiplexer that feels like tmux and never loses a session")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .infer_subcommands(true)
        .args(root_args())
        .subcommands(TABLE.iter().map(clap_command))
}

/// The flags before the command.
#[must_use]
pub fn root_args() -> Vec<Arg> {
    vec![
        Arg::new("label")
            .short('L')
            .value_name("LABEL")
            .help("Name of the server's socket"),
        Arg::new("socket")
            .short('S')
            .value_name("PATH")
            .help("Path of the server's socket"),
        Arg::new("config")
            .short('f')
            .value_name("FILE")
            .help("Configuration file"),
        Arg::new("version")
            .short('V')
            .action(ArgAction::SetTrue)
            .help("Print the version"),
        Arg::new("help")
            .long("help")
            .action(ArgAction::Help)
            .help("Print help"),
    ]
}

#[cfg(test)]
mod tests;
