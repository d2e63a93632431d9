//! What ran in a pane that was put to sleep, or ended with the machine, comes back by the rules; and what cannot come back is said.
//!
//! Small scripts with the programs' names stand in for them: each prints how it was called, notes it in a file, and repeats
//! the lines it is given.

use std::os::unix::fs::PermissionsExt as _;

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_testkit::real::{Rig, Terminal};

use crate::hibernate::{
    begin, enter, hibernate, is_asleep, shell_of, wait_for_prompt, wait_for_text,
};
use crate::{is_installed, rig};

const ID: &str = "0198f1a2-0000-7000-8000-00000000abcd";
const OTHER: &str = "0198f1a2-0000-7000-8000-00000000ffff";

/// A program that stands in for another.
const STAND_IN: &str = r#"#!/bin/sh
name=${0##*/}
echo "$name $*" >>"$HOME/calls"
if [ "$name" = claude ] && [ -e "$HOME/next-id" ]; then
    dir=$HOME/.claude/projects/$(pwd -P | sed 's/[^A-Za-z0-9]/-/g')
    mkdir -p "$dir"
    echo '{}' >"$dir/$(cat "$HOME/next-id").jsonl"
    rm "$HOME/next-id"
fi
echo "[$name $*]"
while read -r line; do echo "got $line"; done
"#;

const PROGRAMS: [&str; 24] = [
    "claude",
    "codex",
    "gemini",
    "opencode",
    "goose",
    "aider",
    "copilot",
    "cursor-agent",
    "amp",
    "vim",
    "nvim",
    "less",
    "man",
    "more",
    "tail",
    "top",
    "htop",
    "ssh",
    "mosh",
    "psql",
    "mysql",
    "docker",
    "kubectl",
    "other",
];

/// A world with bash and the programs above.
fn rig_with_programs() -> Option<Rig> {
    if !is_installed("bash") {
        return None;
    }
    let rig = rig();
    let profile = rig.read("home/.profile") + "PATH=\"$HOME/bin:$PATH\"\n";
    rig.write("home/.profile", &profile);
    configure(&rig, "/usr/bin/bash");
    std::fs::create_dir(rig.path("home/proj")).unwrap();
    for name in PROGRAMS {
        let path = rig.write(&format!("home/bin/{name}"), STAND_IN);
        make_executable(&path);
    }
    Some(rig)
}

fn configure(rig: &Rig, shell: &str) {
    let config = format!("set -g status off\nset -g default-shell {shell}\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
}

fn make_executable(path: &std::path::Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A session in which a program runs, called like this.
fn run(rig: &Rig, name: &str, line: &str) {
    begin(rig, name);
    enter(rig, name, line);
    rig.wait_for_pane("the program", name, |text| text.contains("\n["));
}

fn force(rig: &Rig, name: &str) {
    let said = rig.ok(&["hibernate", "--force", "-t", name]);
    assert!(said.contains("asleep after"), "{said}");
    assert!(is_asleep(rig, name));
}

/// How programs were called, in their order.
fn calls(rig: &Rig) -> Vec<String> {
    let calls = rig.read("home/calls");
    calls
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn wait_for_call(rig: &Rig, call: &str) {
    rig.wait_until(&format!("a call of {call}"), || {
        calls(rig).last().is_some_and(|last| last == call)
    });
}

/// The report of one pane's revival.
fn restore_json(rig: &Rig, name: &str) -> Value {
    let json = rig.ok(&["restore", "--json", "-t", name]);
    let mut told: Value = serde_json::from_str(&json).unwrap();
    told[0].take()
}

fn attach(rig: &Rig, name: &str) -> Terminal {
    rig.attach(&["attach", "-t", name], (24, 80))
}

/// Ends server and keeper at once, as a machine does that loses its power.
fn crash(rig: &Rig) {
    let (server, keeper) = (rig.server(), rig.keeper());
    server.signal(Signal::SIGKILL);
    keeper.signal(Signal::SIGKILL);
    server.wait_gone();
    keeper.wait_gone();
}

/// Waits until what is on disk names something.
fn wait_for_note(rig: &Rig, text: &str) {
    rig.wait_until(&format!("a note of {text}"), || {
        let found = std::process::Command::new("grep")
            .args(["-rqF", "--include=session.json", text])
            .arg(rig.path("state/shellkeep/sessions"))
            .status();
        found.unwrap().success()
    });
}

#[test]
fn programs_come_back_as_the_table_says() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    rig.write("home/proj/Session.vim", "");
    // From long before the program that is started below.
    let session = std::fs::File::create(rig.path("home/proj/Session.vim")).unwrap();
    session
        .set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    let claude = format!("claude --session-id {ID} --model opus 'fix the bug'");
    let resumed = format!("run: claude --resume {ID} --model opus");
    let codex = format!("codex resume {ID}");
    let piped = format!("claude --session-id {ID} | tee c.log");
    let table = [
        (&claude[..], &resumed[..]),
        (&codex[..], &format!("run: codex resume {ID}")[..]),
        ("gemini -p hello", "run: gemini --resume"),
        (
            "opencode --session ses_12 ",
            "run: opencode --session ses_12",
        ),
        ("goose session", "type: goose session --resume"),
        (
            "aider --model x a.py",
            "run: aider --restore-chat-history --model x a.py",
        ),
        ("copilot", "type: copilot --resume"),
        ("cursor-agent", "type: cursor-agent ls"),
        ("amp", "type: amp threads continue"),
        (
            "(cd proj; :); cd proj; vim a.txt",
            "type: (cd proj; :); cd proj; vim a.txt",
        ),
        ("less a.txt", "run: less a.txt"),
        ("man -k shell", "run: man -k shell"),
        ("tail -f a.log", "run: tail -f a.log"),
        ("top -d 5", "run: top -d 5"),
        ("htop", "run: htop"),
        ("ssh -p 22 me@host", "type: ssh -p 22 me@host"),
        ("mosh host", "type: mosh host"),
        ("psql -d db", "type: psql -d db"),
        ("mysql db", "type: mysql db"),
        ("docker exec -it box sh", "type: docker exec -it box sh"),
        (
            "kubectl exec -it pod -- sh",
            "type: kubectl exec -it pod -- sh",
        ),
        ("other 'a b' | cat", "type: other 'a b' | cat"),
        // Parts of something longer are neither run nor typed alone.
        ("tail -f a.log | cat", "type: tail -f a.log | cat"),
        (
            "for i in 1 2; do less a.txt; done",
            "type: for i in 1 2; do less a.txt; done",
        ),
        (&piped[..], &format!("type: {piped}")[..]),
    ];
    begin(&rig, "all");
    for (at, (line, _)) in table.iter().enumerate() {
        let window = format!("all:{}", at + 1);
        rig.ok(&["new-window", "-d", "-t", &window]);
        wait_for_prompt(&rig, &window);
        enter(&rig, &window, line);
        rig.wait_for_pane("the program", &window, |text| text.contains("\n["));
    }
    for (at, (line, expected)) in table.iter().enumerate() {
        let window = format!("all:{}", at + 1);
        rig.ok(&["hibernate", "--force", "-t", &window]);
        let dry = rig.ok(&["restore", "--dry-run", "-t", &window]);
        assert_eq!(
            dry.trim_end(),
            format!("all:{}.0: would wake, and {expected}", at + 1),
            "{line}"
        );
    }
}

#[test]
fn vim_comes_back_with_its_session() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    enter(&rig, "work", "cd proj; vim a.txt");
    wait_for_text(&rig, "work", "\n[vim a.txt]");
    rig.write("home/proj/Session.vim", "");
    force(&rig, "work");
    let report = restore_json(&rig, "work");
    assert_eq!(report["program"], "vim -S Session.vim");
    assert_eq!(report["sent"], true);
    wait_for_call(&rig, "vim -S Session.vim");
}

#[test]
fn conversation_comes_back_at_the_first_key_and_the_key_is_its_own() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    rig.write("home/next-id", ID);
    begin(&rig, "work");
    enter(&rig, "work", "cd proj; claude --verbose 'do it'");
    wait_for_text(&rig, "work", "\n[claude --verbose do it]");
    force(&rig, "work");
    let terminal = attach(&rig, "work");
    terminal.wait_for_text("asleep: a key brings claude back");
    assert!(terminal.text().contains("[claude --verbose do it]"));
    // Everything else that happens meanwhile leaves it asleep.
    terminal.resize(20, 70);
    rig.ok(&["capture-pane", "-p", "-t", "work"]);
    rig.ok(&["refresh-client"]);
    assert!(is_asleep(&rig, "work"), "being looked at woke it");
    terminal.type_text("x");
    wait_for_call(&rig, &format!("claude --resume {ID} --verbose"));
    terminal.keys("y Enter");
    terminal.wait_for_text("got xy");
    terminal.wait_until("no hint", |screen| !screen.has("a key brings"));
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    assert!(
        text.contains("and the state of its shell with it]"),
        "{text}"
    );
    assert_eq!(calls(&rig).len(), 2);
}

#[test]
fn connection_is_typed_and_not_sent() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    run(&rig, "work", "ssh me@host");
    force(&rig, "work");
    let terminal = attach(&rig, "work");
    terminal.wait_until("the command at the prompt", |screen| {
        screen.rows().iter().any(|row| row == "$ ssh me@host")
    });
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "work"]);
    let said = "ssh me@host ended when the pane was put to sleep, and the state of its shell with it; \
                was connected: press Enter to connect again]";
    assert!(text.contains(said), "{text}");
    assert_eq!(calls(&rig), ["ssh me@host"]);
    terminal.keys("Enter");
    rig.wait_until("a second call", || {
        calls(&rig) == ["ssh me@host", "ssh me@host"]
    });
}

