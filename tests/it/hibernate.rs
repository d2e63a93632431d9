//! Panes sleep and come back as they were, and whatever must not sleep does not.

use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig, nothing_happens_for};

use crate::{is_installed, rig};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// A world in which this is everybody's shell, with the same short prompt in all of them.
pub(crate) fn rig_with(shell: &str) -> Option<Rig> {
    if !is_installed(shell) {
        return None;
    }
    let rig = rig();
    let config = format!("set -g status off\nset -g default-shell /usr/bin/{shell}\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
    rig.write("home/.zshrc", "PS1='$ '; PS2='> '\n");
    rig.write(
        "config/fish/config.fish",
        "function fish_prompt; echo -n '$ '; end\nfunction fish_greeting; end\n",
    );
    std::fs::create_dir(rig.path("home/proj")).unwrap();
    // Without it a new user's fish has a job in the background that reads all man pages.
    std::fs::create_dir_all(rig.path("home/data/fish/generated_completions")).unwrap();
    Some(rig)
}

/// A detached session whose shell shows its prompt.
pub(crate) fn begin(rig: &Rig, name: &str) {
    rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24"]);
    wait_for_prompt(rig, name);
}

pub(crate) fn wait_for_prompt(rig: &Rig, name: &str) {
    rig.wait_for_pane("a prompt", name, |text| {
        let text = text.trim_end();
        text == "$" || text.ends_with("\n$")
    });
}

pub(crate) fn wait_for_text(rig: &Rig, name: &str, text: &str) {
    rig.wait_for_pane(&format!("{text:?}"), name, |shown| shown.contains(text));
}

/// Types a line and sends it.
pub(crate) fn enter(rig: &Rig, name: &str, line: &str) {
    rig.ok(&["send-keys", "-t", name, "-l", line]);
    rig.ok(&["send-keys", "-t", name, "Enter"]);
}

pub(crate) fn ask(rig: &Rig, name: &str, format: &str) -> String {
    rig.ok(&["display", "-p", "-t", name, format])
        .trim()
        .to_owned()
}

pub(crate) fn is_asleep(rig: &Rig, name: &str) -> bool {
    ask(rig, name, "#{pane_hibernated}") == "1"
}

pub(crate) fn shell_of(rig: &Rig, name: &str) -> Process {
    let pid = ask(rig, name, "#{pane_pid}");
    Process::find(pid.parse().expect("a pid")).expect("a living shell")
}

/// All that a pane shows and has shown, and where its cursor is.
pub(crate) fn picture(rig: &Rig, name: &str) -> (String, String) {
    let text = rig.ok(&["capture-pane", "-p", "-t", name, "-S", "-"]);
    (text, ask(rig, name, "#{cursor_x},#{cursor_y}"))
}

/// Waits until a pane has done what it was asked to: a shell may be drawing.
pub(crate) fn wait_for_picture(rig: &Rig, name: &str, wanted: &(String, String)) {
    let mut seen = None;
    let shown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        rig.wait_until("the same picture", || {
            let picture = picture(rig, name);
            let is_same = picture == *wanted;
            seen = Some(picture);
            is_same
        });
    }));
    if shown.is_err() {
        assert_eq!(seen.as_ref(), Some(wanted));
    }
}

/// Puts a pane to sleep, as soon as its shell has read what was typed.
#[track_caller]
pub(crate) fn hibernate(rig: &Rig, name: &str) {
    rig.wait_until("a pane that sleeps", || {
        let output = rig.run(&["hibernate", "-t", name]);
        let is_busy = ["about to show", "has not read"]
            .iter()
            .any(|reason| output.stderr.contains(reason));
        assert!(output.status == 0 || is_busy, "{output:?}");
        output.status == 0
    });
}

