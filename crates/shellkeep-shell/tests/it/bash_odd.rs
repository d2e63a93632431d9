//! Bash with settings that break scripts.

use std::time::Duration;

use shellkeep_shell::{Kind, RunRc};

use crate::bash::{exits, last, version};
use crate::pane::{Pane, pass, wait_until};
use crate::world::World;

/// Imitates bash-preexec and similar tools: a DEBUG trap that takes the first command after a prompt for the user's.
const PREEXEC: &str = r#"
PS1='$ '
preexec_ready=
preexec_invoke() {
    [[ -n $preexec_ready ]] || return 0
    [[ -n $COMP_LINE ]] && return 0
    [[ $BASH_COMMAND == preexec_precmd ]] && return 0
    preexec_ready=
    echo "preexec $(HISTTIMEFORMAT= history 1 | sed 's/^ *[0-9]* *//')" >>~/log
}
preexec_precmd() { local status=$?; echo "precmd $status" >>~/log; return "$status"; }
preexec_arm() { preexec_ready=1; }
PROMPT_COMMAND=$'preexec_precmd\npreexec_arm'
trap 'preexec_invoke "$_"' DEBUG
"#;

fn world(rc: &str) -> World {
    let world = World::new(&last());
    world.file(".bashrc", rc);
    world
}

/// Sets something up, hibernates and wakes twice, and checks an answer.
fn survives(setup: &[&str], question: &str, answer: &str) {
    let world = world("PS1='$ '");
    let mut pane = world.start(Kind::Plain);
    for line in setup {
        pane.run(line);
    }
    for _ in 0..2 {
        let before = shown(&pane);
        let captured = world.capture(&pane);
        pane.wait("the same screen", |seen| seen.text() == before);
        drop(pane);
        pane = world.revive(&captured.state, RunRc::Off);
    }
    pane.run(question);
    pane.wait(answer, |seen| seen.text().contains(answer));
}

fn shown(pane: &Pane) -> String {
    pane.seen().text()
}

#[test]
fn tracing_shows_nothing_of_ours_but_a_name() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    pane.run("set -x");
    pane.run("echo traced");
    let text = shown(&pane);
    let ours: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("shellkeep"))
        .collect();
    assert!(
        ours.iter()
            .all(|line| matches!(*line, "++ __shellkeep_prompt" | "++ __shellkeep_status")),
        "{text}"
    );
    let pane = world.cycle(pane);
    pane.run("echo traced");
    pane.wait("the trace", |seen| seen.text().contains("+ echo traced"));
}

#[test]
fn separators_and_locales_are_kept() {
    survives(
        &["IFS=0123456789abcdef"],
        "declare -p IFS",
        "\ndeclare -- IFS=\"0123456789abcdef\"",
    );
    survives(&["unset IFS"], "echo is${IFS-unset}", "\nisunset");
    survives(
        &["export LC_ALL=C; x=$'\\xff\\xe9'"],
        "[[ $x == $'\\xff\\xe9' ]] && echo is\"-\"same",
        "\nis-same",
    );
    survives(
        &["export LC_ALL=xx_YY.nowhere 2>/dev/null; x='é'"],
        "[[ $x == é ]] && echo is\"-\"same",
        "\nis-same",
    );
}

#[test]
fn function_in_the_prompt_has_its_aliases_expanded_once() {
    survives(
        &[
            "alias wide='echo -n'",
            "inner() { wide ''; }; PS1='$(inner)$ '",
        ],
        "declare -f inner",
        "\n    echo -n ''\n",
    );
}

#[test]
fn posix_mode_is_kept() {
    survives(
        &["set -o posix; x=1"],
        "[[ -o posix ]] && echo is\"-\"on$x",
        "\nis-on1",
    );
}

#[test]
fn read_only_variables_are_kept() {
    survives(
        &["readonly HISTTIMEFORMAT=%F LC_ALL=C.UTF-8 IFS=:; readonly -a ro=(1 2)"],
        "ro=3; echo =${ro[*]}=",
        "readonly variable",
    );
    survives(
        &["declare -r x='a b'; declare -rx y; declare -ri z=3"],
        "declare -p x z | tr '\\n' ';'",
        "declare -r x=\"a b\";declare -ir z=\"3\"",
    );
}

#[test]
fn read_only_prompt_is_unchanged_and_its_shell_never_answers() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    pane.run("readonly PS1");
    world.ask_in_vain(&pane).withdraw();
    assert_eq!(shown(&pane), "$ readonly PS1\n$");
}

