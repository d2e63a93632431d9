//! Zsh: how it is started, and how its state becomes a script.

mod declaration;
mod known;
mod later;
mod plain;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::counts::Counts;
use crate::launch::{Kind, Launch, RunRc};
use crate::line::Line;
use crate::pieces::{Pieces, Script};
use crate::plain_keys::PlainKeys;
use crate::private_files::unpack;
use crate::revived::{LineKey, Revived};
use crate::state::ShellState;
use crate::words::{declarations, quote};
use declaration::Declaration;
use known::{Known, option};
use later::Reach;
use plain::plain_keys;

const INTEGRATION: &str = include_str!("../scripts/integration.zsh");
const START: &str = include_str!("../scripts/start.zsh");
const REVIVE: &str = include_str!("../scripts/revive.zsh");
const WIPE: &str = include_str!("../scripts/wipe.zsh");
const LOAD: &str = include_str!("../scripts/load.zsh");

/// The pieces of a state, in the order in which the script reads them.
pub(crate) const PIECES: &[&str] = &[
    "modules",
    "variables",
    "special",
    "functions",
    "autoloads",
    "aliases",
    "styles",
    "bindings",
    "rest",
    "traps",
];

/// Options that depend on how the shell was started, or are set elsewhere.
const FIXED: &[&str] = &[
    "interactive",
    "login",
    "shinstdin",
    "privileged",
    "restricted",
    "singlecommand",
    "emacs",
    "vi",
    "exec",
    "zle",
    "localoptions",
    "globalrcs",
    "monitor",
];

