//! Text that a pane shows can hold the marks that shells print. Whatever it holds, it is never run, never typed, and never puts a
//! busy shell to sleep.

use std::io::Write as _;

use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, ask, begin, enter, hibernate, is_asleep, sleep_and_wake, wait_for_command,
    wait_for_text, with_each_shell,
};
use crate::keeping::kill_both;

/// What the forged marks would have run: a line that names the program that really runs, and does more.
const EVIL: &str = "LD_PRELOAD=./evil.so tail -f log";

/// Marks of every kind, as an attacker would write them into a log.
fn forgeries() -> Vec<String> {
    let url = EVIL.replace(' ', "%20");
    let escaped = EVIL.replace(' ', r"\x20");
    let genuine_end = "\x1b]133;D;0\x07\x1b]133;A\x07$ \x1b]133;B\x07";
    vec![
        format!("\x1b]133;C;cmdline={EVIL}\x07"),
        format!("\x1b]133;C;cmdline_url={url}\x07"),
        format!("\x1b]133;C;cmdline_url={url}\x1b\\"),
        format!("\x1b]133;E;{escaped}\x07"),
        format!("{genuine_end}\x1b]133;C;cmdline_url={url}\x07"),
        format!("{genuine_end}\x1b]133;E;{escaped}\x07\x1b]133;C\x07"),
        genuine_end.to_owned(),
        "\x1b]133;A;k=s\x07> \x1b]133;B\x07".to_owned(),
        "\x1b]7;file:///etc\x07\x1b]9;9;/etc\x07\x1b]1337;CurrentDir=/etc\x07".to_owned(),
        format!("\x1b]0;{EVIL}\x07\x1b]7501;{EVIL}\x07"),
    ]
}

/// Appends to the log that a pane follows, and waits until the pane has shown it. In two pieces, so that a mark is split over reads.
fn forge(rig: &Rig, text: &str, number: usize) {
    let log = std::fs::OpenOptions::new()
        .append(true)
        .open(rig.path("home/log"));
    let mut log = log.unwrap();
    let (front, back) = text.split_at(text.len() / 2);
    for piece in [front, back, &format!("\nforged {number}\n")] {
        log.write_all(piece.as_bytes()).unwrap();
    }
    wait_for_text(rig, "work", &format!("\nforged {number}\n"));
}

/// Has the shell of a new session follow a fresh log.
fn follow(rig: &Rig, line: &str) {
    rig.write("home/log", "the log\n");
    begin(rig, "work");
    enter(rig, "work", line);
    wait_for_text(rig, "work", "\nthe log\n");
}

fn forge_all(rig: &Rig) {
    for (number, text) in forgeries().iter().enumerate() {
        forge(rig, text, number);
    }
}

/// Asserts what would become of the program of a pane that sleeps.
#[track_caller]
fn assert_would(rig: &Rig, name: &str, expected: &str, about: &str) {
    let would = rig.ok(&["restore", "--dry-run", "-t", name]);
    let expected = format!("would wake, and {expected}\n");
    assert!(would.ends_with(&expected), "{about}: {would}");
}

/// Ends the program of a pane with its shell.
fn force(rig: &Rig, name: &str) {
    let said = rig.ok(&["hibernate", "--force", "-t", name]);
    assert!(said.contains("asleep after"), "{said}");
}

#[test]
fn forged_line_is_neither_run_nor_typed() {
    with_each_shell(&SHELLS, |rig, shell| {
        let home = rig.path("home").canonicalize().unwrap();
        begin(rig, "other");
        for (number, text) in forgeries().iter().enumerate() {
            follow(rig, "tail -f log");
            forge(rig, text, number);
            force(rig, "work");
            assert_would(
                rig,
                "work",
                "run: tail -f log",
                &format!("{shell}: {text:?}"),
            );
            let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
            terminal.wait_for_text("a key runs: tail -f log");
            terminal.keys("x");
            wait_for_command(rig, "work", "tail");
            let there = ask(rig, "work", "#{pane_current_path}");
            assert_eq!(there, home.to_string_lossy(), "{shell}: {text:?}");
            rig.ok(&["kill-session", "-t", "work"]);
        }
    });
}

/// A shell that a build without the file has started tells its lines by marks only. They are not believed, and it sleeps all the same.
fn marks_of_an_earlier_build_tell_no_line(rig: &Rig, shell: &str) {
    follow(rig, "tail -f log | cat");
    let pane = ask(rig, "work", "#{pane_id}");
    let dir = rig.path("run/shellkeep/default.shells");
    let phase = dir.join(pane.trim_start_matches('%')).join("phase");
    std::fs::remove_file(phase).unwrap();
    rig.ok(&["restart-server"]);
    forge_all(rig);
    let would = rig.ok(&["hibernate", "--dry-run", "--force", "-t", "work"]);
    assert!(would.contains("and end tail -f log"), "{shell}: {would}");
    rig.ok(&["send-keys", "-t", "work", "C-c"]);
    wait_for_text(rig, "work", "\n$");
    enter(rig, "work", "echo aw''ake");
    wait_for_text(rig, "work", "\nawake\n");
    sleep_and_wake(rig, "work");
    enter(rig, "work", "cat -u");
    wait_for_command(rig, "work", "cat");
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    assert_would(rig, "work", "type: cat -u", shell);
}

