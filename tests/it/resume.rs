//! What ran in a pane that was put to sleep, or ended with the machine, comes back by the rules: run, typed, or not at all.
//!
//! Small scripts with the programs' names stand in for them: each prints how it was called, notes it in a file, and repeats
//! the lines it is given.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::Value;
use shellkeep_testkit::real::{Rig, Terminal};

use crate::hibernate::{begin, enter, is_asleep, wait_for_prompt, wait_for_text};
use crate::keeping::kill_both;
use crate::{is_installed, rig};

pub(crate) const ID: &str = "0198f1a2-0000-7000-8000-00000000abcd";

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
pub(crate) fn rig_with_programs() -> Option<Rig> {
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

pub(crate) fn configure(rig: &Rig, shell: &str) {
    let config = format!("set -g status off\nset -g default-shell {shell}\n");
    rig.write("config/shellkeep/shellkeep.conf", &config);
}

pub(crate) fn make_executable(path: &std::path::Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A session in which a program runs, called like this.
pub(crate) fn run(rig: &Rig, name: &str, line: &str) {
    begin(rig, name);
    enter(rig, name, line);
    rig.wait_for_pane("the program", name, |text| text.contains("\n["));
}

pub(crate) fn force(rig: &Rig, name: &str) {
    let said = rig.ok(&["hibernate", "--force", "-t", name]);
    assert!(said.contains("asleep after"), "{said}");
    assert!(is_asleep(rig, name));
}

/// How programs were called, in their order.
pub(crate) fn calls(rig: &Rig) -> Vec<String> {
    let calls = rig.read("home/calls");
    calls
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// The calls that begin like this.
fn calls_of(rig: &Rig, begin: &str) -> Vec<String> {
    let mut calls = calls(rig);
    calls.retain(|call| call.starts_with(begin));
    calls
}

pub(crate) fn wait_for_call(rig: &Rig, call: &str) {
    rig.wait_until(&format!("a call of {call}"), || {
        calls(rig).last().is_some_and(|last| last == call)
    });
}

/// The report of one pane's revival.
pub(crate) fn restore_json(rig: &Rig, name: &str) -> Value {
    let json = rig.ok(&["restore", "--json", "-t", name]);
    let mut told: Value = serde_json::from_str(&json).unwrap();
    told[0].take()
}

pub(crate) fn attach(rig: &Rig, name: &str) -> Terminal {
    rig.attach(&["attach", "-t", name], (24, 80))
}

/// Waits until what is on disk names something.
pub(crate) fn wait_for_note(rig: &Rig, text: &str) {
    rig.wait_until(&format!("a note of {text}"), || {
        let found = std::process::Command::new("grep")
            .args(["-rqF", "--include=session.json", text])
            .arg(rig.path("state/shellkeep/sessions"))
            .status();
        found.unwrap().success()
    });
}

/// A session in a copy of bash, which can be taken away.
pub(crate) fn begin_in_own_bash(rig: &Rig) -> PathBuf {
    let own = rig.path("home/shells/bash");
    std::fs::create_dir(rig.path("home/shells")).unwrap();
    std::fs::copy("/usr/bin/bash", &own).unwrap();
    configure(rig, &own.to_string_lossy());
    begin(rig, "work");
    own
}

#[test]
fn programs_come_back_as_the_table_or_the_user_says() {
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
    rules_of_the_user_win(&rig);
}

/// The user's own rules win, and bad ones are refused.
fn rules_of_the_user_win(rig: &Rig) {
    run(rig, "one", "other --watch");
    run(rig, "two", "htop");
    run(rig, "three", "less a.txt");
    for name in ["one", "two", "three"] {
        force(rig, name);
    }
    let refused = rig.run(&["set", "-s", "resume-rules", "nonsense"]).fails();
    assert_eq!(refused, "not a rule, type pattern=command: nonsense");
    for rule in ["other=#{line} --again", "htop=", "less:unsent=more #{args}"] {
        rig.ok(&["set", "-sa", "resume-rules", rule]);
    }
    for (name, expected) in [
        ("one", ", and run: other --watch --again"),
        ("two", ""),
        ("three", ", and type: more a.txt"),
    ] {
        let dry = rig.ok(&["restore", "--dry-run", "-t", name]);
        assert_eq!(dry, format!("{name}:0.0: would wake{expected}\n"));
    }
    rig.ok(&["restore", "-t", "one"]);
    wait_for_call(rig, "other --watch --again");
}

/// vim comes back with its session.
fn vim_is_run(rig: &Rig) {
    begin(rig, "editor");
    enter(rig, "editor", "cd proj; vim a.txt");
    wait_for_text(rig, "editor", "\n[vim a.txt]");
    rig.write("home/proj/Session.vim", "");
    force(rig, "editor");
    let report = restore_json(rig, "editor");
    assert_eq!(report["program"], "vim -S Session.vim");
    assert_eq!(report["sent"], true);
    wait_for_call(rig, "vim -S Session.vim");
}

/// A connection is typed and not sent.
fn connection_is_typed(rig: &Rig) {
    run(rig, "far", "ssh me@host");
    force(rig, "far");
    let terminal = attach(rig, "far");
    terminal.wait_until("the command at the prompt", |screen| {
        screen.rows().iter().any(|row| row == "$ ssh me@host")
    });
    let said = "ssh me@host ended when the pane was put to sleep, and the state of its shell with it; \
                was connected: press Enter to connect again]";
    // The row was there before, too: as it was typed the first time.
    rig.wait_until("the report", || {
        let text = rig.ok(&["capture-pane", "-p", "-J", "-t", "far"]);
        text.contains(said)
    });
    assert_eq!(calls_of(rig, "ssh me@host"), ["ssh me@host"]);
    terminal.keys("Enter");
    rig.wait_until("a second call", || {
        calls_of(rig, "ssh me@host") == ["ssh me@host", "ssh me@host"]
    });
}

/// A script whose line the history did not take is called by its name.
fn script_is_called_by_its_name(rig: &Rig) {
    run(rig, "script", " other host 'a b'");
    let refused = rig.run(&["hibernate", "-t", "script"]).fails();
    assert!(refused.contains("runs: other host a b"), "{refused}");
    force(rig, "script");
    rig.ok(&["restore", "-t", "script"]);
    wait_for_text(rig, "script", "\n$ other host 'a b'");
}

/// Keys sent by a command never stand behind what was typed for the user.
fn line_gives_way_to_keys(rig: &Rig) {
    run(rig, "keys", "ssh me@other");
    force(rig, "keys");
    enter(rig, "keys", "echo a''lone");
    wait_for_text(rig, "keys", "\nalone\n$");
    wait_for_text(rig, "keys", "ssh me@other was not typed");
    assert_eq!(calls_of(rig, "ssh me@other"), ["ssh me@other"]);
}

/// A pane that was started with a command comes back in a shell.
fn command_comes_back_in_a_shell(rig: &Rig) {
    let htop = rig.path("home/bin/htop").to_string_lossy().into_owned();
    let line = format!("{htop} -d 5");
    rig.ok(&["new", "-d", "-s", "started", "-x", "80", "-y", "24", &line]);
    wait_for_text(rig, "started", "[htop -d 5]");
    let refused = rig.run(&["hibernate", "-t", "started"]).fails();
    assert!(refused.contains("runs: "), "{refused}");
    force(rig, "started");
    let report = restore_json(rig, "started");
    assert_eq!(report["program"], line);
    rig.wait_until("a second call", || {
        calls_of(rig, "htop") == ["htop -d 5", "htop -d 5"]
    });
}

#[test]
fn programs_are_run_or_typed_and_nothing_is_sent_unasked() {
    let Some(rig) = rig_with_programs() else {
        return;
    };
    let profile = rig.read("home/.profile") + "HISTCONTROL=ignoreboth\n";
    rig.write("home/.profile", &profile);
    vim_is_run(&rig);
    connection_is_typed(&rig);
    script_is_called_by_its_name(&rig);
    line_gives_way_to_keys(&rig);
    command_comes_back_in_a_shell(&rig);
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
    kill_both(&rig);
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
    terminal.wait_for_text("asleep: a key runs: less");
    terminal.keys("Enter");
    wait_for_call(&rig, "less notes.txt");
    let terminal = attach(&rig, "line");
    terminal.wait_until("the line", |screen| {
        screen.rows().iter().any(|row| row == "$ other one two")
    });
    assert_eq!(calls(&rig).len(), 5);
}
