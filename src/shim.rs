//! The program called as `tmux`: reads its flags as tmux reads them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use shellkeep_client::{CalledAs, Calling, ClientError};

use crate::cli::words;
use crate::flags::{self, Cli, Wrong};

/// The version of tmux whose behaviour is matched.
pub(crate) const VERSION: &str = "3.3a";

/// tmux's own usage text.
pub(crate) const USAGE: &str =
    "usage: tmux [-2CDlNuvV] [-c shell-command] [-f file] [-L socket-name]
            [-S socket-path] [-T features] [command [flags]]";

/// Whether the program was called as `tmux`.
pub(crate) fn is_called(program: Option<&OsString>) -> bool {
    let name = program.map(Path::new).and_then(Path::file_name);
    name.is_some_and(|name| name == "tmux" || name == "-tmux")
}

pub(crate) fn parse(args: Vec<OsString>) -> Result<Cli, ClientError> {
    flags::read(words(args)?, CalledAs::Tmux).map_err(|wrong| {
        let (what, flag) = match wrong {
            Wrong::Unknown(flag) => ("unknown option", flag),
            Wrong::NoValue(flag) => ("option requires an argument", flag),
        };
        ClientError::Usage(format!("tmux: {what} -- {flag}\n{USAGE}"))
    })
}

/// Executes the real tmux if this is called in one of its panes. The real tmux inherits a PATH in which our shim comes
/// first when it is started in a pane of shellkeep; inside it, `tmux` has to mean the real one. Returns if that is not
/// the case, or fails.
pub(crate) fn step_aside(args: &[OsString], env: &impl Fn(&str) -> Option<OsString>) {
    if !shellkeep_client::is_in_real_tmux(env) {
        return;
    }
    let path = env("PATH").unwrap_or_default();
    let own = std::env::current_exe().unwrap_or_default();
    let Some((called, words)) = args.split_first() else {
        return;
    };
    if let Some(real) = real_tmux(called, &path, &own) {
        let error = std::process::Command::new(&real)
            .arg0(called)
            .args(words)
            .exec();
        shellkeep_client::print_error(&ClientError::File {
            path: real,
            source: error,
        });
    }
}

/// The tmux that is found when the shim is left out, if this program is the shim. A directory that the user made with
/// `tmux-shim` does not count: the user put it into PATH on purpose.
fn real_tmux(called: &OsStr, path: &OsStr, own: &Path) -> Option<PathBuf> {
    let is_there = |path: &PathBuf| path.is_file();
    let mut found = std::env::split_paths(path)
        .map(|dir| dir.join("tmux"))
        .filter(is_there);
    let first = match called.as_bytes().contains(&b'/') {
        true => PathBuf::from(called),
        false => found.next()?,
    };
    let dir = first.parent()?.as_os_str().as_bytes();
    if !dir.ends_with(b".tmux-shim") {
        return None;
    }
    found.find(|path| path.canonicalize().is_ok_and(|path| path != own))
}

/// `-c`: runs a shell in place of this program, as if tmux were the user's login shell.
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
    use std::path::PathBuf;

    use shellkeep_client::ControlMode;

    use super::*;

    fn refusal(words: &[&str]) -> String {
        let words = ["tmux"].iter().chain(words).map(OsString::from);
        parse(words.collect()).err().unwrap().to_string()
    }

    #[test]
    fn flags_are_read_together_apart_and_with_their_values() {
        let words = ["-2uLwork", "-f", "x.conf", "-CC", "new", "-d", "-V"];
        let words = ["tmux"].iter().chain(&words).map(OsString::from);
        let cli = parse(words.collect()).unwrap();
        assert_eq!(cli.label.as_deref(), Some("work"));
        assert_eq!(cli.config, Some(PathBuf::from("x.conf")));
        assert_eq!(cli.calling.control, ControlMode::Terminal);
        assert!(!cli.version);
        assert_eq!(cli.argv, ["new", "-d", "-V"]);
    }

    #[test]
    fn tmux_has_flags_of_its_own() {
        let words = ["tmux", "-qlc", "echo x"].map(OsString::from);
        let cli = parse(words.to_vec()).unwrap();
        assert_eq!(cli.calling.shell_command.as_deref(), Some("echo x"));
        assert!(cli.calling.is_login && cli.calling.is_tmux);
    }

    #[test]
    fn wrong_flags_get_the_usage_line_of_tmux() {
        let text = refusal(&["-Z"]);
        assert!(text.starts_with("tmux: unknown option -- Z\nusage: tmux [-2CDlNuvV]"));
        let text = refusal(&["-L"]);
        assert!(text.starts_with("tmux: option requires an argument -- L\nusage:"));
    }

    #[test]
    fn real_tmux_is_the_next_one_behind_a_shim() {
        let temp = tempfile::tempdir().unwrap();
        let own = std::env::current_exe().unwrap().canonicalize().unwrap();
        let [shim, hand, real] = ["x.tmux-shim", "hand", "real"].map(|name| temp.path().join(name));
        for dir in [&shim, &hand, &real] {
            std::fs::create_dir(dir).unwrap();
        }
        for dir in [&shim, &hand] {
            std::os::unix::fs::symlink(&own, dir.join("tmux")).unwrap();
        }
        std::fs::write(real.join("tmux"), "").unwrap();
        let path = |dirs: &[&PathBuf]| std::env::join_paths(dirs).unwrap();
        let found =
            |called: &str, dirs: &[&PathBuf]| real_tmux(OsStr::new(called), &path(dirs), &own);
        let expected = Some(real.join("tmux"));
        assert_eq!(found("tmux", &[&shim, &hand, &real]), expected);
        let whole = shim.join("tmux").display().to_string();
        assert_eq!(found(&whole, &[&real]), expected);
        assert_eq!(found("tmux", &[&hand, &real]), None);
        assert_eq!(found("tmux", &[&shim, &hand]), None);
    }

    #[test]
    fn called_by_its_name_wherever_it_is() {
        assert!(is_called(Some(&"/home/ann/bin/tmux".into())));
        assert!(is_called(Some(&"tmux".into())));
        assert!(!is_called(Some(&"/usr/bin/shellkeep".into())));
        assert!(!is_called(None));
    }
}
