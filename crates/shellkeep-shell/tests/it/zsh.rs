//! Zsh: tests that concern only zsh. The common cases are in `conformance`.

use std::path::PathBuf;

use shellkeep_shell::{Kind, RunRc};

use crate::pane::Pane;
use crate::world::{World, difference};

/// A user's file with typical content.
pub(crate) const RC: &str = r#"
HISTFILE=~/.zsh_history HISTSIZE=1000 SAVEHIST=1000
setopt extended_glob append_history hist_ignore_space prompt_subst interactive_comments
autoload -Uz compinit add-zsh-hook
compinit -u -d ~/.zcompdump
zstyle ':completion:*' menu select
zstyle ':completion:*:descriptions' format '%B%d%b'
theme_precmd() { theme_status=$?; PS1="%F{green}%~%f [$theme_status]"$'\n'"${VIRTUAL_ENV:+(venv) }> " }
theme_preexec() { theme_command=$1 }
add-zsh-hook precmd theme_precmd
add-zsh-hook preexec theme_preexec
alias ll='ls -l' q="echo 'it'\''s'"
alias -g L='| less'
alias -s txt=cat
typeset -U path
tool() { [[ $1 == use ]] && { path=(~/.tool/$2/bin $path); export TOOL_VERSION=$2 }; print -r -- "}" }
cd() { builtin cd "$@" && cd_after=$PWD }
_tool() { compadd use ls }
compdef _tool tool
my-widget() { LBUFFER+=x }
zle -N my-widget
bindkey '^Xx' my-widget
bindkey -s '^Xy' 'echo y\n'
hash -d docs=/usr/share/doc
"#;

pub(crate) const DAY: &[&str] = &[
    "plain='a b'; export exported=$'line one\\nline two'; empty=; export empty_exported=",
    "odd=$'\\e[31m\\t\\'\"`$x`\\\\ \\x01'; utf='é 🦀'",
    "typeset -i number=5; typeset -r fixed='for ever'; typeset -l lower=ABC; typeset -F float=1.5; typeset -ix count=3",
    "list=(one 'two words' $'three\\nlines' ''); typeset -A map=(key value 'odd key' $'a\\nb' x ''); none=(); typeset -T TIED tied; tied=(a b)",
    "outer() { local x=(a b); [[ $1 == (a|b)# ]] && for i in {1..3}; do case $i in (1) : ;; (*) print -r -- \"${x[@]}\" ;; esac; done }",
    "setopt no_clobber glob_dots; unsetopt beep; unalias q",
    "trap 'print usr1' USR1; TRAPUSR2() { print usr2 }; chpwd() { chpwd_ran=1 }",
    "umask 027; ulimit -S -n 512; WORDCHARS=abc; PS2='more> '; RPS1='right'; REPORTTIME=99",
    "mkdir -p '/tmp/sk dir'; cd '/tmp/sk dir'; pushd -q /usr; pushd -q ~; cd /tmp",
    "source ~/activate; tool use 20 >/dev/null; unset chpwd_ran",
    "path+=(/opt/one /opt/two); fpath+=(/opt/functions); cdpath=(/usr); export LANG=C.UTF-8; (exit 3)",
];

pub(crate) const ACTIVATE: &str = r#"
deactivate() { PATH=$_OLD_VIRTUAL_PATH; PS1=$_OLD_VIRTUAL_PS1; unset VIRTUAL_ENV _OLD_VIRTUAL_PATH _OLD_VIRTUAL_PS1 }
export VIRTUAL_ENV=$HOME/venv
_OLD_VIRTUAL_PATH=$PATH
export PATH=$VIRTUAL_ENV/bin:$PATH
_OLD_VIRTUAL_PS1=${PS1-}
PS1="(venv) ${PS1-}"
"#;

const DUMP: &str = r#"
{
    builtin zmodload zsh/parameter
    builtin setopt; builtin umask; builtin ulimit -a; builtin ulimit -Ha; builtin dirs -lv; builtin pwd
    builtin typeset -p; builtin typeset -f; builtin alias -L; builtin alias -sL; builtin trap; builtin zstyle -L
    builtin bindkey -L; builtin bindkey -M vicmd -L; builtin zle -lL; builtin hash -dL; builtin zmodload -L; builtin fc -li 1
    typeset +
} >|~/dump 2>&1
"#;

