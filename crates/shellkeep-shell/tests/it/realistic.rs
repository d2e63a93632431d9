//! Shells with typical set-ups: completion packages, prompt tools, vi keys, version managers, a virtualenv. Everything
//! is there and works after hibernating five times.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use shellkeep_shell::Kind;

use crate::pane::Pane;
use crate::world::{World, difference};
use crate::{bash, bash_state, zsh};

/// Records why a part of a test is skipped. Test runners hide the output of tests that pass, so it is written to the
/// file that `cargo xtask test` prints at the end.
fn skip(reason: &str) {
    if let Some(path) = std::env::var_os("SHELLKEEP_TEST_SKIPS") {
        let file = OpenOptions::new().append(true).create(true).open(path);
        writeln!(file.unwrap(), "shells as people have them: {reason}").unwrap();
    }
}

/// The package as installed, or at `SHELLKEEP_TEST_BASH_COMPLETION`.
fn bash_completion() -> Option<PathBuf> {
    let named = std::env::var_os("SHELLKEEP_TEST_BASH_COMPLETION").map(PathBuf::from);
    let path = named.unwrap_or_else(|| "/usr/share/bash-completion/bash_completion".into());
    if !path.exists() {
        skip("bash-completion is not installed");
        return None;
    }
    Some(path)
}

