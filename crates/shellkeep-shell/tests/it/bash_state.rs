//! Bash: a user's files and commands, and a dump of the complete state of the shell.

use crate::pane::Pane;
use crate::world::World;

/// A user's file with typical content: a prompt that is rebuilt each time, hooks, completion, a version manager.
pub(crate) const RC: &str = r#"
case $- in *i*) ;; *) return ;; esac
HISTCONTROL=ignoreboth
: "$COMP_WORDBREAKS"
HISTSIZE=1000
HISTFILESIZE=2000
shopt -s histappend checkwinsize globstar extglob
[ -n "${theme_loaded-}" ] || theme_loaded=1
theme_precmd() {
    local status=$?
    theme_duration=$((SECONDS - ${theme_started:-$SECONDS}))
    PS1="\[\e[1;32m\]\w\[\e[0m\] [$status]\n${VIRTUAL_ENV:+(venv) }> "
}
theme_preexec() { [ -n "$COMP_LINE" ] || theme_started=$SECONDS; }
PROMPT_COMMAND=theme_precmd
trap 'theme_preexec "$_"' DEBUG
alias ll='ls -l' la='ls -A' ..='cd ..' q="echo 'it'\''s'"
alias -- -='cd -'
tool_dir=$HOME/.tool
tool() {
    if [[ $1 == use ]]; then
        PATH=$tool_dir/$2/bin:$PATH
        export TOOL_VERSION=$2
    fi
    cat <<EOF
}
not the end of $1
EOF
}
cd() { builtin cd "$@" && ls_after=$PWD; }
printf() { builtin printf "$@"; }
_tool() { COMPREPLY=($(compgen -W "use ls" -- "${COMP_WORDS[COMP_CWORD]}")); }
complete -F _tool tool
complete -W 'a b "c d"' words
bind '"\C-xq": "macro \"x\""'
bind -x '"\C-t": echo "picked" '"'it'"' \\'
bind 'set completion-ignore-case on'
"#;

/// The essence of a virtualenv's `activate`.
pub(crate) const ACTIVATE: &str = r#"
deactivate() {
    PATH=$_OLD_VIRTUAL_PATH
    PS1=$_OLD_VIRTUAL_PS1
    unset VIRTUAL_ENV _OLD_VIRTUAL_PATH _OLD_VIRTUAL_PS1
    hash -r
}
VIRTUAL_ENV=$HOME/venv
export VIRTUAL_ENV
_OLD_VIRTUAL_PATH=$PATH
PATH=$VIRTUAL_ENV/bin:$PATH
export PATH
_OLD_VIRTUAL_PS1=${PS1-}
PS1="(venv) ${PS1-}"
export PS1
"#;

/// A day's commands of a user.
pub(crate) const DAY: &[&str] = &[
    "plain='a b'; export exported=$'line one\\nline two'; empty=; export empty_exported=",
    "odd=$'\\e[31m\\t\\'\"`$x`\\\\ \\x01'; utf='é 🦀'; latin=$'\\xe9'",
    "declare -i number=5; declare -r fixed='for ever'; declare -l lower=ABC; declare -u upper=abc; declare -ix count=3",
    "list=(one 'two words' $'three\\nlines'); sparse=([3]=c [7]=); declare -A map=([key]=value ['odd key']=$'a\\nb' [x]=); none=(); declare -A nomap",
    "declare -n ref=plain; declare unset_with_attribute; declare -i unset_number",
    "outer() { inner() { echo \"inner $1\"; }; local x=(a b); [[ $1 == @(a|b) ]] && for i in {1..3}; do case $i in 1) : ;; *) echo \"${x[@]}\" ;; esac; done; }",
    "export -f outer; declare -ft tool; spaced-name() { :; }",
    "alias multi='echo a;\necho b'; unalias la",
    "set -o noclobber; set -o pipefail; shopt -s dotglob nullglob; shopt -u checkwinsize",
    "trap 'echo \"bye it'\\''s over\"' EXIT; trap 'echo usr1' USR1; trap '' USR2; trap 'echo winch >>~/winch' WINCH",
    "complete -o nospace -C 'echo x' other; complete -r words",
    "umask 027; ulimit -S -n 512; ulimit -c 0",
    "mkdir -p '/tmp/sk dir/in ner'; cd '/tmp/sk dir'; pushd /usr >/dev/null; pushd ~ >/dev/null; cd /tmp",
    "set -- first 'second one'; IFS=:; PS2='more> '; PS4='trace '; HISTTIMEFORMAT='%F '",
    "source ~/activate; enable -n test; CDPATH=/usr; tool use 20 >/dev/null",
    "for i in 1 2; do\necho $i\ndone",
    "ls_colors=$(seq -s: 2000); export LS_LONG=$ls_colors",
    "unset MAILCHECK OLDPWD; readonly -a locked=(a b); declare -rx sealed=1; (exit 3)",
];

