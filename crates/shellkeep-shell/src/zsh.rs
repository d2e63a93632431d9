//! Zsh: how it is started, and how its state becomes a script.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::launch::{Kind, Launch, unpack};
use crate::pieces::{Pieces, Script};
use crate::report::Report;
use crate::request::parse_line;
use crate::revive::{LineKey, RunRc};
use crate::spare::Change;
use crate::state::State;
use crate::words::{declarations, quote};

const INTEGRATION: &str = include_str!("../scripts/integration.zsh");
const START: &str = include_str!("../scripts/start.zsh");
const REVIVE: &str = include_str!("../scripts/revive.zsh");
const WIPE: &str = include_str!("../scripts/wipe.zsh");
const SPARE: &str = include_str!("../scripts/spare.zsh");
const LOAD: &str = include_str!("../scripts/load.zsh");

/// The files that a state may be put together from.
pub(crate) const FILES: &[&str] = &[
    "aliases",
    "autoloads",
    "bindings",
    "done",
    "functions",
    "late",
    "later",
    "list",
    "load",
    "modules",
    "rest",
    "special",
    "styles",
    "traps",
    "unsaved",
    "variables",
];

/// The pieces of a state, in the order the script reads them.
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

/// Variables that belong to the process, the terminal or the moment.
const NOT_STATE: &[&str] = &[
    "COLUMNS",
    "EGID",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "GID",
    "HISTCMD",
    "HISTFILE",
    "LINENO",
    "LINES",
    "LOGCHECK",
    "OLDPWD",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "SHLVL",
    "TTY",
    "TTYIDLE",
    "UID",
    "_",
    "status",
    "pipestatus",
    "MATCH",
    "MBEGIN",
    "MEND",
    "REPLY",
    "ZSH_EVAL_CONTEXT",
    "ZSH_ARGZERO",
    "ZSH_EXECUTION_STRING",
    "ZSH_NAME",
    "ZSH_PATCHLEVEL",
    "ZSH_SUBSHELL",
    "ZSH_VERSION",
    "HOST",
    "VENDOR",
    "OSTYPE",
    "MACHTYPE",
    "CPUTYPE",
];
const NOT_STATE_BEGINNINGS: &[&str] = &["SHELLKEEP_", "__shellkeep_"];

/// Options that are what the shell was started as, or are put right elsewhere.
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

/// How a shell that slept is started.
pub(crate) fn relaunch(
    program: &Path,
    state: &State,
    scripts: &Path,
    dir: &Path,
    run_rc: RunRc,
) -> io::Result<Launch> {
    let zdotdir = find(state, "ZDOTDIR").map(|_| OsString::new());
    let kind = kind(state);
    let launch = launch(
        program,
        kind,
        scripts,
        "zsh-revive",
        &[WIPE, REVIVE],
        zdotdir,
    )?;
    let launch = launch.env("SHELLKEEP_REVIVE", dir);
    Ok(launch.on_terminal_of(state).with_little(run_rc))
}

fn kind(state: &State) -> Kind {
    match option(state, "login") {
        true => Kind::Login,
        false => Kind::Plain,
    }
}

/// How a spare shell is started that this one could come back in.
pub(crate) fn spare(
    program: &Path,
    state: &State,
    scripts: &Path,
    dir: &Path,
) -> io::Result<Launch> {
    let launch = launch(
        program,
        kind(state),
        scripts,
        "zsh-spare",
        &[WIPE, SPARE],
        None,
    )?;
    let launch = launch.env("SHELLKEEP_REVIVE", dir);
    Ok(launch.on_terminal_of(state).with_little(RunRc::Off))
}