#[test]
fn script_whose_line_the_history_did_not_take_is_called_by_its_name() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let profile = rig.read("home/.profile") + "HISTCONTROL=ignoreboth\n";
    rig.write("home/.profile", &profile);
    run(&rig, "work", " other host 'a b'");
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    assert!(refused.contains("runs: other host a b"), "{refused}");
    force(&rig, "work");
    rig.ok(&["restore", "-t", "work"]);
    wait_for_text(&rig, "work", "\n$ other host 'a b'");
}

#[test]
fn keys_sent_by_a_command_never_stand_behind_what_was_typed_for_the_user() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    run(&rig, "work", "ssh me@host");
    force(&rig, "work");
    enter(&rig, "work", "echo a''lone");
    wait_for_text(&rig, "work", "\nalone\n$");
    wait_for_text(&rig, "work", "ssh me@host was not typed");
    assert_eq!(calls(&rig), ["ssh me@host"]);
}

#[test]
fn programs_come_back_after_the_machine_went_down() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    rig.write("home/next-id", ID);
    begin(&rig, "talk");
    enter(&rig, "talk", "cd proj; claude");
    wait_for_text(&rig, "talk", "\n[claude ]");
    run(&rig, "file", "less notes.txt");
    run(&rig, "line", "other one two");
    for text in ["bin/claude", "bin/less", "\"other one two\""] {
        wait_for_note(&rig, text);
    }
    crash(&rig);
    let dry = rig.ok(&["restore", "-a", "--dry-run"]);
    assert_eq!(
        dry,
        format!(
            "file:0.0: would wake, and run: less notes.txt\n\
             line:0.0: would wake, and type: other one two\n\
             talk:0.0: would wake, and run: claude --resume {ID}\n"
        )
    );
    let report = restore_json(&rig, "talk");
    wait_for_call(&rig, &format!("claude --resume {ID}"));
    assert_eq!(report["sent"], true);
    let missing = report["missing"].to_string();
    assert!(missing.contains("ended with the server"), "{missing}");
    let terminal = attach(&rig, "file");
    terminal.wait_for_text("asleep: a key brings less back");
    terminal.keys("Enter");
    wait_for_call(&rig, "less notes.txt");
    let terminal = attach(&rig, "line");
    terminal.wait_until("the line", |screen| {
        screen.rows().iter().any(|row| row == "$ other one two")
    });
    assert_eq!(calls(&rig).len(), 5);
}

