//! Fish: how it is started, and how its state becomes a script.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::launch::{Kind, Launch, OUTSIDE, make_dir, unpack};
use crate::pieces::{Pieces, Script};
use crate::report::Report;
use crate::request::parse_line;
use crate::revive::RunRc;
use crate::spare::Change;
use crate::state::State;
use crate::words::unquote;

const GIVEN: &str = include_str!("../scripts/given.fish");
const INTEGRATION: &str = include_str!("../scripts/integration.fish");
const REVIVE: &str = include_str!("../scripts/revive.fish");
const SPARE: &str = include_str!("../scripts/spare.fish");

/// The pieces of a state, in the order the script reads them.
pub(crate) const PIECES: &[&str] = &[
    "variables",
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
    unpack(&script, &[GIVEN, INTEGRATION])?;
    // Ours is read after the user's files, when nobody can tell any more.
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
    // The path comes by a variable: so it needs no quoting.
    launch
        .arg("--init-command")
        .arg("source $SHELLKEEP_FISH; set -e SHELLKEEP_FISH")
        .env("SHELLKEEP_FISH", script)
}

pub(crate) fn relaunch(
    program: &Path,
    state: &State,
    scripts: &Path,
    dir: &Path,
    run_rc: RunRc,
) -> io::Result<Launch> {
    let script = scripts.join("revive.fish");
    unpack(&script, &[GIVEN, INTEGRATION, REVIVE])?;
    let launch = launch(program, kind(state), &script).env("SHELLKEEP_REVIVE", dir);
    Ok(match config_without_files(state, scripts) {
        Some(config) if run_rc == RunRc::Off => with_config(launch, &config),
        _ => launch,
    })
}

/// How a spare shell is started that this one could come back in. None if the user's files would run.
pub(crate) fn spare(
    program: &Path,
    state: &State,
    scripts: &Path,
    dir: &Path,
) -> io::Result<Option<Launch>> {
    let Some(config) = config_without_files(state, scripts) else {
        return Ok(None);
    };
    let script = scripts.join("spare.fish");
    unpack(&script, &[INTEGRATION, SPARE, GIVEN, REVIVE])?;
    let launch = launch(program, kind(state), &script).env("SHELLKEEP_REVIVE", dir);
    Ok(Some(with_config(launch, &config)))
}

/// What a spare shell changes to be as one that was started for this pane.
pub(crate) fn begin_spare(change: &Change, pieces: &Pieces) -> Vec<u8> {
    let mut script = Script::default();
    for (name, value) in &change.environ {
        match value {
            Some(value) => {
                script.line(&[b"set -gx ", name.as_bytes(), b" ", &quote(value)]);
            }
            None => {
                script.line(&[b"set -e ", name.as_bytes()]);
            }
        }
    }
    let places = [("SHELL_DIR", pieces.pane_dir()), ("REVIVE", pieces.dir())];
    for (name, place) in places {
        let place = quote(place.as_os_str().as_bytes());
        script.line(&[b"set -gx SHELLKEEP_", name.as_bytes(), b" ", &place]);
    }
    // If the state's own is gone, this is where it is.
    script.line(&[b"builtin cd -- ", &quote(&change.cwd)]);
    script.0
}

/// What it runs then, to be let through.
pub(crate) const LET_THROUGH: &[u8] = b"set -g __shellkeep_called\n";

fn kind(state: &State) -> Kind {
    match state.fact_line("login") {
        true => Kind::Login,
        false => Kind::Plain,
    }
}

/// Shows it this directory in place of the user's.
fn with_config(launch: Launch, config: &Path) -> Launch {
    let mut launch = launch.env("XDG_CONFIG_HOME", config);
    launch.alike = config.as_os_str().as_bytes().to_vec();
    launch
}

pub(crate) fn revive(state: &State, pieces: &Pieces) -> io::Result<()> {
    pieces.write("variables", &piece(variables(state), "variables"))?;
    let functions = state.section("functions").to_vec();
    pieces.write("functions", &piece(functions, "functions"))?;
    let mut abbreviations =
        b"set -l names (abbr --list); set -q names[1]; and abbr --erase $names\n".to_vec();
    abbreviations.extend_from_slice(state.section("abbreviations"));
    pieces.write("abbreviations", &piece(abbreviations, "abbreviations"))?;
    let completions = state.section("completions").to_vec();
    pieces.write("completions", &piece(completions, "completions"))?;
    pieces.write("bindings", &piece(bindings(state), "bindings"))?;
    pieces.write("rest", &piece(rest(state), "rest"))
}

/// A directory that fish takes for the user's: with the universal variables, functions and completions that it has there, but without
/// the files that it runs, and with nothing in place of the system's. `None` if fish has no such file yet: it would be made in ours.
fn config_without_files(state: &State, scripts: &Path) -> Option<PathBuf> {
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
        // A file of that name in the user's directory goes before the system's; this is fish's own way to have none.
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

pub(crate) fn count(state: &State, report: Report) -> Report {
    let lines = |name: &str| {
        let lines = state.section(name).split(|byte| *byte == b'\n');
        lines.filter(|line| !line.is_empty()).count()
    };
    Report {
        variables: lines("variables"),
        functions: lines("names"),
        aliases: lines("abbreviations"),
        ..report
    }
}

fn piece(mut text: Vec<u8>, name: &str) -> Vec<u8> {
    text.extend_from_slice(format!("\nset -a __shellkeep_done {name}\n").as_bytes());
    text
}

/// `set --global --export --path NAME values`, one a line. What is not among them goes, wherever it has come from meanwhile.
fn variables(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    script.line(&[b"set -g __shellkeep_known \\"]);
    let lines = state.section("variables").split(|byte| *byte == b'\n');
    for line in lines.clone() {
        let mut words = line.split(|byte| *byte == b' ').skip(1);
        if let Some(name) = words.find(|word| !word.starts_with(b"-")) {
            script.line(&[b"    ", name, b" \\"]);
        }
    }
    script
        .text("")
        .text("__shellkeep_forget $__shellkeep_known")
        .text("set -e __shellkeep_known");
    for line in lines {
        script.line(&[line]);
    }
    script.0
}

fn bindings(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    for line in state.section("bindings").split(|byte| *byte == b'\n') {
        if !line.windows(12).any(|window| window == b"__shellkeep_") {
            script.line(&[line]);
        }
    }
    script.0
}

fn rest(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    let umask = state.section("umask").trim_ascii();
    match umask.strip_prefix(b"umask ") {
        // What `umask` does as well, in many commands. It is not known of later versions.
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
        // Later versions do not let us: there it names the directory that fish was shown.
        script.line(&[b"set -g __fish_config_dir ", config]);
    }
    // The builtin keeps no list of directories, as `cd` does.
    script.line(&[b"builtin cd -- ", state.fact("cwd").unwrap_or(b".")]);
    if let Some(line) = parse_line(state.section("line")).filter(|line| !line.text.is_empty()) {
        script.line(&[b"set -g __shellkeep_half ", &quote(&line.text)]);
        script.text(&format!("set -g __shellkeep_point {}", line.point));
    }
    script.line(&[
        b"set -g __shellkeep_code ",
        state.fact("status").unwrap_or(b"0"),
    ]);
    script.0
}

/// Within single quotes fish knows two escapes.
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
