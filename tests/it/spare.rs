//! A shell is started ahead while something sleeps: panes wake in it as in any other, nobody sees it, and it never stays behind.

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_testkit::real::{Process, Rig};

use crate::hibernate::{
    ask, begin, enter, hibernate, is_asleep, killed_at, rig_with, shell_of, wait_for_prompt,
    wait_for_text,
};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// Those that understand the same words.
const ALIKE: [&str; 2] = ["bash", "zsh"];

fn stats(rig: &Rig) -> Value {
    serde_json::from_str(&rig.ok(&["stats", "--json"])).unwrap()
}

fn find_spare(rig: &Rig) -> Option<Process> {
    let pid = stats(rig)["spare"]["pid"].as_i64()?;
    Process::find(i32::try_from(pid).unwrap())
}

/// Waits for a shell that waits: one that is still on its way to its gate is left alone.
fn spare(rig: &Rig) -> Process {
    let is_at_gate = |spare: &Process| {
        let place = std::fs::read_to_string(format!("/proc/{}/wchan", spare.pid));
        place.is_ok_and(|place| place == "wait_for_partner")
    };
    rig.wait_for("a spare shell", || find_spare(rig).filter(is_at_gate))
}

fn used(rig: &Rig) -> u64 {
    stats(rig)["spares_used"].as_u64().unwrap()
}

/// A session that sleeps, and the shell that waits for it.
fn asleep_with_spare(shell: &str) -> Option<(Rig, Process)> {
    let rig = rig_with(shell)?;
    begin(&rig, "work");
    let variable = match shell {
        "fish" => "set n one",
        _ => "n=one",
    };
    let line = format!("{variable}; cd proj; umask 027; echo se''t");
    enter(&rig, "work", &line);
    wait_for_text(&rig, "work", "\nset\n");
    wait_for_prompt(&rig, "work");
    hibernate(&rig, "work");
    let spare = spare(&rig);
    Some((rig, spare))
}

#[test]
fn pane_wakes_in_the_spare_shell_as_in_one_of_its_own() {
    for shell in SHELLS {
        let Some((rig, spare)) = asleep_with_spare(shell) else {
            continue;
        };
        rig.ok(&["restore", "-t", "work"]);
        assert_eq!(shell_of(&rig, "work").pid, spare.pid, "{shell}");
        assert_eq!(used(&rig), 1);
        let line = "echo $n $(basename $PWD) $(umask) $SHELLKEEP_PANE $(tty)";
        enter(&rig, "work", line);
        let tty = rig.ok(&["display", "-p", "-t", "work", "#{pane_tty}"]);
        let pane = rig.ok(&["display", "-p", "-t", "work", "#{pane_id}"]);
        let shown = format!("\none proj 0027 {} {}\n", pane.trim(), tty.trim());
        let shown = if shell == "zsh" {
            shown.replace("0027", "027")
        } else {
            shown
        };
        wait_for_text(&rig, "work", &shown);
        // Its process is gone with it, as any pane's.
        enter(&rig, "work", "exit");
        spare.wait_gone();
    }
}

#[test]
fn what_a_start_decides_is_as_in_a_shell_of_its_own() {
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
            let spare = spare(&rig);
            rig.ok(&["restore", "-t", name]);
            assert_eq!(shell_of(&rig, name).pid, spare.pid, "{shell} {name}");
        }
        assert_eq!(["login", "plain"].map(told), before, "{shell}");
    }
}

#[test]
fn terminal_of_another_size_is_known_to_the_line_editor() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        // The last one is what comes next most likely, whatever sleeps.
        for (name, cols) in [("narrow", "70"), ("wide", "90")] {
            rig.ok(&["new", "-d", "-s", name, "-x", cols, "-y", "20"]);
            wait_for_prompt(&rig, name);
        }
        hibernate(&rig, "wide");
        let spare = spare(&rig);
        hibernate(&rig, "narrow");
        rig.ok(&["restore", "-t", "narrow"]);
        assert_eq!(shell_of(&rig, "narrow").pid, spare.pid, "{shell}");
        rig.ok(&["send-keys", "-t", "narrow", "-l", &"x".repeat(75)]);
        wait_for_text(&rig, "narrow", "xxx\nxxx");
        rig.ok(&["send-keys", "-t", "narrow", "C-a"]);
        rig.wait_until("the cursor at the begin of the line", || {
            ask(&rig, "narrow", "#{cursor_x},#{cursor_y}") == "2,0"
        });
        assert_eq!(ask(&rig, "narrow", "#{pane_width}"), "70");
    }
}

