//! Orderly ends: idle shells come back with their state, and every pane where it was last, however shortly before.

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use shellkeep_testkit::real::Rig;

use crate::hibernate::{
    SHELLS, ask, assignment, begin, enter, is_asleep, rig_with_config, shell_of, wait_for_command,
    wait_for_prompt, wait_for_text, with_each_configured_shell,
};

/// No shell is captured before an end has it captured.
const LATE: &str = "set -g capture-after 1h\n";

/// Sets a variable and goes somewhere, right before the end.
fn set(rig: &Rig, shell: &str, name: &str) {
    let set = assignment(shell, "mine", "kept");
    enter(rig, name, &format!("{set}; cd proj; echo se''t"));
    wait_for_text(rig, name, "\nset\n$");
}

/// A shell has what was set, and is where it was.
fn assert_is_back(rig: &Rig, shell: &str, name: &str) {
    assert_has(rig, shell, name, "kept\nproj");
}

#[track_caller]
fn assert_has(rig: &Rig, shell: &str, name: &str, value_and_place: &str) {
    wait_for_prompt(rig, name);
    enter(rig, name, "echo have $mine; basename $PWD");
    rig.wait_for_pane(&format!("{shell} as it was"), name, |text| {
        text.contains(&format!("\nhave {value_and_place}\n"))
    });
}

fn wait_for_capture(rig: &Rig, name: &str) {
    rig.wait_until("a capture", || {
        !ask(rig, name, "#{pane_captured}").is_empty()
    });
}

/// All are told to end, as they are by a system that shuts down.
fn terminate_all(rig: &Rig) {
    let (server, keeper, own) = (rig.server(), rig.keeper(), shell_of(rig, "work"));
    for process in [&own, &server, &keeper] {
        process.signal(Signal::SIGTERM);
    }
    server.wait_gone();
    // Nothing is left that the system would have to kill, a second keeper least of all.
    rig.wait_until("the end of every process", || rig.processes().is_empty());
}

/// A shell that is gone is not waited for.
fn gone_shell_is_not_waited_for(rig: &Rig) {
    for _ in 0..3 {
        begin(rig, "work");
        // Something has run in it, so it would be asked; and an end that waits for it does not come.
        rig.ok(&["set", "-s", "end-budget", "1h"]);
        set(rig, "fish", "work");
        terminate_all(rig);
        assert!(is_asleep(rig, "work"));
        rig.ok(&["kill-session", "-t", "work"]);
    }
    let log = rig.log();
    assert!(!log.contains("it did not answer"), "{log}");
}

/// What is not kept at the end is said.
fn lost_state_is_said(rig: &Rig) {
    begin(rig, "busy");
    enter(rig, "busy", "cd proj; mine=lost; sleep 1000");
    wait_for_command(rig, "busy", "sleep");
    let (server, logged) = (rig.server(), "not captured at the end");
    assert!(!rig.log().contains(logged), "{}", rig.log());
    let said = rig.ok(&["kill-server", "--keep"]);
    assert!(
        said.contains("busy:0.0: the state of its shell is not kept: "),
        "{said}"
    );
    server.wait_gone();
    assert!(rig.log().contains(logged));
    rig.ok(&["restore", "-t", "busy"]);
    let place = ask(rig, "busy", "#{pane_current_path}");
    assert!(place.ends_with("/proj"), "{place}");
}

#[test]
fn kill_server_that_keeps_sessions_and_sigterm_to_all_keep_what_shells_are() {
    with_each_configured_shell(&SHELLS, LATE, |rig, shell| {
        begin(rig, "work");
        set(rig, shell, "work");
        let server = rig.server();
        assert_eq!(rig.ok(&["kill-server", "--keep"]), "", "{shell}");
        server.wait_gone();
        assert!(is_asleep(rig, "work"), "{shell}");
        rig.ok(&["restore", "-t", "work"]);
        assert_is_back(rig, shell, "work");
        rig.ok(&["kill-session", "-t", "work"]);
        rig.wait_until("the end of every process", || rig.processes().is_empty());

        begin(rig, "work");
        set(rig, shell, "work");
        // A fish ends at SIGTERM and tells its state at its end; the others ignore it, and are asked.
        terminate_all(rig);
        assert!(is_asleep(rig, "work"), "{shell}");
        rig.ok(&["restore", "-t", "work"]);
        assert_is_back(rig, shell, "work");
        if shell == "bash" {
            lost_state_is_said(rig);
        }
    });
}

#[test]
fn shell_that_is_gone_is_not_waited_for_and_one_about_to_tell_is() {
    let worlds = [
        gone_shell_is_not_waited_for,
        shell_about_to_tell_is_waited_for,
    ];
    for check in worlds {
        if let Some(rig) = rig_with_config("fish", LATE) {
            check(&rig);
        }
    }
}

