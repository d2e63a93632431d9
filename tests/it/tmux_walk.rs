//! Corners of the command language, found by walking through it beside tmux.

use crate::tmux::{same, tmux};
use crate::{is_installed, rig};

#[test]
fn target_that_is_there_in_part_is_seen_from_there_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(&rig, &["new", "-d", "-s", "a", "-n", "zero", "cat"]);
    same(&rig, &["new-window", "-d", "-t", "a:1", "-n", "one", "cat"]);
    same(&rig, &["split-window", "-d", "-t", "a:one", "cat"]);
    same(&rig, &["new", "-d", "-s", "b", "-n", "zero", "cat"]);
    same(&rig, &["new-window", "-d", "-t", "b:1", "-n", "one", "cat"]);
    for target in [
        "a:{last}",
        "a:!",
        "a:one.{up-of}",
        "a:one.9",
        "a:=o",
        "a:zz",
        "b:{last}",
        "b:one.9",
        "b:{last}.0",
        "b:zz.0",
        "nope:0",
        "b:9",
        "=nope",
        "b:1.{last}",
        "$1:9",
        "b:one.{right-of}",
        "%9",
        "@9",
        "$9",
        "b:0.!",
        ":9",
        ".9",
        "{last}",
        "!",
        "zz",
        "zz.0",
        ":one.9",
        "one.9",
        "=a:zz",
        "=a:one.7",
    ] {
        let seen = "#S:#I.#P #D #{session_id} #{window_id}";
        same(&rig, &["display", "-p", "-t", target, seen]);
        let then = "display -p yes";
        same(&rig, &["if", "-F", "-t", target, "#{window_name}", then]);
    }
    let _ = tmux(&rig, &["kill-server"]);
}