#[test]
fn prompt_made_read_only_with_marks_never_answers() {
    for line in ["readonly PS1", "readonly PROMPT_COMMAND"] {
        let world = world("PS1='$ '");
        let pane = world.start(Kind::Plain);
        pane.run(line).run("true");
        world.ask_in_vain(&pane).withdraw();
        assert_eq!(shown(&pane), format!("$ {line}\n$ true\n$"));
    }
}

#[test]
fn debug_trap_for_preexec_sees_only_typed_commands() {
    let world = world(PREEXEC);
    let pane = world.start(Kind::Plain);
    pane.run("true").run("false");
    pane.type_text("half", "$ half");
    let pane = world.cycle(pane);
    pane.wait("the line", |seen| seen.cursor_row().0 == "$ half");
    pane.send("\x15");
    pane.wait("an empty line", |seen| seen.cursor_row().0 == "$");
    pane.run("echo again");
    let log = world.read("log");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(
        lines,
        [
            "precmd 0",
            "preexec true",
            "precmd 0",
            "preexec false",
            "precmd 1",
            "precmd 1",
            "preexec echo again",
            "precmd 0"
        ]
    );
}

/// Imitates bash-preexec and tools that contain it: it waits for the first prompt, and then takes over the trap and the
/// prompts. `SHELLKEEP_TEST_BASH_PREEXEC` names the real one.
const LATE_PREEXEC: &str = r#"
__bp_preexec_interactive_mode=
late_precmd() {
    local status=$? each
    ((!__bp_inside_precmd)) || return
    for each in "${precmd_functions[@]}"; do (exit "$status"); "$each"; done
}
late_interactive_mode() { __bp_preexec_interactive_mode=on; }
late_is_own() {
    local -a own
    IFS=$'\n;' read -rd '' -a own <<<"$PROMPT_COMMAND"
    local each
    for each in "${own[@]}"; do [[ $each == "$1" ]] && return 0; done
    return 1
}
late_debug() {
    ((!__bp_inside_preexec)) || return
    [[ -t 1 && -z $COMP_LINE && -n $__bp_preexec_interactive_mode ]] || return
    __bp_preexec_interactive_mode=
    ! late_is_own "$BASH_COMMAND" || return
    local each line=$(HISTTIMEFORMAT= builtin history 1 | sed '1 s/^ *[0-9]*[* ] //')
    for each in "${preexec_functions[@]}"; do "$each" "$line"; done
}
__bp_inside_precmd=0 __bp_inside_preexec=0
__bp_install_string='trap - DEBUG
__bp_install'
__bp_install() {
    trap 'late_debug "$_"' DEBUG
    PROMPT_COMMAND=$'late_precmd\nlate_interactive_mode'
    precmd_functions+=(precmd) preexec_functions+=(preexec)
    late_precmd
    late_interactive_mode
}
PROMPT_COMMAND=$__bp_install_string
"#;

#[test]
fn debug_trap_set_at_the_first_prompt_sees_only_typed_commands() {
    let real = std::env::var("SHELLKEEP_TEST_BASH_PREEXEC");
    let install = real.map_or(LATE_PREEXEC.to_owned(), |path| format!(". '{path}'\n"));
    for setting in ["", "HISTCONTROL=ignoreboth; "] {
        let world = world(&format!(
            "{setting}PS1='$ '\nprecmd() {{ echo \"precmd $?\" >>~/log; }}\npreexec() {{ echo \"preexec $1\" >>~/log; }}\n{install}"
        ));
        world.file(".bash_history", "typed long ago\n");
        let pane = world.start(Kind::Plain);
        pane.run("true").run("false").run("echo one; echo two");
        pane.type_text("half", "$ half");
        let pane = world.cycle(world.cycle(pane));
        pane.wait("the line", |seen| seen.cursor_row().0 == "$ half");
        pane.send("\x15");
        pane.wait("an empty line", |seen| seen.cursor_row().0 == "$");
        pane.run("echo again").run("sh -c 'exit 3'");
        let log = world.read("log");
        let lines: Vec<&str> = log
            .lines()
            .filter(|line| line.starts_with("preexec"))
            .collect();
        let typed = [
            "true",
            "false",
            "echo one; echo two",
            "echo again",
            "sh -c 'exit 3'",
        ];
        let expected = typed.map(|line| format!("preexec {line}"));
        assert_eq!(lines, expected, "{setting}{log}");
        assert!(log.ends_with("precmd 3\n"), "{log}");
    }
}

