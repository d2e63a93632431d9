//! Bash: the effect of its keys before and after hibernation.

use shellkeep_shell::Kind;

use crate::bash::last;
use crate::pane::Pane;
use crate::world::World;

fn world(rc: &str) -> World {
    let world = World::new(&last());
    world.file(".bashrc", rc);
    world
}

/// Types text at once at a prompt of two characters, and waits for the resulting line.
fn types(pane: &Pane, keys: &str, line: &str) {
    pane.send(keys);
    pane.wait(line, |seen| {
        seen.cursor_row().0.trim_end() == format!("> {line}").trim_end()
    });
}

#[test]
fn vi_mode_wakes_up_to_be_typed_into() {
    let ways = [
        ("PS1='> '; set -o vi", "", "true"),
        ("PS1='> '", "set editing-mode vi\n", "true"),
        ("PS1='> '", "", "set -o vi"),
    ];
    for (rc, inputrc, typed) in ways {
        for half in ["", "abc"] {
            let world = world(rc);
            world.file(".inputrc", inputrc);
            let pane = world.start(Kind::Plain);
            pane.run("bind -m vi-command '\"gg\": beginning-of-history'")
                .run(&format!("{typed}; clear"));
            types(&pane, half, half);
            let pane = world.cycle(pane);
            types(&pane, "echo x", &format!("{half}echo x"));
        }
    }
}

#[test]
fn bindings_for_vi_commands_return_to_a_shell_in_emacs_mode() {
    let world = world("PS1='> '; bind -m vi-command '\"gg\": beginning-of-history'");
    let pane = world.start(Kind::Plain);
    pane.run("bind -m vi-command '\"\\C-xo\": undo'");
    let pane = world.cycle(world.cycle(pane));
    pane.run("clear; bind -m vi-command -p | grep -e '\"gg\"' -e C-xo");
    let text = pane.seen().text();
    assert!(
        text.contains("\"gg\": beginning-of-history\n\"\\C-xo\": undo\n"),
        "{text}"
    );
    types(&pane, "echo x", "echo x");
}
