//! The table of all commands.

use clap::{Arg, ArgAction, Args as _, FromArgMatches as _};

use crate::cmd;
use crate::declaration::{Target, Traits};

mod flags;
mod getopt;
mod reading;

pub(crate) use reading::Reading;
pub use reading::{Taken, parse};

/// The declaration of a command in its file in `cmd/`.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// An example, for help and man pages.
    pub example: &'static str,
    /// What its `-t` names.
    pub target: Target,
    /// What its `-s` names.
    pub source: Target,
    pub traits: Traits,
    augment: fn(clap::Command) -> clap::Command,
    understand: fn(&clap::ArgMatches) -> Result<Command, clap::Error>,
}

/// The output of `tmux list-commands` in 3.3a: name, alias, flags.
const TMUX_COMMANDS: &str = include_str!("table/tmux-3.3a-commands.txt");

/// Commands that run in the client process and need no server.
const LOCAL: &[&str] = &[cmd::doctor::NAME, cmd::tmux_shim::NAME];

impl Spec {
    /// Whether it runs in the client process and never uses a server.
    #[must_use]
    pub fn is_local(&self) -> bool {
        LOCAL.contains(&self.name)
    }
}

macro_rules! commands {
    ($($variant:ident => $module:ident,)*) => {
        /// A parsed command with its arguments.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Command {
            $(
                #[doc = concat!("See [`cmd::", stringify!($module), "`].")]
                $variant(cmd::$module::Args),
            )*
        }

        impl Command {
            #[must_use]
            pub fn spec(&self) -> &'static Spec {
                let name = match self {
                    $(Self::$variant(_) => cmd::$module::NAME,)*
                };
                exact(name).expect("every variant stands in the table")
            }
        }

        pub static TABLE: &[Spec] = &[
            $(Spec {
                name: cmd::$module::NAME,
                aliases: cmd::$module::ALIASES,
                example: cmd::$module::EXAMPLE,
                target: cmd::$module::TARGET,
                source: cmd::$module::SOURCE,
                traits: cmd::$module::TRAITS,
                augment: cmd::$module::Args::augment_args,
                understand: |matches| {
                    cmd::$module::Args::from_arg_matches(matches).map(Command::$variant)
                },
            },)*
        ];
    };
}

commands! {
    Archive => archive,
    AttachSession => attach_session,
    BindKey => bind_key,
    BreakPane => break_pane,
    CapturePane => capture_pane,
    ChooseBuffer => choose_buffer,
    ChooseClient => choose_client,
    ChooseTree => choose_tree,
    ClearHistory => clear_history,
    ClearPromptHistory => clear_prompt_history,
    ClockMode => clock_mode,
    CommandPrompt => command_prompt,
    ConfirmBefore => confirm_before,
    CopyMode => copy_mode,
    CustomizeMode => customize_mode,
    DeleteBuffer => delete_buffer,
    DetachClient => detach_client,
    DisplayMenu => display_menu,
    DisplayMessage => display_message,
    DisplayPanes => display_panes,
    DisplayPopup => display_popup,
    Doctor => doctor,
    FindWindow => find_window,
    Forget => forget,
    HasSession => has_session,
    Hibernate => hibernate,
    History => history,
    IfShell => if_shell,
    JoinPane => join_pane,
    KillPane => kill_pane,
    KillServer => kill_server,
    KillSession => kill_session,
    KillWindow => kill_window,
    LastPane => last_pane,
    LastWindow => last_window,
    LinkWindow => link_window,
    ListBuffers => list_buffers,
    ListClients => list_clients,
    ListCommands => list_commands,
    ListKeys => list_keys,
    ListPanes => list_panes,
    ListSessions => list_sessions,
    ListWindows => list_windows,
    LoadBuffer => load_buffer,
    LockClient => lock_client,
    LockServer => lock_server,
    LockSession => lock_session,
    MovePane => move_pane,
    MoveWindow => move_window,
    NewSession => new_session,
    NewWindow => new_window,
    NextLayout => next_layout,
    NextWindow => next_window,
    Output => output,
    PasteBuffer => paste_buffer,
    Pin => pin,
    PipePane => pipe_pane,
    PreviousLayout => previous_layout,
    PreviousWindow => previous_window,
    RefreshClient => refresh_client,
    RenameSession => rename_session,
    RenameWindow => rename_window,
    Reopen => reopen,
    ResizePane => resize_pane,
    ResizeWindow => resize_window,
    RespawnPane => respawn_pane,
    RespawnWindow => respawn_window,
    RestartServer => restart_server,
    Restore => restore,
    RotateWindow => rotate_window,
    RunShell => run_shell,
    SaveBuffer => save_buffer,
    Search => search,
    SelectLayout => select_layout,
    SelectPane => select_pane,
    SelectWindow => select_window,
    SendKeys => send_keys,
    SendPrefix => send_prefix,
    ServerAccess => server_access,
    SetBuffer => set_buffer,
    SetEnvironment => set_environment,
    SetHook => set_hook,
    SetOption => set_option,
    SetWindowOption => set_window_option,
    ShowBuffer => show_buffer,
    ShowEnvironment => show_environment,
    ShowHooks => show_hooks,
    ShowMessages => show_messages,
    ShowOptions => show_options,
    ShowPromptHistory => show_prompt_history,
    ShowWindowOptions => show_window_options,
    SourceFile => source_file,
    SplitWindow => split_window,
    StartServer => start_server,
    Stats => stats,
    SuspendClient => suspend_client,
    SwapPane => swap_pane,
    SwapWindow => swap_window,
    SwitchClient => switch_client,
    Tag => tag,
    TmuxShim => tmux_shim,
    UnbindKey => unbind_key,
    UnlinkWindow => unlink_window,
    WaitFor => wait_for,
}

