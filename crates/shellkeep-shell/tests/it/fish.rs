//! Fish: tests that concern only fish. The common cases are in `conformance`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use shellkeep_shell::{Kind, RunRc};

use crate::pane::{Pane, wait_until};
use crate::world::{World, difference};

/// The system's fish, and those that `SHELLKEEP_TEST_FISH` names (separated by colons).
pub(crate) fn all() -> Vec<PathBuf> {
    let more = std::env::var("SHELLKEEP_TEST_FISH").unwrap_or_default();
    let more = more
        .split(':')
        .filter(|path| !path.is_empty())
        .map(PathBuf::from);
    [PathBuf::from("/usr/bin/fish")]
        .into_iter()
        .chain(more)
        .collect()
}

pub(crate) const RC: &str = r#"
set -g fish_greeting hello there
set -gx EDITOR 'vi -u none'
function fish_prompt
    set -l s $status
    echo (prompt_pwd)" [$s]"
    set -q VIRTUAL_ENV; and echo -n '(venv) '
    echo '> '
end
function tool
    test "$argv[1]" = use; and set -gx PATH ~/.tool/$argv[2]/bin $PATH
end
abbr -a gco git checkout
bind \cxx 'commandline -i x'
"#;

pub(crate) const DAY: &[&str] = &[
    "set -g plain 'a b'; set -gx exported 'line one'\\n'line two'; set -g empty; set -g list one 'two words' ''",
    "set -g odd \\e'[31m'\\t\\''\"$x\\\\'; set -g utf 'é 🦀'; set -e EDITOR",
    "function outer --description 'it is mine' -a first; for i in (seq 3); switch $i; case 1; echo one; case '*'; echo \"it's $i\"; end; end; end",
    "function on_change --on-variable plain; set -g changed yes; end",
    "umask 027; ulimit -S -n 512; abbr -a gst git status; abbr -e gco",
    "mkdir -p '/tmp/sk dir'; cd '/tmp/sk dir'; pushd /usr; cd /tmp",
    "complete -p '/opt/*/zork' -x -a 'one two'; complete -p '/opt/a ?/zork' -f; complete zork -s z -d \"it's\"; complete zork -k -a '(echo $list)'",
    "set -gx VIRTUAL_ENV ~/venv; set -gx PATH ~/venv/bin $PATH; tool use 20; bind \\cxy 'commandline -i y'",
    "sh -c 'exit 3'",
];

const DUMP: &str = r#"
begin
    set --global | string match -rv '__shellkeep|^(CMD_DURATION|status_generation|history|fish_pid|last_pid|COLUMNS|LINES|SHLVL|_) ?'
    set --global --export --names; umask; ulimit -a; pwd; dirs; abbr --show; bind --user | string match -v '*shellkeep*' | string match -v '# Defined*'
    complete | string match '*zork*'; complete -C '/opt/x/zork '; functions --names | string match -v '__shellkeep*'; functions outer on_change tool __shellkeep_user_prompt fish_greeting | string match -v '# Defined*'
end >~/dump 2>&1
"#;

pub(crate) fn dump(world: &World, pane: &Pane) -> String {
    world.file("dump.fish", DUMP);
    pane.run("source ~/dump.fish");
    let text = world.read("dump");
    assert!(text.len() > 1000, "{text}");
    text
}

pub(crate) fn world(program: &Path, rc: &str) -> World {
    let world = World::new(program);
    world.file(".config/fish/config.fish", rc);
    world
}

#[test]
fn shell_begins_with_the_status_it_had_and_a_new_one_with_none() {
    for program in all() {
        let world = world(&program, RC);
        for kind in [Kind::Plain, Kind::Login] {
            let pane = world.start(kind);
            pane.run("echo \"=$status=$pipestatus=\"");
            let text = pane.seen().text();
            assert!(text.contains("=0=0="), "{text}");
            // A revived shell has the status that it had.
            pane.run("sh -c 'exit 3'");
            let captured = world.capture(&pane);
            drop(pane);
            let pane = world.revive(&captured.state, RunRc::Off);
            pane.run("echo \"back=$status=\"");
            let text = pane.seen().text();
            assert!(text.contains("back=3="), "{text}");
        }
    }
}

/// Waits until the current second is over, according to the clock that fish reads. The kernel advances that with each
/// tick, at least a hundred times a second.
fn next_second() {
    let now = || std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let next = Duration::from_secs(now().as_secs() + 1) + Duration::from_millis(20);
    wait_until("the next second", || (now() >= next).then_some(()));
}

