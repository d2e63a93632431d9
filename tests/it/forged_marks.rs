//! Text that a pane shows can hold the marks that shells print. Whatever it holds, it is never run, never typed, and never puts a
//! busy shell to sleep.

use std::io::Write as _;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{ask, begin, enter, hibernate, is_asleep, rig_with, wait_for_text};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

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

/// A session in which the shell follows a log.
fn follow(shell: &str, line: &str) -> Option<Rig> {
    let rig = rig_with(shell)?;
    rig.write("home/log", "the log\n");
    begin(&rig, "work");
    enter(&rig, "work", line);
    wait_for_text(&rig, "work", "\nthe log\n");
    Some(rig)
}

fn would_wake(rig: &Rig) -> String {
    rig.ok(&["restore", "--dry-run", "-t", "work"])
}

#[test]
fn forged_line_is_neither_run_nor_typed() {
    for shell in SHELLS {
        for (number, text) in forgeries().iter().enumerate() {
            let Some(rig) = follow(shell, "tail -f log") else {
                continue;
            };
            forge(&rig, text, number);
            let said = rig.ok(&["hibernate", "--force", "-t", "work"]);
            assert!(said.contains("asleep after"), "{said}");
            let would = would_wake(&rig);
            let expected = "would wake, and run: tail -f log\n";
            assert!(would.ends_with(expected), "{shell}: {text:?}: {would}");
            let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
            terminal.wait_for_text("a key runs: tail -f log");
            terminal.keys("x");
            rig.wait_until("the program that ran", || {
                ask(&rig, "work", "#{pane_current_command}") == "tail"
            });
            let home = rig.path("home").canonicalize().unwrap();
            let there = ask(&rig, "work", "#{pane_current_path}");
            assert_eq!(there, home.to_string_lossy(), "{shell}: {text:?}");
        }
    }
}

#[test]
fn forged_line_is_not_kept_for_after_a_crash() {
    for shell in SHELLS {
        let Some(rig) = follow(shell, "tail -f log | cat") else {
            continue;
        };
        for (number, text) in forgeries().iter().enumerate() {
            forge(&rig, text, number);
        }
        crate::resume::wait_for_note(&rig, "tail -f log | cat");
        let (server, keeper) = (rig.server(), rig.keeper());
        server.signal(Signal::SIGKILL);
        keeper.signal(Signal::SIGKILL);
        server.wait_gone();
        keeper.wait_gone();
        let would = would_wake(&rig);
        let expected = "would wake, and type: tail -f log | cat\n";
        assert!(would.ends_with(expected), "{shell}: {would}");
    }
}

#[test]
fn forged_prompt_puts_no_busy_shell_to_sleep() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        // The shell itself reads and prints; no other process has the terminal.
        let line = match shell {
            "fish" => r"while read -P '' x; printf '%b\n' $x; end",
            _ => r#"while IFS= read -r x; do printf '%b\n' "$x"; done"#,
        };
        enter(&rig, "work", line);
        // Those that tell of a prompt; each refusal takes a second.
        let prompts = forgeries()
            .into_iter()
            .filter(|text| text.ends_with("133;B\x07"));
        for (number, text) in prompts.enumerate() {
            let typed = text.replace('\\', r"\\");
            let typed = typed.replace('\x1b', r"\033").replace('\x07', r"\007");
            enter(&rig, "work", &format!(r"{typed}\nforged {number}"));
            wait_for_text(&rig, "work", &format!("\nforged {number}\n"));
            let said = rig.run(&["hibernate", "-t", "work"]);
            assert_ne!(said.status, 0, "{shell}: {text:?}: {said:?}");
            let busy = ["runs a command", "reads lines"];
            let is_busy = busy.iter().any(|reason| said.stderr.contains(reason));
            assert!(is_busy, "{shell}: {text:?}: {}", said.stderr);
            assert!(!is_asleep(&rig, "work"));
        }
    }
}

#[test]
fn replayed_marks_change_nothing() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        // All that the shell itself prints, its marks among it.
        rig.ok(&["pipe-pane", "-t", "work", "cat >>~/log"]);
        enter(&rig, "work", "echo EV''IL && true");
        wait_for_text(&rig, "work", "\nEVIL\n");
        rig.wait_until("a recording", || rig.read("home/log").contains("EVIL\r\n"));
        enter(&rig, "work", "false");
        enter(&rig, "work", "echo do''ne");
        wait_for_text(&rig, "work", "\ndone\n");
        rig.wait_until("a recording", || rig.read("home/log").contains("done\r\n"));
        rig.ok(&["pipe-pane", "-t", "work"]);
        enter(&rig, "work", "clear; cat log -");
        wait_for_text(&rig, "work", "\ndone\n");
        rig.wait_until("the program", || {
            ask(&rig, "work", "#{pane_current_command}") == "cat"
        });
        let said = rig.ok(&["hibernate", "--force", "-t", "work"]);
        assert!(said.contains("asleep after"), "{said}");
        let would = would_wake(&rig);
        let expected = "would wake, and type: clear; cat log -\n";
        assert!(would.ends_with(expected), "{shell}: {would}");
    }
}