/// What a spare shell is told that is let through: all that it has to change to be as one that was started for this pane.
pub(crate) fn let_through(state: &State, pieces: &Pieces, change: &Change) -> Vec<u8> {
    let mut script = Script::default();
    for (name, value) in &change.environ {
        match value {
            Some(value) => script.line(&[b"builtin export ", name.as_bytes(), b"=", &quote(value)]),
            None => script.line(&[b"builtin unset ", name.as_bytes()]),
        };
    }
    if find(state, "ZDOTDIR").is_some() {
        script.text("builtin export ZDOTDIR=");
    }
    let place = quote(pieces.pane_dir().as_os_str().as_bytes());
    script.line(&[b"__shellkeep_dir=", &place]);
    // If the state's own is gone, this is where it is.
    script.line(&[b"builtin cd -q -- ", &quote(&change.cwd)]);
    let given = |line: &&str| line.starts_with("typeset -g __shellkeep_given=");
    script.text(INTEGRATION.lines().find(given).unwrap_or_default());
    script.text("typeset -g __shellkeep_called=1");
    script.0
}

/// Writes the pieces.
pub(crate) fn revive(state: &State, pieces: &Pieces) -> io::Result<LineKey> {
    let (now, later) = autoloads(state);
    let later = [later, long_lists(state)].concat();
    let mut line_key = LineKey::from(state);
    if !later.is_empty() {
        line_key = LineKey::Needed;
        pieces.write_beside("later", &later)?;
    }
    pieces.write("load", LOAD.as_bytes())?;
    pieces.write("modules", &modules(state))?;
    pieces.write("variables", &variables(state))?;
    pieces.write("special", &raw(state, "special"))?;
    pieces.write("functions", &raw(state, "functions"))?;
    pieces.write("autoloads", &now)?;
    pieces.write("aliases", &each(state, "aliases", &["alias"]))?;
    pieces.write("styles", &each(state, "styles", &["zstyle"]))?;
    // Widgets before the keys that call them.
    pieces.write("bindings", &each(state, "bindings", &["zle", "bindkey"]))?;
    pieces.write("rest", &rest(state))?;
    pieces.write("traps", &each(state, "traps", &["trap"]))?;
    pieces.write("list", without_blank_end(state.section("history")))?;
    pieces.write("unsaved", without_blank_end(state.section("unsaved")))?;
    pieces.write("late", &late(state))?;
    Ok(line_key)
}

/// What completion keeps for itself, and no prompt looks at: it is read when the prompt is there.
const COMPLETION: &[&str] = &["_comp", "_patcomps", "_postpatcomps", "_services"];
/// Lists shorter than this are not worth waiting for.
const LONG: usize = 512;

fn can_wait(name: &str, whole: &[u8]) -> bool {
    whole.len() > LONG && COMPLETION.iter().any(|begin| name.starts_with(begin))
}

fn long_lists(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    for (name, whole) in kept(state).filter(|(name, whole)| can_wait(name, whole)) {
        script.line(&[&global(whole)]);
        if hidden(state).any(|hidden| hidden == name.as_bytes()) {
            script.text(&format!("typeset -gH {name}"));
        }
    }
    script.0
}

/// Variables that do not show their values.
fn hidden(state: &State) -> impl Iterator<Item = &[u8]> {
    let names = state.section("hidden").split(|byte| *byte == b'\n');
    names.filter(|name| !name.is_empty())
}

pub(crate) fn count(state: &State, report: Report) -> Report {
    Report {
        variables: kept(state).count(),
        functions: state
            .section("names")
            .split(|byte| *byte == b'\n')
            .filter(|name| !name.is_empty())
            .count(),
        aliases: declarations(state.section("aliases")).len(),
        history: entries(without_blank_end(state.section("history"))),
        unsaved: entries(state.section("unsaved")),
        ..report
    }
}

/// A history without the entry that zsh has for the line being edited, and writes as an empty one.
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

/// Lines of a history with times: `: began:took;command`.
fn entries(history: &[u8]) -> usize {
    let lines = history.split(|byte| *byte == b'\n');
    lines
        .filter(|line| matches!(line, [b':', b' ', digit, ..] if digit.is_ascii_digit()))
        .count()
}

