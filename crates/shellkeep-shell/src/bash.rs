//! Bash: how it is started, and how its state becomes a script.

mod keys;
mod options;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::launch::{Kind, Launch, unpack};
use crate::pieces::{Pieces, Script};
use crate::report::Report;
use crate::request::parse_line;
use crate::state::State;
use crate::words::{declarations, quote, unquote};

const INTEGRATION: &str = include_str!("../scripts/integration.bash");
const START: &str = include_str!("../scripts/start.bash");
const LOGIN: &str = include_str!("../scripts/login.bash");
const REVIVE: &str = include_str!("../scripts/revive.bash");

/// The pieces of a state, in the order the script reads them.
pub(crate) const PIECES: &[&str] = &[
    "history",
    "options",
    "variables",
    "functions",
    "aliases",
    "completions",
    "bindings",
    "rest",
];

/// Variables that belong to the process, the terminal or the moment.
const NOT_STATE: &[&str] = &[
    "BASH",
    "BASHOPTS",
    "BASHPID",
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_ARGV0",
    "BASH_CMDS",
    "BASH_COMMAND",
    "BASH_EXECUTION_STRING",
    "BASH_LINENO",
    "BASH_MONOSECONDS",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_TRAPSIG",
    "BASH_VERSINFO",
    "BASH_VERSION",
    "BASH_XTRACEFD",
    "COLUMNS",
    "DIRSTACK",
    "DISPLAY",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "LINES",
    "OLDPWD",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "PWD",
    "RANDOM",
    "READLINE_LINE",
    "READLINE_MARK",
    "READLINE_POINT",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "STY",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "UID",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "_",
];
const NOT_STATE_BEGINNINGS: &[&str] = &["SHELLKEEP_", "SSH_", "TMUX", "__shellkeep_"];
/// Set at the first prompt, after bash has read the history file it would otherwise find here.
const LATE: &[&str] = &["HISTFILESIZE", "HISTSIZE", "HISTFILE"];

pub(crate) fn start(
    program: &Path,
    kind: Kind,
    dir: &Path,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> io::Result<Launch> {
    let launch = Launch::new(program);
    Ok(match kind {
        Kind::Plain => {
            let script = dir.join("start.bash");
            unpack(&script, &[INTEGRATION, START])?;
            launch.arg("--rcfile").arg(script)
        }
        Kind::Login => {
            let script = dir.join("login.bash");
            unpack(&script, &[INTEGRATION, LOGIN])?;
            let launch = launch.arg("--posix").arg("-l").env("ENV", script);
            match inherited("ENV") {
                Some(env) => launch.env("SHELLKEEP_ENV", env),
                None => launch,
            }
        }
    })
}

pub(crate) fn revive(
    program: &Path,
    state: &State,
    scripts: &Path,
    pieces: &Pieces,
) -> io::Result<Launch> {
    let script = scripts.join("revive.bash");
    unpack(&script, &[INTEGRATION, REVIVE])?;
    let variables = Variables::of(state);
    write_history(state, &variables, pieces)?;
    pieces.write("options", &options::early(state))?;
    pieces.write("variables", &variables.script())?;
    pieces.write("functions", &functions(state))?;
    pieces.write(
        "aliases",
        &each(state.section("aliases"), b"alias ", "aliases"),
    )?;
    pieces.write(
        "completions",
        &each(state.section("completions"), b"complete ", "completions"),
    )?;
    pieces.write("keys", &keys::inputrc(state))?;
    pieces.write("bindings", &keys::commands(state))?;
    pieces.write("rest", &rest(state, &variables))?;
    pieces.write("late", &late(state, &variables))?;
    let launch = Launch::new(program).arg("--posix");
    let launch = if options::has_shopt(state, "login_shell") {
        launch.arg("-l")
    } else {
        launch
    };
    Ok(launch
        .env("ENV", script)
        .env("SHELLKEEP_REVIVE", pieces.dir()))
}

pub(crate) fn count(state: &State, report: Report) -> Report {
    Report {
        variables: Variables::of(state).kept().count(),
        functions: names(state).count(),
        aliases: declarations(state.section("aliases")).len(),
        history: entries(state.section("history")),
        unsaved: entries(state.section("unsaved")),
        ..report
    }
}

/// The declarations of variables: attributes, name, and the whole of it.
struct Variables<'a>(Vec<(&'a str, &'a str, &'a [u8])>);

impl<'a> Variables<'a> {
    fn of(state: &'a State) -> Self {
        let found = declarations(state.section("variables"))
            .into_iter()
            .filter_map(|whole| {
                let rest = whole.strip_prefix(b"declare ")?;
                let end = rest
                    .iter()
                    .position(|byte| *byte == b'=')
                    .unwrap_or(rest.len());
                let (attributes, name) = std::str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
                Some((attributes, name, whole))
            });
        Self(found.collect())
    }