#[test]
fn prompt_command_keeps_its_shape() {
    if version(&last()) < 501 {
        return;
    }
    let cases = [
        (
            "PROMPT_COMMAND=(': one' ': two')",
            "declare -a PROMPT_COMMAND=([0]=\": one\" [1]=\": two\" [2]=\"__shellkeep_prompt\")",
        ),
        (
            "export PROMPT_COMMAND=': text'",
            "declare -ax PROMPT_COMMAND=([0]=\": text\" [1]=\"__shellkeep_prompt\")",
        ),
        (
            "trap : DEBUG; PROMPT_COMMAND=': text'",
            "declare -a PROMPT_COMMAND=([0]=\": text\" [1]=\"__shellkeep_prompt\")",
        ),
        (
            "unset PROMPT_COMMAND",
            "declare -a PROMPT_COMMAND=([1]=\"__shellkeep_prompt\")",
        ),
    ];
    for (rc, shape) in cases {
        let world = world(&format!("PS1='$ '; {rc}"));
        let pane = world.start(Kind::Plain);
        let pane = world.cycle(world.cycle(pane));
        pane.run("declare -p PROMPT_COMMAND");
        pane.wait(shape, |seen| seen.text().contains(shape));
    }
}

/// The rest of the integration is not read yet at the first prompt, and marks must not stop after that.
#[test]
fn first_command_that_replaces_prompt_command_leaves_a_shell_that_answers() {
    if version(&last()) < 501 {
        return;
    }
    let theme = "PS1='$ '; PROMPT_COMMAND='echo drawn'";
    for rc in ["", "PROMPT_COMMAND=': text'", "PROMPT_COMMAND=(': one')"] {
        for line in [
            "PROMPT_COMMAND='echo drawn'",
            "PROMPT_COMMAND=('echo drawn')",
            "PROMPT_COMMAND=('echo drawn' true true)",
            "unset PROMPT_COMMAND",
            ". ~/theme",
        ] {
            let world = world(&format!("PS1='$ '; {rc}"));
            world.file("theme", theme);
            let pane = world.start(Kind::Plain);
            pane.send(format!("{line}\r"));
            pane.wait(line, |seen| seen.inputs() > 1 && seen.is_at_prompt());
            let captured = world.capture(&pane);
            pane.run("false");
            drop(pane);
            let pane = world.revive(&captured.state, RunRc::Off);
            let before = pane.seen().text().matches("drawn").count();
            pane.run("true");
            let after = pane.seen().text().matches("drawn").count();
            assert_eq!(after - before, usize::from(!line.starts_with("unset")));
        }
    }
}

#[test]
fn command_after_one_that_replaces_prompts_and_prompt_command_is_marked_without_a_signal() {
    if version(&last()) < 501 {
        return;
    }
    for before in [&[][..], &["true", "true"]] {
        let world = world("PS1='$ '");
        let pane = world.start(Kind::Plain);
        for line in before {
            pane.run(line);
        }
        pane.send("PS1='> '; PROMPT_COMMAND=(true)\r");
        pane.wait("a prompt without marks", |seen| {
            seen.text().ends_with("\n>") && !seen.is_at_prompt()
        });
        pane.send("cd /; false\r");
        pane.prompt();
        assert_eq!(exits(&pane).last(), Some(&Some(1)));
        assert_eq!(pane.seen().cwd(), Some("/"));
        world.capture(&pane);
    }
}

/// A prompt that cannot run anything must not show our code.
#[test]
fn prompt_without_variables_shows_nothing_of_ours() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    for line in ["shopt -u promptvars", "true"] {
        pane.run(line);
    }
    assert_eq!(shown(&pane), "$ shopt -u promptvars\n$ true\n$");
    world.ask_in_vain(&pane).withdraw();
    pane.run("shopt -s promptvars");
    world.capture(&pane);
}

