//! Locking a terminal, and a buffer in the user's editor: both leave the terminal to another program for a while.

use shellkeep_testkit::real::Screen;

use crate::rig;

#[test]
fn locked_terminal_shows_nothing_and_is_as_it_was_when_the_command_has_ended() {
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g lock-command 'echo locked; read word; echo open'\n",
    );
    let line = "echo private; shellkeep new -s work cat; echo after; cat";
    let terminal = rig.start(&["sh", "-c", line], &[], (12, 60));
    terminal.wait_until("a status line", |screen| screen.has("[work]"));
    terminal.enter("secret");
    terminal.wait_for_text("secret");
    let is_locked = |screen: &Screen<'_>| {
        let hidden = ["private", "secret", "[work]"];
        screen.has("locked") && !hidden.iter().any(|text| screen.has(text))
    };
    rig.ok(&["lock-session", "-t", "work"]);
    terminal.wait_until("the lock", is_locked);
    terminal.keys("C-b d");
    rig.enter("work", "more");
    rig.wait_until("output meanwhile", || {
        rig.ok(&["capture-pane", "-p", "-t", "work"])
            .contains("more")
    });
    assert!(!terminal.text().contains("more"), "{}", terminal.text());
    terminal.enter("");
    terminal.wait_until("the session again", |screen| {
        screen.has("secret") && screen.has("more") && screen.has("[work]")
    });
    rig.ok(&["lock-server"]);
    terminal.wait_until("the lock", is_locked);
    terminal.enter("");
    terminal.wait_for_text("[work]");
    // It leaves nothing of what was there before it, and nothing of its own.
    rig.ok(&["detach-client", "-s", "work"]);
    terminal.wait_until("what was there before", |screen| {
        screen.has("private") && screen.has("after") && !screen.has("locked")
    });
}

#[test]
fn buffer_is_edited_over_the_panes() {
    let rig = rig();
    let editor = rig.write("home/editor", "#!/bin/sh\necho editing\nread answer\n[ \"$answer\" = no ] && exit 1\necho \"$answer\" >> \"$1\"\n");
    let editor = format!("sh {}", editor.to_str().unwrap());
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status-right ''\n",
    );
    let terminal = rig.attach(&["new", "-s", "work", "cat"], (24, 80));
    terminal.wait_until("a status line", |screen| screen.has("[work]"));
    rig.ok(&["set", "-s", "editor", &editor]);
    rig.ok(&["set-buffer", "-b", "it's", "before "]);
    rig.ok(&["choose-buffer", "-t", "work"]);
    terminal.wait_for_text("it's");
    terminal.keys("e");
    terminal.wait_for_text("editing");
    terminal.enter("after");
    rig.wait_until("the new content", || {
        rig.ok(&["show-buffer", "-b", "it's"]) == "before after\n"
    });
    terminal.wait_until("the list again", |screen| !screen.has("editing"));
    terminal.keys("e");
    terminal.wait_for_text("editing");
    terminal.enter("no");
    terminal.wait_until("the list again", |screen| !screen.has("editing"));
    assert_eq!(rig.ok(&["show-buffer", "-b", "it's"]), "before after\n");
    rig.wait_until("no file left", || {
        let files = std::fs::read_dir(rig.path("run/shellkeep")).unwrap();
        let mut files = files.map(|file| file.unwrap().file_name());
        !files.any(|name| name.to_string_lossy().contains("edit"))
    });
}