#[test]
fn conversations_of_panes_that_share_a_directory_are_not_mistaken_for_each_other() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    for (name, id) in [("one", ID), ("two", OTHER)] {
        rig.write("home/next-id", id);
        begin(&rig, name);
        enter(&rig, name, "cd proj; claude --continue");
        wait_for_text(&rig, name, "\n[claude --continue]");
    }
    run(&rig, "named", &format!("cd proj; claude --resume {ID}"));
    // What the server knows of programs it is told once a second.
    for text in ["claude --continue", &format!("claude --resume {ID}")] {
        wait_for_note(&rig, text);
    }
    rig.ok(&["hibernate", "-a", "--force"]);
    for name in ["one", "two"] {
        let report = restore_json(&rig, name);
        assert_eq!(report["program"], "claude --resume", "{name}");
        assert_eq!(report["sent"], false, "{name}");
    }
    let report = restore_json(&rig, "named");
    assert_eq!(report["program"], format!("claude --resume {ID}"));
    assert_eq!(report["sent"], true);
}

#[test]
fn rules_of_the_user_win_and_bad_ones_are_refused() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    run(&rig, "one", "other --watch");
    run(&rig, "two", "htop");
    run(&rig, "three", "less a.txt");
    for name in ["one", "two", "three"] {
        force(&rig, name);
    }
    let refused = rig.run(&["set", "-s", "resume-rules", "nonsense"]).fails();
    assert_eq!(refused, "not a rule, type pattern=command: nonsense");
    for rule in ["other=#{line} --again", "htop=", "less:unsent=more #{args}"] {
        rig.ok(&["set", "-sa", "resume-rules", rule]);
    }
    let dry = rig.ok(&["restore", "-a", "--dry-run"]);
    assert_eq!(
        dry,
        "one:0.0: would wake, and run: other --watch --again\n\
         three:0.0: would wake, and type: more a.txt\n\
         two:0.0: would wake\n"
    );
    rig.ok(&["restore", "-t", "one"]);
    wait_for_call(&rig, "other --watch --again");
}