/// Starts a command that nobody waits for yet.
pub(crate) fn spawn(rig: &Rig, args: &[&str]) -> Child {
    let mut command = rig.command(args);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Runs a command, and gives the server that has stopped at this step of it.
pub(crate) fn stopped_server(rig: &Rig, step: &str, args: &[&str]) -> (Process, Child) {
    rig.write("run/shellkeep/default.stop-at", step);
    let child = spawn(rig, args);
    let server = rig.server();
    rig.wait_until(&format!("the server to stop at {step:?}"), || {
        server.is_stopped()
    });
    (server, child)
}

/// Runs a command, and kills the server at this step of it.
pub(crate) fn killed_at(rig: &Rig, step: &str, args: &[&str]) {
    let (server, mut child) = stopped_server(rig, step, args);
    // The client first: it would ask the next server again.
    let _ = child.kill();
    server.kill_9();
    child.wait().unwrap();
}

/// What is set in a shell, and what prints all of it after `mark`.
fn setting(shell: &str) -> (&'static str, &'static str) {
    if shell == "fish" {
        (
            "cd proj; set -g myvar hello; set -gx EXP out; set -g list a 'b c'; \
             function greet; echo hi-there; end; alias say='echo said'",
            "greet; say so; echo $myvar $EXP $list[2]; basename $PWD; sh -c 'echo sub $EXP'",
        )
    } else {
        (
            "cd proj; myvar=hello; export EXP=out; list=(a 'b c'); \
             greet() { echo hi-there; }; alias say='echo said'; umask 027",
            "greet; say so; echo $myvar $EXP ${list[@]:1:1}; basename $PWD; sh -c 'echo sub $EXP'",
        )
    }
}

fn shell_comes_back_as_it_was(shell: &str) {
    let Some(rig) = rig_with(shell) else {
        return;
    };
    begin(&rig, "work");
    let (set, show) = setting(shell);
    enter(&rig, "work", set);
    enter(&rig, "work", "echo is-set");
    wait_for_text(&rig, "work", "\nis-set");
    for cycle in 1..=3 {
        rig.ok(&["send-keys", "-t", "work", "C-l"]);
        rig.wait_for_pane("a clear screen", "work", |text| text.trim() == "$");
        rig.ok(&["send-keys", "-t", "work", "-l", "echo half typed"]);
        rig.ok(&["send-keys", "-t", "work", "Left", "Left"]);
        rig.wait_until("the cursor in the line", || {
            ask(&rig, "work", "#{cursor_x}") == "15"
        });
        let (before, old) = (picture(&rig, "work"), shell_of(&rig, "work"));
        hibernate(&rig, "work");
        let list = rig.ok(&["ls"]);
        assert!(list.contains("(hibernated)"), "{list}");
        assert!(is_asleep(&rig, "work"));
        old.wait_gone();
        assert_eq!(picture(&rig, "work"), before, "asleep, cycle {cycle}");
        let said = rig.ok(&["restore", "-t", "work"]);
        assert!(said.contains("a half-typed line"), "{said}");
        assert!(!said.contains("did not return"), "{said}");
        wait_for_picture(&rig, "work", &before);
        assert_eq!(ask(&rig, "work", "#{session_state}"), "active");
        assert_ne!(shell_of(&rig, "work").pid, old.pid);
        rig.enter("work", "X");
        wait_for_text(&rig, "work", "\nhalf typXed\n");
        enter(&rig, "work", show);
        let all = "\nhi-there\nsaid so\nhello out b c\nproj\nsub out\n";
        wait_for_text(&rig, "work", all);
    }
}

#[test]
fn bash_comes_back_three_times_as_it_was() {
    shell_comes_back_as_it_was("bash");
}

#[test]
fn zsh_comes_back_three_times_as_it_was() {
    shell_comes_back_as_it_was("zsh");
}

#[test]
fn fish_comes_back_three_times_as_it_was() {
    shell_comes_back_as_it_was("fish");
}

#[test]
fn programs_find_the_terminal_set_as_before() {
    for shell in ["bash", "zsh"] {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(
            &rig,
            "work",
            "stty -ixon werase undef erase '^H' start '^B'",
        );
        let settings = |file: &str| {
            enter(
                &rig,
                "work",
                &format!("stty -g >~/{file}.new; mv ~/{file}.new ~/{file}"),
            );
            let path = rig.path("home").join(file);
            rig.wait_until("the settings", || path.exists());
            wait_for_prompt(&rig, "work");
            std::fs::read_to_string(path).unwrap()
        };
        let before = settings("before");
        for file in ["once", "twice"] {
            hibernate(&rig, "work");
            rig.ok(&["restore", "-t", "work"]);
            assert_eq!(settings(file), before, "{shell}");
        }
    }
}

#[test]
fn history_that_was_never_saved_comes_back() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(&rig, "work", "echo remember me");
        wait_for_text(&rig, "work", "\nremember me\n$");
        hibernate(&rig, "work");
        // fish counts in seconds: what was typed in the one in which a shell begins is another's for it.
        let seconds = || {
            std::time::SystemTime::UNIX_EPOCH
                .elapsed()
                .unwrap()
                .as_secs()
        };
        let typed = seconds();
        rig.wait_until("the next second", || seconds() > typed);
        rig.ok(&["restore", "-t", "work"]);
        rig.ok(&["send-keys", "-t", "work", "Up"]);
        wait_for_text(&rig, "work", "\nremember me\n$ echo remember me");
    }
}