pub(crate) fn start(
    program: &Path,
    kind: Kind,
    dir: &Path,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> io::Result<Launch> {
    launch(program, kind, dir, "zsh", &[START], inherited("ZDOTDIR"))
}

fn launch(
    program: &Path,
    kind: Kind,
    dir: &Path,
    place: &str,
    script: &[&str],
    zdotdir: Option<OsString>,
) -> io::Result<Launch> {
    let integration = dir.join("integration.zsh");
    unpack(&integration, &[INTEGRATION])?;
    let place = dir.join(place);
    unpack(&place.join(".zshenv"), script)?;
    let launch = Launch::new(program);
    let launch = match kind {
        Kind::Login => launch.arg("-l"),
        Kind::Plain => launch,
    };
    let launch = launch
        .env("ZDOTDIR", place)
        .env("SHELLKEEP_ZSH", integration);
    Ok(match zdotdir {
        Some(zdotdir) => launch.env("SHELLKEEP_ZDOTDIR", zdotdir),
        None => launch,
    })
}

/// How to start a shell that hibernated.
pub(crate) fn relaunch(
    program: &Path,
    state: &ShellState,
    scripts: &Path,
    dir: &Path,
    run_rc: RunRc,
) -> io::Result<Launch> {
    // The code that reads the pieces is used in two places.
    let script = REVIVE.replace("#@ load\n", LOAD);
    let kind = match option(state, "login") {
        true => Kind::Login,
        false => Kind::Plain,
    };
    let launch = launch(program, kind, scripts, "zsh-revive", &[WIPE, &script], None)?;
    let launch = launch.env("SHELLKEEP_REVIVE", dir);
    Ok(launch.on_terminal_of(state).with_little(run_rc))
}

/// Writes the pieces. Those that the first prompt needs are in three files, so that an error in one does no harm to the
/// others.
pub(crate) fn revive(state: &ShellState, pieces: &Pieces, run_rc: RunRc) -> io::Result<Revived> {
    let known = &Known::of(state);
    let reach = match run_rc {
        RunRc::Off => Reach::of(known),
        // It is unknown what the user's files will do until then.
        RunRc::On => Reach::everything(known),
    };
    if run_rc == RunRc::On {
        pieces.write("run-rc", &zdotdir(state))?;
    }
    let mut first = Script::default();
    modules(state, &mut first, |name| reach.has_module(name));
    done(&mut first, "modules");
    variables(known, &reach, run_rc, &mut first);
    done(&mut first, "variables");
    special(state, run_rc, &mut first);
    done(&mut first, "special");
    pieces.write("first", &first.0)?;

    let mut functions = Script(known.texts(|name| reach.has(name)));
    done(&mut functions, "functions");
    declare_autoloads(known, &mut functions, |name| reach.has_autoload(name));
    done(&mut functions, "autoloads");
    pieces.write("functions", &functions.0)?;

    let mut rest = Script::default();
    aliases(state, &mut rest, |line| reach.has_alias(line));
    done(&mut rest, "aliases");
    if reach.has(b"zstyle") {
        styles(state, &mut rest);
    }
    done(&mut rest, "styles");
    bindings(state, &mut rest, |line| reach.has_binding(line));
    done(&mut rest, "bindings");
    last(known, &reach, &mut rest);
    done(&mut rest, "rest");
    each(lines(state, "traps", "trap"), &mut rest);
    done(&mut rest, "traps");
    pieces.write("rest", &rest.0)?;

    history_files(state, pieces)?;
    pieces.write("late", &late(known))?;
    write_later(known, &reach, pieces)?;
    Ok(Revived {
        line_key: LineKey::Needed,
        plain: match run_rc {
            RunRc::Off => plain_keys(state),
            RunRc::On => PlainKeys::default(),
        },
        expected: PIECES,
    })
}

/// Writes what the shell reads after its first prompt. Functions are last, so that nothing comes after one that zsh
/// misprinted.
fn write_later(known: &Known<'_>, reach: &Reach, pieces: &Pieces) -> io::Result<()> {
    let state = known.state;
    let mut script = Script::default();
    pushed(state, &mut script);
    modules(state, &mut script, |name| !reach.has_module(name));
    let waiting = known.kept();
    for (name, whole) in waiting.filter(|(name, whole)| !reach.has_variable(name, whole)) {
        script.line(&[&global(whole)]);
        if hidden(state).any(|hidden| hidden == name.as_bytes()) {
            script.text(&format!("typeset -gH {name}"));
        }
    }
    aliases(state, &mut script, |line| !reach.has_alias(line));
    if !reach.has(b"zstyle") {
        styles(state, &mut script);
    }
    bindings(state, &mut script, |line| !reach.has_binding(line));
    if reach.can_limits_wait() {
        limits(state, &mut script);
    }
    each(lines(state, "scheduled", "sched"), &mut script);
    declare_autoloads(known, &mut script, |name| !reach.has_autoload(name));
    let functions = known.texts(|name| !reach.has(name));
    script.0.extend_from_slice(&functions);
    // An empty `__shellkeep_later` means that all of this was read.
    script.text("__shellkeep_later=");
    pieces.write_beside("later", &script.0)
}

/// The directory of the user's start-up files, if it is not the home directory.
fn zdotdir(state: &ShellState) -> Vec<u8> {
    let place = state.fact("zdotdir");
    let line = place.map(|place| [b"builtin export ZDOTDIR=", place].concat());
    line.unwrap_or_default()
}

/// Records that a piece was read.
fn done(script: &mut Script, name: &str) {
    script.text(&format!("__shellkeep_done+=' {name}'"));
}

/// Variables with hidden values.
fn hidden(state: &ShellState) -> impl Iterator<Item = &[u8]> {
    let names = state.section("hidden").split(|byte| *byte == b'\n');
    names.filter(|name| !name.is_empty())
}

pub(crate) fn count(state: &ShellState) -> Counts {
    Counts {
        variables: known::kept(state, known::variables(state)).count(),
        functions: state
            .section("names")
            .split(|byte| *byte == b'\n')
            .filter(|name| !name.is_empty())
            .count(),
        aliases: declarations(state.section("aliases")).len(),
        history: entries(without_blank_end(state.section("history"))),
        unsaved: entries(state.section("unsaved")),
    }
}

/// The history without its last entry, if that is the line being edited, which zsh writes as an empty entry.
fn without_blank_end(history: &[u8]) -> &[u8] {
    let body = history.strip_suffix(b"\n").unwrap_or(history);
    let start = body
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let is_stamp = |byte: &u8| byte.is_ascii_digit() || b": ".contains(byte);
    match body[start..].split_last() {
        Some((b';', stamp)) if stamp.starts_with(b": ") && stamp.iter().all(is_stamp) => {
            &history[..start]
        }
        _ => history,
    }
}

/// The number of entries of a history with times: `: began:took;command`.
fn entries(history: &[u8]) -> usize {
    let lines = history.split(|byte| *byte == b'\n');
    lines
        .filter(|line| matches!(line, [b':', b' ', digit, ..] if digit.is_ascii_digit()))
        .count()
}

/// A declaration that zsh can read again as it is.
fn global(whole: &[u8]) -> Vec<u8> {
    Declaration::of(whole).text()
}

/// Declares a variable after removing one of the same name that a start-up file may have made, which may be read-only
/// or of another type.
fn declare(declaration: &Declaration<'_>, script: &mut Script) {
    let command = [&away(&declaration.names()), &b"; "[..], &declaration.text()].concat();
    script.line(&[&alone(&command)]);
}

/// Removes variables, even read-only ones.
fn away(names: &[&[u8]]) -> Vec<u8> {
    let names = names.join(&b' ');
    [
        b"builtin typeset -g +r ",
        &names[..],
        b"; builtin unset ",
        &names,
    ]
    .concat()
}

/// A command that only fails itself: after an error zsh would stop reading the file.
fn alone(command: &[u8]) -> Vec<u8> {
    [b"{ ", command, b" } always { TRY_BLOCK_ERROR=0 }"].concat()
}

/// Zsh's special variables. The user's files may have made one read-only, which cannot be undone.
fn special(state: &ShellState, run_rc: RunRc, script: &mut Script) {
    match run_rc {
        RunRc::Off => script.0.extend_from_slice(state.section("special")),
        RunRc::On => {
            for line in declarations(state.section("special")) {
                script.line(&[&alone(line)]);
            }
        }
    }
}

fn variables(known: &Known<'_>, reach: &Reach, run_rc: RunRc, script: &mut Script) {
    let state = known.state;
    let mut waiting: HashSet<&[u8]> = HashSet::new();
    let floats: HashMap<&[u8], Float<'_>> = floats(state).collect();
    let mut read_only: Vec<&[u8]> = Vec::new();
    for (name, whole) in known.kept() {
        if !reach.has_variable(name, whole) {
            waiting.insert(name.as_bytes());
            continue;
        }
        let mut declaration = Declaration::of(whole);
        if let Some(float) = floats.get(name.as_bytes()) {
            declaration.set_float(float.digits, float.assignment);
        }
        let frozen = declaration.thaw();
        read_only.extend(frozen);
        match run_rc == RunRc::On || frozen.is_some() {
            true => declare(&declaration, script),
            false => drop(script.line(&[&declaration.text()])),
        }
    }
    match known.find("HISTFILE").map(Declaration::of) {
        Some(file) if option(state, "sharehistory") => declare(&file, script),
        _ => drop(script.line(&[&away(&[b"HISTFILE"])])),
    }
    if !read_only.is_empty() {
        script.line(&[b"builtin typeset -gr ", &read_only.join(&b' ')]);
    }
    let hidden = hidden(state).filter(|name| !waiting.contains(name));
    let hidden: Vec<&[u8]> = hidden.collect();
    if !hidden.is_empty() {
        script.line(&[b"typeset -gH ", &hidden.join(&b' ')]);
    }
    for name in state.thrown_away() {
        script.text(&format!("builtin unset {name}"));
    }
}

/// The digits of a floating-point variable, which zsh does not print.
struct Float<'a> {
    digits: &'a [u8],
    /// The assignment `name=value`.
    assignment: &'a [u8],
}

