//! Fish: how it is started, and how its state becomes a script.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::counts::Counts;
use crate::launch::{Kind, Launch, RunRc};
use crate::line::Line;
use crate::pieces::{Pieces, Script};
use crate::plain_keys::PlainKeys;
use crate::private_files::{make_dir, unpack};
use crate::revived::{LineKey, Revived};
use crate::session_variables::{OUTSIDE, is_outside};
use crate::state::ShellState;
use crate::user_file::{self, MAX_HISTORY};
use crate::words::unquote;

const FORGET: &str = include_str!("../scripts/forget.fish");
const GIVEN: &str = include_str!("../scripts/given.fish");
const INTEGRATION: &str = include_str!("../scripts/integration.fish");
const REVIVE: &str = include_str!("../scripts/revive.fish");

/// The pieces of a state, in the order in which the script reads them.
pub(crate) const PIECES: &[&str] = &[
    "variables",
    "own",
    "functions",
    "abbreviations",
    "completions",
    "bindings",
    "rest",
];

pub(crate) fn start(
    program: &Path,
    kind: Kind,
    dir: &Path,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> io::Result<Launch> {
    let script = dir.join("start.fish");
    unpack(&script, &[GIVEN, INTEGRATION, "__shellkeep_set_path\n"])?;
    // Our script runs after the user's files, which may have changed these variables by then.
    let given = OUTSIDE.iter().filter_map(|name| {
        let value = inherited(name)?.into_vec();
        Some([name.as_bytes(), b"=", &value].concat())
    });
    let given = given.collect::<Vec<_>>().join(&b'\n');
    Ok(launch(program, kind, &script).env("SHELLKEEP_GIVEN", OsString::from_vec(given)))
}

fn launch(program: &Path, kind: Kind, script: &Path) -> Launch {
    let launch = Launch::new(program);
    let launch = match kind {
        Kind::Login => launch.arg("-l"),
        Kind::Plain => launch,
    };
    // A variable holds the path, so that it needs no quoting. Variables that are set here, and not in a file, are in
    // the scope of the prompt, and the status of the last command is the one with which the shell begins.
    launch
        .arg("--init-command")
        .arg("source $SHELLKEEP_FISH; set -e SHELLKEEP_FISH; set -q __shellkeep_locals; and eval $__shellkeep_locals; set -e __shellkeep_locals; __shellkeep_arrive")
        .env("SHELLKEEP_FISH", script)
}

pub(crate) fn relaunch(
    program: &Path,
    state: &ShellState,
    scripts: &Path,
    dir: &Path,
    run_rc: RunRc,
) -> io::Result<Launch> {
    let script = scripts.join("revive.fish");
    unpack(&script, &[GIVEN, INTEGRATION, FORGET, REVIVE])?;
    let launch = launch(program, kind(state), &script).env("SHELLKEEP_REVIVE", dir);
    Ok(match config_without_files(state, scripts) {
        Some(config) if run_rc == RunRc::Off => with_config(launch, &config),
        _ => launch,
    })
}

fn kind(state: &ShellState) -> Kind {
    match state.fact_line("login") {
        true => Kind::Login,
        false => Kind::Plain,
    }
}

/// Makes fish use this directory in place of the user's configuration.
fn with_config(launch: Launch, config: &Path) -> Launch {
    launch.env("XDG_CONFIG_HOME", config)
}

pub(crate) fn revive(state: &ShellState, written: &Pieces, run_rc: RunRc) -> io::Result<Revived> {
    if run_rc == RunRc::On {
        written.write("run-rc", b"")?;
    }
    let pieces = [
        variables(state),
        own(state),
        functions(state),
        abbreviations(state),
        completions(state),
        bindings(state),
        rest(state),
    ];
    for (name, mut text) in PIECES.iter().zip(pieces) {
        text.extend_from_slice(format!("\nset -a __shellkeep_done {name}\n").as_bytes());
        written.write(name, &text)?;
    }
    Ok(Revived {
        line_key: LineKey::from(state),
        plain: PlainKeys::default(),
        expected: PIECES,
    })
}

/// A configuration directory with the user's universal variables, functions and completions, but without the files that
/// fish would run, and with nothing that overrides the system's. `None` if fish has no universal variables yet, because
/// it would create them in our directory.
fn config_without_files(state: &ShellState, scripts: &Path) -> Option<PathBuf> {
    let real = PathBuf::from(OsStr::from_bytes(&unquote(state.fact("config")?)));
    let variables = real.join("fish_variables");
    if !real.is_absolute() || !variables.exists() {
        return None;
    }
    let name = real.as_os_str().as_bytes();
    let sum = name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let home = scripts.join(format!("fish-{sum:016x}"));
    let masks = home.join("fish/conf.d");
    make_dir(&masks).ok()?;
    for name in ["fish_variables", "functions", "completions", "themes"] {
        link(&real.join(name), &home.join("fish").join(name)).ok()?;
    }
    let lines = state.section("begin").split(|byte| *byte == b'\n');
    for name in lines.filter_map(|line| line.strip_prefix(b"conf ")) {
        let name = Path::new(OsStr::from_bytes(name)).file_name();
        // A file of this name in the user's directory overrides the system's file. An empty one is fish's own way to
        // disable it.
        let _ = link(Path::new("/dev/null"), &masks.join(name?));
    }
    Some(home)
}

fn link(to: &Path, at: &Path) -> io::Result<()> {
    match std::os::unix::fs::symlink(to, at) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

pub(crate) fn count(state: &ShellState) -> Counts {
    let lines = |name: &str| {
        let lines = state.section(name).split(|byte| *byte == b'\n');
        lines.filter(|line| !line.is_empty()).count()
    };
    Counts {
        variables: lines("variables"),
        functions: lines("names"),
        aliases: lines("abbreviations"),
        history: number(state.section("past")),
        unsaved: 0,
    }
}

fn number(text: &[u8]) -> usize {
    let text = std::str::from_utf8(text).unwrap_or_default();
    text.parse().unwrap_or_default()
}

/// How many lines fish will remember, according to its file: it shows each line once, and has written the newest ones.
pub(crate) fn remembered(state: &ShellState) -> Option<usize> {
    let path = unquote(state.fact("past")?);
    let bytes = user_file::read(Path::new(OsStr::from_bytes(&path)), MAX_HISTORY).ok()?;
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.filter_map(|line| line.strip_prefix(b"- cmd: "));
    Some(lines.collect::<HashSet<_>>().len())
}

/// One `set --global --export --path NAME values` a line. Variables that are not listed are erased, wherever they have
/// come from.
fn variables(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    let names: Vec<&str> = variable_lines(state).map(|(name, _)| name).collect();
    let names = quote(names.join("|").as_bytes());
    script.line(&[b"__shellkeep_forget ", &names]);
    for (_, line) in variable_lines(state).filter(|(name, _)| !is_outside(name)) {
        script.line(&[line]);
    }
    script.0
}

/// Variables of the terminal and the session that the user has set, as a piece of their own.
fn own(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    for (_, line) in variable_lines(state).filter(|(name, _)| is_outside(name)) {
        script.line(&[line]);
    }
    script.0
}

/// Lines with the name of their variable.
fn variable_lines(state: &ShellState) -> impl Iterator<Item = (&str, &[u8])> {
    let lines = state.section("variables").split(|byte| *byte == b'\n');
    lines.filter_map(|line| {
        let mut words = line.split(|byte| *byte == b' ').skip(1);
        let name = words.find(|word| !word.starts_with(b"-"))?;
        Some((std::str::from_utf8(name).ok()?, line))
    })
}

fn functions(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    // Before event handlers that react to a change of directory exist. The builtin keeps no directory history, unlike
    // the `cd` function.
    script.line(&[b"builtin cd -- ", state.fact("cwd").unwrap_or(b".")]);
    script.line(&[state.section("functions")]);
    script.0
}

fn abbreviations(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    script
        .text("set -g __shellkeep_abbreviated (abbr --list)")
        .text("set -q __shellkeep_abbreviated[1]; and abbr --erase $__shellkeep_abbreviated")
        .text("set -e __shellkeep_abbreviated")
        .line(&[state.section("abbreviations")]);
    script.0
}

/// Each line once: fish may read a command's completions from its file again, and would then have them twice.
fn completions(state: &ShellState) -> Vec<u8> {
    let mut seen = HashSet::new();
    let mut script = Script::default();
    for line in state.section("completions").split(|byte| *byte == b'\n') {
        if seen.insert(line) {
            script.line(&[&with_plain_path(line)]);
        }
    }
    script.0
}

/// Fish prints the path of a command as `complete -p PATH`, with wildcards for which it would search files when it
/// reads that again.
fn with_plain_path(line: &[u8]) -> Cow<'_, [u8]> {
    let text = std::str::from_utf8(line).unwrap_or_default();
    // Only options can come before the path; a command's name would be in the same place.
    let is_option = |word: &str| word.starts_with('-');
    let parts = text.split_once(" -p ");
    match parts.filter(|(begin, _)| begin.split(' ').skip(1).all(is_option)) {
        Some((begin, path)) => Cow::Owned(format!("{begin} -p {}", plain(path)).into_bytes()),
        None => Cow::Borrowed(line),
    }
}

/// A path for `complete -p`: literal wildcards in the unquoted first word are escaped, and the characters that fish
/// uses internally for wildcards are replaced by the wildcards.
fn plain(text: &str) -> String {
    let (mut is_bare, mut is_escaped) = (!text.starts_with('\''), false);
    let mut plain = String::new();
    for character in text.chars() {
        is_bare &= is_escaped || character != ' ';
        if is_bare && !is_escaped && matches!(character, '*' | '?') {
            plain.push('\\');
        }
        is_escaped = !is_escaped && character == '\\';
        plain.push(character);
    }
    let plain = plain.replace('\u{fde0}', "?").replace('\u{fde1}', "*");
    plain.replace('\u{fde2}', "**")
}

fn bindings(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    for line in state.section("bindings").split(|byte| *byte == b'\n') {
        if !line.windows(12).any(|window| window == b"__shellkeep_") {
            script.line(&[line]);
        }
    }
    script.0
}

fn rest(state: &ShellState) -> Vec<u8> {
    let mut script = Script::default();
    let umask = state.section("umask").trim_ascii();
    match umask.strip_prefix(b"umask ") {
        // As `umask` does, which takes many commands. Later versions may have no such variable.
        Some(mask) if mask.iter().all(u8::is_ascii_digit) => {
            let is_old = b"builtin string match -qr '^3\\.' -- $version";
            script.line(&[is_old, b"; and set umask ", mask, b"; or ", umask])
        }
        _ => script.line(&[umask]),
    };
    let mut limits = state.section("limits").split(|byte| *byte == b'\n');
    while let (Some(soft), Some(hard)) = (limits.next(), limits.next()) {
        for (which, line) in [("S", soft), ("H", hard)] {
            let text = std::str::from_utf8(line).unwrap_or_default();
            if let Some((letter, value)) =
                text.split_once(' ').filter(|(_, value)| !value.is_empty())
            {
                script.text(&format!("builtin ulimit -{which} -{letter} {value}"));
            }
        }
    }
    if let Some(config) = state.fact("config") {
        script.line(&[b"set -g __shellkeep_config ", config]);
        // Later versions do not allow this. There the variable has the directory that fish was started with.
        script.line(&[b"set -g __fish_config_dir ", config]);
    }
    if let Some(line) = Line::parse(state.section("line")).filter(|line| !line.text.is_empty()) {
        script.line(&[b"set -g __shellkeep_half ", &quote(&line.text)]);
        script.text(&format!("set -g __shellkeep_point {}", line.point));
    }
    script.line(&[
        b"set -g __shellkeep_code ",
        state.fact("status").unwrap_or(b"0"),
    ]);
    if let Some(mode) = state.fact("mode") {
        // A selection, or a pending replacement of one character, is not part of the state.
        let is_passing = matches!(mode, b"visual" | b"replace_one");
        let mode = if is_passing { b"default" } else { mode };
        script.line(&[b"set -g __shellkeep_mode ", &quote(mode)]);
    }
    let locals = quote(state.section("locals"));
    script.line(&[b"set -g __shellkeep_locals ", &locals]);
    script.0
}

/// Quotes a text. In single quotes fish knows two escapes.
fn quote(text: &[u8]) -> Vec<u8> {
    let mut word = vec![b'\''];
    for byte in text {
        if matches!(byte, b'\'' | b'\\') {
            word.push(b'\\');
        }
        word.push(*byte);
    }
    word.push(b'\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_wildcards_are_words_as_they_were() {
        for (listed, read) in [
            (
                "complete -p /opt/*/a? -a x",
                r"complete -p /opt/\*/a\? -a x",
            ),
            (r"complete -p /a\*\ *", r"complete -p /a\*\ \*"),
            (
                "complete -k -p '/a \u{fde1}/it\\'s\u{fde0}' -d '*'",
                "complete -k -p '/a */it\\'s?' -d '*'",
            ),
            ("complete --no-files -p /a/b", "complete --no-files -p /a/b"),
            ("complete tool -d 'a -p *'", "complete tool -d 'a -p *'"),
        ] {
            let plain = with_plain_path(listed.as_bytes());
            assert_eq!(String::from_utf8_lossy(&plain), read);
        }
    }
}