#[test]
fn history_returns_with_lines_not_written_yet() {
    for program in all() {
        let world = world(&program, "function fish_greeting; end");
        let pane = world.start(Kind::Plain);
        pane.run("echo first").run("echo second").run("echo first");
        let captured = world.capture(&pane);
        assert_eq!(captured.state.report().history, 2);
        drop(pane);
        // fish counts in seconds: a line of the second in which a shell starts counts as another shell's.
        next_second();
        let pane = world.revive(&captured.state, RunRc::Off);
        pane.run("history >~/history");
        assert_eq!(
            world.read("history").lines().collect::<Vec<_>>(),
            ["echo first", "echo second"]
        );
    }
}

#[test]
fn history_of_the_second_in_which_it_slept_returns_a_command_later() {
    for program in all() {
        let world = world(&program, "function fish_greeting; end");
        let pane = world.start(Kind::Plain);
        pane.run("echo first").run("echo second");
        let captured = world.capture(&pane);
        drop(pane);
        let pane = world.revive(&captured.state, RunRc::Off);
        next_second();
        pane.run("true").run("history >~/history");
        let history = world.read("history");
        assert!(history.contains("echo second\necho first\n"), "{history}");
    }
}

#[test]
fn questions_one_right_after_the_other_are_all_answered_whole() {
    for program in all() {
        let world = world(&program, "function fish_greeting; end");
        let pane = world.start(Kind::Plain);
        for _ in 0..20 {
            world.capture(&pane);
        }
    }
}

#[test]
fn revival_runs_no_user_file_and_keeps_fish_files() {
    for program in all() {
        let world = world(&program, "echo ran >>~/ran; set -g from_file yes");
        world.file(
            ".config/fish/conf.d/mine.fish",
            "echo ran >>~/ran; complete -c tool -f -a 'one two'; alias ls='ls -d'; function fish_greeting; end",
        );
        world.file(
            ".config/fish/functions/own.fish",
            "function own; echo from its file; end",
        );
        let pane = world.start(Kind::Plain);
        pane.run("set -U everywhere 'a b'");
        assert_eq!(world.read("ran"), "ran\nran\n");
        let pane = world.cycle(world.cycle(pane));
        assert_eq!(world.read("ran"), "ran\nran\n");
        pane.run("clear; echo \"<$everywhere $from_file>\"; own; complete -C 'tool '; set -g __fish_config_dir $__fish_config_dir 2>/dev/null; and echo $__fish_config_dir; or echo $__shellkeep_config; set -q XDG_CONFIG_HOME; or echo unset; ls /");
        let expected = format!(
            "<a b yes>\nfrom its file\none\ntwo\n{}\nunset\n/\n",
            world.home().join(".config/fish").display()
        );
        let text = pane.seen().text();
        assert!(text.contains(&expected), "{text}");
        pane.run("set -U later kept");
        assert!(
            world
                .read(".config/fish/fish_variables")
                .contains("later:kept")
        );
        let captured = world.capture(&pane);
        drop(pane);
        world.revive(&captured.state, RunRc::On);
        assert_eq!(world.read("ran"), "ran\nran\nran\nran\n");
    }
}

#[test]
fn line_half_typed_keeps_the_line_break_at_its_end() {
    for program in all() {
        let world = world(
            &program,
            "function fish_prompt; echo -n '$ '; end; function fish_greeting; end",
        );
        let pane = world.start(Kind::Plain);
        pane.type_text("for nr in 1 2\r", "");
        pane.type_text("echo $nr", "echo $nr");
        pane.type_text("\r", "");
        pane.wait("a third line", |seen| seen.cursor_row().0.trim().is_empty());
        let before = pane.seen().cursor_row();
        let text = pane.seen().text();
        let pane = world.cycle(world.cycle(pane));
        pane.wait("the line", |seen| seen.cursor_row() == before);
        assert_eq!(pane.seen().text(), text);
        pane.send("end\r");
        pane.wait("its output", |seen| seen.text().contains("\n1\n2\n"));
    }
}

