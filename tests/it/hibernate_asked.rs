//! Shells that were asked for by name sleep as those that were not, and come back as the kind they were.

use shellkeep_command::parse::quote;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, ask, clear, enter, hibernate, is_asleep, rig_with, sleep_and_wake, wait_for_command,
    wait_for_prompt, wait_for_text,
};
use crate::keeping::kill_both;
use crate::{is_installed, side_by_side};

/// Prints the name of the shell and its kind.
fn asks_kind(shell: &str) -> &'static str {
    match shell {
        "bash" => "shopt -q login_shell && echo bash-login || echo bash-plain",
        "zsh" => "[[ -o login ]] && echo zsh-login || echo zsh-plain",
        _ => "status is-login; and echo fish-login; or echo fish-plain",
    }
}

/// A world in which every kind of every shell has the same short prompt.
fn rig_of_all() -> Option<Rig> {
    let rig = rig_with("bash")?;
    rig.write("home/.bashrc", "PS1='$ '; PS2='> '\n");
    Some(rig)
}

fn sleeps_and_comes_back(rig: &Rig, name: &str, shell: &str, kind: &str) {
    wait_for_prompt(rig, name);
    let told = format!("\n{shell}-{kind}\n$");
    enter(rig, name, asks_kind(shell));
    wait_for_text(rig, name, &told);
    clear(rig, name);
    hibernate(rig, name);
    assert!(is_asleep(rig, name), "{name}");
    rig.ok(&["restore", "-t", name]);
    wait_for_prompt(rig, name);
    enter(rig, name, asks_kind(shell));
    wait_for_text(rig, name, &told);
}

/// What asks for a shell, which one, and its kind.
const LINES: [(&str, &str, &str); 9] = [
    ("bash -l", "bash", "login"),
    ("bash", "bash", "plain"),
    ("exec bash -l", "bash", "login"),
    ("/bin/bash --login", "bash", "login"),
    ("${SHELL}", "bash", "plain"),
    ("zsh", "zsh", "plain"),
    ("zsh -l", "zsh", "login"),
    ("fish", "fish", "plain"),
    ("exec fish -l", "fish", "login"),
];

/// Shells that the default command names.
fn named_by_the_default_command(rig: &Rig, wanted: &str) {
    rig.ok(&["start-server"]);
    for (at, (line, shell, kind)) in LINES.into_iter().enumerate() {
        if shell != wanted {
            continue;
        }
        let name = format!("s{at}");
        rig.ok(&["set", "-g", "default-command", line]);
        rig.ok(&["new", "-d", "-s", &name, "-x", "80", "-y", "24"]);
        sleeps_and_comes_back(rig, &name, shell, kind);
        assert_eq!(ask(rig, &name, "#{pane_start_command}"), quote(line));
    }
}

/// Shells that the command itself names.
fn named_by_a_command(rig: &Rig, shell: &str) {
    let size = ["-x", "80", "-y", "24"];
    let first = ["new", "-d", "-s", "line"];
    match shell {
        "bash" => {
            rig.ok(&[&first[..], &size, &["bash -l"]].concat());
            sleeps_and_comes_back(rig, "line", "bash", "login");
            assert_eq!(ask(rig, "line", "#{pane_start_command}"), "\"bash -l\"");
            rig.ok(&["new-window", "-t", "line:1", "--", "bash", "-i"]);
            sleeps_and_comes_back(rig, "line:1", "bash", "plain");
            // One that does more is a program as any other.
            rig.ok(&["new-window", "-t", "line:2", "bash --norc -i"]);
            wait_for_command(rig, "line:2", "bash");
            let refused = rig.run(&["hibernate", "-t", "line:2"]).fails();
            assert!(refused.contains("runs: bash --norc -i"), "{refused}");
        }
        "zsh" => {
            rig.ok(&[&first[..], &size, &["bash -l"]].concat());
            rig.ok(&["split-window", "-t", "line:0", "--", "zsh", "-l"]);
            sleeps_and_comes_back(rig, "line:0.1", "zsh", "login");
            assert_eq!(ask(rig, "line:0.1", "#{pane_start_command}"), "zsh -l");
        }
        _ => {}
    }
}

#[test]
fn shells_that_are_asked_for_by_name_sleep_and_come_back_as_they_were() {
    side_by_side(&SHELLS.map(|shell| (shell, ())), |shell, ()| {
        if let Some(rig) = rig_of_all().filter(|_| is_installed(shell)) {
            named_by_the_default_command(&rig, shell);
            named_by_a_command(&rig, shell);
        }
    });
}

#[test]
fn shell_that_was_asked_for_or_came_in_place_of_a_command_is_no_program() {
    let Some(rig) = rig_of_all() else { return };
    let line = "seq 1 5; exec cat";
    for (name, command) in [("shell", "bash"), ("work", line)] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", command]);
    }
    wait_for_prompt(&rig, "shell");
    wait_for_text(&rig, "work", "\n5");
    rig.ok(&["kill-server", "--keep"]);
    let listed = rig.ok(&["ls", "-F", "#{session_name}:#{session_lost_programs}"]);
    assert!(!listed.contains("bash"), "{listed}");
    rig.ok(&["restore", "-t", "shell"]);
    enter(&rig, "shell", asks_kind("bash"));
    wait_for_text(&rig, "shell", "\nbash-plain\n$");
    rig.ok(&["restore", "-a"]);
    wait_for_text(&rig, "work", &format!("$ {line}"));
    // Only a shell is there, with a line that was not sent.
    sleep_and_wake(&rig, "work");
    wait_for_text(&rig, "work", &format!("$ {line}"));
    kill_both(&rig);
    let listed = rig.ok(&["ls"]);
    assert!(!listed.contains("ended"), "{listed}");
}