/// The lines have the form `3 name=1.23456`.
fn floats(state: &ShellState) -> impl Iterator<Item = (&[u8], Float<'_>)> {
    let lines = state.section("floats").split(|byte| *byte == b'\n');
    lines.filter_map(|line| {
        let at = line.iter().position(|byte| *byte == b' ')?;
        let (digits, assignment) = (&line[..at], &line[at + 1..]);
        let name = assignment.split(|byte| *byte == b'=').next()?;
        Some((name, Float { digits, assignment }))
    })
}

/// Modules that zsh loads by itself, one part at a time, are not loaded here.
fn modules(state: &ShellState, script: &mut Script, is_wanted: impl Fn(&[u8]) -> bool) {
    let by_itself = [&b"zsh/parameter"[..], b"zsh/zleparameter"];
    for line in lines(state, "modules", "zmodload") {
        let name = line.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
        if !by_itself.contains(&name) && is_wanted(name) {
            script.line(&[b"builtin ", line]);
        }
    }
}

/// The lines of a section that call a builtin, except ours.
fn lines<'a>(
    state: &'a ShellState,
    section: &str,
    builtin: &'static str,
) -> impl Iterator<Item = &'a [u8]> {
    let lines = declarations(state.section(section)).into_iter();
    lines.filter(move |line| {
        let rest = line.strip_prefix(builtin.as_bytes());
        rest.is_some_and(|rest| rest.starts_with(b" "))
            && !line.windows(12).any(|window| window == b"__shellkeep_")
    })
}

