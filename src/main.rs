//! The `shellkeep` program: parses the command line, then runs as client, server, keeper or doctor.

mod cli;
mod flags;
mod hidden;
mod shim;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use shellkeep_client::{CalledAs, ClientError, Locations};
use shellkeep_command::Command;
use shellkeep_command::cmd::doctor;
use shellkeep_doctor::Setup;

use cli::Parsed;

fn main() -> ExitCode {
    ExitCode::from(start())
}

fn start() -> u8 {
    let args: Vec<OsString> = std::env::args_os().collect();
    match args.get(1).and_then(|arg| arg.to_str()) {
        Some("__server") => return hidden::server(&args[2..]),
        Some("__keeper") => return hidden::keeper(&args[2..]),
        _ => {}
    }
    run(args).unwrap_or_else(|error| {
        shellkeep_client::print_error(&error);
        1
    })
}

fn run(args: Vec<OsString>) -> Result<u8, ClientError> {
    let env = |name: &str| std::env::var_os(name);
    let called_as = if shim::is_called(args.first()) {
        shim::step_aside(&args, &env);
        CalledAs::Tmux
    } else {
        CalledAs::Shellkeep
    };
    let parsed = match called_as {
        CalledAs::Tmux => Parsed::Run(shim::parse(args)?),
        CalledAs::Shellkeep => cli::parse(args)?,
    };
    let cli = match parsed {
        Parsed::Run(cli) => cli,
        Parsed::Help(text) => return Ok(print_text(&text)),
    };
    if cli.version {
        let (name, version) = match called_as {
            CalledAs::Tmux => ("tmux", shim::VERSION),
            CalledAs::Shellkeep => ("shellkeep", env!("CARGO_PKG_VERSION")),
        };
        return Ok(print_text(&format!("{name} {version}\n")));
    }
    if let Some(command) = &cli.calling.shell_command {
        return Err(shim::run_shell(command, &cli.calling));
    }
    let (socket, config) = (cli.socket.as_deref(), cli.config.as_deref());
    let mut place = Locations::find(cli.label.as_deref(), socket, config, called_as, env)?;
    place.is_verbose = cli.calling.is_verbose;
    if cli.is_foreground {
        if !cli.argv.is_empty() {
            let reason = match called_as {
                CalledAs::Tmux => shim::USAGE,
                CalledAs::Shellkeep => "-D takes no command: it is the server itself",
            };
            return Err(ClientError::Usage(reason.to_owned()));
        }
        return Err(hidden::foreground(&place));
    }
    if let Some(args) = doctor_args(&cli.argv) {
        let program = shellkeep_client::program();
        let setup = Setup::new(
            &place.socket,
            &place.state_dir,
            (program, &place.call),
            &env,
        );
        return Ok(shellkeep_doctor::run(&setup, &args));
    }
    shellkeep_client::run(&place, &cli.argv, &cli.calling)
}

/// The arguments of `doctor`, which runs here because it needs no server, and a broken one must not stop it. `None` for
/// a wrong flag as well: the client reports that.
fn doctor_args(argv: &[String]) -> Option<doctor::Args> {
    let spec = shellkeep_command::find(argv.first()?).ok()?;
    if spec.name != doctor::NAME {
        return None;
    }
    match shellkeep_command::parse(argv).ok()? {
        Command::Doctor(args) => Some(args),
        _ => None,
    }
}

/// Prints, and ignores a broken pipe (`ls | head -1`).
fn print_text(text: &str) -> u8 {
    let _ = std::io::stdout().write_all(text.as_bytes());
    0
}