/// Declarations of variables that are state: the name, and the whole of it.
fn kept(state: &State) -> impl Iterator<Item = (&str, &[u8])> {
    declarations(state.section("variables"))
        .into_iter()
        .filter_map(|whole| Some((name(whole)?, whole)))
        .filter(|(name, _)| {
            !NOT_STATE.contains(name)
                && state.has_own(name)
                && !NOT_STATE_BEGINNINGS
                    .iter()
                    .any(|begin| name.starts_with(begin))
        })
}

fn find<'a>(state: &'a State, wanted: &str) -> Option<&'a [u8]> {
    let mut all = declarations(state.section("variables")).into_iter();
    all.find(|whole| name(whole) == Some(wanted))
}

/// `typeset -i 10 NAME=...`, `export NAME=...`: the first word that is neither an option nor its number.
fn name(whole: &[u8]) -> Option<&str> {
    let mut words = whole.split(|byte| *byte == b' ');
    words.next()?;
    let word = words.find(|word| {
        word.first()
            .is_some_and(|first| *first != b'-' && !first.is_ascii_digit())
    })?;
    std::str::from_utf8(word.split(|byte| *byte == b'=').next()?).ok()
}

/// The pieces are read from a function at times, where a plain `typeset` would declare something local.
fn global(whole: &[u8]) -> Vec<u8> {
    match whole.strip_prefix(b"typeset ") {
        Some(rest) if !rest.starts_with(b"-g") => [b"typeset -g ", rest].concat(),
        _ => whole.to_vec(),
    }
}

fn variables(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    for (_, whole) in kept(state).filter(|(name, whole)| !can_wait(name, whole)) {
        script.line(&[&global(whole)]);
    }
    let waiting: Vec<&str> = kept(state)
        .filter(|(name, whole)| can_wait(name, whole))
        .map(|(name, _)| name)
        .collect();
    for name in hidden(state).filter(|name| !waiting.iter().any(|one| one.as_bytes() == *name)) {
        script.line(&[b"typeset -gH ", name]);
    }
    for name in state.thrown_away() {
        script.text(&format!("builtin unset {name}"));
    }
    match find(state, "HISTFILE") {
        Some(whole) if option(state, "sharehistory") => script.line(&[&global(whole)]),
        _ => script.text("builtin unset HISTFILE"),
    };
    script.text("__shellkeep_done+=' variables'");
    script.0
}

fn raw(state: &State, section: &str) -> Vec<u8> {
    let mut script = Script(state.section(section).to_vec());
    script.text(&format!("__shellkeep_done+=' {section}'"));
    script.0
}

/// Those that come by themselves when they are used, one part at a time, are left to do so.
fn modules(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    for line in declarations(state.section("modules")) {
        let by_itself = [&b"zsh/parameter"[..], b"zsh/zleparameter"];
        if line.starts_with(b"zmodload ") && !by_itself.iter().any(|name| line.ends_with(name)) {
            script.line(&[b"builtin ", line]);
        }
    }
    script.text("__shellkeep_done+=' modules'");
    script.0
}

/// The lines of a section that call one of the builtins, in the order of these.
fn each(state: &State, section: &str, builtins: &[&str]) -> Vec<u8> {
    let mut script = Script::default();
    let lines = declarations(state.section(section));
    for builtin in builtins {
        for line in &lines {
            let rest = line.strip_prefix(builtin.as_bytes());
            let is_ours = line.windows(12).any(|window| window == b"__shellkeep_");
            if rest.is_some_and(|rest| rest.starts_with(b" ")) && !is_ours {
                script.line(&[b"builtin ", line]);
            }
        }
    }
    script.text(&format!("__shellkeep_done+=' {section}'"));
    script.0
}

