//! Bash: what its versions and ways of starting need. The common cases are in `conformance`.

use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shellkeep_shell::Kind;
use shellkeep_term::PromptMark;

use crate::pane::{Pane, wait_until};
use crate::world::World;

/// All bash versions to test: the system's, and those that `SHELLKEEP_TEST_BASH` names (separated by colons).
pub(crate) fn all() -> Vec<PathBuf> {
    let more = std::env::var("SHELLKEEP_TEST_BASH").unwrap_or_default();
    let more = more
        .split(':')
        .filter(|path| !path.is_empty())
        .map(PathBuf::from);
    [PathBuf::from("/bin/bash")]
        .into_iter()
        .chain(more)
        .collect()
}

/// The version for most tests: the last one.
pub(crate) fn last() -> PathBuf {
    all().pop().unwrap()
}

/// Its version, as 501 for 5.1.
pub(crate) fn version(program: &Path) -> u32 {
    let print = "echo $((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))";
    let output = Command::new(program).args(["-c", print]).output().unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    version.trim().parse().unwrap()
}

fn world(rc: &str) -> World {
    let world = World::new(&last());
    world.file(".bashrc", rc);
    world
}

pub(crate) fn exits(pane: &Pane) -> Vec<Option<i32>> {
    let seen = pane.seen();
    let ends = seen.marks.iter().filter_map(|mark| match mark {
        PromptMark::CommandEnd { exit } => Some(*exit),
        _ => None,
    });
    ends.collect()
}

#[test]
fn sigterm_to_everything_does_not_end_the_copy_that_answers() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    // A large state, which takes a while to write.
    pane.run("for i in {1..2000}; do eval \"f$i() { echo $i; }\"; done");
    let request = world.ask();
    pane.signal();
    let written = || std::fs::read_to_string(request.state_path()).unwrap_or_default();
    wait_until("an answer that has begun", || {
        written().contains(" arguments\n").then_some(())
    });
    let pid = pane.pid();
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    for child in children.unwrap().split_whitespace() {
        let child = Pid::from_raw(child.parse().unwrap());
        let _ = kill(child, Signal::SIGTERM);
    }
    wait_until("a state", || request.state());
    assert!(!pane.is_canonical(), "its terminal is in order");
}

#[test]
fn signal_without_a_question_leaves_everything_alone() {
    let world = world("PS1='$ '; trap 'echo \"$BASH_COMMAND\" >>~/debug' DEBUG");
    let pane = world.start(Kind::Plain);
    pane.run("true");
    pane.type_text("echo hal", "echo hal");
    let before = (pane.seen().text(), world.read("debug"));
    for _ in 0..5 {
        pane.signal();
    }
    pane.type_text("f", "echo half");
    assert_eq!(world.read("debug"), before.1);
    assert_eq!(pane.seen().text(), format!("{}f", before.0));
    pane.run("");
}

#[test]
fn resize_while_typing_keeps_the_line() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    pane.type_text("echo hal", "echo hal");
    pane.resize(20, 60);
    pane.resize(24, 80);
    pane.type_text("f-typed", "echo half-typed");
    pane.run("");
    assert!(pane.seen().text().contains("\nhalf-typed\n"));
}

#[test]
fn withdrawn_question_is_not_answered() {
    let world = world("PS1='$ '");
    let pane = world.start(Kind::Plain);
    world.ask().withdraw();
    pane.signal();
    pane.send(pane.shell.line_key().unwrap());
    pane.run("true");
    assert!(!pane.dir.join("state").exists() && !pane.dir.join("line").exists());
}

#[test]
fn commands_of_vi_are_still_read_as_such() {
    // With the second setting, everything is read before the first prompt.
    for more in ["", "; bind 'set show-mode-in-prompt on'"] {
        let world = world(&format!("PS1='$ '; set -o vi{more}"));
        let mut pane = world.start(Kind::Plain);
        pane.type_text("echo é xabc", "echo é xabc").send("\x1bb");
        pane.wait("the cursor", |seen| {
            let (row, col) = seen.cursor_row();
            row.chars().nth(usize::from(col)) == Some('x')
        });
        let before = pane.seen().cursor_row();
        for _ in 0..4 {
            pane = world.cycle(pane);
            pane.wait("the line", |seen| seen.cursor_row() == before);
        }
        pane.send("x\r");
        pane.wait("its output", |seen| seen.text().contains("\né abc\n"));
    }
}

#[test]
fn state_of_an_empty_line_brings_one_bare_prompt() {
    let world = world("PS1='one\\ntwo> '");
    let pane = world.start(Kind::Plain);
    pane.run("true");
    let pane = world.cycle(pane);
    assert_eq!(pane.seen().text(), "one\ntwo>");
}