/// Writes the complete state to a file; run as text instead of a function, whose name would be in the state.
const DUMP: &str = r#"
{
    echo "status $? args $# $*"
    builtin set -o; builtin shopt; builtin umask; builtin ulimit -a; builtin ulimit -Ha
    builtin dirs -v; builtin pwd; builtin declare -p; builtin declare -f; builtin declare -F; builtin alias
    builtin complete -p | sort; builtin trap -p; builtin bind -p; builtin bind -s; builtin bind -X; builtin bind -v
    builtin enable -n; HISTTIMEFORMAT='%s ' builtin history; echo "$0"
    ( HISTTIMEFORMAT=%s; builtin history -a ~/unsaved-now; cat ~/unsaved-now; rm -f ~/unsaved-now )
} >|~/dump 2>&1
"#;

/// Variables that always differ.
const VOLATILE: &[&str] = &[
    "BASHPID",
    "COMP_WORDBREAKS",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_COMMAND",
    "BASH_LINENO",
    "BASH_SOURCE",
    "COLUMNS",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "FUNCNAME",
    "HISTCMD",
    "LINENO",
    "LINES",
    "PIPESTATUS",
    "RANDOM",
    "SECONDS",
    "SRANDOM",
    "_",
    "theme_started",
    "theme_duration",
    "PPID",
    "BASH_ARGV0",
    "BASH_SUBSHELL",
    "BASH_MONOSECONDS",
];

fn is_volatile(line: &str) -> bool {
    if line.contains("__shellkeep_") {
        return true;
    }
    let Some(rest) = line.strip_prefix("declare -") else {
        return false;
    };
    let name = rest.split(' ').nth(1).unwrap_or_default();
    VOLATILE.contains(&name.split('=').next().unwrap_or_default())
}

pub(crate) fn dump(world: &World, pane: &Pane) -> String {
    world.file("dump.bash", DUMP);
    // The space keeps it out of the history.
    pane.run(" . ~/dump.bash");
    let text = world.read("dump");
    assert!(text.len() > 2000, "{text}");
    let mut lines: Vec<String> = Vec::new();
    let mut ours = false;
    for line in text.lines() {
        // The bodies of our own functions.
        if line.starts_with("__shellkeep_") && line.ends_with("() ") {
            ours = true;
        } else if ours && line == "}" {
            ours = false;
        } else if !ours && !is_volatile(line) && line != "\"" {
            lines.push(in_order(line));
        }
    }
    lines.join("\n")
}

/// Sorts the elements of an associative array, which bash prints in the order of insertion.
fn in_order(line: &str) -> String {
    let Some((name, elements)) = line
        .strip_suffix(" )")
        .filter(|line| line.starts_with("declare -A"))
        .and_then(|line| line.split_once("=("))
    else {
        return line.to_owned();
    };
    let mut elements: Vec<&str> = elements.split(" [").collect();
    elements[0] = elements[0].trim_start_matches('[');
    elements.sort_unstable();
    format!("{name}=([{} )", elements.join(" ["))
}

/// The dump without lines that the cases run, and without what differs in a nested shell.
pub(crate) fn dump_of_the_day(world: &World, pane: &Pane) -> String {
    let text = dump(world, pane);
    let lines = text
        .lines()
        .filter(|line| !line.contains("(exit 3)") && !line.starts_with('#'));
    let lines = lines.filter(|line| !line.contains("SHLVL"));
    lines.collect::<Vec<_>>().join("\n")
}