#[test]
fn pane_that_was_started_with_a_command_comes_back_in_a_shell() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let htop = rig.path("home/bin/htop").to_string_lossy().into_owned();
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "work",
        "-x",
        "80",
        "-y",
        "24",
        &format!("{htop} -d 5"),
    ]);
    wait_for_text(&rig, "work", "[htop -d 5]");
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    assert!(refused.contains("runs: "), "{refused}");
    force(&rig, "work");
    let report = restore_json(&rig, "work");
    assert_eq!(report["program"], format!("{htop} -d 5"));
    rig.wait_until("a second call", || {
        calls(&rig) == ["htop -d 5", "htop -d 5"]
    });
}

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
fn revive_on_key_wakes_by_a_key_and_by_nothing_else() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    rig.ok(&["set", "-g", "revive-on", "key"]);
    enter(&rig, "work", "kept=yes; clear; echo rea''dy");
    wait_for_text(&rig, "work", "ready\n$");
    hibernate(&rig, "work");
    let terminal = attach(&rig, "work");
    terminal.wait_for_text("asleep: a key wakes it");
    terminal.wait_for_text("ready");
    terminal.resize(30, 100);
    rig.ok(&["display", "-p", "-t", "work", "#{pane_pid}"]);
    assert!(is_asleep(&rig, "work"), "being looked at woke it");
    terminal.enter("echo $kept behind");
    terminal.wait_for_text("yes behind");
    assert!(!is_asleep(&rig, "work"));
    let text = terminal.text();
    assert_eq!(text.matches("$ echo $kept behind").count(), 1, "{text}");
    assert!(!text.contains("asleep:"), "{text}");
}