#[test]
fn genuine_marks_work_as_before() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(&rig, "work", "sh -c 'exit 3'");
        rig.wait_until("a status", || ask(&rig, "work", "#{pane_last_exit}") == "3");
        enter(&rig, "work", "echo 'a;b' | cat -; cat -u");
        wait_for_text(&rig, "work", "\na;b\n");
        rig.wait_until("the program", || {
            ask(&rig, "work", "#{pane_current_command}") == "cat"
        });
        rig.ok(&["restart-server"]);
        let said = rig.ok(&["hibernate", "--force", "-t", "work"]);
        assert!(said.contains("asleep after"), "{said}");
        let would = would_wake(&rig);
        let expected = "would wake, and type: echo 'a;b' | cat -; cat -u\n";
        assert!(would.ends_with(expected), "{shell}: {would}");
        rig.ok(&["restore", "-t", "work"]);
        rig.ok(&["send-keys", "-t", "work", "C-c"]);
        hibernate(&rig, "work");
    }
}

#[test]
fn line_kept_out_of_the_history_stays_untold() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        rig.write("home/.bashrc", "HISTCONTROL=ignorespace\nPS1='$ '\n");
        let profile = rig.read("home/.profile") + "\nHISTCONTROL=ignorespace\n";
        rig.write("home/.profile", &profile);
        rig.write(
            "home/.zshrc",
            "PS1='$ '; PS2='> '; setopt histignorespace\n",
        );
        begin(&rig, "work");
        enter(&rig, "work", " SECRET=abc cat");
        rig.wait_until("the program", || {
            ask(&rig, "work", "#{pane_current_command}") == "cat"
        });
        rig.ok(&["hibernate", "--force", "-t", "work"]);
        let would = would_wake(&rig);
        assert!(
            would.ends_with("would wake, and type: cat\n"),
            "{shell}: {would}"
        );
    }
}

/// A shell that a build without the file has started tells its lines by marks only. They are not believed, and it sleeps all the same.
#[test]
fn marks_of_a_shell_of_an_earlier_build_tell_no_line() {
    for shell in SHELLS {
        let Some(rig) = follow(shell, "tail -f log | cat") else {
            continue;
        };
        std::fs::remove_file(rig.path("run/shellkeep/default.shells/0/phase")).unwrap();
        rig.ok(&["restart-server"]);
        for (number, text) in forgeries().iter().enumerate() {
            forge(&rig, text, number);
        }
        let would = rig.ok(&["hibernate", "--dry-run", "--force", "-t", "work"]);
        assert!(would.contains("and end tail -f log"), "{shell}: {would}");
        rig.ok(&["send-keys", "-t", "work", "C-c"]);
        wait_for_text(&rig, "work", "\n$");
        enter(&rig, "work", "echo aw''ake");
        wait_for_text(&rig, "work", "\nawake\n");
        hibernate(&rig, "work");
        rig.ok(&["restore", "-t", "work"]);
        enter(&rig, "work", "cat -u");
        rig.wait_until("the program", || {
            ask(&rig, "work", "#{pane_current_command}") == "cat"
        });
        rig.ok(&["hibernate", "--force", "-t", "work"]);
        let would = would_wake(&rig);
        let expected = "would wake, and type: cat -u\n";
        assert!(would.ends_with(expected), "{shell}: {would}");
    }
}

/// What a start-up file prints is no prompt, whatever it looks like: the line is for the shell, not for what asks there.
#[test]
fn forged_prompt_of_a_start_up_file_gets_no_line() {
    let Some(rig) = follow("bash", "cat log -") else {
        return;
    };
    rig.ok(&["hibernate", "--force", "-t", "work"]);
    let profile = rig.read("home/.profile")
        + r"printf '\033]133;D\007\033]133;A\007$ \033]133;B\007'; read -r answer; echo =$answer="
        + "\n";
    rig.write("home/.profile", &profile);
    let said = rig.ok(&["restore", "-t", "work"]);
    assert!(said.contains("cat log - was not typed"), "{said}");
    rig.ok(&["send-keys", "-t", "work", "-l", "mine"]);
    rig.ok(&["send-keys", "-t", "work", "Enter"]);
    wait_for_text(&rig, "work", "\n=mine=\n");
}
