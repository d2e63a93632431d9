//! Fish: how it is started, and how its state becomes a script.

use std::io;
use std::path::Path;

use crate::launch::{Kind, Launch, unpack};
use crate::pieces::{Pieces, Script};
use crate::report::Report;
use crate::request::parse_line;
use crate::state::State;

const INTEGRATION: &str = include_str!("../scripts/integration.fish");
const REVIVE: &str = include_str!("../scripts/revive.fish");

/// The pieces of a state, in the order the script reads them.
pub(crate) const PIECES: &[&str] = &[
    "variables",
    "functions",
    "abbreviations",
    "bindings",
    "rest",
];

pub(crate) fn start(program: &Path, kind: Kind, dir: &Path) -> io::Result<Launch> {
    let script = dir.join("start.fish");
    unpack(&script, &[INTEGRATION])?;
    Ok(launch(program, kind, &script))
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

pub(crate) fn revive(
    program: &Path,
    state: &State,
    scripts: &Path,
    pieces: &Pieces,
) -> io::Result<Launch> {
    let script = scripts.join("revive.fish");
    unpack(&script, &[INTEGRATION, REVIVE])?;
    pieces.write("variables", &piece(variables(state), "variables"))?;
    let functions = state.section("functions").to_vec();
    pieces.write("functions", &piece(functions, "functions"))?;
    let mut abbreviations = b"abbr --erase (abbr --list)\n".to_vec();
    abbreviations.extend_from_slice(state.section("abbreviations"));
    pieces.write("abbreviations", &piece(abbreviations, "abbreviations"))?;
    pieces.write("bindings", &piece(bindings(state), "bindings"))?;
    pieces.write("rest", &piece(rest(state), "rest"))?;
    let kind = match state.fact_line("login") {
        true => Kind::Login,
        false => Kind::Plain,
    };
    Ok(launch(program, kind, &script).env("SHELLKEEP_REVIVE", pieces.dir()))
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

/// `set -gx NAME values`, one a line. What is not among them goes, wherever it has come from meanwhile.
fn variables(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    script.line(&[b"set -g __shellkeep_known \\"]);
    let lines = state.section("variables").split(|byte| *byte == b'\n');
    for line in lines.clone() {
        if let Some(name) = line.split(|byte| *byte == b' ').nth(2) {
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
    script.line(&[state.section("umask").trim_ascii()]);
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
