//! Bash: how it is started, and how its state becomes a script.

mod functions;
mod history;
mod keys;
mod later;
mod options;
mod rest;
mod scripts;
mod variables;

pub(crate) use rest::line_key;

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::counts::Counts;
use crate::launch::{Kind, Launch, RunRc};
use crate::line::Line;
use crate::pieces::{MAIN, Pieces, Script};
use crate::plain_keys::PlainKeys;
use crate::private_files::unpack;
use crate::revived::{LineKey, Revived};
use crate::state::ShellState;
use crate::words::{contains, declarations, quote, unquote};
use functions::names;
use scripts::{FIRST, FUNCTIONS, GIVE, GIVEN, HOOKS, PUT, REVIVE, RUN_RC, SHIM, settings};
use variables::{LATE, Variables};

/// The pieces of a state, in the order in which the script reads them.
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
            unpack(&script, &[&scripts::plain(dir)?])?;
            launch.arg("--rcfile").arg(script)
        }
        Kind::Login => {
            let script = dir.join("login.bash");
            unpack(&script, &[&scripts::login(dir)?])?;
            login_with(launch, &script, inherited)
        }
    })
}

/// Makes a login shell read our script instead of the user's files.
fn login_with(
    launch: Launch,
    script: &Path,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> Launch {
    let launch = launch.arg("--posix").arg("-l").env("ENV", script);
    match inherited("ENV") {
        Some(env) => launch.env("SHELLKEEP_ENV", env),
        None => launch,
    }
}

/// How to start a shell that hibernated.
pub(crate) fn relaunch(program: &Path, state: &ShellState, dir: &Path, run_rc: RunRc) -> Launch {
    let launch = Launch::new(program).arg("--posix");
    let launch = if options::has_shopt(state, "login_shell") {
        launch.arg("-l")
    } else {
        launch
    };
    launch
        .env("ENV", dir.join(MAIN))
        .env("SHELLKEEP_REVIVE", dir)
        .on_terminal_of(state)
        .with_little(run_rc)
}

/// Writes the pieces, and the script that reads them.
pub(crate) fn revive(
    state: &ShellState,
    scripts: &Path,
    pieces: &Pieces,
    run_rc: RunRc,
) -> io::Result<Revived> {
    let variables = Variables::of(state);
    let parts = later::divide(state, &variables);
    let settings = settings(scripts)?;
    let mut script = Script::default();
    // Nothing changes these variables until all of the script is read, so this can wait until after the first prompt.
    let is_given_later =
        run_rc == RunRc::Off && parts.can_wait == later::CanWait::Yes && !state.has_any_own();
    let (given_now, given_later) = match is_given_later {
        true => ("", GIVEN),
        false => (GIVEN, ""),
    };
    let is_first = parts.can_wait == later::CanWait::Yes;
    let first = if is_first { FIRST } else { FUNCTIONS };
    script.text(&[&settings, given_now, first, GIVE, PUT, REVIVE].concat());
    if run_rc == RunRc::On {
        pieces.write("run-rc", RUN_RC.as_bytes())?;
        script.text("builtin . \"$__shellkeep_from/run-rc\"");
    }
    // One block for both, because each redirection costs a dozen system calls.
    let mut first = Script(history::write(state, pieces)?);
    first.text("__shellkeep_done+=' history'");
    first.0.extend_from_slice(&options::early(state));
    inline(&mut script, "options", &first.0);
    let declared = declarations_of(state, &variables, &parts.waiting);
    read_from_file(&mut script, "aliases", declared, pieces)?;
    // A function may need this option to be read, although the shell has switched it off since.
    script.text("builtin shopt -s extglob");
    read_from_file(&mut script, "functions", parts.functions, pieces)?;
    if !options::has_shopt(state, "extglob") {
        script.text("builtin shopt -u extglob");
    }
    let functions = [given_later, FUNCTIONS].concat();
    if is_first {
        let waiting = (&parts.waiting, &parts.needed);
        write_later(state, &variables, waiting, &functions, pieces)?;
        script.text("__shellkeep_later=$__shellkeep_dir/later");
        bind_put(state, &mut script);
        script.text("__shellkeep_done+=' completions bindings'");
    } else {
        pieces.write_beside("keys", &keys::inputrc(state))?;
        let behind = behind(state, &functions, &[]);
        read_from_file(&mut script, "bindings", behind, pieces)?;
        script.text("__shellkeep_done+=' completions'");
    }
    let mut rest = rest(state, &variables);
    if !is_first {
        limits(state, &mut rest);
    }
    inline(&mut script, "rest", &rest.0);
    let line_key = match is_first {
        _ if rest::is_in_command_mode(state) => LineKey::NeededForCommands,
        true => LineKey::Needed,
        false => LineKey::from(state),
    };
    finish(state, &variables, line_key, &mut script);
    // Created here, because creating the file in the shell would delay its first prompt.
    pieces.write("done", b"")?;
    history::write_seen(&variables, pieces)?;
    pieces.write(MAIN, &script.0)?;
    Ok(Revived {
        line_key,
        plain: PlainKeys::default(),
        expected: PIECES,
    })
}

/// Variables and aliases. Aliases are not expanded yet, so they may come before functions.
fn declarations_of(
    state: &ShellState,
    variables: &Variables<'_>,
    waiting: &HashSet<String>,
) -> Vec<u8> {
    let mut declared = Script(variables.script(state, waiting));
    // The shell's PATH may contain the shim of a server that is gone.
    let set_path = "__shellkeep_set_path again\nbuiltin unset -f __shellkeep_set_path";
    declared.text(&[SHIM, set_path].concat());
    declared.text("__shellkeep_done+=' variables'");
    let aliases = each(state.section("aliases"), b"alias ");
    declared.0.extend_from_slice(&aliases);
    declared.0
}

/// Two keys: one that makes bash read the rest of the state, and one that enters vi's command mode.
pub(crate) const PUT_FOR_COMMANDS: &[u8] = b"\x1b[7701;2~\x1b[7701;3~";

/// Binds the second key. An escape could not be used, because readline would wait for a key after it.
const BIND_COMMANDS: &str =
    "builtin bind -m vi-insert '\"\\e[7701;3~\": vi-movement-mode' 2>/dev/null";

/// Binds the key that makes bash read the rest of the state.
fn bind_put(state: &ShellState, script: &mut Script) {
    for map in maps(state) {
        let key = "builtin bind -m {} -x '\"\\e[7701;2~\": __shellkeep_put \"${_-}\"'";
        script.text(&key.replace("{}", map));
    }
}

/// Writes what the shell reads after its first prompt.
fn write_later(
    state: &ShellState,
    variables: &Variables<'_>,
    (waiting, needed): (&HashSet<String>, &HashSet<String>),
    functions: &str,
    pieces: &Pieces,
) -> io::Result<()> {
    let mut script = Script(later::behind(state, variables, waiting, needed));
    // Before any command of the user; a prompt does not need the limits.
    script.text("{");
    limits(state, &mut script);
    script.text("} >/dev/null 2>&1");
    pieces.write_beside("keys", &keys::inputrc(state))?;
    pieces.write_beside("later", &behind(state, functions, &script.0))
}

/// A piece inside the main script, with the note that it was read.
fn inline(script: &mut Script, name: &str, text: &[u8]) {
    script
        .line(&[b"{\n", text])
        .text(&format!("__shellkeep_done+=' {name}'"))
        .text("} >/dev/null 2>&1");
}

/// A piece in a file of its own, so that an error in it does no harm to the others. An empty one gets no file.
fn read_from_file(
    script: &mut Script,
    name: &str,
    mut text: Vec<u8>,
    pieces: &Pieces,
) -> io::Result<()> {
    let done = format!("__shellkeep_done+=' {name}'");
    if text.is_empty() {
        script.text(&done);
        return Ok(());
    }
    text.extend_from_slice(done.as_bytes());
    text.push(b'\n');
    pieces.write(name, &text)?;
    script.text(&format!(
        "builtin . \"$__shellkeep_from/{name}\" >/dev/null 2>&1"
    ));
    Ok(())
}

/// What is read after the first prompt, or at the end of the script: the hooks, `waiting`, and the key bindings, with
/// our own keys last.
fn behind(state: &ShellState, functions: &str, waiting: &[u8]) -> Vec<u8> {
    let mut script = Script([functions, HOOKS].concat().into_bytes());
    script.0.extend_from_slice(waiting);
    script.text("{");
    script.0.extend_from_slice(&completions(state));
    script.0.extend_from_slice(&keys::commands(state));
    script.text(&format!("__shellkeep_keys {}", maps(state).join(" ")));
    match window_change_trap(state) {
        Some(trap) => {
            let begin = "builtin trap -- \"$__shellkeep_trap$__shellkeep_break$__shellkeep_unless$__shellkeep_break\"'";
            script.line(&[begin.as_bytes(), trap, b"\n}' WINCH"]);
        }
        None => {
            script.text("builtin trap -- \"$__shellkeep_trap\" WINCH");
        }
    }
    match exit_trap(state) {
        Some(trap) => {
            let begin = b"builtin trap -- \"$__shellkeep_at_exit$__shellkeep_break\"'";
            script.line(&[begin, trap, b"' EXIT"]);
        }
        None => {
            script.text("builtin trap -- \"$__shellkeep_at_exit\" EXIT");
        }
    }
    script.text("} >/dev/null 2>&1");
    // An empty `__shellkeep_later` means that all of this was read.
    script.text("__shellkeep_later=");
    script.0
}

/// The key maps that are active in this editing mode.
fn maps(state: &ShellState) -> &'static [&'static str] {
    if options::has_mode(state, "vi") {
        &["vi-insert", "vi-command"]
    } else {
        &["emacs"]
    }
}