    fn kept(&self) -> impl Iterator<Item = &(&'a str, &'a str, &'a [u8])> {
        self.0.iter().filter(|(_, name, _)| {
            !NOT_STATE.contains(name)
                && !NOT_STATE_BEGINNINGS
                    .iter()
                    .any(|begin| name.starts_with(begin))
        })
    }

    fn find(&self, name: &str) -> Option<&'a [u8]> {
        self.0
            .iter()
            .find(|entry| entry.1 == name)
            .map(|entry| entry.2)
    }

    fn value(&self, name: &str) -> Option<Vec<u8>> {
        let whole = self.find(name)?;
        let at = whole.iter().position(|byte| *byte == b'=')?;
        Some(unquote(&whole[at + 1..]))
    }

    fn script(&self) -> Vec<u8> {
        let mut script = Script::default();
        // What a name refers to has to be there before the name does.
        let (references, plain): (Vec<_>, Vec<_>) = self
            .kept()
            .partition(|(attributes, ..)| attributes.contains('n'));
        for (_, name, whole) in plain.into_iter().chain(references) {
            if !LATE.contains(&name) {
                // Not behind `builtin`, which knows no lists; no function of the user's is there yet.
                script.line(&[whole]);
            }
        }
        script.text("__shellkeep_done+=' variables'");
        script.0
    }

    /// Declares a variable as it was, or makes sure that it is not there.
    fn restore(&self, script: &mut Script, name: &str) {
        match self.find(name) {
            Some(whole) => script.line(&[b"builtin ", whole]),
            None => script.text(&format!("builtin unset -v {name}")),
        };
    }
}

fn names(state: &State) -> impl Iterator<Item = (&str, &str)> {
    let lines = state.section("names").split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| {
            std::str::from_utf8(line)
                .ok()?
                .strip_prefix("declare -")?
                .split_once(' ')
        })
        .filter(|(_, name)| !name.starts_with("__shellkeep_"))
}

fn functions(state: &State) -> Vec<u8> {
    let mut script = Script(state.section("functions").to_vec());
    for (attributes, name) in names(state).filter(|(attributes, _)| *attributes != "f") {
        script.line(&[
            b"builtin declare -",
            attributes.as_bytes(),
            b" -- ",
            &quote(name.as_bytes()),
        ]);
    }
    script.text("__shellkeep_done+=' functions'");
    script.0
}

/// The declarations of a section, each as a call of the builtin, whatever functions the user has.
fn each(text: &[u8], begin: &[u8], name: &str) -> Vec<u8> {
    let mut script = Script::default();
    for line in declarations(text) {
        if line.starts_with(begin) {
            script.line(&[b"builtin ", line]);
        }
    }
    script.text(&format!("__shellkeep_done+=' {name}'"));
    script.0
}

/// Entries of a history written with times: each has one line with its time.
fn entries(history: &[u8]) -> usize {
    history
        .split(|byte| *byte == b'\n')
        .filter(|line| is_time(line))
        .count()
}

fn is_time(line: &[u8]) -> bool {
    matches!(line, [b'#', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit))
}

/// The list as it was; how many of its lines are in no file; how far the history file was read. Bash counts
/// lines of a file it reads even if they are blank, while it adds no entries for these: so counters can be set.
fn write_history(state: &State, variables: &Variables<'_>, pieces: &Pieces) -> io::Result<()> {
    pieces.write("list", state.section("history"))?;
    pieces.write("empty", b"")?;
    pieces.write("new", &vec![b'\n'; entries(state.section("unsaved"))])?;
    let file = variables.value("HISTFILE").unwrap_or_default();
    let file = fs::read(std::ffi::OsStr::from_bytes(&file)).unwrap_or_default();
    let lines = file
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| !is_time(line))
        .count();
    pieces.write("seen", &vec![b'\n'; lines])?;
    let mut script = Script::default();
    script
        .text("builtin unset -v HISTFILE")
        .text("HISTTIMEFORMAT=%s HISTSIZE=-1")
        .text("builtin history -c")
        .text("builtin history -r \"$__shellkeep_from/empty\"")
        .text("builtin shopt -u histappend")
        .text("builtin history -n \"$__shellkeep_from/new\"")
        .text("builtin history -r \"$__shellkeep_from/list\"")
        // From 5.3 on blank lines belong to the entry before them, if entries can have lines: to one that goes.
        .text("((BASH_VERSINFO[0] < 5)) || builtin history -s x")
        .text("builtin history -r \"$__shellkeep_from/seen\"")
        .text("((BASH_VERSINFO[0] < 5)) || builtin history -d -1")
        .text("builtin unset -v HISTTIMEFORMAT")
        .text("__shellkeep_done+=' history'");
    pieces.write("history", &script.0)
}

