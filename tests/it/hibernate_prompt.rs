//! A prompt that does not begin its row, and keys that are not yet whole when a pane falls asleep.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    begin, enter, hibernate, picture, rig_with, sleep_and_wake, wait_for_picture, wait_for_text,
    with_each_shell,
};
use crate::side_by_side;

/// Puts a pane to sleep and wakes it, twice: it shows the same as before.
fn looks_the_same(rig: &Rig, name: &str) {
    let before = picture(rig, name);
    for _ in 0..2 {
        hibernate(rig, name);
        assert_eq!(picture(rig, name), before, "asleep");
        rig.ok(&["restore", "-t", name]);
        wait_for_picture(rig, name, &before);
    }
}

/// Output that did not end its line stays before the prompt.
fn output_stays_before_the_prompt(rig: &Rig, shell: &str) {
    begin(rig, "work");
    if shell == "zsh" {
        enter(rig, "work", "unsetopt prompt_cr prompt_sp");
    }
    enter(rig, "work", "printf 'no %s' end");
    wait_for_text(rig, "work", "\nno end$");
    looks_the_same(rig, "work");
    rig.ok(&["send-keys", "-t", "work", "-l", "echo half"]);
    wait_for_text(rig, "work", "\nno end$ echo half");
    looks_the_same(rig, "work");
    rig.enter("work", " way");
    wait_for_text(rig, "work", "\nno end$ echo half way\nhalf way\n$");
}

/// Prompts of more than one row, or on two.
fn other_prompts_stay_behind_the_output(rig: &Rig) {
    let cases = [
        (
            "lines",
            "PS1='above\\n$ '; printf 'no %s' end",
            "\nno endabove\n$".to_owned(),
        ),
        ("full", "printf '%80s' x", format!("{:79}x\n$", "")),
        (
            "broken",
            "PS1='a prompt of many words $ '; printf '%70s' x",
            format!("{:69}xa prompt o\nf many words $", ""),
        ),
    ];
    for (name, line, shown) in cases {
        begin(rig, name);
        enter(rig, name, line);
        wait_for_text(rig, name, &shown);
        looks_the_same(rig, name);
    }
}

#[test]
fn prompts_of_every_shape_stay_behind_what_was_printed() {
    with_each_shell(&["bash", "zsh"], |rig, shell| {
        output_stays_before_the_prompt(rig, shell);
        if shell == "bash" {
            other_prompts_stay_behind_the_output(rig);
        }
    });
}

/// A session with keys that are not whole behind a line.
fn begin_keys(rig: &Rig, name: &str, keys: &[&str], shown: &str) {
    begin(rig, name);
    enter(rig, name, "echo find''me");
    wait_for_text(rig, name, "\nfindme\n$");
    rig.ok(&["send-keys", "-t", name, "-l", "echo ab"]);
    wait_for_text(rig, name, "\n$ echo ab");
    rig.ok(&[&["send-keys", "-t", name], keys].concat());
    wait_for_text(rig, name, shown);
}

/// Keys that were begun do not get into the line.
fn keys_are_dropped() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    let cases: [(&str, &[&str], &str); 7] = [
        ("escape", &["Escape"], "$ echo ab"),
        ("prefix", &["C-x"], "$ echo ab"),
        ("sequence", &["Escape", "["], "$ echo ab"),
        ("character", &["C-]"], "$ echo ab"),
        ("search", &["C-r", "find"], "(reverse-i-search)`find'"),
        ("pattern", &["M-p", "find"], "\n$ :find"),
        ("number", &["M-3"], "\n(arg: 3)"),
    ];
    for (name, keys, shown) in cases {
        begin_keys(&rig, name, keys, shown);
        sleep_and_wake(&rig, name);
        rig.wait_for_pane("the line", name, |text| {
            text.trim_end().ends_with("\nfindme\n$ echo ab")
        });
        rig.enter(name, "cd");
        wait_for_text(&rig, name, "\n$ echo abcd\nabcd\n$");
    }
}

/// Asks until a pane is refused for more than keys that are on their way; returns the reason.
fn refusal(rig: &Rig, name: &str) -> String {
    rig.wait_for("a refusal", || {
        let refused = rig.run(&["hibernate", "-t", name]).fails();
        (!refused.contains("has not read")).then_some(refused)
    })
}

/// A shell that would insert our key is left alone.
fn keys_are_the_shells() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.write("home/.bashrc", "PS1='$ '; set -o vi\n");
    rig.write("home/.bash_profile", "PS1='$ '\n");
    rig.ok(&["start-server"]);
    let cases = [
        ("quoted", "", "C-v", "$ echo ab", "Tab Enter", "ab"),
        (
            "searched",
            "bash",
            "C-r fin",
            "(reverse-i-search)`fin'",
            "Enter",
            "findme",
        ),
        (
            "pattern",
            "bash",
            "Escape / fin",
            "\n$ /fin",
            "Enter Enter",
            "findme",
        ),
        (
            "moved",
            "bash",
            "Escape 0 d",
            "$ echo ab",
            "w i echo Space Enter",
            "ab",
        ),
        (
            "changed",
            "bash",
            "Escape 0 r",
            "$ echo ab",
            "X 0 r e Enter",
            "ab",
        ),
    ];
    for (name, command, keys, shown, rest, printed) in cases {
        let keys: Vec<&str> = keys.split(' ').collect();
        let rest: Vec<&str> = rest.split(' ').collect();
        rig.ok(&["set", "-g", "default-command", command]);
        begin_keys(&rig, name, &keys, shown);
        let before = picture(&rig, name);
        let refused = refusal(&rig, name);
        assert!(
            refused.contains("in the middle of a key"),
            "{name}: {refused}"
        );
        assert_eq!(picture(&rig, name), before, "{name}");
        rig.ok(&[&["send-keys", "-t", name], &rest[..]].concat());
        rig.wait_for_pane(name, name, |text| {
            text.trim_end().ends_with(&format!("\n{printed}\n$"))
        });
        hibernate(&rig, name);
    }
    our_key_is_erased(&rig);
}

/// It was inserted all the same.
fn our_key_is_erased(rig: &Rig) {
    let keys = "bind '\"\\C-gx\": \"y\"'; bind '\"\\C-t\": non-incremental-reverse-search-history'";
    rig.write("home/.bash_profile", &format!("PS1='$ '; {keys}\n"));
    rig.ok(&["set", "-g", "default-command", ""]);
    begin_keys(rig, "erased", &["C-t", "find"], "\n$ :find");
    let refused = refusal(rig, "erased");
    assert!(refused.contains("did not answer"), "{refused}");
    rig.wait_for_pane("what was looked for", "erased", |text| {
        text.trim_end().ends_with("\n$ :find")
    });
    rig.enter("erased", "Enter");
    let found = "\nfindme\n$ echo find''me\nfindme\n$";
    wait_for_text(rig, "erased", found);
}

#[test]
fn keys_that_are_not_whole_are_dropped_or_left_to_the_shell() {
    let rows = [
        ("dropped", keys_are_dropped as fn()),
        ("left to the shell", keys_are_the_shells),
    ];
    side_by_side(&rows, |_, check| check());
}