/// The end of the script: the notes on what was read, and what is run at the first prompt.
fn finish(state: &ShellState, variables: &Variables<'_>, line_key: LineKey, script: &mut Script) {
    let late = quote(&late(state, variables, line_key));
    if line_key == LineKey::NeededForCommands {
        script.text(BIND_COMMANDS);
    }
    if options::has_shopt(state, "expand_aliases") {
        // Before 5.2, commands that run for a prompt cannot change this option.
        script.text("builtin shopt -s expand_aliases");
    }
    script
        .text("{")
        .text("builtin printf '%s\\n' \"$__shellkeep_done${__shellkeep_unread// / !}\" 1<>\"$__shellkeep_from/done\"")
        .text("builtin unset -v __shellkeep_from __shellkeep_done __shellkeep_unread")
        .line(&[b"__shellkeep_late=", &late])
        .text("if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then")
        .text("PROMPT_COMMAND=('builtin eval \"$__shellkeep_late\" 2>/dev/null' \"${PROMPT_COMMAND[@]}\" __shellkeep_prompt)")
        .text("else")
        .text("PROMPT_COMMAND='builtin eval \"$__shellkeep_late\" 2>/dev/null'$'\\n'${PROMPT_COMMAND-}$'\\n'$__shellkeep_last")
        .text("fi")
        .text("} 2>/dev/null")
        .line(&[b"__shellkeep_word=", state.fact("word").unwrap_or_default()])
        // Restores `$_`, the last word of the last command.
        .text("__shellkeep_give \"$__shellkeep_word\"");
}

