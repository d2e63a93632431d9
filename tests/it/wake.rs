//! A shell that comes back is as it was, also in what is decided when a shell starts.

use crate::hibernate::{ask, begin, enter, hibernate, rig_with, wait_for_prompt, wait_for_text};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// Those that understand the same words.
const ALIKE: [&str; 2] = ["bash", "zsh"];

#[test]
fn what_a_start_decides_is_as_it_was() {
    for shell in ALIKE {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        rig.write("home/.bashrc", "PS1='$ '\n");
        let path = format!("/usr/bin/{shell}");
        rig.ok(&["new", "-d", "-s", "first"]);
        // A login shell, and one that is none, on terminals of other sizes.
        rig.ok(&["new", "-d", "-s", "login", "-x", "90", "-y", "30"]);
        rig.ok(&["new", "-d", "-s", "plain", "-x", "70", "-y", "20", &path]);
        let show = "echo $0 $SHLVL $PPID $TERM $(ulimit -n) $(stty size) $(stty -g) $- E''ND";
        for name in ["login", "plain"] {
            wait_for_prompt(&rig, name);
            enter(&rig, name, "ulimit -S -n 200");
            wait_for_prompt(&rig, name);
        }
        let told = |name: &str| {
            enter(&rig, name, &format!("clear; {show}"));
            wait_for_text(&rig, name, "END");
            wait_for_prompt(&rig, name);
            let text = rig.ok(&["capture-pane", "-p", "-J", "-t", name]);
            text.lines()
                .find(|line| line.ends_with("END"))
                .unwrap()
                .to_owned()
        };
        let before = ["login", "plain"].map(told);
        for name in ["login", "plain", "login"] {
            hibernate(&rig, name);
            rig.ok(&["restore", "-t", name]);
        }
        assert_eq!(["login", "plain"].map(told), before, "{shell}");
    }
}

#[test]
fn shell_that_cannot_be_put_together_sleeps_on_and_comes_back_later() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        let set = match shell {
            "fish" => "set kept here",
            _ => "kept=here",
        };
        enter(&rig, "work", set);
        wait_for_prompt(&rig, "work");
        hibernate(&rig, "work");
        let shells = rig.path("run/shellkeep/default.shells");
        let pane = ask(&rig, "work", "#{pane_id}");
        let in_the_way = shells.join(pane.trim_start_matches('%')).join("revive");
        let _ = std::fs::remove_dir_all(&in_the_way);
        std::fs::write(&in_the_way, "not a directory").unwrap();
        let refused = rig.run(&["restore", "-t", "work"]);
        assert_ne!(refused.status, 0, "{shell}: {refused:?}");
        assert_eq!(ask(&rig, "work", "#{pane_hibernated}"), "1", "{shell}");
        std::fs::remove_file(&in_the_way).unwrap();
        enter(&rig, "work", "echo it-is-$kept");
        wait_for_text(&rig, "work", "it-is-here");
    }
}

#[test]
fn size_that_changed_while_it_slept_is_known_to_the_line_editor() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        rig.ok(&["new", "-d", "-s", "work", "-x", "90", "-y", "20"]);
        wait_for_prompt(&rig, "work");
        hibernate(&rig, "work");
        rig.ok(&["resize-window", "-t", "work", "-x", "70", "-y", "20"]);
        rig.ok(&["restore", "-t", "work"]);
        rig.ok(&["send-keys", "-t", "work", "-l", &"x".repeat(75)]);
        wait_for_text(&rig, "work", "xxx\nxxx");
        rig.ok(&["send-keys", "-t", "work", "C-a"]);
        rig.wait_until("the cursor at the begin of the line", || {
            ask(&rig, "work", "#{cursor_x},#{cursor_y}") == "2,0"
        });
        assert_eq!(ask(&rig, "work", "#{pane_width}"), "70");
    }
}

#[test]
fn panes_that_wake_at_once_come_back_each_as_itself() {
    for shell in ALIKE {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        let names = ["first", "second", "third"];
        for name in names {
            begin(&rig, name);
            enter(&rig, name, &format!("n={name}; only_{name}() {{ :; }}"));
            wait_for_prompt(&rig, name);
            hibernate(&rig, name);
        }
        for name in names {
            let functions = "$(typeset -f | grep -o 'onl[y]_[a-z]*')";
            let show = format!("clear; echo $n {functions} $(fc -ln 1 | grep -c 'onl[y]_')");
            enter(&rig, name, &show);
        }
        for name in names {
            wait_for_text(&rig, name, &format!("{name} only_{name} 1\n"));
        }
    }
}

#[test]
fn keys_typed_into_a_sleeping_pane_mean_what_they_meant() {
    let Some(rig) = rig_with("zsh") else {
        return;
    };
    let rc = "PS1='$ '\nbindkey -s q Q\nalias say=echo\n";
    rig.write("home/.zshrc", rc);
    begin(&rig, "work");
    for (line, shown) in [
        ("say then q two", "\nthen Q two\n"),
        ("qq; say \\\"q\\\"", "\n\"Q\"\n"),
    ] {
        hibernate(&rig, "work");
        enter(&rig, "work", line);
        wait_for_text(&rig, "work", shown);
        wait_for_prompt(&rig, "work");
    }
    // With a line that is half typed, which stands before it.
    rig.ok(&["send-keys", "-t", "work", "-l", "say half "]);
    wait_for_text(&rig, "work", "$ say half");
    hibernate(&rig, "work");
    enter(&rig, "work", "then q");
    wait_for_text(&rig, "work", "\nhalf then Q\n");
}

#[test]
fn history_file_that_grew_while_it_slept_is_taken_as_read() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    hibernate(&rig, "work");
    rig.write("home/.bash_history", "echo of another shell\n");
    rig.ok(&["restore", "-t", "work"]);
    enter(
        &rig,
        "work",
        "history -n; echo $(history | grep -c 'anothe[r]')",
    );
    wait_for_text(&rig, "work", "\n0\n");
}