fn each<'a>(lines: impl Iterator<Item = &'a [u8]>, script: &mut Script) {
    for line in lines {
        script.line(&[b"builtin ", line]);
    }
}

/// Joins lines with the same beginning, up to one of these bytes, into one command: a command for each would cost a
/// dozen system calls.
fn together<'a>(lines: impl Iterator<Item = &'a [u8]>, words: &[u8], script: &mut Script) {
    let mut begun: Option<&[u8]> = None;
    for line in lines {
        let at = line.iter().position(|byte| words.contains(byte));
        let (begin, rest) = line.split_at(at.unwrap_or(line.len()));
        if begun == Some(begin) {
            script.0.push(b' ');
        } else {
            if begun.is_some() {
                script.0.push(b'\n');
            }
            script.0.extend_from_slice(b"builtin ");
            script.0.extend_from_slice(begin);
        }
        script.0.extend_from_slice(rest);
        begun = Some(begin);
    }
    if begun.is_some() {
        script.0.push(b'\n');
    }
}

fn aliases(state: &ShellState, script: &mut Script, is_wanted: impl Fn(&[u8]) -> bool) {
    let (plain, other): (Vec<&[u8]>, Vec<&[u8]>) = lines(state, "aliases", "alias")
        .filter(|line| is_wanted(line))
        .partition(|line| !line.starts_with(b"alias -"));
    if !plain.is_empty() {
        script.0.extend_from_slice(b"builtin alias");
        for line in plain {
            script.0.extend_from_slice(&line[b"alias".len()..]);
        }
        script.0.push(b'\n');
    }
    each(other.into_iter(), script);
}

fn styles(state: &ShellState, script: &mut Script) {
    each(lines(state, "styles", "zstyle"), script);
}

/// Lines on zsh's buffer stack. The last one is restored when the next line is done, so a line has to be in the editor.
fn pushed(state: &ShellState, script: &mut Script) {
    for line in declarations(state.section("pushed")).into_iter().rev() {
        script.line(&[b"builtin print -rz -- ", line]);
    }
}

/// Widgets before the keys that call them, and key maps before their bindings.
fn bindings(state: &ShellState, script: &mut Script, is_wanted: impl Fn(&[u8]) -> bool) {
    each(
        lines(state, "bindings", "zle").filter(|line| is_wanted(line)),
        script,
    );
    let keys = lines(state, "bindings", "bindkey").filter(|line| is_wanted(line));
    let (new, keys): (Vec<_>, Vec<_>) = keys.partition(|line| line.starts_with(b"bindkey -N "));
    together(new.into_iter().chain(keys), b"\"", script);
}

/// Functions of the same kind are declared together.
fn declare_autoloads(known: &Known<'_>, script: &mut Script, is_wanted: impl Fn(&[u8]) -> bool) {
    let mut groups: BTreeMap<&[u8], Vec<u8>> = BTreeMap::new();
    for autoload in known.autoloads.iter().filter(|it| is_wanted(it.name)) {
        let words = groups.entry(autoload.flags).or_default();
        words.push(b' ');
        if !autoload.place.is_empty() {
            words.extend_from_slice(autoload.place);
            words.push(b'/');
        }
        words.extend_from_slice(autoload.name);
    }
    for (flags, words) in groups {
        let dash: &[u8] = if flags.is_empty() { b"" } else { b"-" };
        script.line(&[b"builtin autoload ", dash, flags, b" --", &words]);
    }
}

fn limits(state: &ShellState, script: &mut Script) {
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
}