#[test]
fn scrollback_and_colours_come_back() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    enter(
        &rig,
        "work",
        "seq 1 2000; printf '\\033[1;35mcol%s\\033[m\\n' oured",
    );
    wait_for_text(&rig, "work", "\ncoloured\n$");
    let all = ["capture-pane", "-p", "-e", "-t", "work", "-S", "-"];
    let before = rig.ok(&all);
    hibernate(&rig, "work");
    assert_eq!(rig.ok(&all), before, "asleep");
    assert!(is_asleep(&rig, "work"), "reading it woke it");
    rig.ok(&["restore", "-t", "work"]);
    rig.wait_until("the same", || rig.ok(&all) == before);
}

/// A session in which something goes on, and why it does not sleep.
struct Busy {
    name: &'static str,
    /// What is typed.
    line: &'static str,
    /// What is shown, or the word of a process that runs, once it goes on.
    sign: Sign,
    reason: &'static str,
}

enum Sign {
    Shown(&'static str),
    Runs(&'static str),
}

const BUSY: &[Busy] = &[
    Busy {
        name: "program",
        line: "sleep 1000",
        sign: Sign::Runs("1000"),
        reason: "runs: sleep 1000",
    },
    Busy {
        name: "background",
        line: "sleep 1001 &",
        sign: Sign::Runs("1001"),
        reason: "a background job: sleep 1001",
    },
    Busy {
        name: "read",
        line: "echo be''gun; read x",
        sign: Sign::Shown("\nbegun"),
        reason: "its shell runs a command",
    },
    Busy {
        name: "quote",
        line: "echo 'open",
        sign: Sign::Shown("echo 'open\n"),
        reason: "a half-typed command of several lines",
    },
    Busy {
        name: "heredoc",
        line: "cat <<EOF",
        sign: Sign::Shown("cat <<EOF\n"),
        reason: "a half-typed command of several lines",
    },
    Busy {
        name: "nested",
        line: "PS1='nes''ted ' bash --norc",
        sign: Sign::Shown("\nnested"),
        reason: "runs: bash --norc",
    },
    Busy {
        name: "exec",
        line: "exec sleep 1002",
        sign: Sign::Runs("1002"),
        reason: "runs: sleep 1002",
    },
    Busy {
        name: "orphan",
        line: "( sleep 1003 & )",
        sign: Sign::Runs("1003"),
        reason: "a process left behind: sleep 1003",
    },
    Busy {
        name: "coprocess",
        line: "coproc sleep 1004",
        sign: Sign::Runs("1004"),
        reason: "a background job: sleep 1004",
    },
    Busy {
        name: "raw",
        line: "sh -c 'stty raw -echo; exec sleep 1005'",
        sign: Sign::Runs("1005"),
        reason: "runs: sleep 1005",
    },
];

/// Asserts that a pane is refused for a reason, and is none the worse for it.
#[track_caller]
pub(crate) fn assert_stays(rig: &Rig, name: &str, reason: &str) {
    let (pid, before) = (shell_of(rig, name).pid, picture(rig, name));
    let told = rig.wait_for("the last word", || {
        let told = rig.run(&["hibernate", "-t", name]).fails();
        // A shell that is just back at its prompt, or has not got there.
        (!told.contains("about to show")).then_some(told)
    });
    assert!(told.contains(reason), "{name}: {told}");
    assert!(
        told.contains(&format!("{name}:0.0: stays as it is")),
        "{told}"
    );
    assert!(!is_asleep(rig, name), "{name}");
    assert_eq!(shell_of(rig, name).pid, pid, "{name}");
    assert_eq!(picture(rig, name), before, "{name}");
}

fn busy_panes_are_refused(shell: &str) {
    let Some(rig) = rig_with(shell) else {
        return;
    };
    for busy in BUSY {
        begin(&rig, busy.name);
        enter(&rig, busy.name, busy.line);
        match busy.sign {
            Sign::Shown(text) => wait_for_text(&rig, busy.name, text),
            Sign::Runs(word) => rig.wait_until(word, || {
                let found = rig.processes_with(word);
                found.iter().any(|one| one.argv()[0].ends_with("sleep"))
            }),
        }
        assert_stays(&rig, busy.name, busy.reason);
    }
    begin(&rig, "stopped");
    enter(&rig, "stopped", "sleep 1006");
    rig.wait_until("sleep", || {
        ask(&rig, "stopped", "#{pane_current_command}") == "sleep"
    });
    rig.ok(&["send-keys", "-t", "stopped", "C-z"]);
    wait_for_prompt(&rig, "stopped");
    assert_stays(&rig, "stopped", "a stopped job: sleep 1006");
}

#[test]
fn busy_panes_of_bash_are_refused_with_the_reason_and_untouched() {
    busy_panes_are_refused("bash");
}

#[test]
fn busy_panes_of_zsh_are_refused_with_the_reason_and_untouched() {
    busy_panes_are_refused("zsh");
}

#[test]
fn attaching_wakes_and_shows_what_was_there() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "echo there; kept=yes");
    wait_for_text(&rig, "work", "\nthere\n$");
    hibernate(&rig, "work");
    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    terminal.enter("echo kept: $kept");
    terminal.wait_for_text("kept: yes");
    assert!(terminal.text().contains("there\n"));
    assert!(!is_asleep(&rig, "work"));
    assert_eq!(terminal.text().matches("$ echo kept").count(), 1);
}