#[test]
fn pane_that_wakes_by_itself_is_not_painted_with_a_word_of_keys_first() {
    if !cfg!(debug_assertions) {
        return;
    }
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "plain");
    enter(&rig, "plain", "echo he''re");
    wait_for_text(&rig, "plain", "\nhere\n$");
    run(&rig, "program", "ssh here");
    hibernate(&rig, "plain");
    force(&rig, "program");
    for name in ["plain", "program"] {
        // It stops when the first frame is painted.
        rig.write("run/shellkeep/default.stop-at", "tidied");
        let terminal = attach(&rig, name);
        let server = rig.server();
        rig.wait_until("the server to stop", || server.is_stopped());
        terminal.wait_for_text("here");
        assert!(!terminal.text().contains("asleep"), "{}", terminal.text());
        server.signal(Signal::SIGCONT);
        // The prompt, or what is typed for the user behind it.
        terminal.wait_until("the shell", |screen| {
            let prompts = screen.rows();
            prompts.iter().filter(|row| row.starts_with('$')).count() == 2
        });
    }
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
    let own = rig.path("home/shells/bash");
    std::fs::create_dir(rig.path("home/shells")).unwrap();
    std::fs::copy("/usr/bin/bash", &own).unwrap();
    configure(&rig, &own.to_string_lossy());
    begin(&rig, "work");
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
fn hooks_tell_of_sleep_and_revival_with_the_report() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    rig.ok(&["split-window", "-d", "-t", "work"]);
    wait_for_prompt(&rig, "work:0.1");
    let about = "#{hook} #{hook_session_name}#{hook_pane}|#{hook_missing}|#{hook_program}|#{hook_sent}|#{hook_state}|#{hook_reason}|#{hook_report}";
    for hook in [
        "pane-hibernated",
        "pane-hibernate-failed",
        "pane-revived",
        "pane-revive-failed",
        "session-hibernated",
        "session-hibernate-failed",
        "session-revived",
        "session-revive-failed",
    ] {
        let note = format!("run-shell \"echo '{about}' >>$HOME/told\"");
        rig.ok(&["set-hook", "-g", hook, &note]);
    }
    let told = |count: usize| {
        rig.wait_for("all hooks", || {
            let told = rig.read("home/told");
            let lines: Vec<String> = told.lines().map(str::to_owned).collect();
            (lines.len() == count).then_some(lines)
        })
    };
    let has = |told: &[String], start: &str| {
        assert!(
            told.iter().any(|line| line.starts_with(start)),
            "{start} in {told:?}"
        );
    };
    hibernate(&rig, "work:0.0");
    has(&told(1), "pane-hibernated %0|||||");
    enter(&rig, "work:0.1", "ssh host");
    wait_for_text(&rig, "work:0.1", "\n[ssh host]");
    force(&rig, "work:0.1");
    let lines = told(3);
    has(&lines, "pane-hibernated %1|");
    has(&lines, "session-hibernated work|");
    rig.ok(&["restore", "-t", "work:0.1"]);
    let lines = told(5);
    has(&lines, "pane-revived %1|ssh host ended when");
    has(&lines, "session-revived work|");
    let revived = lines
        .iter()
        .find(|line| line.starts_with("pane-revived"))
        .unwrap();
    assert!(revived.contains("|ssh host|0|0||awake after "), "{revived}");
    // The session is awake already: only the pane is told of.
    rig.ok(&["restore", "-t", "work:0.0"]);
    has(&told(6), "pane-revived %0||||1||awake after ");
}

#[test]
fn pane_in_which_nothing_can_be_started_sleeps_on_and_is_told() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let own = rig.path("home/shells/bash");
    std::fs::create_dir(rig.path("home/shells")).unwrap();
    std::fs::copy("/usr/bin/bash", &own).unwrap();
    configure(&rig, &own.to_string_lossy());
    begin(&rig, "work");
    for hook in ["pane-revive-failed", "session-revive-failed"] {
        let note = "run-shell \"echo '#{hook} #{hook_reason}' >>$HOME/told\"";
        rig.ok(&["set-hook", "-g", hook, note]);
    }
    enter(&rig, "work", "echo kept");
    wait_for_text(&rig, "work", "\nkept\n$");
    hibernate(&rig, "work");
    let good = std::fs::read(&own).unwrap();
    std::fs::remove_file(&own).unwrap();
    std::fs::write(&own, "\u{7f}no program").unwrap();
    make_executable(&own);
    let refused = rig.run(&["restore", "-t", "work"]).fails();
    assert!(refused.contains("stays as it is"), "{refused}");
    assert!(is_asleep(&rig, "work"));
    rig.wait_until("both hooks", || {
        let told = rig.read("home/told");
        told.contains("pane-revive-failed ") && told.contains("session-revive-failed ")
    });
    let terminal = attach(&rig, "work");
    terminal.wait_for_text("cannot wake: a key tries again");
    terminal.wait_for_text("kept");
    std::fs::remove_file(&own).unwrap();
    std::fs::write(&own, good).unwrap();
    make_executable(&own);
    terminal.enter("echo ba''ck");
    terminal.wait_for_text("back");
    assert!(!is_asleep(&rig, "work"));
}