#[test]
fn any_pane_can_have_it_whichever_it_was_made_ready_for() {
    for shell in ALIKE {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        for name in ["first", "second", "third"] {
            begin(&rig, name);
            enter(&rig, name, &format!("n={name}; only_{name}() {{ :; }}"));
            wait_for_prompt(&rig, name);
        }
        // The last one to be used comes next most likely: it is made ready for this, and then for that.
        hibernate(&rig, "first");
        let spare = spare(&rig);
        hibernate(&rig, "second");
        hibernate(&rig, "third");
        rig.ok(&["restore", "-t", "second"]);
        assert_eq!(shell_of(&rig, "second").pid, spare.pid, "{shell}");
        self::spare(&rig);
        rig.ok(&["restore", "-t", "third"]);
        self::spare(&rig);
        rig.ok(&["restore", "-t", "first"]);
        assert_eq!(used(&rig), 3, "{shell}");
        for name in ["first", "second", "third"] {
            let functions = "$(typeset -f | grep -o 'onl[y]_[a-z]*')";
            let show = format!("clear; echo $n {functions} $(fc -ln 1 | grep -c 'onl[y]_')");
            enter(&rig, name, &show);
            wait_for_text(&rig, name, &format!("{name} only_{name} 1\n"));
        }
    }
}

#[test]
fn fish_reads_ahead_for_the_pane_that_comes_next_and_any_other_can_have_it() {
    let Some(rig) = rig_with("fish") else {
        return;
    };
    for name in ["first", "second"] {
        begin(&rig, name);
        enter(
            &rig,
            name,
            &format!("set n {name}; function only_{name}; end"),
        );
        wait_for_prompt(&rig, name);
    }
    hibernate(&rig, "first");
    let begun = spare(&rig);
    hibernate(&rig, "second");
    begun.wait_gone();
    for name in ["first", "second"] {
        let spare = spare(&rig);
        rig.ok(&["restore", "-t", name]);
        assert_eq!(shell_of(&rig, name).pid, spare.pid, "{name}");
        let show = "clear; echo $n (functions --names | string match 'only*')";
        enter(&rig, name, show);
        wait_for_text(&rig, name, &format!("{name} only_{name}\n"));
    }
    assert_eq!(used(&rig), 2);
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
        spare(&rig);
        enter(&rig, "work", line);
        wait_for_text(&rig, "work", shown);
        wait_for_prompt(&rig, "work");
    }
    // With a line that is half typed, which stands before it.
    rig.ok(&["send-keys", "-t", "work", "-l", "say half "]);
    wait_for_text(&rig, "work", "$ say half");
    hibernate(&rig, "work");
    spare(&rig);
    enter(&rig, "work", "then q");
    wait_for_text(&rig, "work", "\nhalf then Q\n");
}

#[test]
fn history_file_that_grew_while_it_waited_is_taken_as_read() {
    let Some((rig, spare)) = asleep_with_spare("bash") else {
        return;
    };
    rig.write("home/.bash_history", "echo of another shell\n");
    rig.ok(&["restore", "-t", "work"]);
    assert_eq!(shell_of(&rig, "work").pid, spare.pid);
    enter(
        &rig,
        "work",
        "history -n; echo $(history | grep -c 'anothe[r]')",
    );
    wait_for_text(&rig, "work", "\n0\n");
}

#[test]
fn shell_of_another_kind_is_not_given_the_spare_one() {
    let Some((rig, spare)) = asleep_with_spare("bash") else {
        return;
    };
    rig.write("home/.bashrc", "PS1='$ '\n");
    // No login shell, in another language, on a terminal that is set otherwise.
    rig.ok(&["new", "-d", "-s", "other", "/usr/bin/bash"]);
    wait_for_prompt(&rig, "other");
    enter(
        &rig,
        "other",
        "n=two; LANG=C; stty -echoctl; shopt -q login_shell; echo k$?",
    );
    wait_for_text(&rig, "other", "\nk1\n$");
    hibernate(&rig, "other");
    rig.ok(&["restore", "-t", "other"]);
    assert_ne!(shell_of(&rig, "other").pid, spare.pid);
    enter(
        &rig,
        "other",
        "shopt -q login_shell; echo then $n $? $LANG $(stty -a | grep -o .echoctl)",
    );
    wait_for_text(&rig, "other", "\nthen two 1 C -echoctl\n");
    // It is the other's as before.
    rig.ok(&["restore", "-t", "work"]);
    assert_eq!(shell_of(&rig, "work").pid, spare.pid);
}