const VOLATILE: &[&str] = &[
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "RANDOM",
    "SECONDS",
    "TTYIDLE",
    "PPID",
    "HISTCMD",
    "LINENO",
    "_",
    "SHLVL",
    "theme_command",
    "ZSH_EVAL_CONTEXT",
    "zsh_eval_context",
    "funcstack",
    "funcfiletrace",
    "functrace",
    "funcsourcetrace",
    "TTY",
    "LINES",
    "COLUMNS",
    "0",
    "argv",
    "ZSH_ARGZERO",
    "parameters",
    "functions",
    "history",
    "jobstates",
    "jobtexts",
    "jobdirs",
    "historywords",
    "commands",
    "precmd_functions",
    "preexec_functions",
];

pub(crate) fn dump(world: &World, pane: &Pane) -> String {
    world.file("dump.zsh", DUMP);
    pane.run(" . ~/dump.zsh");
    let text = world.read("dump");
    assert!(text.len() > 2000, "{text}");
    let mut lines: Vec<&str> = Vec::new();
    let mut ours = false;
    for line in text.lines() {
        let name = line
            .split(' ')
            .find(|word| word.contains('='))
            .and_then(|word| word.split('=').next());
        let is_declaration = line.starts_with("typeset ") || line.starts_with("export ");
        if (line.starts_with("__shellkeep_") || line.starts_with("TRAPURG"))
            && line.ends_with("() {")
        {
            ours = true;
        } else if ours && line == "}" {
            ours = false;
        } else if !ours {
            let is_volatile = is_declaration && name.is_some_and(|name| VOLATILE.contains(&name));
            // A line that is kept out of the history leaves an empty entry until the next line is entered.
            let is_empty =
                line.ends_with("  ") && line.trim_start().starts_with(|c: char| c.is_ascii_digit());
            let is_tests = line.contains("__shellkeep_") || line.contains("(exit 3)");
            if is_volatile || is_empty || is_tests {
                continue;
            }
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// The system's zsh, or what `SHELLKEEP_TEST_ZSH` names.
pub(crate) fn program() -> PathBuf {
    let named = std::env::var_os("SHELLKEEP_TEST_ZSH").map(PathBuf::from);
    named.unwrap_or_else(|| "/usr/bin/zsh".into())
}

fn world(rc: &str) -> World {
    let world = World::new(&program());
    world.file(".zshrc", rc);
    world
}

#[test]
fn login_shell_is_called_as_login_calls_one() {
    let world = world("PS1='$ '");
    for (kind, name) in [(Kind::Login, "<-zsh>"), (Kind::Plain, "zsh>")] {
        let mut pane = world.start(kind);
        for round in 0..2 {
            pane.run(&format!("print -r -- \"{round}<$0>\""));
            let text = pane.seen().text();
            let line = text
                .lines()
                .find(|line| line.starts_with(&format!("{round}<")));
            assert!(line.is_some_and(|line| line.ends_with(name)), "{text}");
            pane = world.cycle(pane);
        }
    }
}

#[test]
fn start_reads_the_usual_files() {
    for zdotdir in [false, true] {
        let mut world = World::new(&program());
        let at = if zdotdir { "dot/" } else { "" };
        if zdotdir {
            let path = world.home().join("dot");
            world.set("ZDOTDIR", &path.to_string_lossy());
        }
        for name in [".zshenv", ".zprofile", ".zlogin", ".zlogout"] {
            world.file(&format!("{at}{name}"), &format!("echo {name} >>~/ran"));
        }
        world.file(&format!("{at}.zshrc"), "echo .zshrc >>~/ran; PS1='$ '");
        let question = "echo \"$SHLVL ${ZDOTDIR-none} $options[login]\"; setopt; alias; zsh -c 'typeset -p' | grep -e ZDOTDIR -e SHELLKEEP";
        for (kind, args) in [(Kind::Plain, &[][..]), (Kind::Login, &["-l"][..])] {
            let mut plain = world.plain(args);
            plain.wait("a prompt", |seen| seen.text().ends_with('$'));
            plain.send(format!(" {{ {question} }} >~/plain; exit\r"));
            plain.wait_end();
            let ran = world.read("ran");
            std::fs::remove_file(world.home().join("ran")).unwrap();
            let mut ours = world.start(kind);
            ours.run(&format!(" {{ {question} }} >~/ours"));
            ours.send("exit\r");
            ours.wait_end();
            assert_eq!(world.read("ran"), ran);
            std::fs::remove_file(world.home().join("ran")).unwrap();
            let plain = world
                .read("plain")
                .lines()
                .filter(|line| !line.contains("SHELLKEEP_SHELL_DIR"))
                .collect::<Vec<_>>()
                .join("\n");
            assert_eq!(difference(&plain, &world.read("ours")), "", "{kind:?}");
        }
    }
}

#[test]
fn request_before_the_line_is_restored_has_line_and_deferred_state() {
    let world = world("PS1='$ '; autoload -Uz compinit; compinit -u; compdef _files tool");
    let mut pane = world.start(Kind::Plain);
    pane.type_text("echo half", "$ echo half");
    for _ in 0..2 {
        let captured = world.capture(&pane);
        drop(pane);
        // The server's key never comes.
        pane = world.open(&world.revival(&captured.state, RunRc::Off).launch);
        pane.prompt();
    }
    let captured = world.capture(&pane);
    drop(pane);
    let pane = world.revive(&captured.state, RunRc::Off);
    pane.wait("the line", |seen| seen.cursor_row().0 == "$ echo half");
    pane.send("; print $_comps[tool]\r");
    pane.wait("both", |seen| seen.text().contains("\nhalf\n_files"));
}

#[test]
fn shell_that_sleeps_again_before_any_key_came_has_all_that_waits() {
    let world = world(RC);
    let mut pane = world.start(Kind::Plain);
    for line in DAY.iter().filter(|line| !line.contains("activate")) {
        pane.run(line);
    }
    let before = dump(&world, &pane);
    for _ in 0..3 {
        pane.run("(exit 3)").run("");
        for _ in 0..2 {
            let captured = world.capture(&pane);
            drop(pane);
            // The server's key never comes.
            pane = world.open(&world.revival(&captured.state, RunRc::Off).launch);
            pane.prompt();
        }
        assert_eq!(difference(&before, &dump(&world, &pane)), "");
    }
}

#[test]
fn first_prompt_has_its_functions_and_the_first_line_all_state() {
    let rc = r#"
setopt prompt_subst
zmodload zsh/datetime
typeset -A marks=(a 1 b 2 c 3 d 4 e 5 f 6 g 7 h 8 i 9 j 10 k 11 l 12 m 13 n 14 o 15 p 16 q 17 r 18 s 19 t 20)
part_dir() { print -rn -- "<dir $marks[t]>" }
part_more() { print -rn -- "<more>" }
prompt_all() { local p; for p in dir more; do part_$p; done }
PS1='$(prompt_all)$(widget_mark)> '
widget_mark() { print -rn -- "<${mode:-none}>" }
zle-line-init() { mode=ready; zle redraw-it }
zle -N zle-line-init
redraw-it() { zle reset-prompt }
zle -N redraw-it
unused() { print -r -- "$1 was unused" }
alias say='unused it'
zstyle ':mine' style value
bindkey -s '^Xs' 'say^M'
"#;
    let world = world(rc);
    let mut pane = world.start(Kind::Plain);
    let prompt = "<dir 20><more><ready>>";
    pane.wait("the prompt", |seen| seen.cursor_row().0.starts_with(prompt));
    for turn in 0..4 {
        let captured = world.capture(&pane);
        drop(pane);
        if turn % 2 == 0 {
            // Typed before the server's key.
            let launch = world.revival(&captured.state, RunRc::Off).launch;
            pane = world.open(&launch);
            pane.prompt();
            pane.wait("the prompt", |seen| seen.cursor_row().0.starts_with(prompt));
            pane.run("unused it");
        } else {
            pane = world.revive(&captured.state, RunRc::Off);
            pane.wait("the prompt", |seen| seen.cursor_row().0.starts_with(prompt));
            pane.run("say");
        }
        let text = pane.seen().text();
        assert!(text.contains("\nit was unused"), "{text}");
        assert!(!text.contains("not found"), "{text}");
        pane.run("clear; zstyle -s :mine style s; print -r - \"<$s>\"");
        pane.send("\x18s");
        pane.wait("the key", |seen| {
            seen.text().contains("<value>") && seen.text().contains("\nit was unused")
        });
        pane.prompt();
    }
}

/// Imitates syntax highlighters, which wrap every widget in a function.
const WRAP: &str = r#"
zmodload zsh/zleparameter
wrap_call() { builtin zle "$@" }
for w in ${(k)widgets:#.*}; do
    case $widgets[$w] in
        user:*) zle -N orig-$w ${widgets[$w]#*:}; eval "wrapped_$w() { wrap_call orig-${(q)w} -- \"\$@\" }"; zle -N $w wrapped_$w ;;
        builtin) eval "wrapped_$w() { wrap_call .${(q)w} -- \"\$@\" }"; zle -N $w wrapped_$w ;;
    esac
done
"#;

#[test]
fn widgets_wrapped_by_plugins_do_not_keep_the_shell_awake() {
    let real: String = ["autosuggestions", "syntax-highlighting"]
        .iter()
        .map(|name| format!("/usr/share/zsh-{name}/zsh-{name}.zsh"))
        .filter(|path| std::path::Path::new(path).exists())
        .map(|path| format!(". {path}\n"))
        .collect();
    for plugins in [WRAP, &real] {
        let world = World::new(&program());
        world.file(".zshrc", &format!("PS1='$ '\n{plugins}"));
        let pane = world.start(Kind::Plain);
        pane.run("echo once");
        pane.type_text("echo ha", "$ echo ha");
        let pane = world.cycle(world.cycle(pane));
        pane.wait("the line", |seen| seen.cursor_row().0 == "$ echo ha");
        pane.send("lf\r");
        pane.wait("what was typed", |seen| seen.text().contains("\nhalf"));
    }
}

#[test]
fn going_back_goes_where_it_was() {
    let world = world("PS1='$ '");
    world.file("place/x", "");
    std::os::unix::fs::symlink(world.home().join("place"), world.home().join("link")).unwrap();
    std::fs::create_dir(world.home().join("gone")).unwrap();
    for (old, cwd, back) in [
        ("/", "/usr", "/"),
        ("~/link", "/usr", "~/link"),
        ("~/gone", "~/link", "~/link"),
    ] {
        let pane = world.start(Kind::Plain);
        pane.run(&format!(
            "mkdir -p ~/gone; cd {old}; cd {cwd}; rmdir ~/gone"
        ));
        let pane = world.cycle(world.cycle(pane));
        pane.run("clear; print -rD - $OLDPWD $PWD; cd - >/dev/null 2>&1; print -rD - $PWD");
        let text = pane.seen().text();
        assert!(text.contains(&format!("{old} {cwd}\n{back}\n")), "{text}");
    }
}

#[test]
fn directory_with_a_line_break_in_its_name_returns() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    pane.run("mkdir $'it\\'s\\na é'; cd it*; pushd -q /; pushd -q; mine=kept");
    let captured = world.capture(&pane);
    let cwd = world.home().join("it's\na é");
    assert_eq!(captured.state.report().cwd, cwd);
    drop(pane);
    let pane = world.revive(&captured.state, RunRc::Off);
    assert_eq!(pane.seen().cwd(), cwd.to_str());
    pane.run("clear; print -r - $mine ${#dirstack} $(pwd | wc -l)");
    let text = pane.seen().text();
    assert!(text.contains("kept 1 2"), "{text}");
}