/// Functions not loaded yet are listed as `name () {`, a comment, `builtin autoload -XUz [directory]`. Those of the
/// same kind are declared at once; those of completion, which begin with a line, later.
fn autoloads(state: &State) -> (Vec<u8>, Vec<u8>) {
    let (mut now, mut later) = (BTreeMap::new(), BTreeMap::new());
    let named = named(state);
    let mut name = "";
    for line in state.section("autoloads").split(|byte| *byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else {
            continue;
        };
        if let Some(begun) = line.strip_suffix(" () {") {
            name = begun;
            continue;
        }
        let Some(rest) = line.strip_prefix("\tbuiltin autoload -X") else {
            continue;
        };
        let (flags, place) = rest.split_once(' ').unwrap_or((rest, ""));
        let groups = if name.starts_with('_') && !named.contains(name.as_bytes()) {
            &mut later
        } else {
            &mut now
        };
        let words: &mut Vec<u8> = groups.entry(flags.to_owned()).or_default();
        words.push(b' ');
        if !place.is_empty() {
            words.extend_from_slice(place.as_bytes());
            words.push(b'/');
        }
        words.extend_from_slice(name.as_bytes());
    }
    let mut now = declared(now);
    now.text("__shellkeep_done+=' autoloads'");
    (now.0, declared(later).0)
}

/// Everything that could be a name in functions, hooks and prompts.
fn named(state: &State) -> HashSet<&[u8]> {
    let variables = kept(state).filter(|(name, whole)| !can_wait(name, whole));
    let texts = variables.map(|(_, whole)| whole);
    let texts = texts.chain([state.section("functions"), state.section("special")]);
    let is_between = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_-.".contains(byte);
    texts.flat_map(|text| text.split(is_between)).collect()
}

fn declared(groups: BTreeMap<String, Vec<u8>>) -> Script {
    let mut script = Script::default();
    for (flags, words) in groups {
        let flags = if flags.is_empty() {
            String::new()
        } else {
            format!("-{flags}")
        };
        script.line(&[b"builtin autoload ", flags.as_bytes(), b" --", &words]);
    }
    script
}

fn rest(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    script.line(&[b"builtin ", state.section("umask").trim_ascii()]);
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
    directories(state, &mut script);
    for line in declarations(state.section("disabled")) {
        script.line(&[b"builtin disable -- ", &quote(line)]);
    }
    if let Some(line) = parse_line(state.section("line")).filter(|line| !line.text.is_empty()) {
        script.line(&[b"__shellkeep_half=", &quote(&line.text)]);
        script.text(&format!("__shellkeep_point={}", line.point));
    }
    script.line(&[b"__shellkeep_code=", state.fact("status").unwrap_or(b"0")]);
    script.text(
        "if [[ -e $__shellkeep_dir/later ]]; then __shellkeep_later=$__shellkeep_dir/later; fi",
    );
    script.text("__shellkeep_done+=' rest'");
    script.0
}

/// Where it is and was. Without the user's hooks: nobody goes anywhere. `cd -` goes where zsh itself has been, whatever OLDPWD says: so
/// it goes there first. If that place is gone, `cd -` is to stay.
fn directories(state: &State, script: &mut Script) {
    let cwd = state.fact("cwd").unwrap_or(b".");
    let go: &[&[u8]] = &[b"builtin cd -q -- ", cwd];
    match find(state, "OLDPWD").map(global) {
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

/// A list that all shells share is read from its file by zsh itself. Lines that were in no file yet go there
/// now: zsh has no way to give a line back with its time and still count it as new.
fn history(state: &State, script: &mut Script) {
    match find(state, "HISTFILE") {
        // Read by then.
        Some(_) if option(state, "sharehistory") => {}
        file => {
            script.text("builtin fc -R \"$__shellkeep_from/list\"");
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

fn option(state: &State, name: &str) -> bool {
    let wanted = format!("{name} on");
    let mut lines = state.section("options").split(|byte| *byte == b'\n');
    lines.any(|line| line == wanted.as_bytes())
}

/// What waits for the first prompt: the history file, which zsh would have read, and options.
fn late(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    history(state, &mut script);
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
    // With err_exit a failure here would be the end.
    script.text(&format!("builtin setopt {} || builtin true", on.join(" ")));
    script.0
}