fn rest(state: &State, variables: &Variables<'_>) -> Vec<u8> {
    let mut script = Script::default();
    for line in declarations(state.section("umask")) {
        script.line(&[b"builtin ", line]);
    }
    limits(state, &mut script);
    if let Some(stack) = state
        .section("directories")
        .strip_prefix(b"declare -a DIRSTACK=")
    {
        script
            .text("builtin dirs -c")
            .line(&[b"__shellkeep_stack=", stack.trim_ascii_end()])
            .text("for ((__shellkeep_each = ${#__shellkeep_stack[@]} - 1; __shellkeep_each > 0; __shellkeep_each--)); do")
            .text("    builtin pushd -n \"${__shellkeep_stack[__shellkeep_each]}\"")
            .text("done")
            .text("builtin unset -v __shellkeep_stack");
    }
    script.line(&[b"builtin cd -- ", state.fact("cwd").unwrap_or(b".")]);
    variables.restore(&mut script, "OLDPWD");
    if let arguments @ [_, ..] = state.section("arguments").trim_ascii() {
        script.line(&[b"builtin set -- ", arguments]);
    }
    if let Some(line) = parse_line(state.section("line")).filter(|line| !line.text.is_empty()) {
        script.line(&[b"__shellkeep_half=", &quote(&line.text)]);
        script.text(&format!("__shellkeep_point={}", line.point));
    }
    if let Some(trap) = window_change_trap(state) {
        script.line(&[b"builtin trap -- '", trap]);
    }
    let status = state.fact("status").unwrap_or(b"0");
    script.line(&[b"__shellkeep_saved=", status]);
    script.text("__shellkeep_done+=' rest'");
    script.0
}

/// The user's own trap, which ours went in front of: all of it but its first quote.
fn window_change_trap(state: &State) -> Option<&[u8]> {
    let traps = declarations(state.section("traps"));
    let trap = traps
        .into_iter()
        .find(|trap| trap.ends_with(b" SIGWINCH"))?;
    let ours = b"__shellkeep_install\n";
    let at = trap.windows(ours.len()).position(|window| window == ours)?;
    Some(&trap[at + ours.len()..])
}

/// All at once, and one by one only if that failed: each command costs.
fn limits(state: &State, script: &mut Script) {
    let lines = state.section("limits").split(|byte| *byte == b'\n');
    let lines: Vec<&str> = lines
        .filter_map(|line| std::str::from_utf8(line).ok())
        .collect();
    // Soft, then hard: a soft limit must not be above the hard one that is set next.
    for (at, which) in ["S", "H"].into_iter().enumerate() {
        let each = lines
            .iter()
            .skip(at)
            .step_by(2)
            .filter_map(|line| line.split_once(' '));
        let each: Vec<(&str, &str)> = each.filter(|(_, value)| !value.is_empty()).collect();
        let all: String = each
            .iter()
            .map(|(letter, value)| format!(" -{letter} {value}"))
            .collect();
        script.text(&format!("if ! builtin ulimit -{which}{all}; then"));
        for (letter, value) in each {
            script.text(&format!("    builtin ulimit -{which} -{letter} {value}"));
        }
        script.text("fi");
    }
}

/// What keeps a DEBUG trap from seeing our own commands; what the script puts around one it finds.
const GUARD: &[u8] = b"case $BASH_COMMAND in __shellkeep_*) ;; *)\n";

/// The command that sets a DEBUG trap again, behind the guard.
fn guarded(trap: &[u8]) -> Vec<u8> {
    let text = trap
        .strip_prefix(b"trap -- '")
        .and_then(|text| text.strip_suffix(b"' DEBUG"));
    match text {
        Some(text) if !text.starts_with(GUARD) => {
            [b"builtin trap -- '", GUARD, text, b"\n;; esac' DEBUG"].concat()
        }
        _ => [b"builtin ", trap].concat(),
    }
}

/// What waits for the first prompt. The DEBUG trap comes last, or nothing here would be seen by nobody.
fn late(state: &State, variables: &Variables<'_>) -> Vec<u8> {
    let mut script = Script::default();
    script.text("builtin unset -v __shellkeep_late PROMPT_COMMAND");
    match variables.find("PROMPT_COMMAND") {
        // A plain assignment makes a list whatever `declare` may be by now.
        Some(whole) if whole.starts_with(b"declare -a") => {
            let at = whole.iter().position(|byte| *byte == b'=');
            script.line(&[b"PROMPT_COMMAND", at.map_or(b"=()", |at| &whole[at..])]);
        }
        _ => variables.restore(&mut script, "PROMPT_COMMAND"),
    }
    script.text("__shellkeep_kind=; __shellkeep_hook_command");
    for name in LATE {
        variables.restore(&mut script, name);
    }
    let mut debug = None;
    for line in declarations(state.section("traps")) {
        if line.ends_with(b" DEBUG") {
            debug = Some(line);
        } else if !line.ends_with(b" SIGWINCH") && line.starts_with(b"trap ") {
            script.line(&[b"builtin ", line]);
        }
    }
    for line in declarations(state.section("disabled")) {
        script.line(&[b"builtin ", line]);
    }
    options::late(state, &mut script);
    if let Some(debug) = debug {
        let debug = guarded(debug);
        if state.report().has_line {
            script.line(&[b"__shellkeep_debug=", &quote(&debug)]);
        } else {
            script.line(&[&debug]);
        }
    }
    script.0
}
