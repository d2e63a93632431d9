//! The first session's shell is started while the server still finds out what there is: it is as any other, and nobody notices one that
//! was started in vain.

use std::process::Child;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig};

use crate::hibernate::{ask, enter, hibernate, shell_of, wait_for_prompt};
use crate::{is_installed, rig};

const BASH: &str = "/usr/bin/bash";

/// A world whose user has bash, with this configuration.
fn rig_with(config: &str) -> Option<Rig> {
    if !is_installed("bash") {
        return None;
    }
    let rig = rig();
    rig.write("config/shellkeep/shellkeep.conf", config);
    let profile = rig.read("home/.profile");
    rig.write("home/.profile", &format!("{profile}echo read >>~/reads\n"));
    rig.write("home/.bash_logout", "echo left >>~/reads\n");
    Some(rig)
}

/// Runs a command of that user.
#[track_caller]
fn run(rig: &Rig, args: &[&str]) -> String {
    let mut command = rig.command(args);
    command.env("SHELL", BASH);
    rig.finish(command).ok()
}

/// Whether a pane's shell was started before it was known what for: it was not started with its pane's name.
fn was_ahead(rig: &Rig, name: &str) -> bool {
    shell_of(rig, name).env("SHELLKEEP_PANE").is_none()
}

fn shells(rig: &Rig) -> Vec<Process> {
    let is_shell = |process: &Process| process.argv().first().is_some_and(|it| it == BASH);
    rig.processes().into_iter().filter(is_shell).collect()
}

/// Opens the first session, and gives the server that has stopped at this step of it, and the client.
fn stopped_at(rig: &Rig, step: &str) -> (Process, Child) {
    rig.write("run/shellkeep/default.stop-at", step);
    let mut command = rig.command(&["new", "-d", "-s", "first"]);
    let client = command.env("SHELL", BASH).spawn().unwrap();
    let server = rig.server();
    rig.wait_until("the server to stop", || server.is_stopped());
    (server, client)
}

/// Has a shell tell all that a user could see of it.
fn told(rig: &Rig, name: &str) -> String {
    wait_for_prompt(rig, name);
    let file = rig.path(name);
    let show = "env | grep -v -e ^SHELLKEEP -e ^TMUX; set -o; shopt; ulimit -a; umask; pwd; dirs; stty -a; alias; trap -p; \
        declare -F; compgen -v; ls /proc/$$/fd; history | wc -l; echo $0 $- $SHLVL $PPID $TERM";
    let line = format!(
        "{{ {show}; }} >{0}.new 2>&1; mv {0}.new {0}",
        file.display()
    );
    enter(rig, name, &line);
    rig.wait_until("what the shell tells", || file.exists());
    let pane = ask(rig, name, "#{socket_path},#{pid},0 #{pane_id}");
    let place = pane.replace(
        ",0 ",
        &format!(",{} ", &ask(rig, name, "#{session_id}")[1..]),
    );
    enter(
        rig,
        name,
        &format!(
            "echo \"$SHELLKEEP $SHELLKEEP_PANE\" >{}.place",
            file.display()
        ),
    );
    rig.wait_for("where the shell is", || {
        let text = std::fs::read_to_string(file.with_extension("place")).ok()?;
        (!text.is_empty()).then(|| assert_eq!(text.trim(), place))
    });
    rig.read(name)
}

#[test]
fn first_shell_is_as_any_other() {
    // With a status line it is as large as was thought, without one it is not.
    for config in ["", "set -g status off\n"] {
        let Some(rig) = rig_with(config) else {
            return;
        };
        run(&rig, &["new", "-d", "-s", "first", "-x", "90", "-y", "30"]);
        run(&rig, &["new", "-d", "-s", "other", "-x", "90", "-y", "30"]);
        let [first, other] = ["first", "other"].map(|name| told(&rig, name));
        assert!(was_ahead(&rig, "first") && !was_ahead(&rig, "other"));
        assert_eq!(first, other);
        assert_eq!(rig.read("home/reads"), "read\n".repeat(2));
        hibernate(&rig, "first");
        rig.ok(&["restore", "-t", "first"]);
        wait_for_prompt(&rig, "first");
    }
}

#[test]
fn first_shell_is_shown_at_once() {
    for (config, rows) in [("", "23 80"), ("set -g status off\n", "24 80")] {
        let Some(rig) = rig_with(config) else {
            return;
        };
        let program = crate::program().into_string().unwrap();
        // Its name alone opens a session as well, where there is none.
        let argv = [&program[..]];
        let terminal = rig.start(&argv, &[("SHELL", BASH)], (24, 80));
        terminal.wait_for_text("$");
        assert!(was_ahead(&rig, "0"));
        terminal.enter("stty size");
        terminal.wait_for_text(rows);
    }
}

