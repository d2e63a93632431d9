//! `search` with the real program: what is on disk only is found, nobody wakes, and an index is never believed too long.

use std::path::PathBuf;

use shellkeep_testkit::real::Rig;

use crate::hibernate::{ask, begin, enter, hibernate, is_asleep, rig_with, wait_for_prompt};
use crate::keeping::kill_both;
use crate::rig;

const WHERE: &str = "#{session_name} #{session_state} #{search_line}";

/// What is found of a pattern, and where.
#[track_caller]
fn found(rig: &Rig, args: &[&str]) -> Vec<String> {
    let mut all = vec!["search", "-F", WHERE];
    all.extend(args);
    let output = rig.run(&all);
    assert_eq!(output.stderr, "", "{args:?}");
    assert_eq!(
        output.status,
        i32::from(output.stdout.is_empty()),
        "{output:?}"
    );
    output.stdout.lines().map(str::to_owned).collect()
}

/// The files of this name in the state directory.
fn files(rig: &Rig, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut dirs = vec![rig.path("state")];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.file_name().is_some_and(|own| own == name) {
                found.push(path);
            }
        }
    }
    found
}

/// A session that sleeps with pages on disk, one that lives, and one in the archive.
fn rig_with_three() -> Option<Rig> {
    let rig = rig_with("bash")?;
    for name in ["old", "sleeper", "live"] {
        begin(&rig, name);
    }
    enter(&rig, "old", "echo 'an archived 'needle");
    enter(
        &rig,
        "sleeper",
        r"for i in $(seq 2000); do printf '\033[32mneed\033[mle %d of 日本\n' $i; done",
    );
    enter(&rig, "live", "echo 'a living 'needle");
    rig.wait_for_pane("its text", "old", |text| text.contains("archived needle\n"));
    rig.wait_for_pane("its text", "live", |text| text.contains("living needle\n"));
    rig.wait_for_pane("all lines", "sleeper", |text| {
        text.contains("needle 2000 of")
    });
    wait_for_prompt(&rig, "sleeper");
    hibernate(&rig, "sleeper");
    rig.ok(&["kill-session", "-t", "old"]);
    Some(rig)
}

#[test]
fn live_sleeping_and_archived_sessions_are_searched_whatever_the_index_says_and_nobody_wakes() {
    let Some(rig) = rig_with_three() else { return };
    let check = || {
        assert_eq!(
            found(&rig, &["-E", r"^a.* needle$|^needle (1|77|2000) of 日本$"]),
            [
                "old archived an archived needle",
                "sleeper hibernated needle 1 of 日本",
                "sleeper hibernated needle 77 of 日本",
                "sleeper hibernated needle 2000 of 日本",
                "live active a living needle",
            ]
        );
        assert_eq!(
            found(&rig, &["needle 1234 of"]),
            ["sleeper hibernated needle 1234 of 日本"]
        );
        assert_eq!(found(&rig, &["needle 2001 of"]), [""; 0]);
        assert_eq!(
            found(&rig, &["-t", "old", "archived needle"]),
            ["old archived an archived needle"]
        );
        assert_eq!(found(&rig, &["--state", "archived", "living"]), [""; 0]);
        // It may have to say that there may be more: others are not looked at any more.
        let colored = rig.run(&["search", "-e", "-n", "1", "needle 77 of"]);
        assert_eq!(
            colored.stdout,
            "sleeper:0.0:78:\u{1b}[32mneed\u{1b}[39mle 77 of 日本\n"
        );
    };
    check();
    // The first search has missed the indexes; nothing is different with them, with broken ones, or without.
    rig.wait_until("indexes of both", || files(&rig, "index").len() >= 2);
    check();
    for index in files(&rig, "index") {
        let mut bytes = std::fs::read(&index).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..].fill(0);
        std::fs::write(&index, bytes).unwrap();
    }
    check();
    files(&rig, "index")
        .iter()
        .for_each(|index| std::fs::remove_file(index).unwrap());
    check();
    assert!(is_asleep(&rig, "sleeper"));
    assert_eq!(ask(&rig, "sleeper", "#{pane_pid}"), "");
    // What is printed after waking is found, whatever an index of before says.
    assert_eq!(found(&rig, &["printed later"]), [""; 0]);
    rig.wait_until("indexes of both", || files(&rig, "index").len() >= 2);
    rig.ok(&["restore", "-t", "sleeper"]);
    enter(&rig, "sleeper", "echo 'printed 'later");
    rig.wait_for_pane("its text", "sleeper", |text| {
        text.contains("\nprinted later")
    });
    let later = |state: &str| vec![format!("sleeper {state} printed later")];
    assert_eq!(found(&rig, &["printed later"]), later("active"));
    wait_for_prompt_again(&rig);
    hibernate(&rig, "sleeper");
    assert_eq!(found(&rig, &["printed later"]), later("hibernated"));
    assert!(is_asleep(&rig, "sleeper"));
    // Nor is a session found any more that was forgotten.
    rig.ok(&["forget", "-y", "old"]);
    assert_eq!(found(&rig, &["archived needle"]), [""; 0]);
}