fn last(known: &Known<'_>, reach: &Reach, script: &mut Script) {
    let state = known.state;
    script.line(&[b"builtin ", state.section("umask").trim_ascii()]);
    if !reach.can_limits_wait() {
        limits(state, script);
    }
    directories(known, script);
    for line in declarations(state.section("disabled")) {
        script.line(&[b"builtin disable -- ", &quote(line)]);
    }
    if let Some(line) = Line::parse(state.section("line")).filter(|line| !line.text.is_empty()) {
        script.line(&[b"__shellkeep_half=", &quote(&line.text)]);
        script.text(&format!("__shellkeep_point={}", line.point));
    }
    let place = quote(state.fact("zdotdir").unwrap_or_default());
    script.line(&[b"__shellkeep_zdotdir=", &place]);
    script.line(&[b"__shellkeep_code=", state.fact("status").unwrap_or(b"0")]);
    script.line(&[b"__shellkeep_word=", state.fact("word").unwrap_or_default()]);
    script.line(&[b"__shellkeep_map=", state.fact("map").unwrap_or_default()]);
    script.text("__shellkeep_later=$__shellkeep_dir/later");
}

/// The directory and the directory before it. Hooks of the user do not run, because no user changes the directory. `cd
/// -` uses zsh's own record, whatever OLDPWD is, so go to the old directory first. If that is gone, `cd -` has to stay
/// where it is.
fn directories(known: &Known<'_>, script: &mut Script) {
    let state = known.state;
    let cwd = state.fact("cwd").unwrap_or(b".");
    let go: &[&[u8]] = &[b"builtin cd -q -- ", cwd];
    match known.find("OLDPWD").map(global) {
        Some(old) => script
            .text("__shellkeep_begin=$PWD")
            .line(&[&old])
            .line(&[b"builtin cd -q -- \"$OLDPWD\" || ", &go.concat()])
            .line(&[&go.concat(), b" || builtin cd -q -- \"$__shellkeep_begin\""])
            .text("builtin unset __shellkeep_begin")
            .line(&[&old]),
        None => script.line(go).text("builtin unset OLDPWD"),
    };
    for line in declarations(state.section("directories")) {
        script.line(&[line]);
    }
}

/// A history that all shells share is read from its file by zsh. Lines that were in no file are written there now: zsh
/// cannot restore a line with its time and still count it as new.
fn history(known: &Known<'_>, script: &mut Script) {
    let state = known.state;
    match known.find("HISTFILE") {
        // The file was read already.
        Some(_) if option(state, "sharehistory") => {}
        file => {
            if !without_blank_end(state.section("history")).is_empty() {
                script.text("builtin fc -R \"$__shellkeep_from/list\"");
            }
            if let Some(whole) = file {
                script
                    .line(&[&global(whole)])
                    .text("if ((SAVEHIST)) && [[ -n $HISTFILE && -s $__shellkeep_from/unsaved ]]; then")
                    .text("    builtin print -rn -- \"$(<$__shellkeep_from/unsaved)\"$'\\n' >>\"$HISTFILE\"")
                    .text("fi");
            }
        }
    }
}

/// The files from which the history is read, and what is added to the user's file.
fn history_files(state: &ShellState, pieces: &Pieces) -> io::Result<()> {
    for (file, section) in [("list", "history"), ("unsaved", "unsaved")] {
        let lines = without_blank_end(state.section(section));
        if !lines.is_empty() {
            pieces.write(file, lines)?;
        }
    }
    Ok(())
}

/// What runs at the first prompt: the name of the history file, which zsh would have read otherwise, and options.
fn late(known: &Known<'_>) -> Vec<u8> {
    let state = known.state;
    let mut script = Script::default();
    history(known, &mut script);
    let (mut on, mut off) = (Vec::new(), Vec::new());
    for line in state.section("options").split(|byte| *byte == b'\n') {
        let Some((name, value)) = std::str::from_utf8(line)
            .ok()
            .and_then(|line| line.split_once(' '))
        else {
            continue;
        };
        if !FIXED.contains(&name) {
            if value == "on" { &mut on } else { &mut off }.push(name);
        }
    }
    script.text(&format!("builtin unsetopt {}", off.join(" ")));
    // With err_exit, a failure here would end the shell.
    script.text(&format!("builtin setopt {} || builtin true", on.join(" ")));
    script.0
}