pub(crate) fn count(state: &ShellState) -> Counts {
    Counts {
        variables: Variables::of(state).kept().count(),
        functions: names(state).count(),
        aliases: declarations(state.section("aliases")).len(),
        history: history::entries(state.section("history")),
        unsaved: history::entries(state.section("unsaved")),
    }
}

fn completions(state: &ShellState) -> Vec<u8> {
    let section = state.section("completions");
    // Before 5.1, bash prints no quotes for a completion of an empty command name.
    let lines = section.split_inclusive(|byte| *byte == b'\n');
    let is_nameless = |line: &[u8]| {
        let quotes = line.iter().filter(|byte| **byte == b'\'').count();
        line.starts_with(b"complete ") && line.ends_with(b" \n") && quotes.is_multiple_of(2)
    };
    let mended = lines.map(|line| match line.strip_suffix(b"\n") {
        Some(call) if is_nameless(line) => [call, b"''\n"].concat(),
        _ => line.to_vec(),
    });
    each(&mended.collect::<Vec<_>>().concat(), b"complete ")
}

/// Each declaration of a section as a call of the builtin, whatever functions the user has defined.
fn each(text: &[u8], begin: &[u8]) -> Vec<u8> {
    let mut script = Script::default();
    for line in declarations(text) {
        if line.starts_with(begin) {
            script.line(&[b"builtin ", line]);
        }
    }
    script.0
}