#[test]
fn start_reads_the_usual_files() {
    for program in all() {
        let mut world = World::new(&program);
        world.set("ENV", "/nowhere/env");
        world.file(".bashrc", "PS1='$ '; echo rc >>~/ran");
        world.file(".bash_profile", "echo profile >>~/ran; . ~/.bashrc");
        world.file(".bash_logout", "echo logout >>~/ran");
        let question = "echo \"$0 $SHLVL $ENV $(shopt -p login_shell) $(set +o | grep posix) $HISTFILE\"; shopt; set -o; declare -p | grep -v -e _shellkeep_ -e '[ _][A-Z]*PID=' -e ' _=' -e BASHOPTS -e BASH_ -e PROMPT_COMMAND -e PS. -e RANDOM -e SECONDS -e EPOCH -e HISTCMD -e SHELLKEEP_ -e '^.$' -e '^$'";
        for (kind, args) in [(Kind::Plain, &[][..]), (Kind::Login, &["-l"][..])] {
            let plain = world.plain(args);
            plain.wait("a prompt", |seen| seen.text().ends_with('$'));
            plain.send(format!(" {{ {question}; }} >~/plain; exit\r"));
            wait_until("its end", || {
                (world.read("ran").contains("logout")
                    || kind == Kind::Plain
                        && !Path::new(&format!("/proc/{}/exe", plain.pid())).exists())
                .then_some(())
            });
            let ran = world.read("ran");
            std::fs::remove_file(world.home().join("ran")).unwrap();
            let mut ours = world.start(kind);
            ours.run(&format!(" {{ {question}; }} >~/ours"));
            ours.send("exit\r");
            ours.wait_end();
            assert_eq!(world.read("ran"), ran);
            std::fs::remove_file(world.home().join("ran")).unwrap();
            let (plain, ours) = (world.read("plain"), world.read("ours"));
            let plain = match kind {
                // As `login` starts it.
                Kind::Login if version(&program) >= 500 => {
                    plain.replacen(&*program.to_string_lossy(), "-bash", 1)
                }
                // Only 5.0 and later can be given such a name.
                _ => plain,
            };
            assert_eq!(
                crate::world::difference(&plain, &ours),
                "",
                "{program:?} {kind:?}"
            );
        }
    }
}

#[test]
fn nested_shells_see_nothing_of_it() {
    // If PROMPT_COMMAND is one text, it is exported with our part in it, which must have no effect in a nested shell.
    let is_text = version(&last()) < 501;
    let export = if is_text {
        "PS1"
    } else {
        "PS1 PROMPT_COMMAND='true'"
    };
    let world = world(&format!("PS1='$ '; export {export}"));
    let pane = world.start(Kind::Plain);
    pane.run("bash -c 'declare -p; declare -F' >~/child; bash -ic 'declare -p; declare -F; trap -p; bind -X' >~/inner 2>&1; env >~/env");
    assert!(
        !world.read("env").contains("__shellkeep"),
        "{}",
        world.read("env")
    );
    assert!(!world.read("env").contains("SHELLKEEP_SHELL_DIR"));
    for name in ["child", "inner"] {
        assert!(
            !world.read(name).contains("__shellkeep_prompt"),
            "{}",
            world.read(name)
        );
        assert!(
            !world.read(name).contains("__shellkeep_asked"),
            "{}",
            world.read(name)
        );
    }
}

#[test]
fn rc_read_again_gets_its_marks_back_after_a_signal() {
    let world = world("PS1='$ '; PROMPT_COMMAND=(true)");
    let pane = world.start(Kind::Plain);
    pane.send(". ~/.bashrc\r");
    pane.wait("a prompt without marks", |seen| {
        seen.text().ends_with("$ . ~/.bashrc\n$") && !seen.is_at_prompt()
    });
    pane.signal();
    // The signal has to be handled before the next key, because the shell may see both at once.
    wait_until("the signal", || {
        std::fs::read_to_string(format!("/proc/{}/status", pane.pid()))
            .unwrap()
            .lines()
            .any(|line| line.starts_with("ShdPnd") || line.starts_with("SigPnd"))
            .then_some(())
    });
    pane.send("\r");
    pane.prompt();
    world.capture(&pane);
}

#[test]
fn debug_trap_that_prints_stays_as_it_is_and_shows_nothing_of_ours() {
    let title = r#"printf "\e]0;%s\a" "$BASH_COMMAND"; show"#;
    for trap in ["show", title] {
        let show = r#"show() { echo "<$BASH_COMMAND>"; }"#;
        let world = world(&format!("PS1='$ '; {show}; trap '{trap}' DEBUG"));
        world.file(".bash_profile", ". ~/.bashrc");
        for kind in [Kind::Plain, Kind::Login] {
            let pane = world.start(kind);
            pane.run("true one");
            let text = pane.seen().text();
            assert!(text.contains("<true one>"), "{text}");
            assert!(!text.contains("__shellkeep"), "{text}");
            pane.run("trap -p DEBUG >~/trap");
            assert!(
                world.read("trap").contains("show"),
                "{}",
                world.read("trap")
            );
        }
    }
}

#[test]
fn posix_shell_and_a_trap_for_errors_see_nothing_of_ours() {
    for rc in [
        "PS1='$ '; set -o posix",
        "PS1='$ '; set -E; trap 'echo error' ERR",
    ] {
        let world = world(rc);
        let pane = world.start(Kind::Plain);
        pane.signal();
        pane.run("echo fine");
        pane.run("echo well");
        let text = "$ echo fine\nfine\n$ echo well\nwell\n$";
        assert_eq!(pane.seen().text(), text, "{rc}");
    }
}

#[test]
fn shell_without_a_directory_has_marks_and_touches_nothing() {
    let world = world("PS1='$ '; trap : DEBUG");
    std::fs::remove_dir(world.path("pane")).unwrap();
    let pane = world.start(Kind::Plain);
    pane.signal();
    pane.run("echo fine");
    assert_eq!(pane.seen().text(), "$ echo fine\nfine\n$");
    assert!(!world.path("pane").exists());
}