#[test]
fn nobody_sees_it() {
    let Some((rig, spare)) = asleep_with_spare("bash") else {
        return;
    };
    for list in [&["ls"][..], &["list-panes", "-a"], &["list-windows", "-a"]] {
        assert_eq!(
            rig.ok(list).lines().filter(|it| !it.is_empty()).count(),
            1,
            "{list:?}"
        );
    }
    let stats = stats(&rig);
    assert_eq!(stats["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(stats["sessions_active"], 0);
    assert!(is_asleep(&rig, "work") && spare.is_alive());
}

#[test]
fn it_is_there_only_while_something_sleeps_and_is_wanted() {
    let Some((rig, spare)) = asleep_with_spare("bash") else {
        return;
    };
    rig.ok(&["set", "-g", "spare-shell", "off"]);
    spare.wait_gone();
    rig.ok(&["set", "-g", "spare-shell", "on"]);
    let next = self::spare(&rig);
    rig.ok(&["new", "-d", "-s", "awake"]);
    rig.ok(&["kill-session", "-t", "work"]);
    next.wait_gone();
    rig.wait_until("nothing of it to be told", || {
        stats(&rig)["spare"].is_null()
    });
}

#[test]
fn without_integration_there_is_none() {
    let Some((rig, spare)) = asleep_with_spare("bash") else {
        return;
    };
    rig.ok(&["set", "-g", "shell-integration", "off"]);
    spare.wait_gone();
}

#[test]
fn dead_spare_costs_nothing() {
    for signal in [Signal::SIGKILL, Signal::SIGSTOP] {
        let Some((rig, spare)) = asleep_with_spare("bash") else {
            return;
        };
        spare.signal(signal);
        rig.ok(&["restore", "-t", "work"]);
        assert_ne!(shell_of(&rig, "work").pid, spare.pid, "{signal}");
        enter(&rig, "work", "echo still $n");
        wait_for_text(&rig, "work", "\nstill one\n");
        if signal == Signal::SIGKILL {
            spare.wait_gone();
        }
        rig.ok(&["kill-server"]);
        spare.wait_gone();
    }
}

#[test]
fn server_that_dies_leaves_none_behind() {
    for shell in SHELLS {
        let Some((rig, spare)) = asleep_with_spare(shell) else {
            continue;
        };
        rig.server().kill_9();
        assert!(is_asleep(&rig, "work"), "{shell}");
        spare.wait_gone();
        rig.ok(&["restore", "-t", "work"]);
        enter(&rig, "work", "echo then $n");
        wait_for_text(&rig, "work", "\nthen one\n");
    }
}

#[test]
fn it_ends_with_the_server_and_with_both() {
    for shell in SHELLS {
        let Some((rig, spare)) = asleep_with_spare(shell) else {
            continue;
        };
        rig.ok(&["kill-server"]);
        spare.wait_gone();
        let Some((rig, spare)) = asleep_with_spare(shell) else {
            continue;
        };
        rig.server().signal(Signal::SIGTERM);
        spare.wait_gone();
        let Some((rig, spare)) = asleep_with_spare(shell) else {
            continue;
        };
        let (server, keeper) = (rig.server(), rig.keeper());
        // In this order: it would start another keeper.
        server.signal(Signal::SIGSTOP);
        keeper.kill_9();
        server.kill_9();
        spare.wait_gone();
    }
}

#[test]
fn server_killed_while_a_pane_wakes_in_it_leaves_the_pane_asleep() {
    if !cfg!(debug_assertions) {
        return;
    }
    for step in ["tidied", "woken", "prompted"] {
        let Some((rig, spare)) = asleep_with_spare("bash") else {
            return;
        };
        killed_at(&rig, step, &["restore", "-t", "work"]);
        assert!(is_asleep(&rig, "work"), "at {step}");
        spare.wait_gone();
        enter(&rig, "work", "echo then $n");
        wait_for_text(&rig, "work", "\nthen one\n");
    }
}

#[test]
fn keeper_that_dies_does_not_take_it_along() {
    let Some((rig, spare)) = asleep_with_spare("bash") else {
        return;
    };
    rig.keeper().kill_9();
    rig.wait_until("another keeper", || rig.keepers().len() == 1);
    rig.ok(&["restore", "-t", "work"]);
    enter(&rig, "work", "echo then $n");
    wait_for_text(&rig, "work", "\nthen one\n");
    rig.ok(&["kill-server"]);
    spare.wait_gone();
}