fn wait_for_prompt_again(rig: &Rig) {
    rig.wait_for_pane("a prompt", "sleeper", |text| {
        text.trim_end().ends_with("printed later\n$")
    });
}

#[test]
fn output_that_no_checkpoint_has_is_found_after_everything_died() {
    let rig = rig();
    let script = "i=0; while [ $i -lt 700 ]; do i=$((i+1)); echo row $i of it; done; exec cat";
    rig.ok(&[
        "new", "-d", "-s", "lost", "-x", "80", "-y", "24", "--", "sh", "-c", script,
    ]);
    rig.wait_for_pane("its end", "lost", |text| text.contains("row 700 of it"));
    kill_both(&rig);
    assert_eq!(
        // The very last words may have been in the transit pipe only, which died, too.
        rig.ok(&["search", "-E", "^row (1|350|600) of"]),
        "lost:0.0:1:row 1 of it\nlost:0.0:350:row 350 of it\nlost:0.0:600:row 600 of it\n"
    );
    assert_eq!(ask(&rig, "lost", "#{pane_pid}"), "");
}

#[test]
fn person_is_shown_groups_and_a_command_that_works() {
    let rig = rig();
    let print = "printf '\\033[31ma needle\\033[m (*)\\n'; exec cat";
    rig.ok(&["new", "-d", "-s", "old", print]);
    rig.ok(&["new", "-d", "-s", "live", "cat"]);
    rig.wait_for_pane("its text", "old", |text| text.contains("needle"));
    let terminal = rig.attach(&["search", "needle"], (24, 80));
    terminal.wait_for_text("shellkeep search -g 1 needle");
    let text = terminal.text();
    assert!(text.starts_with("old:0.0 (%0, "), "{text}");
    assert!(text.contains("\n1  a needle (*)"), "{text}");
    // At the prompt there are no codes.
    let mut terminal = rig.attach(&["attach", "-t", "old"], (24, 80));
    for command in ["search needle", "search -e needle"] {
        terminal.keys("C-b :");
        terminal.enter(command);
        terminal.wait_for_text("the last of them in copy mode: search -g 1 needle");
        let text = terminal.text();
        assert!(text.contains("\n1  a needle (*)"), "{text}");
        assert!(!text.contains("[m") && !text.contains("\\033"), "{text}");
        terminal.keys("q");
        terminal.wait_until("the pane", |screen| !screen.has("search -g"));
    }
    terminal.keys("C-b d");
    assert_eq!(terminal.wait_exit(), 0);
    // Typed in a pane that no terminal shows: nothing is left in copy mode.
    let mut typed = rig.command(&["search", "-g", "1", "needle"]);
    let place = format!("{},1,0", rig.socket().display());
    typed.env("SHELLKEEP", place).env("SHELLKEEP_PANE", "%0");
    assert_eq!(rig.finish(typed).fails(), "no current client");
    assert_eq!(
        rig.ok(&["display", "-p", "-t", "old", "#{pane_in_mode}"]),
        "0\n"
    );
    let hinted = |args: &[&str]| {
        let terminal = rig.attach(&[&["search"], args].concat(), (24, 80));
        terminal.wait_for_text("the last of them");
        let text = terminal.text();
        let hint = text
            .lines()
            .find(|line| line.starts_with("the last of them"));
        let (_, typed) = hint.unwrap().split_once(": ").unwrap();
        typed.to_owned()
    };
    // With the flags that it was found with, as a shell takes them.
    let typed = hinted(&["-E", "-t", "old", r"needle \(\*\)$"]);
    let mut sh = rig.start(&["sh", "-c", &typed], &[], (24, 80));
    rig.wait_until("the line", || {
        rig.run(&["display", "-p", "-t", "old", "#{copy_cursor_line}"])
            .stdout
            == "a needle (*)\n"
    });
    sh.keys("C-b d");
    assert_eq!(sh.wait_exit(), 0);
    rig.ok(&["archive", "-t", "old"]);
    let typed = hinted(&["needle"]);
    assert_eq!(rig.sh(&typed).ok(), "old\n", "{typed}");
}
