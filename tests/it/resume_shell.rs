//! What a shell had and where it was comes back with it, what cannot is replaced and said, and what its start-up files print
//! moves nothing.

use serde_json::Value;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, begin, enter, hibernate, wait_for_prompt, wait_for_text, with_each_shell,
};
use crate::is_installed;
use crate::resume::{begin_in_own_bash, force, restore_json, rig_with_programs};

/// What a busy shell exported and where it was come back.
fn exports_and_place_come_back(rig: &Rig) {
    begin(rig, "busy");
    enter(rig, "busy", "export KEPT=yes VIRTUAL_ENV=/v; cd proj");
    enter(rig, "busy", "ONLY=here other");
    wait_for_text(rig, "busy", "\n[other ]");
    force(rig, "busy");
    let report = restore_json(rig, "busy");
    assert_eq!(report["state"], false);
    assert_eq!(report["program"], "ONLY=here other");
    let home = rig.path("home/proj").canonicalize().unwrap();
    assert_eq!(report["cwd"], home.to_string_lossy().into_owned());
    rig.ok(&["send-keys", "-t", "busy", "C-u"]);
    let show = "echo $KEPT $VIRTUAL_ENV $ONLY.; basename $PWD";
    enter(rig, "busy", show);
    wait_for_text(rig, "busy", "\nyes /v .\nproj\n");
}

/// Colours of a program that was ended do not stay.
fn colours_do_not_stay(rig: &Rig) {
    begin(rig, "colours");
    // The screen in reverse, and a background.
    enter(rig, "colours", r"printf '\e[?5h\e]11;#123456\a'; other");
    wait_for_text(rig, "colours", "\n[other ]");
    let background = || rig.ok(&["display", "-p", "-t", "colours", "#{pane_bg}"]);
    assert_eq!(background().trim(), "#123456");
    force(rig, "colours");
    rig.ok(&["restore", "-t", "colours"]);
    assert_eq!(background().trim(), "default");
    rig.ok(&["send-keys", "-t", "colours", "C-u"]);
    let asked = r#"IFS= read -rsd y -p $'\e[?5$p' mode; echo; echo "is ${mode#*;}""#;
    enter(rig, "colours", asked);
    wait_for_text(rig, "colours", "\nis 2$\n");
}

#[test]
fn what_a_busy_shell_exported_comes_back_and_what_its_program_set_does_not() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    exports_and_place_come_back(&rig);
    colours_do_not_stay(&rig);
}

/// A directory that is gone is replaced by the nearest.
fn directory_that_is_gone_is_replaced(rig: &Rig, shell: &str) {
    std::fs::create_dir_all(rig.path("home/proj/a/b")).unwrap();
    begin(rig, "work");
    enter(rig, "work", "cd proj/a/b; echo th''ere");
    wait_for_text(rig, "work", "\nthere\n$");
    hibernate(rig, "work");
    std::fs::remove_dir_all(rig.path("home/proj/a")).unwrap();
    let report = restore_json(rig, "work");
    let there = rig.path("home/proj").canonicalize().unwrap();
    let there = there.to_string_lossy();
    assert_eq!(report["cwd"], *there, "{shell}");
    let said = format!("{there}/a/b is gone: this is {there}");
    assert!(report["missing"].to_string().contains(&said), "{report}");
    enter(rig, "work", "pwd");
    wait_for_text(rig, "work", &format!("\n{there}\n$"));
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    assert_eq!(text.matches("[shellkeep: ").count(), 1, "{shell}: {text}");
    assert!(text.contains("/a/b is gone"), "{shell}: {text}");
    assert!(text.starts_with("$ cd proj/a/b;"), "{shell}: {text}");
}

/// The shell that comes instead has no line editor: what comes before its prompt is shown before it.
fn bash_that_is_gone_is_replaced(rig: &Rig) {
    let own = begin_in_own_bash(rig);
    enter(rig, "work", "echo first; kept=yes");
    wait_for_text(rig, "work", "\nfirst\n$");
    hibernate(rig, "work");
    std::fs::remove_file(&own).unwrap();
    let report = restore_json(rig, "work");
    let said = format!("{} is gone: this is ", own.to_string_lossy());
    assert!(report["missing"].to_string().contains(&said), "{report}");
    wait_for_prompt(rig, "work");
    enter(rig, "work", "echo second");
    wait_for_text(rig, "work", "\nsecond\n");
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    assert!(text.contains("bash is gone: this is "), "{text}");
    assert!(text.contains("\nfirst\n"), "{text}");
}