/// Why a command cannot be run as typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("no command given")]
    Empty,
    #[error("unknown command: {name}{}", hint(.nearest.as_deref()))]
    Unknown {
        name: String,
        nearest: Option<String>,
    },
    /// Several commands have this prefix.
    #[error("ambiguous command: {name}, could be: {}", .candidates.join(", "))]
    Ambiguous {
        name: String,
        /// The commands with this prefix.
        candidates: Vec<String>,
    },
    #[error("command {name}: {reason}")]
    Arguments { name: &'static str, reason: String },
    /// A flag does not accept this value.
    #[error("{0}")]
    Value(String),
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

/// Finds a command by name, alias or unique prefix.
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
    let candidates: Vec<&'static Spec> = TABLE
        .iter()
        .filter(|spec| spec.name.starts_with(name))
        .collect();
    // Users of tmux type `tmux a`, so a command that tmux does not have must not make a prefix ambiguous.
    if let Some(spec) = only_of_tmux(&candidates) {
        return Ok(spec);
    }
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

/// The only one of these commands that tmux has as well.
fn only_of_tmux(candidates: &[&'static Spec]) -> Option<&'static Spec> {
    let is_tmux = |spec: &&&Spec| {
        let mut lines = TMUX_COMMANDS.lines();
        lines.any(|line| line.split(' ').next() == Some(spec.name))
    };
    let mut theirs = candidates.iter().filter(is_tmux);
    match (theirs.next(), theirs.next()) {
        (Some(spec), None) => Some(spec),
        _ => None,
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

/// The flags and arguments of a command in one line: `new-session [-AdDEPX] [-c DIR] … [CMD ...]`.
#[must_use]
pub fn usage(spec: &Spec) -> String {
    let command = clap_command(spec);
    let mut flags = String::new();
    let mut rest = String::new();
    for arg in command.get_arguments() {
        let value = flags::value_name(arg);
        match (arg.get_short(), arg.get_long()) {
            (Some(flag), _) if flags::is_value_joined(arg) => {
                rest.push_str(&format!(" [-{flag}[{value}]]"));
            }
            (Some(flag), _) if flags::takes_value(arg) => {
                rest.push_str(&format!(" [-{flag} {value}]"));
            }
            (Some(flag), _) => flags.push(flag),
            (None, Some("help")) => {}
            (None, Some(long)) if flags::takes_value(arg) => {
                rest.push_str(&format!(" [--{long} {value}]"));
            }
            (None, Some(long)) => rest.push_str(&format!(" [--{long}]")),
            (None, None) => {
                let more = if flags::is_many(arg) { " ..." } else { "" };
                rest.push_str(&if arg.is_required_set() {
                    format!(" {value}{more}")
                } else {
                    format!(" [{value}{more}]")
                });
            }
        }
    }
    if !flags.is_empty() {
        flags = format!(" [-{flags}]");
    }
    format!("{}{flags}{rest}", spec.name)
}

/// The clap declaration of one command.
#[must_use]
pub fn clap_command(spec: &Spec) -> clap::Command {
    let command = clap::Command::new(spec.name)
        .no_binary_name(false)
        // As in tmux, `-h` is an ordinary flag of commands.
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args_override_self(true);
    let command = command.after_help(format!("Example: shellkeep {}", spec.example));
    (spec.augment)(command).visible_aliases(spec.aliases).arg(
        Arg::new("help")
            .long("help")
            .action(ArgAction::Help)
            .help("Print help"),
    )
}

/// The clap declaration of the whole program, for help, man pages and completions.
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
        Arg::new("control")
            .short('C')
            .action(ArgAction::Count)
            .help("Use control mode; twice for a terminal that supports it"),
        Arg::new("foreground")
            .short('D')
            .action(ArgAction::SetTrue)
            .help("Run the server in the foreground until it is ended"),
        Arg::new("verbose")
            .short('v')
            .action(ArgAction::Count)
            .help("Make a server that is started log more"),
        Arg::new("colors")
            .short('2')
            .action(ArgAction::SetTrue)
            .help("Assume that the terminal has 256 colours"),
        Arg::new("features")
            .short('T')
            .value_name("FEATURES")
            .help("The terminal's features: 256 or RGB, separated by commas"),
        Arg::new("utf8")
            .short('u')
            .action(ArgAction::SetTrue)
            .help("Assume that the terminal shows UTF-8, whatever the locale is"),
        Arg::new("no-start")
            .short('N')
            .action(ArgAction::SetTrue)
            .help("Start no server, even if the command would"),
        Arg::new("login")
            .short('l')
            .action(ArgAction::SetTrue)
            .help("As a login shell; of no effect, as in tmux"),
        Arg::new("version")
            .short('V')
            .long("version")
            .action(ArgAction::SetTrue)
            .help("Print the version"),
        Arg::new("help")
            .short('h')
            .long("help")
            .action(ArgAction::Help)
            .help("Print help"),
    ]
}

#[cfg(test)]
mod tests;