#[test]
fn keys_sent_to_a_sleeping_pane_wake_it_and_arrive_behind_the_prompt() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        hibernate(&rig, "work");
        enter(&rig, "work", "echo arr''ived");
        wait_for_text(&rig, "work", "$ echo arr''ived\narrived\n$");
    }
}

#[test]
fn keys_typed_while_a_pane_falls_asleep_or_wakes_are_not_lost() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        for round in 0..12 {
            let command = if round % 2 == 0 {
                "hibernate"
            } else {
                "restore"
            };
            // The command may have come after the keys, and have put to sleep what had done with them.
            if command == "restore" && !is_asleep(&rig, "work") {
                wait_for_prompt(&rig, "work");
                hibernate(&rig, "work");
            }
            let mut child = spawn(&rig, &[command, "-t", "work"]);
            nothing_happens_for(Duration::from_millis(round * 3));
            enter(&rig, "work", &format!("echo ro''und {round}"));
            child.wait().unwrap();
            wait_for_text(&rig, "work", &format!("\nround {round}\n$"));
        }
    }
}

#[test]
fn what_a_key_just_before_began_is_on_the_screen() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        for round in 0..20 {
            wait_for_prompt(&rig, "work");
            let line = format!("echo ro''und {round}");
            rig.ok(&["send-keys", "-t", "work", "-l", &line]);
            wait_for_text(&rig, "work", &line);
            // In one turn of the server: the key is on its way to the shell, and nowhere to be seen. It may be refused.
            let both = "send-keys -t work Enter ; hibernate -t work";
            let _ = rig.run(&both.split(' ').collect::<Vec<_>>());
            wait_for_text(&rig, "work", &format!("\nround {round}\n$"));
            if is_asleep(&rig, "work") {
                rig.ok(&["restore", "-t", "work"]);
            }
        }
    }
}

#[test]
fn force_ends_a_program_and_says_so() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "cd proj; sleep 1000");
    let program = rig.wait_for("the program", || rig.processes_with("1000").pop());
    rig.wait_until("it in front", || {
        ask(&rig, "work", "#{pane_current_command}") == "sleep"
    });
    let dry = rig.ok(&["hibernate", "--dry-run", "--force", "-t", "work"]);
    assert_eq!(dry, "work:0.0: would sleep, and end sleep 1000\n");
    let said = rig.ok(&["hibernate", "--force", "-t", "work"]);
    assert!(said.contains("ended: sleep 1000"), "{said}");
    program.wait_gone();
    assert!(is_asleep(&rig, "work"));
    rig.ok(&["restore", "-t", "work"]);
    wait_for_text(
        &rig,
        "work",
        "sleep 1000 ended when the pane was put to sleep",
    );
    // What was typed stands there again, and is the user's to send.
    wait_for_text(&rig, "work", "\n$ cd proj; sleep 1000");
    rig.ok(&["send-keys", "-t", "work", "C-u"]);
    enter(&rig, "work", "pwd");
    wait_for_text(&rig, "work", "/home/proj\n");
}