fn rest(state: &ShellState, variables: &Variables<'_>) -> Script {
    let mut script = Script::default();
    for line in declarations(state.section("umask")) {
        script.line(&[b"builtin ", line]);
    }
    if let Some(stack) = state
        .section("directories")
        .strip_prefix(b"declare -a DIRSTACK=")
        .filter(|stack| contains(stack, b" [1]="))
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
    // Computed here, so that the first prompt need not do it.
    let cwd = unquote(state.fact("cwd").unwrap_or_default());
    script.line(&[b"__shellkeep_cwd=", &quote(&cwd)]);
    script.line(&[b"__shellkeep_path=", &quote(&encoded(&cwd))]);
    if let arguments @ [_, ..] = state.section("arguments").trim_ascii() {
        script.line(&[b"builtin set -- ", arguments]);
    }
    if let Some(line) = Line::parse(state.section("line")).filter(|line| !line.text.is_empty()) {
        script.line(&[b"__shellkeep_half=", &quote(&line.text)]);
        // Entering vi's command mode moves the cursor one to the left.
        let point = line.point + usize::from(rest::is_in_command_mode(state));
        script.text(&format!("__shellkeep_point={point}"));
    }
    let status = state.fact("status").unwrap_or(b"0");
    script.line(&[b"__shellkeep_saved=", status]);
    script
}