#[test]
fn variables_that_are_paths_stay_such() {
    for program in all() {
        let world = world(&program, "function fish_greeting; end");
        let pane = world.start(Kind::Plain);
        pane.run("set -gx --path MYP a b; set -gx --unpath FOOPATH a b; set -g --path INNER a b; set -gx BAR a b");
        let pane = world.cycle(world.cycle(pane));
        pane.run("clear; env | grep -e ^MYP= -e ^FOOPATH= -e ^BAR= | sort; echo \"$INNER\"; set -q --export INNER; or echo inner");
        let text = pane.seen().text();
        let expected = "BAR=a b\nFOOPATH=a b\nMYP=a:b\na:b\ninner\n";
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn function_that_waits_for_another_directory_does_not_run_at_waking() {
    for program in all() {
        let world = world(&program, "function fish_greeting; end");
        let pane = world.start(Kind::Plain);
        pane.run("mkdir -p sub; cd sub; function moved --on-variable PWD; pwd >>~/moved; end");
        let pane = world.cycle(world.cycle(pane));
        assert_eq!(world.read("moved"), "");
        pane.run("cd ..");
        assert_eq!(world.read("moved"), format!("{}\n", world.home().display()));
    }
}

#[test]
fn variables_of_the_prompts_own_scope_return() {
    for program in all() {
        let world = world(&program, "function fish_greeting; end");
        let pane = world.start(Kind::Plain);
        pane.run("set -g both global; set -l both local; set -lx sent 'a '\\n\\'b; set -l none; set -l --path way a b; set -l list x 'y z'");
        let show = "set --local | string match -rv '^__shellkeep' >~/local; env | grep -c ^sent= >>~/local; set --show both >>~/local";
        pane.run(show);
        let before = world.read("local");
        assert!(before.contains("list 'x'  'y z'\n"), "{before}");
        let mut pane = pane;
        for _ in 0..3 {
            pane = world.cycle(pane);
            pane.run(show);
            assert_eq!(difference(&before, &world.read("local")), "");
        }
    }
}

#[test]
fn mode_of_vi_returns() {
    for program in all() {
        let world = world(
            &program,
            "function fish_greeting; end; function fish_mode_prompt; end; function fish_prompt; echo -n \"{$fish_bind_mode}\\$ \"; end; set -g fish_key_bindings fish_vi_key_bindings",
        );
        let mut pane = world.start(Kind::Plain);
        let shows = |pane: &Pane, mode: &str, col: u16| {
            let line = format!("{{{mode}}}$ echo one two");
            pane.wait(mode, |seen| seen.cursor_row() == (line.clone(), col));
        };
        for (key, mode, later) in [
            ("", "default", "default"),
            ("R", "replace", "replace"),
            ("r", "replace_one", "default"),
            ("v", "visual", "default"),
        ] {
            pane.type_text("echo one two", "echo one two").send("\x1b");
            shows(&pane, "default", 22);
            pane.send("b").send(key);
            shows(&pane, mode, mode.len() as u16 + 13);
            pane = world.cycle(pane);
            shows(&pane, later, later.len() as u16 + 13);
            pane.send("x");
            pane.wait("a character less, or another", |seen| {
                let row = seen.cursor_row().0;
                row.ends_with(if later == "replace" {
                    "one xwo"
                } else {
                    "one wo"
                })
            });
            if later == "replace" {
                pane.send("\x1b");
                pane.wait("vi's commands", |seen| {
                    seen.cursor_row().0.contains("default")
                });
            }
            pane.send("dd");
            pane.wait("no line", |seen| seen.cursor_row().0.ends_with('$'));
            pane = world.cycle(pane);
            pane.wait("the mode", |seen| seen.cursor_row().0 == "{default}$");
            pane.send("i");
            pane.wait("the mode", |seen| seen.cursor_row().0 == "{insert}$");
        }
    }
}

#[test]
fn completions_do_not_become_more_with_every_sleep() {
    for program in all() {
        let world = world(
            &program,
            "function fish_greeting; end; alias ll='ls -l'; complete tool -f -a 'one two'; complete --no-files while",
        );
        let mut pane = world.start(Kind::Plain);
        let list = "complete -C 'tool ' >/dev/null; complete -C 'ls ' >/dev/null; complete >~/list";
        pane.run(list);
        // Fish loads a command's completions from its file again when it needs them.
        pane = world.cycle(pane);
        pane.run(list);
        let before = world.read("list");
        for _ in 0..3 {
            pane = world.cycle(pane);
            pane.run(list);
            assert_eq!(difference(&before, &world.read("list")), "");
        }
    }
}