#[test]
fn dry_run_json_all_and_tag_do_what_they_say() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "one");
    rig.ok(&[
        "new", "-d", "-s", "two", "--tag", "red", "-x", "80", "-y", "24",
    ]);
    wait_for_prompt(&rig, "two");
    begin(&rig, "busy");
    enter(&rig, "busy", "sleep 1000");
    rig.wait_until("a program", || {
        ask(&rig, "busy", "#{pane_current_command}") == "sleep"
    });
    let dry = rig.ok(&["hibernate", "-a", "--dry-run"]);
    assert_eq!(
        dry,
        "busy:0.0: stays as it is: runs: sleep 1000\none:0.0: would sleep\ntwo:0.0: would sleep\n"
    );
    assert!(!is_asleep(&rig, "one"));
    rig.ok(&["hibernate", "--tag", "red"]);
    let states = ["ls", "-F", "#{session_name} #{session_state}"];
    assert_eq!(rig.ok(&states), "busy active\none active\ntwo hibernated\n");
    let json = rig.ok(&["hibernate", "-a", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(told[0]["place"], "busy:0.0");
    assert_eq!(told[0]["done"], false);
    assert_eq!(told[0]["text"], "runs: sleep 1000");
    assert_eq!(told[1]["place"], "one:0.0");
    assert_eq!(told[1]["done"], true);
    assert_eq!(
        rig.ok(&states),
        "busy active\none hibernated\ntwo hibernated\n"
    );
    let dry = rig.ok(&["restore", "-a", "--dry-run"]);
    assert_eq!(dry, "one:0.0: would wake\ntwo:0.0: would wake\n");
    rig.ok(&["restore", "--tag", "red"]);
    assert_eq!(rig.ok(&states), "busy active\none hibernated\ntwo active\n");
    rig.ok(&["restore", "-a"]);
    assert_eq!(rig.ok(&states), "busy active\none active\ntwo active\n");
}

#[test]
fn private_session_is_refused() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.ok(&[
        "new",
        "-d",
        "--private",
        "-s",
        "secret",
        "-x",
        "80",
        "-y",
        "24",
    ]);
    wait_for_prompt(&rig, "secret");
    assert_stays(
        &rig,
        "secret",
        "is private, and nothing of it may be on disk",
    );
}

/// Numbers that are the same in every run.
fn moments(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32)
}

#[test]
fn server_killed_while_a_pane_falls_asleep_leaves_it_running_or_restorable() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        for (round, moment) in moments(20).enumerate() {
            let set = if shell == "fish" { "set -g n " } else { "n=" };
            enter(&rig, "work", &format!("{set}{round}; echo se''t {round}"));
            wait_for_text(&rig, "work", &format!("\nset {round}\n$"));
            let old = shell_of(&rig, "work").pid;
            let mut child = spawn(&rig, &["hibernate", "-t", "work"]);
            // Somewhere on the way to sleep, which takes some twenty milliseconds, or just behind it.
            nothing_happens_for(Duration::from_millis(moment % 60));
            // The client first: it would ask the next server again.
            let server = rig.server();
            let _ = child.kill();
            server.kill_9();
            child.wait().unwrap();
            if !is_asleep(&rig, "work") {
                assert_eq!(shell_of(&rig, "work").pid, old, "{shell} {round}");
            }
            enter(&rig, "work", &format!("echo still $n {round}"));
            wait_for_text(&rig, "work", &format!("\nstill {round} {round}\n"));
        }
    }
}

#[test]
fn server_killed_after_a_revival_leaves_the_shell_alone() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    hibernate(&rig, "work");
    rig.ok(&["restore", "-t", "work"]);
    let pid = shell_of(&rig, "work").pid;
    rig.server().kill_9();
    assert!(!is_asleep(&rig, "work"));
    assert_eq!(shell_of(&rig, "work").pid, pid);
    hibernate(&rig, "work");
}

