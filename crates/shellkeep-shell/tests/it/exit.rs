//! Shells that exit write their state, and otherwise exit as they would without the integration.

use std::path::Path;

use shellkeep_shell::{Kind, RunRc, ShellState};

use crate::pane::Pane;
use crate::world::World;

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// When a shell exits.
enum End {
    /// Before it has run a command.
    AtOnce,
    /// After a command.
    Later(&'static str),
}

fn world(name: &str) -> Option<World> {
    let program = Path::new("/usr/bin").join(name);
    if !program.exists() {
        return None;
    }
    let world = World::new(&program);
    world.file(".bashrc", "PS1='$ '\n");
    world.file(".zshrc", "PS1='$ '\n");
    let prompt = "function fish_prompt; echo -n '$ '; end\nfunction fish_greeting; end\n";
    world.file(".config/fish/config.fish", prompt);
    Some(world)
}

/// Waits for the state that a shell writes when it exits.
fn told(pane: &mut Pane) -> (u32, Option<ShellState>) {
    let pid = pane.pid().cast_unsigned();
    let code = pane.wait_end();
    (code, ShellState::told_at_exit(&pane.dir, pid))
}

/// A line that sets a variable and a function and goes to another directory.
fn change(name: &str) -> &'static str {
    match name {
        "fish" => "set -g kept mine; function greet; echo hello $kept; end; cd /tmp",
        _ => "kept=mine; greet() { echo hello $kept; }; cd /tmp",
    }
}

fn assert_is_back(name: &str, world: &World, state: &ShellState) -> Pane {
    let pane = world.revive(state, RunRc::Off);
    pane.run("greet; echo in $PWD");
    let text = pane.seen().text();
    assert!(text.contains("hello mine\nin /tmp\n"), "{name}: {text}");
    pane
}

#[test]
fn shell_that_exits_writes_its_state() {
    for name in SHELLS {
        for end in [
            End::AtOnce,
            End::Later("exit\r"),
            End::Later("exit 3\r"),
            End::Later("\x04"),
        ] {
            let Some(world) = world(name) else {
                continue;
            };
            let mut pane = world.start(Kind::Plain);
            let keys = match end {
                End::AtOnce => {
                    pane.send(format!("{}; exit 3\r", change(name)));
                    "exit 3\r"
                }
                End::Later(keys) => {
                    pane.run(change(name));
                    pane.send(keys);
                    keys
                }
            };
            let (code, state) = told(&mut pane);
            assert_eq!(code == 3, keys == "exit 3\r", "{name}: {code}");
            let state = state.unwrap_or_else(|| panic!("{name} told nothing at {keys:?}"));
            drop(pane);
            // The same for a revived shell that has read all of its state.
            let mut pane = assert_is_back(name, &world, &state);
            pane.send(match name {
                "fish" => "set -g kept newer; exit\r",
                _ => "kept=newer; exit\r",
            });
            let (_, state) = told(&mut pane);
            let state = state.unwrap_or_else(|| panic!("a revived {name} told nothing"));
            drop(pane);
            let pane = world.revive(&state, RunRc::Off);
            pane.run("greet");
            let text = pane.seen().text();
            assert!(text.contains("hello newer\n"), "{name}: {text}");
        }
    }
}

#[test]
fn killed_or_replaced_shell_writes_no_state() {
    for (name, line) in [
        ("bash", "exec true"),
        ("zsh", "exec true"),
        ("fish", "exec true"),
        ("bash", "kill -9 $$"),
        ("zsh", "kill -9 $$"),
        ("fish", "kill -9 $fish_pid"),
        // Its local variables would be written as the shell's.
        ("bash", "leave() { local kept=local; exit; }; leave"),
    ] {
        let Some(world) = world(name) else {
            continue;
        };
        let mut pane = world.start(Kind::Plain);
        pane.run(change(name));
        pane.send(format!("{line}\r"));
        let (_, state) = told(&mut pane);
        assert!(state.is_none(), "{name}: {line}");
    }
}

#[test]
fn subshells_and_copies_tell_nothing() {
    for name in SHELLS {
        let Some(world) = world(name) else {
            continue;
        };
        let mut pane = world.start(Kind::Plain);
        pane.run(change(name));
        pane.run(match name {
            "fish" => "fish -c exit",
            _ => "(exit 2); echo $(exit 2); bash -c exit; zsh -c exit",
        });
        let text = std::fs::read(world.path("pane").join("exit.state")).unwrap();
        assert_eq!(String::from_utf8_lossy(&text), "", "{name}");
        pane.send("exit\r");
        assert!(told(&mut pane).1.is_some(), "{name}");
    }
}