#[test]
fn history_of_100_000_lines_returns() {
    let world = world("PS1='$ '; HISTSIZE=-1; HISTFILESIZE=-1");
    let lines: String = (0..100_000)
        .map(|n| format!("#{}\necho line number {n}\n", 1_600_000_000 + n))
        .collect();
    world.file(".bash_history", &lines);
    let pane = world.start(Kind::Plain);
    pane.run("echo new");
    let captured = world.capture(&pane);
    println!("a state with 100,000 lines: {:?}", captured.took);
    let report = captured.state.report();
    assert_eq!((report.history, report.unsaved), (100_001, 1));
    drop(pane);
    let pane = world.revive(&captured.state, RunRc::Off);
    pane.run("history 3; history | wc -l");
    pane.wait("the last lines", |seen| {
        seen.text().contains("100000  echo line number 99999")
            || seen.text().contains("100001  echo new")
    });
    pane.wait("all of them", |seen| seen.text().contains("\n100002"));
}

#[test]
fn functions_of_two_megabytes_return() {
    let world = world(
        "PS1='$ '; x=$(printf 'x%.0s' {1..900}); for i in {1..2000}; do eval \"f$i() { : $x; echo $i; }\"; done",
    );
    let pane = world.start(Kind::Plain);
    let captured = world.capture(&pane);
    println!("a state with 2 MB of functions: {:?}", captured.took);
    assert!(captured.state.report().functions >= 2000);
    drop(pane);
    let pane = world.revive(&captured.state, RunRc::Off);
    pane.run("f1999");
    assert!(shown(&pane).contains("\n1999"));
}

#[test]
fn history_not_saved_yet_is_still_saved_at_exit() {
    let world = world("PS1='$ '; shopt -s histappend");
    world.file(".bash_history", "old one\nold two\n");
    let pane = world.start(Kind::Plain);
    pane.run("echo one").run("for i in a b; do\necho $i\ndone");
    let mut pane = world.cycle(world.cycle(pane));
    pane.run("echo last");
    pane.send("exit\r");
    pane.wait_end();
    let saved = world.read(".bash_history");
    let lines: Vec<&str> = saved
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(
        lines,
        [
            "old one",
            "old two",
            "echo one",
            "for i in a b; do echo $i; done",
            "echo last",
            "exit"
        ]
    );
}

#[test]
fn shared_history_by_reading_new_lines_is_not_doubled() {
    let world = world("PS1='$ '; shopt -s histappend; PROMPT_COMMAND='history -a; history -n'");
    world.file(".bash_history", "old one\nold two\n");
    let pane = world.start(Kind::Plain);
    pane.run("echo one");
    let pane = world.cycle(world.cycle(pane));
    pane.run("history | sed 's/^ *[0-9]* *//' >~/list");
    assert_eq!(
        world.read("list").lines().take(3).collect::<Vec<_>>(),
        ["old one", "old two", "echo one"]
    );
    assert_eq!(world.read("list").lines().count(), 4);
}

/// Before 5.1 PROMPT_COMMAND is one text. Without such a bash, a newer one imitates it.
#[test]
fn prompt_command_of_an_old_bash_is_kept() {
    let world = world("PS1='$ '; PROMPT_COMMAND='seen=$?; false'");
    let is_old = version(&last()) < 501;
    let age = |path: std::path::PathBuf| {
        if is_old {
            return;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(">= 501"));
        std::fs::write(path, text.replace(">= 501", ">= 999")).unwrap();
    };
    let launch = world.launch(Kind::Plain);
    age(world.path("scripts/start.bash"));
    let pane = world.open(&launch);
    pane.prompt();
    pane.run("sh -c 'exit 5'");
    pane.run("echo \"<$seen $?>\"");
    pane.wait("the status", |seen| seen.text().contains("<5 5>"));
    let captured = world.capture(&pane);
    drop(pane);
    let revival = world.revival(&captured.state, RunRc::Off);
    age(world.path("pane/revive/main"));
    age(world.path("pane/later"));
    let pane = world.open(&revival.launch);
    pane.prompt();
    pane.run("declare -p PROMPT_COMMAND; bash -ic true");
    let text = shown(&pane);
    assert!(
        text.contains("declare -- PROMPT_COMMAND=") && text.contains("seen="),
        "{text}"
    );
    assert!(!text.contains("not found"), "{text}");
    world.capture(&pane);
}

