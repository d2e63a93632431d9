//! What a shell had and where it was comes back with it, what cannot is replaced and said, and what its start-up files print
//! moves nothing.

use serde_json::Value;

use crate::hibernate::{begin, enter, hibernate, wait_for_prompt, wait_for_text};
use crate::is_installed;
use crate::resume::{begin_in_own_bash, configure, force, restore_json, rig_with_programs};

#[test]
fn what_a_busy_shell_exported_and_where_it_was_come_back() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "export KEPT=yes VIRTUAL_ENV=/v; cd proj");
    enter(&rig, "work", "ONLY=here other");
    wait_for_text(&rig, "work", "\n[other ]");
    force(&rig, "work");
    let report = restore_json(&rig, "work");
    assert_eq!(report["state"], false);
    assert_eq!(report["program"], "ONLY=here other");
    let home = rig.path("home/proj").canonicalize().unwrap();
    assert_eq!(report["cwd"], home.to_string_lossy().into_owned());
    rig.ok(&["send-keys", "-t", "work", "C-u"]);
    enter(
        &rig,
        "work",
        "echo $KEPT $VIRTUAL_ENV $ONLY.; basename $PWD",
    );
    wait_for_text(&rig, "work", "\nyes /v .\nproj\n");
}

#[test]
fn colours_of_a_program_that_was_ended_do_not_stay() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    // The screen in reverse, and a background.
    enter(&rig, "work", r"printf '\e[?5h\e]11;#123456\a'; other");
    wait_for_text(&rig, "work", "\n[other ]");
    let background = || rig.ok(&["display", "-p", "-t", "work", "#{pane_bg}"]);
    assert_eq!(background().trim(), "#123456");
    force(&rig, "work");
    rig.ok(&["restore", "-t", "work"]);
    assert_eq!(background().trim(), "default");
    rig.ok(&["send-keys", "-t", "work", "C-u"]);
    let asked = r#"IFS= read -rsd y -p $'\e[?5$p' mode; echo; echo "is ${mode#*;}""#;
    enter(&rig, "work", asked);
    wait_for_text(&rig, "work", "\nis 2$\n");
}

#[test]
fn directory_that_is_gone_is_replaced_by_the_nearest_and_that_is_said() {
    if !is_installed("bash") {
        return;
    }
    for shell in ["bash", "zsh", "fish"] {
        let Some(rig) = rig_with_programs().filter(|_| is_installed(shell)) else {
            continue;
        };
        configure(&rig, &format!("/usr/bin/{shell}"));
        rig.write("home/.zshrc", "PS1='$ '; PS2='> '\n");
        rig.write(
            "config/fish/config.fish",
            "function fish_prompt; echo -n '$ '; end\nfunction fish_greeting; end\n",
        );
        std::fs::create_dir_all(rig.path("home/data/fish/generated_completions")).unwrap();
        std::fs::create_dir_all(rig.path("home/proj/a/b")).unwrap();
        begin(&rig, "work");
        enter(&rig, "work", "cd proj/a/b; echo th''ere");
        wait_for_text(&rig, "work", "\nthere\n$");
        hibernate(&rig, "work");
        std::fs::remove_dir_all(rig.path("home/proj/a")).unwrap();
        let report = restore_json(&rig, "work");
        let there = rig.path("home/proj").canonicalize().unwrap();
        let there = there.to_string_lossy();
        assert_eq!(report["cwd"], *there, "{shell}");
        let said = format!("{there}/a/b is gone: this is {there}");
        assert!(report["missing"].to_string().contains(&said), "{report}");
        enter(&rig, "work", "pwd");
        wait_for_text(&rig, "work", &format!("\n{there}\n$"));
        let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
        assert_eq!(text.matches("[shellkeep: ").count(), 1, "{shell}: {text}");
        assert!(text.contains("/a/b is gone"), "{shell}: {text}");
        assert!(text.starts_with("$ cd proj/a/b;"), "{shell}: {text}");
    }
}

