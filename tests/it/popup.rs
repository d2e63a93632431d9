//! A popup that becomes a pane is kept as any other.

use shellkeep_testkit::real::{Rig, Terminal};

use crate::hibernate::{enter, hibernate, rig_with, wait_for_text};
use crate::keeping::{everything, kill_both};
use crate::rig;

/// A popup whose program has printed more than fits into it, made a pane by the key of its menu.
fn popup_made_a_pane(rig: &Rig, key: &str) -> Terminal {
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "bind -n F5 display-popup -E -x 10 -y 15 -w 30 -h 8 'seq -f \"number %g\" 40; exec cat'\n",
    );
    let terminal = rig.attach(&["new", "-s", "work", "cat"], (24, 80));
    terminal.wait_until("a status line", |screen| screen.has("[work]"));
    terminal.keys("F5").wait_for_text("number 40");
    open_menu(&terminal);
    terminal.keys(key);
    rig.wait_until("a second pane", || {
        rig.ok(&["list-panes", "-t", "work"]).lines().count() == 2
    });
    terminal
}

/// The right button on its border; letting it go would close the menu.
fn open_menu(terminal: &Terminal) {
    terminal.send(b"\x1b[<2;14;8M");
    terminal.wait_for_text("To Horizontal Pane");
}

#[test]
fn popup_made_a_pane_is_kept_beyond_the_death_of_the_server_and_of_all() {
    for key in ["h", "v"] {
        let rig = rig();
        let terminal = popup_made_a_pane(&rig, key);
        let pid = rig.ok(&["display", "-p", "-t", "work:.1", "#{pane_pid}"]);
        terminal.type_text("typed before").keys("Enter");
        rig.wait_for_pane("its echo", "work:.1", |text| {
            text.matches("typed before").count() == 2
        });
        let before = everything(&rig, "work:.1");
        assert!(before.starts_with("number 1\nnumber 2\n"), "{before}");
        rig.server().kill_9();
        terminal.wait_until("the pane again", |screen| screen.has("typed before"));
        assert_eq!(everything(&rig, "work:.1"), before);
        assert_eq!(
            rig.ok(&["display", "-p", "-t", "work:.1", "#{pane_pid}"]),
            pid
        );
        terminal.type_text("and after").keys("Enter");
        rig.wait_for_pane("its echo", "work:.1", |text| {
            text.matches("and after").count() == 2
        });
        assert_is_kept_on_disk(&rig);
    }
}

/// Both panes are there when server and keeper have died.
fn assert_is_kept_on_disk(rig: &Rig) {
    let before = everything(rig, "work:.1");
    assert!(before.contains("number 17\n"), "{before}");
    // The recorder writes it down a moment after it is shown.
    rig.wait_until("both panes on disk", || {
        let sessions = std::fs::read_dir(rig.path("state/shellkeep/sessions")).unwrap();
        let session = sessions.flatten().next().unwrap().path();
        let text = std::fs::read_to_string(session.join("session.json")).unwrap_or_default();
        text.matches("\"home\": {").count() == 2
    });
    kill_both(rig);
    rig.wait_until("the session again", || {
        rig.run(&["ls"]).stdout.starts_with("work:")
    });
    let after = everything(rig, "work:.1");
    assert!(after.starts_with(before.trim_end()), "{after}");
}

#[test]
fn shell_of_a_popup_made_a_pane_sleeps_and_comes_back_as_it_was() {
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        let config = rig.read("config/shellkeep/shellkeep.conf");
        let popup = "bind -n F5 display-popup -E -x 10 -y 15 -w 30 -h 8\n";
        rig.write("config/shellkeep/shellkeep.conf", &(config + popup));
        let terminal = rig.attach(
            &["new", "-s", "work", "printf 'below\n'; exec cat"],
            (24, 80),
        );
        terminal.wait_for_text("below");
        terminal.keys("F5").wait_for_text("$ ");
        open_menu(&terminal);
        terminal.keys("h");
        rig.wait_until("a second pane", || {
            rig.ok(&["list-panes", "-t", "work"]).lines().count() == 2
        });
        rig.ok(&["detach-client", "-s", "work"]);
        let set = if shell == "fish" {
            "set -g mine kept"
        } else {
            "mine=kept"
        };
        enter(&rig, "work:.1", &format!("{set}; echo se''t"));
        wait_for_text(&rig, "work:.1", "\nset\n$");
        hibernate(&rig, "work:.1");
        rig.ok(&["restore", "-t", "work:.1"]);
        enter(&rig, "work:.1", "echo have $mine");
        wait_for_text(&rig, "work:.1", "\nhave kept\n");
    }
}