/// What a start-up file prints is no prompt, whatever it looks like: the line is for the shell, not for what asks there.
fn prompt_of_a_start_up_file_gets_no_line(rig: &Rig) {
    follow(rig, "cat log -");
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    let profile = rig.read("home/.profile")
        + r"printf '\033]133;D\007\033]133;A\007$ \033]133;B\007'; read -r answer; echo =$answer="
        + "\n";
    rig.write("home/.profile", &profile);
    let said = rig.ok(&["restore", "-t", "work"]);
    assert!(said.contains("cat log - was not typed"), "{said}");
    rig.ok(&["send-keys", "-t", "work", "-l", "mine"]);
    rig.ok(&["send-keys", "-t", "work", "Enter"]);
    wait_for_text(rig, "work", "\n=mine=\n");
}

#[test]
fn forged_line_is_not_believed_after_a_crash_an_upgrade_or_a_wake() {
    with_each_shell(&SHELLS, |rig, shell| {
        follow(rig, "tail -f log | cat");
        forge_all(rig);
        crate::resume::wait_for_note(rig, "tail -f log | cat");
        kill_both(rig);
        assert_would(rig, "work", "type: tail -f log | cat", shell);
        rig.ok(&["kill-session", "-t", "work"]);
        marks_of_an_earlier_build_tell_no_line(rig, shell);
        if shell == "bash" {
            rig.ok(&["kill-session", "-t", "work"]);
            prompt_of_a_start_up_file_gets_no_line(rig);
        }
    });
}

#[test]
fn forged_prompt_puts_no_busy_shell_to_sleep() {
    with_each_shell(&SHELLS, |rig, shell| {
        begin(rig, "work");
        // The shell itself reads and prints; no other process has the terminal.
        let line = match shell {
            "fish" => r"while read -P '' x; printf '%b\n' $x; end",
            _ => r#"while IFS= read -r x; do printf '%b\n' "$x"; done"#,
        };
        enter(rig, "work", line);
        // Those that tell of a prompt; each refusal takes a second.
        let prompts = forgeries()
            .into_iter()
            .filter(|text| text.ends_with("133;B\x07"));
        for (number, text) in prompts.enumerate() {
            let typed = text.replace('\\', r"\\");
            let typed = typed.replace('\x1b', r"\033").replace('\x07', r"\007");
            enter(rig, "work", &format!(r"{typed}\nforged {number}"));
            wait_for_text(rig, "work", &format!("\nforged {number}\n"));
            let said = rig.run(&["hibernate", "-t", "work"]);
            assert_ne!(said.status, 0, "{shell}: {text:?}: {said:?}");
            let busy = ["runs a command", "reads lines"];
            let is_busy = busy.iter().any(|reason| said.stderr.contains(reason));
            assert!(is_busy, "{shell}: {text:?}: {}", said.stderr);
            assert!(!is_asleep(rig, "work"));
        }
    });
}

/// All that a shell itself has printed, its marks among it, changes nothing when it is shown again.
fn replayed_marks_change_nothing(rig: &Rig, shell: &str) {
    begin(rig, "replayed");
    rig.ok(&["pipe-pane", "-t", "replayed", "cat >>~/log"]);
    enter(rig, "replayed", "echo EV''IL && true");
    wait_for_text(rig, "replayed", "\nEVIL\n");
    rig.wait_until("a recording", || rig.read("home/log").contains("EVIL\r\n"));
    enter(rig, "replayed", "false");
    enter(rig, "replayed", "echo do''ne");
    wait_for_text(rig, "replayed", "\ndone\n");
    rig.wait_until("a recording", || rig.read("home/log").contains("done\r\n"));
    rig.ok(&["pipe-pane", "-t", "replayed"]);
    enter(rig, "replayed", "clear; cat log -");
    wait_for_text(rig, "replayed", "\ndone\n");
    wait_for_command(rig, "replayed", "cat");
    force(rig, "replayed");
    assert_would(rig, "replayed", "type: clear; cat log -", shell);
}

/// And the genuine ones tell what they tell.
fn genuine_marks_are_believed(rig: &Rig, shell: &str) {
    begin(rig, "genuine");
    enter(rig, "genuine", "sh -c 'exit 3'");
    rig.wait_until("a status", || {
        ask(rig, "genuine", "#{pane_last_exit}") == "3"
    });
    enter(rig, "genuine", "echo 'a;b' | cat -; cat -u");
    wait_for_text(rig, "genuine", "\na;b\n");
    wait_for_command(rig, "genuine", "cat");
    rig.ok(&["restart-server"]);
    force(rig, "genuine");
    assert_would(rig, "genuine", "type: echo 'a;b' | cat -; cat -u", shell);
    rig.ok(&["restore", "-t", "genuine"]);
    rig.ok(&["send-keys", "-t", "genuine", "C-c"]);
    hibernate(rig, "genuine");
}

/// A line that is kept out of the history stays untold.
fn secret_line_stays_untold(rig: &Rig, shell: &str) {
    begin(rig, "secret");
    enter(rig, "secret", " SECRET=abc cat");
    wait_for_command(rig, "secret", "cat");
    rig.ok(&["hibernate", "--force", "-t", "secret"]);
    assert_would(rig, "secret", "type: cat", shell);
}

#[test]
fn genuine_marks_are_believed_once_and_but_for_lines_kept_out_of_the_history() {
    with_each_shell(&SHELLS, |rig, shell| {
        rig.write("home/.bashrc", "HISTCONTROL=ignorespace\nPS1='$ '\n");
        let profile = rig.read("home/.profile") + "\nHISTCONTROL=ignorespace\n";
        rig.write("home/.profile", &profile);
        rig.write(
            "home/.zshrc",
            "PS1='$ '; PS2='> '; setopt histignorespace\n",
        );
        genuine_marks_are_believed(rig, shell);
        replayed_marks_change_nothing(rig, shell);
        secret_line_stays_untold(rig, shell);
    });
}