/// What it told cannot be read by the one that comes instead.
fn state_of_zsh_is_not_called_damaged(rig: &Rig) {
    rig.write("home/.zshrc", "PS1='$ '\n");
    rig.ok(&["set", "-g", "default-shell", "/usr/bin/bash"]);
    let own = rig.path("home/shells/zsh");
    std::fs::copy("/usr/bin/zsh", &own).unwrap();
    rig.ok(&["new", "-d", "-s", "zsh", &own.to_string_lossy()]);
    wait_for_prompt(rig, "zsh");
    rig.ok(&["send-keys", "-t", "zsh", "-l", "half typed"]);
    wait_for_text(rig, "zsh", "$ half typed");
    hibernate(rig, "zsh");
    std::fs::remove_file(&own).unwrap();
    let report = restore_json(rig, "zsh");
    let missing = report["missing"].to_string();
    let said = "of zsh did not return, nor did the half-typed line";
    assert!(
        missing.contains(said) && !missing.contains("damaged"),
        "{report}"
    );
    enter(rig, "zsh", "echo al''ive");
    wait_for_text(rig, "zsh", "\nalive\n");
}

#[test]
fn directory_or_shell_that_is_gone_is_replaced_and_that_is_said() {
    with_each_shell(&SHELLS, directory_that_is_gone_is_replaced);
    let Some(rig) = rig_with_programs() else {
        return;
    };
    bash_that_is_gone_is_replaced(&rig);
    if is_installed("zsh") {
        state_of_zsh_is_not_called_damaged(&rig);
    }
}

#[test]
fn report_of_a_revival_has_its_fields_and_nothing_is_said_in_the_pane_if_all_is_well() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    let line = "cd proj; seq 1 100; one=1; f() { :; }; alias g=f; echo do''ne";
    enter(&rig, "work", line);
    wait_for_text(&rig, "work", "\ndone\n$");
    rig.ok(&["send-keys", "-t", "work", "-l", "echo half"]);
    wait_for_text(&rig, "work", "\n$ echo half");
    hibernate(&rig, "work");
    let json = rig.ok(&["restore", "--json", "-t", "work"]);
    let told: Value = serde_json::from_str(&json).unwrap();
    let report = &told[0];
    assert_eq!(report["done"], true);
    assert_eq!(report["place"], "work:0.0");
    for (field, expected) in [
        ("screen", Value::Bool(true)),
        ("state", Value::Bool(true)),
        ("line", Value::Bool(true)),
        ("program", Value::Null),
        ("sent", Value::Null),
        ("missing", Value::Array(Vec::new())),
    ] {
        assert_eq!(report[field], expected, "{field} of {report}");
    }
    assert!(report["cwd"].as_str().unwrap().ends_with("/home/proj"));
    for field in ["variables", "functions", "aliases", "history"] {
        assert!(report[field].as_u64().unwrap() > 0, "{field} of {report}");
    }
    let scrollback = report["scrollback"].as_u64().unwrap();
    assert!((78..=82).contains(&scrollback), "{report}");
    assert!(report["took_ms"].is_u64());
    assert!(
        report["text"]
            .as_str()
            .unwrap()
            .contains("a half-typed line")
    );
    let text = rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "work"]);
    assert!(!text.contains("[shellkeep:"), "{text}");
    rig.ok(&["send-keys", "-t", "work", "C-u"]);
    wait_for_prompt(&rig, "work");
    hibernate(&rig, "work");
    let said = rig.ok(&["restore", "-t", "work"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("work:0.0: awake after "), "{said}");
}

/// A greeting that start-up files print does not move the prompt.
fn greeting_does_not_move_the_prompt(rig: &Rig, profile: &str) {
    enter(rig, "work", "echo before");
    wait_for_text(rig, "work", "\nbefore\n$");
    let before = rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "work"]);
    hibernate(rig, "work");
    rig.write(
        "home/.profile",
        &format!("{profile}echo WELCOME; echo; printf news\n"),
    );
    rig.ok(&["restore", "-t", "work"]);
    rig.wait_until("the same picture", || {
        rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "work"]) == before
    });
    enter(rig, "work", "echo after");
    wait_for_text(rig, "work", "\nbefore\n$ echo after\nafter\n$");
    // Pasted text is still told from typed text: that mode is switched on before the prompt.
    hibernate(rig, "work");
    rig.ok(&["restore", "-t", "work"]);
    rig.ok(&["set-buffer", "echo p''1\necho p''2"]);
    rig.ok(&["paste-buffer", "-p", "-t", "work"]);
    wait_for_text(rig, "work", "echo p''2");
    let text = rig.ok(&["capture-pane", "-p", "-t", "work"]);
    assert!(!text.contains("\np1\n"), "{text}");
}

/// A question that they ask is shown after a while.
fn question_is_shown(rig: &Rig, profile: &str) {
    hibernate(rig, "asked");
    let asking =
        format!("{profile}printf 'Update now? '; read answer; echo \"you said $answer\"\n");
    rig.write("home/.profile", &asking);
    rig.ok(&["restore", "-t", "asked"]);
    wait_for_text(rig, "asked", "Update now?");
    enter(rig, "asked", "no");
    wait_for_text(rig, "asked", "you said no\n$");
}

#[test]
fn start_up_files_that_are_read_again_greet_and_ask() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let profile = rig.read("home/.profile");
    for name in ["asked", "work"] {
        begin(&rig, name);
    }
    rig.ok(&["set", "-g", "revive-rc", "on"]);
    greeting_does_not_move_the_prompt(&rig, &profile);
    question_is_shown(&rig, &profile);
}
