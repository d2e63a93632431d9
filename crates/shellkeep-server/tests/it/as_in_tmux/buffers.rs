//! Paste buffers and copy mode.

use super::Both;

#[test]
fn buffers_are_set_listed_renamed_and_deleted_as_in_tmux() {
    let both = Both::start("buffers");
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
        both.same(args);
    }
}

#[test]
fn commands_of_copy_mode_copy_as_in_tmux() {
    let both = Both::start("copy_mode");
    both.same(&["new", "-d", "-x", "30", "-y", "10", "-s", "c", "cat"]);
    let lines = (1..=60).map(|n| format!("line {n} of (some) text-here\r\n"));
    let text = lines.collect::<String>() + "  end";
    both.says(0, &text, "  end");
    // What tmux tells of a mode nobody looks at, both tell after each command.
    let tell = "#{pane_mode} #{pane_in_mode} #{copy_cursor_x} #{copy_cursor_y} #{scroll_position} \
                #{selection_present} #{rectangle_toggle} #{pane_search_string}";
    for keys in ["emacs", "vi"] {
        both.same(&["set", "-g", "mode-keys", keys]);
        both.same(&["copy-mode", "-t", "c"]);
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
            both.same(&argv);
            both.same(&["lsb"]);
            both.same(&["display", "-p", "-t", "c", tell]);
        }
    }
}