#[test]
fn shell_that_does_not_answer_is_told_as_a_failure_and_stays() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    begin(&rig, "work");
    for hook in ["pane-hibernate-failed", "session-hibernate-failed"] {
        let note = "run-shell \"echo '#{hook} #{hook_reason}' >>$HOME/told\"";
        rig.ok(&["set-hook", "-g", hook, note]);
    }
    let shell = shell_of(&rig, "work");
    shell.signal(Signal::SIGSTOP);
    let refused = rig.run(&["hibernate", "-t", "work"]).fails();
    shell.signal(Signal::SIGCONT);
    assert!(refused.contains("its shell did not answer"), "{refused}");
    rig.wait_until("both hooks", || rig.read("home/told").lines().count() == 2);
    for line in rig.read("home/told").lines() {
        assert!(
            line.ends_with("-hibernate-failed its shell did not answer"),
            "{line}"
        );
    }
    enter(&rig, "work", "echo al''ive");
    wait_for_text(&rig, "work", "\nalive\n");
}

#[test]
fn visible_panes_wake_first_and_others_as_long_as_the_budget_lasts() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    for name in ["s1", "s2", "s3", "s9"] {
        begin(&rig, name);
    }
    rig.ok(&["set", "-g", "revive-on", "key"]);
    rig.ok(&["set", "-s", "revive-budget", "1"]);
    rig.ok(&[
        "set-hook",
        "-g",
        "pane-revived",
        "run-shell \"echo '#{session_name}' >>$HOME/told\"",
    ]);
    for name in ["s1", "s2", "s3", "s9"] {
        hibernate(&rig, name);
    }
    let terminal = attach(&rig, "s9");
    terminal.wait_for_text("asleep: a key wakes it");
    let json = rig.ok(&["restore", "-a", "--json"]);
    let told: Value = serde_json::from_str(&json).unwrap();
    let done = |at: usize| told[at]["done"].as_bool().unwrap();
    assert!(done(0) && done(3), "{json}");
    assert!(!done(2), "{json}");
    let reason = told[2]["text"].as_str().unwrap();
    assert!(
        reason.contains("revive-budget of 1 MiB is used up"),
        "{reason}"
    );
    rig.wait_until("the hooks", || rig.read("home/told").lines().count() >= 2);
    assert!(
        rig.read("home/told").starts_with("s9\n"),
        "the visible one is first"
    );
    assert!(is_asleep(&rig, "s3"));
    // Without a limit all of them do, and whoever is looked at does in any case.
    rig.ok(&["set", "-s", "revive-budget", "0"]);
    rig.ok(&["restore", "-a"]);
    let states = rig.ok(&["ls", "-F", "#{session_name} #{session_state}"]);
    assert_eq!(states, "s1 active\ns2 active\ns3 active\ns9 active\n");
}

#[test]
fn panes_wake_one_after_another() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let names = ["s1", "s2", "s3", "s4"];
    for name in names {
        begin(&rig, name);
    }
    for name in names {
        hibernate(&rig, name);
    }
    rig.ok(&["set", "-g", "revive-rc", "on"]);
    // Whoever starts while another is not done finds its mark.
    let profile = rig.read("home/.profile");
    let slow = "mkdir $HOME/mark || touch $HOME/together; sleep 0.1; rmdir $HOME/mark\n";
    rig.write("home/.profile", &format!("{profile}{slow}"));
    let said = rig.ok(&["restore", "-a"]);
    assert_eq!(said.matches("awake after").count(), 4, "{said}");
    assert!(!rig.path("home/together").exists());
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