#[test]
fn fish_that_is_told_to_end_at_its_prompt_tells_what_it_is_then() {
    let Some(world) = world("fish") else {
        return;
    };
    let mut pane = world.start(Kind::Plain);
    let hook = "function farewell --on-event fish_exit; echo left >> ~/left; end";
    pane.run(change("fish")).run(hook).run("false");
    pane.terminate();
    let (_, state) = told(&mut pane);
    drop(pane);
    assert!(!world.path("left").exists(), "SIGTERM is no exit");
    let pane = assert_is_back("fish", &world, &state.expect("its state is told"));
    // What the user has made for it decides.
    pane.run("function mine --on-signal TERM; echo hea''rd; end");
    pane.terminate();
    pane.wait("its answer", |seen| seen.text().contains("heard"));
    pane.run("echo still; echo here");
    assert!(pane.seen().text().contains("still\nhere\n"));
}

#[test]
fn traps_and_hooks_of_the_user_run_as_ever_and_come_back() {
    let cases = [
        (
            "bash",
            ".bashrc",
            "trap 'echo left $? it\\''s \"so\" >> ~/left' EXIT",
            "its so",
        ),
        ("zsh", ".zshrc", "zshexit() { echo left $? >> ~/left; }", ""),
        (
            "zsh",
            ".zshrc",
            "farewell() { echo left $? >> ~/left; }; zshexit_functions+=(farewell)",
            "",
        ),
        (
            "fish",
            ".config/fish/config.fish",
            "function farewell --on-event fish_exit; echo left >> ~/left; end",
            "",
        ),
    ];
    for (name, file, line, rest) in cases {
        // From a file, and as typed input.
        for is_typed in [false, true] {
            let Some(world) = world(name) else {
                continue;
            };
            if !is_typed {
                let text = world.read(file);
                world.file(file, &format!("{text}{line}\n"));
            }
            let mut pane = world.start(Kind::Plain);
            if is_typed {
                // After the second prompt, when all of the integration has been read.
                pane.run("true").run("true").run(line);
            }
            let expected = match name {
                "fish" => "left\n".to_owned(),
                _ => format!("left 3 {rest}").trim_end().to_owned() + "\n",
            };
            let mut all = String::new();
            // Two revivals, to check that nothing is wrapped twice.
            for round in 0..3 {
                pane.run(change(name));
                pane.send("exit 3\r");
                let (code, state) = told(&mut pane);
                all += &expected;
                let case = format!("{name}, round {round}, typed: {is_typed}: {line}");
                assert_eq!(code, 3, "{case}");
                assert_eq!(world.read("left"), all, "{case}");
                drop(pane);
                let state = state.unwrap_or_else(|| panic!("nothing told: {case}"));
                pane = assert_is_back(name, &world, &state);
            }
        }
    }
}

/// Starting this many shells takes longer than a second.
const MAX_STARTS: usize = 60;

#[test]
fn history_is_written_once() {
    for name in SHELLS {
        let Some(world) = world(name) else {
            continue;
        };
        let histories = [
            (".bashrc", "HISTFILE=~/history\n"),
            (".zshrc", "HISTFILE=~/history HISTSIZE=100 SAVEHIST=100\n"),
        ];
        for (file, text) in histories {
            let old = world.read(file);
            world.file(file, &format!("{old}{text}"));
        }
        let mut pane = world.start(Kind::Plain);
        pane.run(change(name));
        pane.run("echo unique");
        pane.send("exit\r");
        let state = told(&mut pane).1.unwrap();
        drop(pane);
        let mut pane = world.revive(&state, RunRc::Off);
        pane.run("echo again");
        pane.send("exit\r");
        assert!(told(&mut pane).1.is_some(), "{name}");
        if name != "fish" {
            let saved = world.read("history");
            assert_eq!(saved.matches("echo unique").count(), 1, "{name}: {saved}");
            assert_eq!(saved.matches("echo again").count(), 1, "{name}: {saved}");
        }
        drop(pane);
        // A fish shows what other shells have run only if that was before the second in which it started.
        let mut text = String::new();
        let is_shown = (0..MAX_STARTS).any(|_| {
            let pane = world.revive(&state, RunRc::Off);
            pane.run("history | tail -n 5");
            text = pane.seen().text();
            text.contains("echo unique")
        });
        assert!(is_shown, "{name}: {text}");
    }
}