#[test]
fn first_shell_comes_to_where_sessions_are_kept() {
    let Some(rig) = rig_with("set -g status off\n") else {
        return;
    };
    run(&rig, &["new", "-d", "-s", "kept"]);
    wait_for_prompt(&rig, "kept");
    run(&rig, &["kill-server", "--keep"]);
    run(&rig, &["new", "-d", "-s", "first"]);
    assert!(was_ahead(&rig, "first"));
    told(&rig, "first");
    assert_ne!(ask(&rig, "first", "#{pane_id}"), "%0");
}

#[test]
fn what_is_set_counts_and_a_shell_in_vain_leaves_nothing() {
    let cases = [
        ("set-environment -g EXTRA yes", "yes"),
        ("set -g default-terminal screen", "screen"),
        ("set -g shell-integration off", "bash"),
        ("set -g default-command 'exec bash --norc'", "bash"),
        ("new-session -d -s before cat", "bash"),
        (
            "run-shell 'sleep 0.5'; set-environment -g EXTRA late",
            "late",
        ),
    ];
    for (line, shown) in cases {
        let Some(rig) = rig_with(&format!("set -g status off\n{line}\n")) else {
            return;
        };
        run(&rig, &["new", "-d", "-s", "first"]);
        enter(&rig, "first", "echo \"<$EXTRA $TERM ${0##*[-/]}>\"");
        rig.wait_for_pane(shown, "first", |text| {
            text.lines()
                .any(|it| it.starts_with('<') && it.contains(shown))
        });
        assert!(!was_ahead(&rig, "first"), "{line}");
        rig.wait_until("one shell", || shells(&rig).len() <= 1);
        let reads = std::fs::read_to_string(rig.path("home/reads")).unwrap_or_default();
        assert!(
            reads == "read\n" || line.contains("default-command"),
            "{line}: {reads}"
        );
    }
}

#[test]
fn first_shell_may_be_there_before_it_is_asked_for() {
    // With a status line it is as large as was thought, without one it is not.
    for status in ["", "set -g status off\n"] {
        // The keeper is done long before the configuration is.
        let Some(rig) = rig_with(&format!("{status}run-shell 'sleep 0.5'\n")) else {
            return;
        };
        let name = run(&rig, &["new", "-d", "-s", "first", "-P"]);
        assert_eq!(name, "first:\n");
        assert!(was_ahead(&rig, "first"), "{status}");
        wait_for_prompt(&rig, "first");
        assert_eq!(shells(&rig).len(), 1);
    }
}

#[test]
fn who_wants_another_program_gets_it() {
    let Some(rig) = rig_with("") else {
        return;
    };
    run(&rig, &["new", "-d", "-s", "first", "-c", "/", "cat"]);
    // The shell that it is given to becomes it.
    rig.wait_until("no shell", || shells(&rig).is_empty());
    run(&rig, &["kill-server"]);
    run(&rig, &["new", "-d", "-s", "first", "-c", "/"]);
    wait_for_prompt(&rig, "first");
    assert_eq!(shell_of(&rig, "first").cwd(), std::path::Path::new("/"));
}

#[test]
fn shell_of_a_server_that_dies_at_once_ends() {
    for step in ["first-found", "first-let-in"] {
        let Some(rig) = rig_with("") else {
            return;
        };
        let (server, mut client) = stopped_at(&rig, step);
        rig.wait_until("a shell", || !shells(&rig).is_empty());
        // The client first: it would start another.
        client.kill().unwrap();
        client.wait().unwrap();
        server.kill_9();
        if step == "first-found" {
            rig.wait_until("no shell", || shells(&rig).is_empty());
            assert!(!rig.path("home/reads").exists());
        }
        run(&rig, &["new", "-d", "-s", "next"]);
        let next = shell_of(&rig, "next");
        rig.wait_until("one shell", || shells(&rig) == [next]);
    }
}

#[test]
fn servers_that_were_not_needed_leave_nothing() {
    let Some(rig) = rig_with("") else {
        return;
    };
    run(&rig, &["new", "-d", "-s", "before"]);
    run(&rig, &["kill-server"]);
    let lock = std::fs::File::open(rig.path("run/shellkeep/default.lock")).unwrap();
    lock.lock().unwrap();
    let mut command = rig.command(&["new", "-d", "-s", "first"]);
    let mut client = command.env("SHELL", BASH).spawn().unwrap();
    // Each server that it starts finds the lock taken, and ends; so does the keeper beside it.
    let mut seen = std::collections::BTreeSet::new();
    rig.wait_until("some servers", || {
        seen.extend(rig.processes().iter().map(|process| process.pid));
        seen.len() > 20
    });
    lock.unlock().unwrap();
    assert!(client.wait().unwrap().success());
    run(&rig, &["kill-server"]);
    rig.wait_until("nobody", || rig.processes().is_empty());
}