/// How a session ends whose shell is set.
const ENDS: [&str; 4] = ["exit", "C-d", "exit 3", "kill-session"];

/// Ends a session, and has it again.
fn end_and_reopen(rig: &Rig, name: &str, how: &str) {
    match how {
        "kill-session" => {
            rig.ok(&["kill-session", "-t", name]);
            rig.ok(&["reopen", name]);
            return drop(rig.ok(&["restore", "-t", name]));
        }
        "C-d" => drop(rig.ok(&["send-keys", "-t", name, "C-d"])),
        line => enter(rig, name, line),
    }
    rig.wait_until(&format!("the end of {name} by {how}"), || {
        rig.run(&["has-session", "-t", name]).status != 0
    });
    rig.wait_until("an archived session", || {
        rig.run(&["reopen", name]).status == 0
    });
    rig.ok(&["restore", "-t", name]);
}

/// A shell that came back and exits comes back as it was then.
fn revived_shell_comes_back_as_it_was(rig: &Rig, shell: &str, name: &str) {
    wait_for_prompt(rig, name);
    let set = assignment(shell, "mine", "newer");
    end_and_reopen(rig, name, &format!("{set}; cd ..; exit"));
    assert_has(rig, shell, name, "newer\nhome");
}

/// A private shell is not asked to tell anything when it exits.
fn private_shell_is_not_asked(rig: &Rig) {
    rig.ok(&["new", "-d", "--private", "-s", "hidden"]);
    begin(rig, "open");
    wait_for_prompt(rig, "hidden");
    let is_asked = |name: &str| {
        let pane = ask(rig, name, "#{pane_id}");
        let number = pane.trim_start_matches('%');
        let dir = rig.path("run/shellkeep/default.shells").join(number);
        dir.join("exit").exists()
    };
    assert!(!is_asked("hidden") && is_asked("open"));
}

#[test]
fn shell_whose_session_ends_comes_back_as_it_was_then() {
    with_each_configured_shell(&SHELLS, LATE, |rig, shell| {
        begin(rig, "other");
        for (at, how) in ENDS.iter().enumerate() {
            let name = format!("s{at}");
            begin(rig, &name);
            set(rig, shell, &name);
            end_and_reopen(rig, &name, how);
            assert_is_back(rig, shell, &name);
        }
        revived_shell_comes_back_as_it_was(rig, shell, "s0");
        if shell == "bash" {
            private_shell_is_not_asked(rig);
            // One that was captured before.
            rig.ok(&["set", "-g", "capture-after", "1s"]);
            begin(rig, "work");
            set(rig, shell, "work");
            wait_for_capture(rig, "work");
            end_and_reopen(rig, "work", "exit");
            assert_is_back(rig, shell, "work");
        }
    });
}

/// Has a fish empty the file in which it tells what it does and wait, before it says that it is at its prompt; that a command runs, it does not
/// say at all. That is what the server sees if a busy machine stops the fish there.
const SLOW_OF_SPEECH: &str = "functions -c __shellkeep_say say; function __shellkeep_say; \
    echo -n >$__shellkeep_dir/phase; \
    if string match -q 'prompt*' $argv[1]; read -l x <~/gate; say $argv; end; end";

/// A shell that is about to tell what it does is waited for.
fn shell_about_to_tell_is_waited_for(rig: &Rig) {
    let gate = rig.path("home/gate");
    mkfifo(&gate, Mode::S_IRWXU).unwrap();
    let open_gate = || std::fs::write(&gate, "x\n").unwrap();
    begin(rig, "work");
    // The state is kept as it is by then.
    rig.ok(&["set", "-g", "capture-after", "1s"]);
    enter(rig, "work", SLOW_OF_SPEECH);
    open_gate();
    wait_for_capture(rig, "work");
    rig.ok(&["set", "-g", "capture-after", "1h"]);
    enter(rig, "work", "set -g mine kept; cd proj; echo se''t");
    wait_for_text(rig, "work", "\nset\n");
    let server = rig.server();
    std::thread::scope(|scope| {
        let end = scope.spawn(|| rig.ok(&["kill-server", "--keep"]));
        // It is about the end by the time that it has answered some commands more.
        for _ in 0..5 {
            let _ = rig.run(&["display", "-p", "still there"]);
        }
        open_gate();
        assert_eq!(end.join().unwrap(), "");
    });
    server.wait_gone();
    std::fs::remove_file(&gate).unwrap();
    rig.ok(&["restore", "-t", "work"]);
    wait_for_prompt(rig, "work");
    enter(rig, "work", "echo have $mine");
    wait_for_text(rig, "work", "\nhave kept\n");
}
