//! A prompt that does not begin its row, and keys that are not yet whole when a pane falls asleep.

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    begin, enter, hibernate, picture, rig_with, wait_for_picture, wait_for_text,
};

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

#[test]
fn output_that_did_not_end_its_line_stays_before_the_prompt() {
    for shell in ["bash", "zsh"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        if shell == "zsh" {
            enter(&rig, "work", "unsetopt prompt_cr prompt_sp");
        }
        enter(&rig, "work", "printf 'no %s' end");
        wait_for_text(&rig, "work", "\nno end$");
        looks_the_same(&rig, "work");
        rig.ok(&["send-keys", "-t", "work", "-l", "echo half"]);
        wait_for_text(&rig, "work", "\nno end$ echo half");
        looks_the_same(&rig, "work");
        rig.ok(&["send-keys", "-t", "work", " way", "Enter"]);
        wait_for_text(&rig, "work", "\nno end$ echo half way\nhalf way\n$");
    }
}

#[test]
fn prompts_of_every_shape_stay_behind_what_was_printed() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
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
        begin(&rig, name);
        enter(&rig, name, line);
        wait_for_text(&rig, name, &shown);
        looks_the_same(&rig, name);
    }
}
