//! Variables that every shell gets from its terminal and its session: they are its state only if it has changed them.

use std::path::Path;

use shellkeep_shell::{Kind, RunRc};

use crate::world::World;

const SET: &str = "
export SSH_AUTH_SOCK=/mine TERM=vt100 TMUX_PLUGIN_MANAGER_PATH=/plugins SSH_TTY=$SSH_TTY
SSH_INNER='a b'
unset DISPLAY
";

const SET_IN_FISH: &str = "
function fish_greeting; end
set -gx SSH_AUTH_SOCK /mine; set -gx TERM vt100; set -gx TMUX_PLUGIN_MANAGER_PATH /plugins
set -g SSH_INNER 'a b'
set -e DISPLAY
";

fn own_values_return_and_given_ones_are_renewed(
    program: &str,
    rc: &str,
    text: &str,
    run_rc: RunRc,
) {
    let mut world = World::new(program.as_ref());
    world.file(rc, text);
    for (name, value) in [
        ("SSH_AUTH_SOCK", "/given"),
        ("SSH_TTY", "/dev/old"),
        ("SSH_CLIENT", "old one"),
        ("XAUTHORITY", "/x"),
        ("DISPLAY", ":0"),
    ] {
        world.set(name, value);
    }
    let mut pane = world.start(Kind::Plain);
    // One that is given from now on; one that was, and is no more.
    world.set("SSH_TTY", "/dev/new");
    world.set("SSH_AUTH_SOCK", "/given/now");
    world.env.retain(|(name, _)| name != "SSH_CLIENT");
    world.set("WAYLAND_DISPLAY", "wayland-1");
    for _ in 0..2 {
        let captured = world.capture(&pane);
        drop(pane);
        pane = world.revive(&captured.state, run_rc);
    }
    pane.run("env >~/env; echo \"<$SSH_INNER>\"");
    assert!(pane.seen().text().contains("\n<a b>"));
    let env = world.read("env");
    let names = ["SSH_", "TERM=", "TMUX", "DISPLAY", "XAUTHORITY", "WAYLAND"];
    let env = env.lines();
    let mut env: Vec<&str> = env
        .filter(|line| names.iter().any(|name| line.starts_with(name)))
        .collect();
    env.sort_unstable();
    let expected = [
        "SSH_AUTH_SOCK=/mine",
        "SSH_TTY=/dev/new",
        "TERM=vt100",
        "TMUX_PLUGIN_MANAGER_PATH=/plugins",
        "WAYLAND_DISPLAY=wayland-1",
        "XAUTHORITY=/x",
    ];
    assert_eq!(env, expected, "{program} {run_rc:?}");
}

fn with_and_without_rc(program: &Path, rc: &str, text: &str) {
    let program = program.to_str().unwrap();
    for run_rc in [RunRc::Off, RunRc::On] {
        own_values_return_and_given_ones_are_renewed(program, rc, text, run_rc);
    }
}

#[test]
fn own_values_return_to_bash_and_given_ones_are_renewed() {
    with_and_without_rc(&crate::bash::last(), ".bashrc", SET);
}

#[test]
fn own_values_return_to_zsh_and_given_ones_are_renewed() {
    with_and_without_rc(&crate::zsh::program(), ".zshrc", SET);
}

#[test]
fn own_values_return_to_fish_and_given_ones_are_renewed() {
    let program = Path::new("/usr/bin/fish");
    with_and_without_rc(program, ".config/fish/config.fish", SET_IN_FISH);
}
