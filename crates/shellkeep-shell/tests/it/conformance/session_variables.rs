//! Variables that a shell gets from its terminal and its session: they are part of its state only if it has changed
//! them.

use std::path::Path;

use shellkeep_shell::{Kind, RunRc};

use super::Dialect;

pub(super) fn own_values_return_and_given_ones_are_renewed(shell: &Dialect) {
    for program in (shell.programs)() {
        for run_rc in [RunRc::Off, RunRc::On] {
            own_values_return(shell, &program, run_rc);
        }
    }
}

fn own_values_return(shell: &Dialect, program: &Path, run_rc: RunRc) {
    let mut world = shell.world(program, shell.session_variables);
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
    // A variable that is new, and one that is gone.
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
    assert_eq!(env, expected, "{program:?} {run_rc:?}");
}