/// The first 4096 bytes of a path, URL-encoded as the script does it.
fn encoded(path: &[u8]) -> Vec<u8> {
    let mut url = Vec::new();
    for byte in path.iter().take(4096) {
        if byte.is_ascii_alphanumeric() || b"/._~,:@+=-".contains(byte) {
            url.push(*byte);
        } else {
            url.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    url
}

/// The text, between quotes, of the user's own WINCH trap, which our trap contains.
fn window_change_trap(state: &ShellState) -> Option<&[u8]> {
    // Our trap runs the user's if there is no request for the state. In states of an earlier version it always ran the
    // user's.
    let frames = [
        (
            &b"__shellkeep_questioned ) 2>/dev/null || {\n"[..],
            &b"\n}' SIGWINCH"[..],
        ),
        (b"__shellkeep_install\n", b"' SIGWINCH"),
    ];
    let traps = declarations(state.section("traps"));
    let trap = traps
        .into_iter()
        .find(|trap| trap.ends_with(b" SIGWINCH"))?;
    frames.into_iter().find_map(|(begin, end)| {
        let at = trap.windows(begin.len()).position(|it| it == begin)?;
        trap[at + begin.len()..].strip_suffix(end)
    })
}

/// The text of the user's own EXIT trap, which our trap contains.
fn exit_trap(state: &ShellState) -> Option<&[u8]> {
    let traps = declarations(state.section("traps"));
    let trap = traps.into_iter().find(|trap| trap.ends_with(b" EXIT"))?;
    let text = trap.strip_prefix(b"trap -- '")?.strip_suffix(b"' EXIT")?;
    let is_ours = [&b"( __shellkeep_leaving "[..], b"__shellkeep_rest "]
        .iter()
        .any(|begin| text.starts_with(begin));
    let users = match text.iter().position(|byte| *byte == b'\n') {
        _ if !is_ours => text,
        Some(end) => &text[end + 1..],
        None => &[],
    };
    (!users.is_empty()).then_some(users)
}

/// Sets all limits with one command, and one by one only if that fails, because each command takes time.
fn limits(state: &ShellState, script: &mut Script) {
    let lines = state.section("limits").split(|byte| *byte == b'\n');
    let lines: Vec<&str> = lines
        .filter_map(|line| std::str::from_utf8(line).ok())
        .collect();
    // Soft limits first: a soft limit must not be above the hard limit that is set next.
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
        let one_by_one: String = each
            .iter()
            .map(|(letter, value)| format!(" '{letter} {value}'"))
            .collect();
        script.text(&format!(
            "builtin ulimit -{which}{all} || for __shellkeep_each in{one_by_one}; do builtin ulimit -{which} -${{__shellkeep_each% *}} ${{__shellkeep_each#* }}; done"
        ));
    }
}

/// Put around a DEBUG trap, so that it does not see our own commands.
const GUARD: &[u8] = b"case $BASH_COMMAND in *__shellkeep_*) ;; *)\n";

/// The command that sets a DEBUG trap, with the guard around it.
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

/// Whether PROMPT_COMMAND is not used by bash-preexec. If it is, finding our place in it takes a full parse.
fn has_plain_prompt_command(variables: &Variables<'_>) -> bool {
    let found = variables.find("PROMPT_COMMAND");
    found.is_none_or(|whole| !contains(whole, b"_interactive_mode"))
}

/// Restores PROMPT_COMMAND, with our command at its end.
fn prompt_command(variables: &Variables<'_>, script: &mut Script) {
    let found = variables.0.iter().find(|entry| entry.1 == "PROMPT_COMMAND");
    let kind = match found {
        // A plain assignment makes an array even if the user has replaced `declare`.
        Some((attributes, _, whole)) if attributes.contains('a') => {
            let at = whole.iter().position(|byte| *byte == b'=');
            script.line(&[b"PROMPT_COMMAND", at.map_or(b"=()", |at| &whole[at..])]);
            "array"
        }
        Some(_) => {
            variables.restore(script, "PROMPT_COMMAND");
            "scalar"
        }
        None => "none",
    };
    let is_fixed = found.is_some_and(|(attributes, ..)| attributes.contains('r'));
    let is_plain = has_plain_prompt_command(variables);
    // Never the first element, which a user replaces by assigning a plain text.
    let ours = match kind {
        "array" => "PROMPT_COMMAND+=(__shellkeep_prompt)",
        _ => "PROMPT_COMMAND[1]=__shellkeep_prompt",
    };
    let fast = format!("{ours}; __shellkeep_kind={kind}");
    let slow = "if [[ -n $__shellkeep_later ]]; then __shellkeep_load; fi; __shellkeep_kind=; __shellkeep_hook_command";
    match (is_fixed, is_plain) {
        (true, _) => {}
        (false, true) => {
            script.text(&format!(
                "if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then {fast}; else {slow}; fi"
            ));
        }
        (false, false) => {
            script.text(slow);
        }
    }
}

/// What runs at the first prompt. The DEBUG trap is last, so that it does not see the commands before it.
fn late(state: &ShellState, variables: &Variables<'_>, line_key: LineKey) -> Vec<u8> {
    let mut script = Script::default();
    script.text("builtin unset -v __shellkeep_late PROMPT_COMMAND");
    prompt_command(variables, &mut script);
    for name in LATE {
        variables.restore(&mut script, name);
    }
    let mut debug = None;
    for line in declarations(state.section("traps")) {
        if line.ends_with(b" DEBUG") {
            debug = Some(line);
        } else if line.ends_with(b" EXIT") {
            // Our EXIT trap is set with what is read after the prompt, and contains this one.
            if let Some(trap) = exit_trap(state) {
                let begin = b"[[ -z $__shellkeep_later ]] || builtin trap -- '";
                script.line(&[begin, trap, b"' EXIT"]);
            }
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
        if line_key != LineKey::None {
            script.line(&[b"__shellkeep_debug=", &quote(&debug)]);
        } else {
            script.line(&[&debug]);
        }
    }
    // In an old bash PROMPT_COMMAND is one text, and the user's part of it has to see the last exit status. Not if
    // returning that status would end the shell, or trigger an ERR trap.
    if is_old(state) && !options::has_mode(state, "errexit") && !traps_errors(state) {
        script.text("__shellkeep_give");
    }
    script.0
}

/// Whether it is a bash before 5.1, in which PROMPT_COMMAND is one text.
fn is_old(state: &ShellState) -> bool {
    let version = state.fact("version").unwrap_or_default();
    version.starts_with(b"4.") || version.starts_with(b"5.0.")
}

fn traps_errors(state: &ShellState) -> bool {
    let traps = declarations(state.section("traps"));
    traps.iter().any(|trap| trap.ends_with(b" ERR"))
}