#[test]
fn first_shell_outlives_its_keeper() {
    let Some(rig) = rig_with("") else {
        return;
    };
    let (server, mut client) = stopped_at(&rig, "first-let-in");
    let keeper = rig.keeper();
    keeper.kill_9();
    server.signal(Signal::SIGCONT);
    assert!(client.wait().unwrap().success());
    enter(&rig, "first", "echo al''ive");
    rig.wait_for_pane("a shell", "first", |text| text.contains("\nalive\n"));
}

#[test]
fn shells_that_cannot_wait_are_started_as_ever() {
    for shell in ["zsh", "fish"] {
        if !is_installed(shell) {
            continue;
        }
        let rig = rig();
        let mut command = rig.command(&["new", "-d", "-s", "first"]);
        command.env("SHELL", format!("/usr/bin/{shell}"));
        assert_eq!(rig.finish(command).ok(), "");
        assert!(!was_ahead(&rig, "first"), "{shell}");
    }
}

#[test]
fn pane_that_is_opened_beside_the_first_one_does_not_take_its_shell() {
    let hook = "set-hook -g after-new-session 'split-window; split-window'\n";
    for status in ["", "set -g status off\n"] {
        let Some(rig) = rig_with(&format!("{status}{hook}")) else {
            return;
        };
        run(&rig, &["new", "-d", "-s", "first"]);
        rig.wait_until("three panes", || {
            rig.ok(&["list-panes", "-t", "first"]).lines().count() == 3
        });
        assert!(was_ahead(&rig, "first:0.0"));
        for pane in ["first:0.0", "first:0.1", "first:0.2"] {
            wait_for_prompt(&rig, pane);
        }
        assert_eq!(shells(&rig).len(), 3);
    }
}

/// What a process has started and not let go of, dead or alive.
fn children(process: &Process) -> Vec<i32> {
    let pid = process.pid;
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let list = list.unwrap_or_default();
    list.split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

#[test]
fn client_that_stays_lets_go_of_what_it_has_started() {
    let Some(rig) = rig_with("set -g status off\n") else {
        return;
    };
    let new = |name| {
        let program = rig.command(&[]).get_program().to_owned();
        let argv = [program.to_str().unwrap(), "new", "-s", name];
        rig.start(&argv, &[("SHELL", BASH)], (24, 80))
    };
    let first = new("first");
    first.wait_for_prompt();
    let (keeper, server) = (rig.keeper(), rig.server());
    assert_eq!(children(&first.process()), [keeper.pid, server.pid]);
    // Another server has a use for that one, and none for another.
    server.kill_9();
    rig.ok(&["has-session", "-t", "first"]);
    rig.server().kill_9();
    let second = new("second");
    second.wait_for_prompt();
    rig.wait_until("what was started in vain to be let go", || {
        // Unless the first client was quicker to start it.
        let server = rig.server().pid;
        children(&second.process()).iter().all(|pid| *pid == server)
    });
    assert_eq!(rig.keeper().pid, keeper.pid);
    // And one that dies is not listed for as long as its client lives.
    keeper.kill_9();
    rig.wait_until("the keeper to be let go", || {
        children(&first.process()).is_empty()
    });
    first.enter("echo still her''e").wait_for_text("still here");
}

#[test]
fn nobody_is_left_on_one_processor() {
    let Some(rig) = rig_with("run-shell -b 'exec sleep 1001'\n") else {
        return;
    };
    run(&rig, &["new", "-d", "-s", "first"]);
    assert!(was_ahead(&rig, "first"));
    wait_for_prompt(&rig, "first");
    enter(&rig, "first", "sleep 1002 &");
    let programs = || [rig.processes_with("1001"), rig.processes_with("1002")].concat();
    rig.wait_until("what was started", || programs().len() == 2);
    let field = "Cpus_allowed_list";
    let own = Process::find(std::process::id().cast_signed()).unwrap();
    let ours = [rig.server(), rig.keeper(), shell_of(&rig, "first")];
    for process in programs().iter().chain(&ours) {
        let allowed = || process.status(field) == own.status(field);
        rig.wait_until(&format!("{:?} to be free", process.argv()), allowed);
    }
}