#[test]
fn both_killed_while_a_pane_sleeps_leaves_it_restorable() {
    for shell in SHELLS {
        let Some(rig) = rig_with(shell) else {
            continue;
        };
        begin(&rig, "work");
        enter(&rig, "work", setting(shell).0);
        enter(&rig, "work", "echo is-set");
        wait_for_text(&rig, "work", "\nis-set\n$");
        rig.ok(&["send-keys", "-t", "work", "-l", "echo half"]);
        wait_for_text(&rig, "work", "\n$ echo half\n");
        let before = picture(&rig, "work");
        hibernate(&rig, "work");
        let (server, keeper) = (rig.server(), rig.keeper());
        server.signal(Signal::SIGKILL);
        keeper.signal(Signal::SIGKILL);
        server.wait_gone();
        keeper.wait_gone();
        assert!(rig.ok(&["ls"]).contains("(hibernated)"));
        assert_eq!(picture(&rig, "work"), before, "{shell}");
        rig.ok(&["restore", "-t", "work"]);
        wait_for_picture(&rig, "work", &before);
        enter(&rig, "work", "; greet; echo $myvar");
        wait_for_text(&rig, "work", "\nhalf\nhi-there\nhello\n");
    }
}

#[test]
fn timer_puts_idle_sessions_to_sleep_and_no_others() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.ok(&["start-server"]);
    let terminal = rig.attach(&["new", "-s", "seen"], (24, 80));
    terminal.wait_for_prompt();
    for name in ["busy", "pinned", "off", "idle"] {
        begin(&rig, name);
    }
    enter(&rig, "busy", "sleep 1000");
    rig.wait_until("a program", || {
        ask(&rig, "busy", "#{pane_current_command}") == "sleep"
    });
    rig.ok(&["pin", "-t", "pinned"]);
    rig.ok(&["set", "-t", "off", "hibernate", "off"]);
    rig.ok(&["set", "-g", "hibernate-after", "1s"]);
    rig.wait_until("it to sleep", || is_asleep(&rig, "idle"));
    // Whoever comes later sleeps, too; meanwhile all the others had time enough.
    begin(&rig, "later");
    rig.wait_until("it to sleep", || is_asleep(&rig, "later"));
    let states = rig.ok(&["ls", "-F", "#{session_name} #{session_state}"]);
    assert_eq!(
        states,
        "busy active\nidle hibernated\nlater hibernated\noff active\npinned active\nseen active\n"
    );
    drop(terminal);
    rig.wait_until("it to sleep once nobody looks", || is_asleep(&rig, "seen"));
    rig.ok(&["pin", "-u", "-t", "pinned"]);
    rig.wait_until("it to sleep once it is free", || is_asleep(&rig, "pinned"));
}

#[test]
fn more_sessions_than_may_be_active_sleep_and_none_is_refused() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    rig.ok(&["new", "-d", "-s", "s0", "-x", "80", "-y", "24"]);
    rig.ok(&["set", "-g", "hibernate-after", "0"]);
    rig.ok(&["set", "-s", "max-active", "3"]);
    for number in 1..6 {
        begin(&rig, &format!("s{number}"));
    }
    rig.wait_until("three at most", || {
        let states = rig.ok(&["ls", "-F", "#{session_state}"]);
        states.matches("active").count() <= 3
    });
}

#[test]
fn hooks_and_variables_tell_of_sleep_and_revival() {
    let Some(rig) = rig_with("bash") else {
        return;
    };
    begin(&rig, "work");
    let hooks = [
        "pane-hibernated",
        "session-hibernated",
        "pane-revived",
        "session-revived",
    ];
    for hook in hooks {
        let note = format!("run-shell 'echo {hook} #{{hook_session_name}} >> $HOME/told'");
        rig.ok(&["set-hook", "-g", hook, &note]);
    }
    let facts = "#{pane_hibernated} #{session_state}";
    assert_eq!(ask(&rig, "work", facts), "0 active");
    hibernate(&rig, "work");
    assert_eq!(ask(&rig, "work", facts), "1 hibernated");
    rig.ok(&["restore", "-t", "work"]);
    assert_eq!(ask(&rig, "work", facts), "0 active");
    rig.wait_until("all hooks", || {
        let told = rig.read("home/told");
        hooks.iter().all(|hook| told.contains(hook))
    });
    let told = rig.read("home/told");
    assert!(told.contains("session-hibernated work"), "{told}");
    assert!(told.contains("session-revived work"), "{told}");
}
