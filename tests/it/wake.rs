//! A shell that comes back is as it was, also in what is decided when a shell starts.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, ask, assignment, begin, enter, hibernate, sleep_and_wake, wait_for_prompt,
    wait_for_text, with_each_shell,
};

/// What a start decides is as it was.
fn start_is_as_it_was(rig: &Rig, shell: &str) {
    rig.write("home/.bashrc", "PS1='$ '\n");
    let path = format!("/usr/bin/{shell}");
    rig.ok(&["new", "-d", "-s", "first"]);
    // A login shell, and one that is none, on terminals of other sizes.
    rig.ok(&["new", "-d", "-s", "login", "-x", "90", "-y", "30"]);
    rig.ok(&["new", "-d", "-s", "plain", "-x", "70", "-y", "20", &path]);
    let show = "echo $0 $SHLVL $PPID $TERM $(ulimit -n) $(stty size) $(stty -g) $- E''ND";
    for name in ["login", "plain"] {
        wait_for_prompt(rig, name);
        enter(rig, name, "ulimit -S -n 200");
        wait_for_prompt(rig, name);
    }
    let told = |name: &str| {
        enter(rig, name, &format!("clear; {show}"));
        wait_for_text(rig, name, "END");
        wait_for_prompt(rig, name);
        let text = rig.ok(&["capture-pane", "-p", "-J", "-t", name]);
        text.lines()
            .find(|line| line.ends_with("END"))
            .unwrap()
            .to_owned()
    };
    let before = ["login", "plain"].map(told);
    for name in ["login", "plain", "login"] {
        sleep_and_wake(rig, name);
    }
    assert_eq!(["login", "plain"].map(told), before, "{shell}");
}

/// Panes that wake at once come back each as itself.
fn each_comes_back_as_itself(rig: &Rig) {
    let names = ["one", "two", "three"];
    for name in names {
        begin(rig, name);
        enter(rig, name, &format!("n={name}; only_{name}() {{ :; }}"));
        wait_for_prompt(rig, name);
        hibernate(rig, name);
    }
    for name in names {
        let functions = "$(typeset -f | grep -o 'onl[y]_[a-z]*')";
        let show = format!("clear; echo $n {functions} $(fc -ln 1 | grep -c 'onl[y]_')");
        enter(rig, name, &show);
    }
    for name in names {
        wait_for_text(rig, name, &format!("{name} only_{name} 1\n"));
    }
}

/// A shell that cannot be put together sleeps on and comes back later.
fn failed_wake_can_be_tried_again(rig: &Rig, shell: &str) {
    begin(rig, "work");
    enter(rig, "work", &assignment(shell, "kept", "here"));
    wait_for_prompt(rig, "work");
    hibernate(rig, "work");
    let shells = rig.path("run/shellkeep/default.shells");
    let pane = ask(rig, "work", "#{pane_id}");
    let in_the_way = shells.join(pane.trim_start_matches('%')).join("revive");
    let _ = std::fs::remove_dir_all(&in_the_way);
    std::fs::write(&in_the_way, "not a directory").unwrap();
    let refused = rig.run(&["restore", "-t", "work"]);
    assert_ne!(refused.status, 0, "{shell}: {refused:?}");
    assert_eq!(ask(rig, "work", "#{pane_hibernated}"), "1", "{shell}");
    std::fs::remove_file(&in_the_way).unwrap();
    enter(rig, "work", "echo it-is-$kept");
    wait_for_text(rig, "work", "it-is-here");
}

/// A size that changed while it slept is known to the line editor.
fn new_size_is_known(rig: &Rig) {
    rig.ok(&["new", "-d", "-s", "size", "-x", "90", "-y", "20"]);
    wait_for_prompt(rig, "size");
    hibernate(rig, "size");
    rig.ok(&["resize-window", "-t", "size", "-x", "70", "-y", "20"]);
    rig.ok(&["restore", "-t", "size"]);
    rig.ok(&["send-keys", "-t", "size", "-l", &"x".repeat(75)]);
    wait_for_text(rig, "size", "xxx\nxxx");
    rig.ok(&["send-keys", "-t", "size", "C-a"]);
    rig.wait_until("the cursor at the begin of the line", || {
        ask(rig, "size", "#{cursor_x},#{cursor_y}") == "2,0"
    });
    assert_eq!(ask(rig, "size", "#{pane_width}"), "70");
}

/// Keys typed into a sleeping zsh mean what they meant.
fn bound_keys_mean_what_they_meant(rig: &Rig) {
    let rc = "PS1='$ '\nbindkey -s q Q\nalias say=echo\n";
    rig.write("home/.zshrc", rc);
    begin(rig, "keys");
    for (line, shown) in [
        ("say then q two", "\nthen Q two\n"),
        ("qq; say \\\"q\\\"", "\n\"Q\"\n"),
    ] {
        hibernate(rig, "keys");
        enter(rig, "keys", line);
        wait_for_text(rig, "keys", shown);
        wait_for_prompt(rig, "keys");
    }
    // With a line that is half typed, which stands before it.
    rig.ok(&["send-keys", "-t", "keys", "-l", "say half "]);
    wait_for_text(rig, "keys", "$ say half");
    hibernate(rig, "keys");
    enter(rig, "keys", "then q");
    wait_for_text(rig, "keys", "\nhalf then Q\n");
}

/// A history file that grew while a bash slept is taken as read.
fn grown_history_is_taken_as_read(rig: &Rig) {
    begin(rig, "history");
    hibernate(rig, "history");
    rig.write("home/.bash_history", "echo of another shell\n");
    rig.ok(&["restore", "-t", "history"]);
    let show = "history -n; echo $(history | grep -c 'anothe[r]')";
    enter(rig, "history", show);
    wait_for_text(rig, "history", "\n0\n");
}

/// A shell that wakes finds the ssh agent where it was; and when its session ends, nothing is left of what lay beside the socket.
fn agent_is_where_it_was(rig: &Rig) {
    let mut command = rig.command(&["new", "-d", "-s", "agent", "-x", "80", "-y", "24"]);
    command.env("SSH_AUTH_SOCK", "/tmp/agent-one");
    rig.finish(command).ok();
    wait_for_prompt(rig, "agent");
    let number = |format: &str| ask(rig, "agent", format).split_off(1);
    let agents = rig.path("run/shellkeep/default.agents");
    let link = agents.join(number("#{session_id}"));
    let shells = rig.path("run/shellkeep/default.shells");
    let dir = shells.join(number("#{pane_id}"));
    sleep_and_wake(rig, "agent");
    enter(rig, "agent", "clear; echo woken with $SSH_AUTH_SOCK");
    let shown = format!("woken with {}", link.display());
    wait_for_text(rig, "agent", &shown);
    assert!(link.is_symlink() && dir.is_dir());
    rig.ok(&["kill-session", "-t", "agent"]);
    assert!(!link.is_symlink() && !dir.is_dir());
}

#[test]
fn shell_that_wakes_is_as_it_was_with_what_changed_meanwhile() {
    with_each_shell(&SHELLS, |rig, shell| {
        if shell != "fish" {
            start_is_as_it_was(rig, shell);
            each_comes_back_as_itself(rig);
        }
        failed_wake_can_be_tried_again(rig, shell);
        new_size_is_known(rig);
        match shell {
            "zsh" => bound_keys_mean_what_they_meant(rig),
            "bash" => {
                grown_history_is_taken_as_read(rig);
                agent_is_where_it_was(rig);
            }
            _ => {}
        }
    });
}
