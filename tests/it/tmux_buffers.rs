//! Paste buffers and copy mode do what they do in tmux: the same words to both.

use crate::tmux::{same, tmux};
use crate::{is_installed, rig};

#[test]
fn buffers_are_set_listed_renamed_and_deleted_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    for args in [
        &["new", "-d", "-s", "a", "-x", "80", "-y", "24", "cat"][..],
        &["show-buffer"],
        &["delete-buffer"],
        &["paste-buffer"],
        &["save-buffer", "x"],
        &["list-buffers"],
        &["set-buffer"],
        &["set-buffer", ""],
        &["set-buffer", "-b", "", "x"],
        &["set-buffer", "hello"],
        &["set-buffer", "-b", "named", "w\nx\ty\x1b é\\"],
        &["lsb"],
        &["show-buffer"],
        &["set-buffer", "-a", "more"],
        &["set-buffer", "-a", "-b", "named", "more"],
        &["lsb"],
        &["set-buffer", "-n", "nn", "-b", "named"],
        &["set-buffer", "-n", "buffer0"],
        &["set-buffer", "-n", "q", "-b", "nope"],
        &["set-buffer", "-n", "", "-b", "buffer0"],
        &["lsb"],
        &["delete-buffer", "-b", "nope"],
        &["show-buffer", "-b", "nope"],
        &["paste-buffer", "-b", "nope"],
        &["save-buffer", "-b", "nope", "x"],
        &["load-buffer", "/nowhere"],
        &["save-buffer", "/nowhere/x"],
        &["load-buffer", "/"],
        &["save-buffer", "-"],
        &["save-buffer", "-b", "nn", "-"],
        &[
            "lsb",
            "-F",
            "#{buffer_name} #{buffer_size} #{buffer_sample}",
        ],
        &["lsb", "-f", "#{==:#{buffer_name},nn}"],
        &["delete-buffer"],
        &["lsb"],
        &["set", "-s", "buffer-limit", "2"],
        &[
            "set-buffer",
            "1",
            ";",
            "set-buffer",
            "2",
            ";",
            "set-buffer",
            "3",
        ],
        &["lsb"],
        &["set-buffer", "-w", "-t", "nope", "x"],
        &["lsb"],
        &["send-keys", "-X", "cancel"],
    ] {
        same(&rig, args);
    }
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn commands_of_copy_mode_copy_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let print = r#"i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i of (some) text-here"; done
        printf '  end'; cat"#;
    same(
        &rig,
        &["new", "-d", "-x", "30", "-y", "10", "-s", "c", print],
    );
    rig.wait_for_pane("the text", "c", |text| text.contains("  end"));
    rig.wait_until("tmux's text", || {
        let shown = tmux(&rig, &["capture-pane", "-p", "-t", "c"]);
        shown.stdout.contains("  end")
    });
    // What tmux tells of a mode nobody looks at, both tell after each command.
    let tell = "#{pane_mode} #{pane_in_mode} #{copy_cursor_x} #{copy_cursor_y} #{scroll_position} \
                #{selection_present} #{rectangle_toggle} #{pane_search_string}";
    for keys in ["emacs", "vi"] {
        same(&rig, &["set", "-g", "mode-keys", keys]);
        same(&rig, &["copy-mode", "-t", "c"]);
        for command in [
            &["page-up"][..],
            &["-N", "3", "cursor-up"],
            &["start-of-line"],
            &["next-word"],
            &["begin-selection"],
            &["next-word-end"],
            &["-N", "2", "cursor-down"],
            &["copy-selection"],
            &["search-backward", "line 3"],
            &["search-again"],
            &["copy-line"],
            &["rectangle-toggle"],
            &["begin-selection"],
            &["cursor-down"],
            &["copy-selection", "box"],
            &["history-top"],
            &["select-line"],
            &["copy-selection"],
            &["append-selection"],
            &["history-bottom"],
            &["cancel"],
        ] {
            let argv = [&["send-keys", "-t", "c", "-X"], command].concat();
            same(&rig, &argv);
            same(&rig, &["lsb"]);
            same(&rig, &["display", "-p", "-t", "c", tell]);
        }
    }
    tmux(&rig, &["kill-server"]).ok();
}