#[test]
fn shell_that_is_gone_is_replaced_and_that_is_said() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let own = begin_in_own_bash(&rig);
    enter(&rig, "work", "echo first; kept=yes");
    wait_for_text(&rig, "work", "\nfirst\n$");
    hibernate(&rig, "work");
    std::fs::remove_file(&own).unwrap();
    let report = restore_json(&rig, "work");
    let said = format!("{} is gone: this is ", own.to_string_lossy());
    assert!(report["missing"].to_string().contains(&said), "{report}");
    // One without a line editor: what comes before its prompt is shown before it.
    wait_for_prompt(&rig, "work");
    enter(&rig, "work", "echo second");
    wait_for_text(&rig, "work", "\nsecond\n");
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    assert!(text.contains("bash is gone: this is "), "{text}");
    assert!(text.contains("\nfirst\n"), "{text}");
}

#[test]
fn state_of_a_shell_that_is_gone_is_not_called_damaged() {
    let Some(rig) = rig_with_programs().filter(|_| is_installed("zsh")) else {
        return;
    };
    rig.write("home/.zshrc", "PS1='$ '\n");
    std::fs::create_dir(rig.path("home/shells")).unwrap();
    let own = rig.path("home/shells/zsh");
    std::fs::copy("/usr/bin/zsh", &own).unwrap();
    rig.ok(&["new", "-d", "-s", "work", &own.to_string_lossy()]);
    wait_for_prompt(&rig, "work");
    rig.ok(&["send-keys", "-t", "work", "-l", "half typed"]);
    wait_for_text(&rig, "work", "$ half typed");
    hibernate(&rig, "work");
    std::fs::remove_file(&own).unwrap();
    let report = restore_json(&rig, "work");
    let missing = report["missing"].to_string();
    let said = "of zsh did not return, nor did the half-typed line";
    assert!(
        missing.contains(said) && !missing.contains("damaged"),
        "{report}"
    );
    enter(&rig, "work", "echo al''ive");
    wait_for_text(&rig, "work", "\nalive\n");
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

#[test]
fn greeting_of_a_shell_that_reads_its_files_again_does_not_move_the_prompt() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let profile = rig.read("home/.profile");
    begin(&rig, "work");
    rig.ok(&["set", "-g", "revive-rc", "on"]);
    enter(&rig, "work", "echo before");
    wait_for_text(&rig, "work", "\nbefore\n$");
    let before = rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "work"]);
    hibernate(&rig, "work");
    rig.write(
        "home/.profile",
        &format!("{profile}echo WELCOME; echo; printf news\n"),
    );
    rig.ok(&["restore", "-t", "work"]);
    rig.wait_until("the same picture", || {
        rig.ok(&["capture-pane", "-p", "-S", "-", "-t", "work"]) == before
    });
    enter(&rig, "work", "echo after");
    wait_for_text(&rig, "work", "\nbefore\n$ echo after\nafter\n$");
    // Pasted text is still told from typed text: that mode is switched on before the prompt.
    hibernate(&rig, "work");
    rig.ok(&["restore", "-t", "work"]);
    rig.ok(&["set-buffer", "echo p''1\necho p''2"]);
    rig.ok(&["paste-buffer", "-p", "-t", "work"]);
    wait_for_text(&rig, "work", "echo p''2");
    let text = rig.ok(&["capture-pane", "-p", "-t", "work"]);
    assert!(!text.contains("\np1\n"), "{text}");
}

#[test]
fn question_of_a_start_up_file_is_shown_after_a_while() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let profile = rig.read("home/.profile");
    begin(&rig, "work");
    rig.ok(&["set", "-g", "revive-rc", "on"]);
    hibernate(&rig, "work");
    let asking =
        format!("{profile}printf 'Update now? '; read answer; echo \"you said $answer\"\n");
    rig.write("home/.profile", &asking);
    rig.ok(&["restore", "-t", "work"]);
    wait_for_text(&rig, "work", "Update now?");
    enter(&rig, "work", "no");
    wait_for_text(&rig, "work", "you said no\n$");
}