/// Makes a real virtualenv in the home directory, if Python can.
fn make_virtualenv(world: &World) -> bool {
    let made = Command::new("python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(world.home().join("venv"))
        .output();
    let is_made = made.is_ok_and(|made| made.status.success());
    if !is_made {
        skip("python3 cannot make a virtualenv");
    }
    is_made
}

/// What a prompt tool, a version manager and an environment manager add to bash.
const BASH_TOOLS: &str = r#"
: "$COMP_WORDBREAKS"
HISTCONTROL=ignoreboth
shopt -s histappend checkwinsize
tool_preserve() { return "$1"; }
tool_precmd() {
    local -a pipe=("${PIPESTATUS[@]}")
    tool_status=$?
    [[ -n ${VIRTUAL_ENV_PROMPT-} ]] && local env="($VIRTUAL_ENV_PROMPT)"
    PS1="$(builtin printf '\\[\\e[1m\\]%s\\[\\e[m\\] %s %s' "${env-}" "$tool_status" '> ')"
    tool_preserve "$tool_status"
}
tool_preexec() { [[ -n $COMP_LINE ]] || tool_started=1; }
before_prompt() { :; }
PROMPT_COMMAND=(before_prompt tool_precmd)
trap 'tool_preexec "$_"' DEBUG
trap 'echo bye >~/left' EXIT
set -o vi
bind -m vi-command '"gg": beginning-of-history'
bind -x '"\C-t": tool_pick'
tool_pick() { READLINE_LINE+=picked; }
export NVM_DIR=$HOME/.nvm
nvm() {
    case $1 in
        use) PATH=$NVM_DIR/versions/$2/bin:$PATH; export NVM_BIN=$NVM_DIR/versions/$2/bin ;;
        current) echo "${NVM_BIN##*versions/}" ;;
    esac
}
nvm_find_up() { local path_=${PWD}; while [ -n "$path_" ]; do path_=${path_%/*}; done; }
_nvm() { COMPREPLY=($(compgen -W 'use current' -- "${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _nvm nvm
export CONDA_EXE=$HOME/conda/bin/conda CONDA_SHLVL=0
__conda_activate() {
    case $1 in
        activate) export CONDA_PREFIX=$HOME/conda/envs/$2 CONDA_DEFAULT_ENV=$2 CONDA_SHLVL=1; PATH=$CONDA_PREFIX/bin:$PATH ;;
        deactivate) PATH=${PATH#"$CONDA_PREFIX/bin:"}; unset CONDA_PREFIX CONDA_DEFAULT_ENV; CONDA_SHLVL=0 ;;
    esac
    builtin hash -r
}
conda() { __conda_activate "$@"; }
alias ls='ls --color=auto' grep='grep --color=auto' ..='cd ..'
"#;

const BASH_DAY: &[&str] = &[
    "nvm use 20; conda activate science",
    "declare -A colours=([red]=1 ['odd key']='a b'); declare -r fixed=1; declare -i number=3; declare -n name=number",
    "mkdir -p a/b; cd a/b; pushd /usr >/dev/null; pushd /tmp >/dev/null; cd /var; umask 027; shopt -s globstar",
    "f() { echo one; }; export -f f; export LATER=1; plain=2",
];

fn five_times(world: &World, mut pane: Pane, dump: fn(&World, &Pane) -> String) -> Pane {
    let before = dump(world, &pane);
    for cycle in 1..=5 {
        pane = world.cycle(pane);
        let after = dump(world, &pane);
        assert_eq!(difference(&before, &after), "", "cycle {cycle}");
    }
    pane
}

/// Runs a line, and returns what is shown.
fn shown(pane: &Pane, line: &str) -> String {
    pane.run(line);
    pane.seen().text()
}

#[test]
fn bash_with_tools_is_the_same_after_five_cycles_and_they_work() {
    for program in bash::all() {
        for kind in [Kind::Plain, Kind::Login] {
            let world = World::new(&program);
            let completion = bash_completion();
            let load = completion.map_or(String::new(), |path| format!(". '{}'\n", path.display()));
            world.file(".bashrc", &format!("{BASH_TOOLS}{load}"));
            world.file(".bash_profile", ". ~/.bashrc");
            let has_virtualenv = make_virtualenv(&world);
            let pane = world.start(kind);
            for line in BASH_DAY {
                pane.run(line);
            }
            if has_virtualenv {
                pane.run(". ~/venv/bin/activate");
            }
            let pane = five_times(&world, pane, bash_state::dump);
            pane.run("clear");
            let text = shown(
                &pane,
                "nvm current; echo $CONDA_DEFAULT_ENV; dirs -v; echo $OLDPWD; umask; f",
            );
            let expected = "\n20/bin\nscience\n 0  /var\n 1  /usr\n";
            assert!(
                text.contains(expected) && text.contains("\n0027\none\n"),
                "{text}"
            );
            if has_virtualenv {
                let text = shown(
                    &pane,
                    "deactivate; echo \"<${VIRTUAL_ENV-none}>\"; type deactivate",
                );
                assert!(
                    text.contains("<none>") && text.contains("not found"),
                    "{text}"
                );
            }
            let text = shown(
                &pane,
                "conda deactivate; echo \"<${CONDA_PREFIX-none}>\"; complete -p nvm",
            );
            assert!(
                text.contains("<none>\ncomplete -o default -F _nvm nvm"),
                "{text}"
            );
            assert_eq!(world.read("left"), "", "an exit trap ran");
        }
    }
}

#[test]
fn bash_completion_still_completes() {
    let Some(path) = bash_completion() else {
        return;
    };
    let world = World::new(&bash::last());
    world.file(".bashrc", &format!("PS1='$ '\n. '{}'\n", path.display()));
    std::fs::create_dir(world.home().join("only-a-directory")).unwrap();
    world.file("only-a-file", "");
    let pane = world.cycle(world.cycle(world.start(Kind::Plain)));
    // Loaded on demand by a function that was restored.
    pane.type_text("cd only\t", "cd only-a-directory/");
}

/// What oh-my-zsh with some plugins adds to zsh.
const ZSH_TOOLS: &str = r#"
HISTFILE=~/.zsh_history HISTSIZE=5000 SAVEHIST=5000
setopt prompt_subst extended_history hist_ignore_dups hist_ignore_space hist_verify auto_cd auto_pushd pushd_ignore_dups
autoload -Uz compinit add-zsh-hook colors is-at-least url-quote-magic edit-command-line vcs_info bashcompinit
colors
compinit -u -C -d ~/.zcompdump
bashcompinit
zstyle ':completion:*:*:*:*:*' menu select
zstyle ':completion:*' matcher-list 'm:{a-zA-Z-_}={A-Za-z_-}' 'r:|=*' 'l:|=* r:|=*'
zstyle ':completion:*' list-colors "${(s.:.)LS_COLORS}"
zstyle ':vcs_info:*' enable git
bindkey -v
KEYTIMEOUT=1
function zle-keymap-select() { vi_mode=$KEYMAP; zle reset-prompt }
function zle-line-init() { vi_mode=viins }
zle -N zle-keymap-select
zle -N zle-line-init
zle -N edit-command-line
bindkey -M vicmd v edit-command-line
bindkey '^P' up-line-or-history
bindkey '^?' backward-delete-char
typeset -gA ZSH_THEME_COLOURS=(ok green bad red)
git_prompt_info() { vcs_info; print -rn -- "$vcs_info_msg_0_" }
PROMPT='%{$fg[cyan]%}%c%{$reset_color%} $(git_prompt_info)%(?.%F{green}.%F{red})> %f'
RPROMPT='${vi_mode}'
timer_precmd() { timer_show=$((SECONDS - ${timer_began:-SECONDS})) }
timer_preexec() { timer_began=$SECONDS }
add-zsh-hook precmd timer_precmd
add-zsh-hook preexec timer_preexec
add-zsh-hook chpwd timer_chpwd
timer_chpwd() { visited+=($PWD) }
typeset -ga visited
alias -g G='| grep' ; alias ...='cd ../..' ; alias gst='git status'
_tool() { _arguments '1:what:(use ls)' }
tool() { print -r -- "tool $*" }
compdef _tool tool
complete -W 'one two' bashish
export NVM_DIR=$HOME/.nvm
nvm() { [[ $1 == use ]] && { path=($NVM_DIR/versions/$2/bin $path); export NVM_BIN=$NVM_DIR/versions/$2/bin } }
"#;

/// Variables of the clock, which always differ.
const ZSH_CLOCK: &[&str] = &["timer_began=", "timer_show=", "timer_began", "timer_show"];

fn zsh_dump(world: &World, pane: &Pane) -> String {
    // Zsh prints a pattern as it was first written, and later in its own form.
    let text = zsh::dump(world, pane).replace(" | ", "|");
    let lines = text
        .lines()
        .filter(|line| !ZSH_CLOCK.iter().any(|clock| line.contains(clock)));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn zsh_with_tools_is_the_same_after_five_cycles_and_they_work() {
    for kind in [Kind::Plain, Kind::Login] {
        let world = World::new(&zsh::program());
        world.file(".zshrc", ZSH_TOOLS);
        let has_virtualenv = make_virtualenv(&world);
        let pane = world.start(kind);
        pane.run("nvm use 20; mkdir -p a/b; cd a/b; cd /usr; cd /tmp; umask 027; setopt glob_dots");
        if has_virtualenv {
            pane.run(". ~/venv/bin/activate");
        }
        let pane = five_times(&world, pane, zsh_dump);
        pane.run("clear");
        let text = shown(
            &pane,
            "print ${NVM_BIN:t2}; dirs; umask; print $_comps[tool] $_comps[bashish] $visited[-1]",
        );
        assert!(
            text.contains("\n20/bin\n/tmp /usr ~/a/b ~\n027\n_tool _bash_complete"),
            "{text}"
        );
        if has_virtualenv {
            let text = shown(
                &pane,
                "deactivate; print \"<${VIRTUAL_ENV-none}>\"; whence deactivate || print gone",
            );
            assert!(text.contains("<none>\ngone"), "{text}");
        }
        // Vi keys: command mode, to the start of the line, and insert.
        pane.send("print x");
        pane.wait("the line", |seen| seen.cursor_row().0.contains("print x"));
        pane.send("\x1b")
            .wait("command mode", |seen| seen.cursor_row().0.contains("vicmd"));
        pane.send("0iprint vi; ");
        pane.wait("the edited line", |seen| {
            seen.cursor_row().0.contains("print vi; print x")
        });
    }
}