#[test]
fn deferred_state_is_read_at_the_second_prompt_without_the_key() {
    // Before 5.1 nothing is deferred: its settings show that the prompt needs everything.
    if version(&last()) < 501 {
        return;
    }
    let world = world("PS1='$ '; idle() { echo was-idle; }; complete -W 'a b' idle");
    let pane = world.start(Kind::Plain);
    let captured = world.capture(&pane);
    drop(pane);
    let revival = world.revival(&captured.state, RunRc::Off);
    assert!(revival.line_key.is_some());
    let pane = world.open(&revival.launch);
    pane.run("sh -c 'exit 4'").run("idle; complete -p");
    let text = shown(&pane);
    assert!(
        text.contains("was-idle") && text.contains("complete -W 'a b' idle"),
        "{text}"
    );
    assert!(!text.contains("not found"), "{text}");
    world.capture(&pane);
}

#[test]
fn question_before_the_first_key_takes_nothing_that_waits_away() {
    // Before 5.1 nothing is deferred.
    if version(&last()) < 501 {
        return;
    }
    let world = world("PS1='$ '; idle() { echo was-idle; }");
    let pane = world.start(Kind::Plain);
    let captured = world.capture(&pane);
    drop(pane);
    let revival = world.revival(&captured.state, RunRc::Off);
    let pane = world.open(&revival.launch);
    pane.prompt();
    world.ask_in_vain(&pane).withdraw();
    pane.send(revival.line_key.unwrap());
    pane.wait("the prompt again", |seen| {
        seen.inputs() > 1 && seen.is_at_prompt()
    });
    pane.run("idle");
    assert!(shown(&pane).contains("\nwas-idle\n"), "{}", shown(&pane));
}

#[test]
fn resize_at_the_first_prompt_leaves_a_shell_that_answers() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    pane.resize(20, 60);
    pass(Duration::from_millis(100));
    let request = world.ask();
    pane.signal();
    wait_until("a state", || request.state());
    request.withdraw();
    pane.run("true");
    world.capture(&pane);
}

#[test]
fn deferred_state_that_cannot_be_read_is_reported() {
    // Before 5.1 nothing is deferred: its settings show that the prompt needs everything.
    if version(&last()) < 501 {
        return;
    }
    let world = world("PS1='$ '; idle() { echo was-idle; }");
    let pane = world.start(Kind::Plain);
    let captured = world.capture(&pane);
    drop(pane);
    let revival = world.revival(&captured.state, RunRc::Off);
    std::fs::write(world.path("pane/later"), "idle() { ) }\n:\n").unwrap();
    let pane = world.open(&revival.launch);
    pane.prompt().send(revival.line_key.unwrap());
    pane.wait("a word", |seen| seen.text().contains("did not return"));
    pane.send("echo still; echo here\r");
    pane.wait("a living shell", |seen| {
        seen.text().contains("still\nhere\n$")
    });
}

#[test]
fn shell_that_stops_at_errors_from_its_start_lives() {
    for kind in [Kind::Plain, Kind::Login] {
        let world = world("PS1='$ '\nset -e\n");
        world.file(".bash_profile", ". ~/.bashrc\n");
        let pane = world.start(kind);
        // The signal trap repairs PROMPT_COMMAND.
        pane.run("PROMPT_COMMAND=").run("true").run("true");
        let pane = world.cycle(pane);
        pane.run("echo $-:al''ive");
        assert!(shown(&pane).contains(":alive\n"), "{}", shown(&pane));
    }
}

#[test]
fn trap_for_a_change_of_size_does_not_see_a_question() {
    let world = world("PS1='$ '; trap 'echo \"it'\\''s me\" >>~/winch # so often' WINCH\n");
    let mut pane = world.start(Kind::Plain);
    for cycle in 0..4 {
        pane.resize(24, 90 + cycle);
        let seen = usize::from(cycle) + 1;
        let count = || world.read("winch").matches("it's me\n").count();
        wait_until("the trap", || (count() == seen).then_some(()));
        pane.run("true");
        // A shell that has written its line has returned from its trap.
        pane = world.cycle(pane);
        assert_eq!(count(), seen);
    }
}

#[test]
fn last_word_of_the_last_command_is_kept() {
    let world = world("PS1='$ '\n");
    let mut pane = world.start(Kind::Plain);
    for cycle in 0..4 {
        pane.run(&format!("true one $'t\\'wo\\n{cycle}'"));
        pane.resize(24, 90 + cycle);
        pane = world.cycle(pane);
        pane.run("printf '<%q>\\n' \"$_\"");
        let word = format!("<$'t\\'wo\\n{cycle}'>");
        assert!(shown(&pane).contains(&word), "{word} in {}", shown(&pane));
    }
}
