//! Called as `tmux`: its flags before the command, read as it reads them.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use shellkeep_client::{Calling, ClientError, ControlMode, Start};

use crate::cli::{Cli, Parsed, refuse_other_than_utf8};

/// The tmux whose behaviour is matched.
pub(crate) const VERSION: &str = "3.3a";

/// What tmux says of its flags.
pub(crate) const USAGE: &str =
    "usage: tmux [-2CDlNuvV] [-c shell-command] [-f file] [-L socket-name]
            [-S socket-path] [-T features] [command [flags]]";

/// Whether the program was called as `tmux`.
pub(crate) fn is_called(program: Option<&OsString>) -> bool {
    let name = program.map(Path::new).and_then(Path::file_name);
    name.is_some_and(|name| name == "tmux" || name == "-tmux")
}

/// Reads the flags.
pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Parsed, ClientError> {
    let words: Vec<OsString> = args.skip(1).collect();
    refuse_other_than_utf8(&words)?;
    let words: Vec<String> = words
        .into_iter()
        .filter_map(|word| word.into_string().ok())
        .collect();
    let mut cli = Cli {
        label: None,
        socket: None,
        config: None,
        version: false,
        is_foreground: false,
        calling: Calling {
            is_tmux: true,
            ..Calling::default()
        },
        argv: Vec::new(),
    };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.strip_prefix('-') {
            Some("-") => {
                cli.argv.extend(words);
                break;
            }
            Some(flags) if !flags.is_empty() => read_flags(&mut cli, flags, &mut words)?,
            _ => {
                cli.argv.push(word);
                cli.argv.extend(words);
                break;
            }
        }
    }
    Ok(Parsed::Run(cli))
}

/// Reads a word of flags; the last may take the rest of it, or the next word.
fn read_flags(
    cli: &mut Cli,
    flags: &str,
    words: &mut impl Iterator<Item = String>,
) -> Result<(), ClientError> {
    let wrong =
        |what: &str, flag: char| ClientError::Usage(format!("tmux: {what} -- {flag}\n{USAGE}"));
    let mut rest = flags.chars();
    while let Some(flag) = rest.next() {
        let calling = &mut cli.calling;
        match flag {
            '2' => calling.say_colors("256"),
            'C' if calling.control == ControlMode::Off => calling.control = ControlMode::Lines,
            'C' => calling.control = ControlMode::Terminal,
            'N' => calling.start = Some(Start::Never),
            'u' => calling.say_utf8(),
            'V' => cli.version = true,
            'D' => cli.is_foreground = true,
            // tmux knows it still, and no longer does anything for it.
            'q' => {}
            'l' => calling.is_login = true,
            'v' => calling.is_verbose = true,
            'c' | 'f' | 'L' | 'S' | 'T' => {
                let value = match rest.as_str() {
                    "" => words.next(),
                    rest => Some(rest.to_owned()),
                };
                let value = value.ok_or_else(|| wrong("option requires an argument", flag))?;
                match flag {
                    'c' => calling.shell_command = Some(value),
                    'f' => cli.config = Some(PathBuf::from(value)),
                    'L' => cli.label = Some(value),
                    'S' => cli.socket = Some(PathBuf::from(value)),
                    _ => calling.say_colors(&value),
                }
                return Ok(());
            }
            other => return Err(wrong("unknown option", other)),
        }
    }
    Ok(())
}

/// `-c`: a shell in place of this program, as if tmux were the user's shell.
pub(crate) fn run_shell(command: &str, calling: &Calling) -> ClientError {
    let shell = std::env::var_os("SHELL").filter(|shell| Path::new(shell).is_absolute());
    let shell = shell.unwrap_or_else(|| "/bin/sh".into());
    let name = Path::new(&shell).file_name().unwrap_or_default();
    let mut process = std::process::Command::new(&shell);
    if calling.is_login {
        let mut login = OsString::from("-");
        login.push(name);
        process.arg0(login);
    } else {
        process.arg0(name);
    }
    let source = process.arg("-c").arg(command).exec();
    ClientError::File {
        path: shell.into(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Cli {
        let words = ["tmux"].iter().chain(words).map(OsString::from);
        match parse(words).unwrap() {
            Parsed::Run(cli) => cli,
            Parsed::Help(text) => panic!("{text}"),
        }
    }

    fn refusal(words: &[&str]) -> String {
        let words = ["tmux"].iter().chain(words).map(OsString::from);
        match parse(words) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{words:?} was read", words = ()),
        }
    }

    #[test]
    fn flags_are_read_together_apart_and_with_their_values() {
        let cli = read(&["-2uLwork", "-f", "x.conf", "-CC", "new", "-d", "-V"]);
        assert_eq!(cli.label.as_deref(), Some("work"));
        assert_eq!(cli.config, Some(PathBuf::from("x.conf")));
        assert_eq!(cli.calling.control, ControlMode::Terminal);
        assert!(!cli.version);
        assert_eq!(cli.argv, ["new", "-d", "-V"]);
    }

    #[test]
    fn wrong_flags_get_the_usage_line_of_tmux() {
        let text = refusal(&["-Z"]);
        assert!(text.starts_with("tmux: unknown option -- Z\nusage: tmux [-2CDlNuvV]"));
        let text = refusal(&["-L"]);
        assert!(text.starts_with("tmux: option requires an argument -- L\nusage:"));
    }

    #[test]
    fn called_by_its_name_wherever_it_is() {
        assert!(is_called(Some(&"/home/ann/bin/tmux".into())));
        assert!(is_called(Some(&"tmux".into())));
        assert!(!is_called(Some(&"/usr/bin/shellkeep".into())));
        assert!(!is_called(None));
    }
}
