//! `cargo xtask gen`: generates man pages and completions from the command table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap_complete::Shell;
use shellkeep_command::options::{self, Family, Origin, Scope};
use shellkeep_command::{TABLE, bind, clap_command, clap_root, usage};

/// Writes the files, or with `--check` lists those that are out of date.
pub(crate) fn run(args: &[String]) -> Result<ExitCode> {
    let is_check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("usage: cargo xtask gen [--check]"),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let stale = stale(&root)?;
    if is_check {
        for path in stale.keys() {
            eprintln!("{} is out of date; run cargo xtask gen", path.display());
        }
        return Ok(if stale.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    for (path, text) in stale {
        let path = root.join(path);
        if let Some(text) = text {
            std::fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            std::fs::write(&path, text)?;
        } else {
            std::fs::remove_file(&path)?;
        }
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Files that differ from what would be generated; `None` for one that should not exist.
fn stale(root: &Path) -> Result<BTreeMap<PathBuf, Option<String>>> {
    let wanted = generate()?;
    let mut stale = BTreeMap::new();
    for folder in ["man", "completions"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            continue;
        };
        for entry in entries {
            let path = Path::new(folder).join(entry?.file_name());
            if !wanted.contains_key(&path) {
                stale.insert(path, None);
            }
        }
    }
    for (path, text) in wanted {
        if std::fs::read_to_string(root.join(&path)).ok().as_ref() != Some(&text) {
            stale.insert(path, Some(text));
        }
    }
    Ok(stale)
}

fn generate() -> Result<BTreeMap<PathBuf, String>> {
    let mut files = BTreeMap::new();
    files.insert("man/shellkeep.1".into(), main_page()?);
    for spec in TABLE {
        let name = format!("shellkeep-{}", spec.name);
        let page = clap_mangen::Man::new(clap_command(spec).name(name.clone()).version(VERSION));
        let text = rendered(|out| page.render(out))?;
        files.insert(
            format!("man/{name}.1").into(),
            with_synopsis(&text, &format!("shellkeep {}", usage(spec))),
        );
    }
    for (shell, name) in [
        (Shell::Bash, "shellkeep.bash"),
        (Shell::Zsh, "_shellkeep"),
        (Shell::Fish, "shellkeep.fish"),
    ] {
        let mut out = Vec::new();
        clap_complete::generate(shell, &mut clap_root(), "shellkeep", &mut out);
        files.insert(Path::new("completions").join(name), String::from_utf8(out)?);
    }
    Ok(files)
}

const SYNOPSIS: &str = r"shellkeep [-2CDhlNuvV] [-f FILE] [-L LABEL | -S PATH] [-T FEATURES] [COMMAND [ARGUMENT ...] [\; COMMAND ...]]";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The page of the program: flags and commands from clap, then the parts that clap does not know.
fn main_page() -> Result<String> {
    let page = clap_mangen::Man::new(clap_root().version(VERSION));
    let text = rendered(|out| page.render(out))?;
    let mut text = with_synopsis(&text, SYNOPSIS);
    text.push_str(".SH KEYS\nAfter the prefix (C\\-b unless the option is changed):\n");
    for default in bind::DEFAULTS
        .iter()
        .filter(|default| default.table == "prefix")
    {
        let what = if default.note.is_empty() {
            "Show a menu"
        } else {
            default.note
        };
        text.push_str(&format!(
            ".TP\n\\fB{}\\fR\n{}\n",
            roff(default.key),
            roff(what)
        ));
    }
    push_options(&mut text);
    text.push_str(TAIL);
    Ok(text)
}

/// The options, then the hooks, both from the table.
fn push_options(text: &mut String) {
    text.push_str(".SH OPTIONS OF THE SERVER, ITS SESSIONS, WINDOWS AND PANES\nSet with set\\-option, shown with show\\-options.\n");
    for option in options::all().filter(|option| option.family == Family::Setting) {
        let scope = match option.scope {
            Scope::Server => "server",
            Scope::Session => "session",
            Scope::Window => "window",
            Scope::Pane => "window or pane",
        };
        let values = option.values();
        let values = match (option.array, option.unit) {
            (Some(_), _) => format!("list of {values}"),
            (None, Some(unit)) => format!("{values}, {unit}"),
            (None, None) => values,
        };
        let default = match option.default_text() {
            default if default.is_empty() => "empty".to_owned(),
            // The first status line would fill a page.
            default if default.len() > 200 => "as in tmux".to_owned(),
            default => default,
        };
        text.push_str(&format!(
            ".TP\n\\fB{}\\fR ({scope}; {}; default: {})\n{}.\n",
            roff(option.name),
            roff(&values),
            roff(&default),
            roff(option.text)
        ));
        match option.origin {
            Origin::Tmux => {}
            Origin::Differs(reason) => {
                text.push_str(&format!("Not as in tmux: {}.\n", roff(reason)));
            }
            Origin::Ours => text.push_str("Not in tmux.\n"),
        }
    }
    text.push_str(".SH HOOKS\nLists of commands, set with set\\-hook or set\\-option.\n");
    for hook in options::all().filter(|option| option.family == Family::Hook) {
        let (name, what) = (roff(hook.name), roff(hook.text));
        text.push_str(&format!(".TP\n\\fB{name}\\fR\n{what}.\n"));
    }
}

const TAIL: &str = r".SH TARGETS
\fB\-t\fR takes a session's name, the beginning of one if only one begins so, a shell pattern that only one
name fits, \fB=name\fR for that very name, or an id such as \fB$3\fR. A pane is \fIsession\fR, \fIsession:0.0\fR or
an id such as \fB%3\fR.
.SH ENVIRONMENT
.TP
\fBSHELLKEEP\fR
Set in panes: socket, process and session of the server.
.TP
\fBSHELLKEEP_PANE\fR
Set in panes: the pane's id.
.TP
\fBTMUX\fR, \fBTMUX_PANE\fR
The same, for programs that know tmux; the first also in commands that the server runs. See the option
\fBtmux\-shim\fR.
.TP
\fBPATH\fR
Begins in panes, and in commands that the server runs, with a directory in which \fBtmux\fR is this program. See the
option \fBtmux\-shim\fR.
.TP
\fBSHELLKEEP_LOG\fR
Level of the server's log: error, warn, info (the default), debug or trace.
.SH FILES
The server's label is \fBdefault\fR, or what \fB\-L\fR names.
.TP
\fI$XDG_CONFIG_HOME/shellkeep/shellkeep.conf\fR
Commands run when the server starts; \fI~/.config\fR where the variable is not set. Called as tmux, the program
reads tmux's configuration where there is no such file.
.TP
\fI$XDG_RUNTIME_DIR/shellkeep/LABEL\fR
The server's socket; in \fI/tmp/shellkeep\-UID/\fR where there is no runtime directory, and, called as tmux, in
\fI$TMUX_TMPDIR/shellkeep\-UID/\fR. Beside it are \fILABEL.lock\fR (the server's process), \fILABEL.keeper\fR (the
keeper's socket), \fILABEL.shells\fR (what shells and the server talk through), \fILABEL.agents\fR (links to
ssh agents) and \fILABEL.tmux\-shim\fR (the directory in which \fBtmux\fR is this program).
.TP
\fI$XDG_STATE_HOME/shellkeep/\fR
What is kept; \fI~/.local/state\fR where the variable is not set. \fIsessions\fR has the sessions with their screens
and scrollback, \fIarchive\fR those that are closed, \fIquarantine\fR what is damaged, \fIcatalogue.db\fR an index
for search.
.TP
\fI$XDG_STATE_HOME/shellkeep/LABEL.log\fR, \fILABEL.keeper.log\fR
The logs of server and keeper.
.SH SIGNALS
The server ends in order on SIGTERM, leaving every program to the next server, and makes its socket anew on
SIGUSR1. As long as something that was shown cannot be written, as on a full disk, it goes on and tries again; a second
SIGTERM ends it at once. A keeper that gets SIGTERM ends when it has no server, and its programs with it.
.SH EXIT STATUS
0 if every command worked, 1 if not.
";

fn roff(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

/// A page with our own usage line: clap's has no values of flags.
fn with_synopsis(page: &str, usage: &str) -> String {
    let mut is_next = false;
    let lines = page.lines().map(|line| {
        if std::mem::replace(&mut is_next, line == ".SH SYNOPSIS") {
            return format!("{}\n", roff(usage));
        }
        format!("{line}\n")
    });
    lines.collect()
}

fn rendered(render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<String> {
    let mut out = Vec::new();
    render(&mut out)?;
    Ok(String::from_utf8(out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synopsis_has_the_values_of_flags() {
        let page = ".SH NAME\nx\n.SH SYNOPSIS\n[-t ]\n.SH DESCRIPTION\n";
        assert_eq!(
            with_synopsis(page, "x [-t PANE]"),
            ".SH NAME\nx\n.SH SYNOPSIS\nx [\\-t PANE]\n.SH DESCRIPTION\n"
        );
    }

    #[test]
    fn committed_files_are_what_the_table_says() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let stale: Vec<PathBuf> = stale(&root).unwrap().into_keys().collect();
        assert!(stale.is_empty(), "run cargo xtask gen: {stale:?}");
    }
}
