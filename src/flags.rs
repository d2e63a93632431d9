//! Reads the program's own flags, which stand before the command, as tmux reads them.
//!
//! They are parsed by hand, because every command waits for this. clap knows the same flags
//! (`shellkeep_command::root_args`) for the help, the man page and completions, and explains errors.

use std::path::PathBuf;

use shellkeep_client::{CalledAs, Calling, ControlMode, Start};

/// The parsed command line.
#[derive(Default)]
pub(crate) struct Cli {
    /// `-L`
    pub(crate) label: Option<String>,
    /// `-S`
    pub(crate) socket: Option<PathBuf>,
    /// `-f`
    pub(crate) config: Option<PathBuf>,
    /// `-V`, `--version` or `version`
    pub(crate) version: bool,
    /// `-h`, `--help` or `help`
    pub(crate) help: bool,
    /// `-D`
    pub(crate) is_foreground: bool,
    /// Control mode (`-C`), and flags that only tmux has.
    pub(crate) calling: Calling,
    /// Command and arguments.
    pub(crate) argv: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    Unknown(char),
    NoValue(char),
}

/// Reads the flags, up to the first word that is not one.
pub(crate) fn read(words: Vec<String>, called_as: CalledAs) -> Result<Cli, Wrong> {
    let mut cli = Cli::default();
    cli.calling.is_tmux = called_as == CalledAs::Tmux;
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.strip_prefix('-') {
            Some("-") => {
                cli.argv.extend(words);
                break;
            }
            Some("-version") if !cli.calling.is_tmux => cli.version = true,
            Some("-help") if !cli.calling.is_tmux => cli.help = true,
            Some(flags) if !flags.is_empty() => read_word(&mut cli, flags, &mut words)?,
            _ => {
                cli.argv.push(word);
                cli.argv.extend(words);
                break;
            }
        }
    }
    if !cli.calling.is_tmux {
        read_word_for_flag(&mut cli);
    }
    Ok(cli)
}

/// Treats `help`, `help COMMAND` and `version` as flags, as many programs do. No command has such a name.
fn read_word_for_flag(cli: &mut Cli) {
    let words: Vec<&str> = cli.argv.iter().map(String::as_str).collect();
    match words[..] {
        ["help"] => cli.help = true,
        ["version"] => cli.version = true,
        ["help", command] => cli.argv = vec![command.to_owned(), "--help".to_owned()],
        _ => {}
    }
}

/// Reads one word of flags. The last flag in it may take the rest of the word, or the next word, as its value.
fn read_word(
    cli: &mut Cli,
    flags: &str,
    words: &mut impl Iterator<Item = String>,
) -> Result<(), Wrong> {
    let mut rest = flags.chars();
    while let Some(flag) = rest.next() {
        let calling = &mut cli.calling;
        match flag {
            '2' => calling.assume_colors("256"),
            'C' if calling.control == ControlMode::Off => calling.control = ControlMode::Lines,
            'C' => calling.control = ControlMode::Terminal,
            'N' => calling.start = Some(Start::Never),
            'u' => calling.assume_utf8(),
            'V' => cli.version = true,
            'h' if !calling.is_tmux => cli.help = true,
            'D' => cli.is_foreground = true,
            // tmux accepts this flag and ignores it.
            'q' if calling.is_tmux => {}
            'l' => calling.is_login = true,
            'v' => calling.is_verbose = true,
            'c' if !calling.is_tmux => return Err(Wrong::Unknown(flag)),
            'c' | 'f' | 'L' | 'S' | 'T' => {
                let value = match rest.as_str() {
                    "" => words.next().ok_or(Wrong::NoValue(flag))?,
                    rest => rest.to_owned(),
                };
                match flag {
                    'c' => calling.shell_command = Some(value),
                    'f' => cli.config = Some(PathBuf::from(value)),
                    'L' => cli.label = Some(value),
                    'S' => cli.socket = Some(PathBuf::from(value)),
                    _ => calling.assume_colors(&value),
                }
                return Ok(());
            }
            other => return Err(Wrong::Unknown(other)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Cli, Wrong> {
        let words = words.iter().map(ToString::to_string).collect();
        super::read(words, CalledAs::Shellkeep)
    }

    #[test]
    fn flags_are_those_that_are_documented() {
        for arg in shellkeep_command::root_args() {
            let Some(flag) = arg.get_short() else {
                continue;
            };
            let word = format!("-{flag}");
            match arg.get_value_names() {
                Some(_) => {
                    assert_eq!(read(&[&word]).err(), Some(Wrong::NoValue(flag)));
                    assert!(read(&[&word, "x"]).is_ok_and(|cli| cli.argv.is_empty()));
                }
                None => assert!(read(&[&word]).is_ok(), "{word}"),
            }
        }
        let is_documented = |flag: char| {
            let mut flags = shellkeep_command::root_args().into_iter();
            flags.any(|arg| arg.get_short() == Some(flag))
        };
        for flag in ('!'..='~').filter(|flag| !is_documented(*flag) && *flag != '-') {
            let word = format!("-{flag}");
            assert_eq!(read(&[&word, "x"]).err(), Some(Wrong::Unknown(flag)));
        }
    }

    #[test]
    fn flags_end_with_the_command() {
        let cli = read(&["-Lone", "-CCf", "conf", "-S", "s", "new", "-L", "two"]).unwrap();
        assert_eq!(cli.label.as_deref(), Some("one"));
        assert_eq!(cli.calling.control, ControlMode::Terminal);
        assert_eq!(cli.config, Some("conf".into()));
        assert_eq!(cli.socket, Some("s".into()));
        assert_eq!(cli.argv, ["new", "-L", "two"]);
        let cli = read(&["--", "-V"]).unwrap();
        assert_eq!((cli.version, cli.argv), (false, vec!["-V".to_owned()]));
        assert_eq!(read(&["-"]).unwrap().argv, ["-"]);
        assert_eq!(read(&["--nonesuch"]).err(), Some(Wrong::Unknown('-')));
    }

    #[test]
    fn help_and_version_are_found_however_they_are_called() {
        for word in ["-h", "--help", "help", "-uh"] {
            assert!(read(&[word]).unwrap().help, "{word}");
        }
        for word in ["-V", "--version", "version", "-uV"] {
            assert!(read(&[word]).unwrap().version, "{word}");
        }
        assert_eq!(read(&["help", "ls"]).unwrap().argv, ["ls", "--help"]);
        for word in ["-h", "--help", "--version"] {
            let words = vec![word.to_owned()];
            assert!(super::read(words, CalledAs::Tmux).is_err(), "{word}");
        }
        let cli = super::read(vec!["help".to_owned()], CalledAs::Tmux).unwrap();
        assert_eq!((cli.help, cli.argv), (false, vec!["help".to_owned()]));
    }
}
