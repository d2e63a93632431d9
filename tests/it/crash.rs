//! The server killed, the keeper killed, both killed, and an orderly hand-over: programs go on.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig, Role, Terminal};

use crate::rig;

/// A program that counts for as long as it is asked to: a line of input makes it print so many numbered
/// lines, to the terminal and to a file.
const COUNTER: &str = r#"
stty -echo
n=0
echo ready
while read -r more; do
  last=$((n + more))
  while [ $n -lt $last ] && [ ! -e "$HOME/enough" ]; do
    n=$((n + 1))
    echo "line $n of them all"
    echo "$n" >> "$HOME/numbers"
  done
  echo "stop $n"
done
"#;

fn start_counter(rig: &Rig) -> Process {
    let script = rig.write("home/counter", COUNTER);
    let script = script.to_str().unwrap().to_owned();
    rig.ok(&[
        "new", "-d", "-s", "count", "-x", "80", "-y", "24", "--", "sh", &script,
    ]);
    rig.wait_for_pane("the counter", "count", |text| text.contains("ready"));
    rig.processes_with(&script).pop().unwrap()
}

/// The numbers in a pane's text, from the first whole line on.
fn numbers(text: &str) -> Vec<u64> {
    let whole = text
        .lines()
        .filter_map(|line| line.strip_prefix("line ")?.strip_suffix(" of them all"));
    whole.map(|number| number.parse().unwrap()).collect()
}

#[track_caller]
fn assert_consecutive(numbers: &[u64], first: u64, last: u64) {
    let gaps: Vec<_> = numbers
        .windows(2)
        .filter(|pair| pair[1] != pair[0] + 1)
        .collect();
    assert!(gaps.is_empty(), "gaps: {gaps:?}");
    assert_eq!(
        (numbers.first(), numbers.last()),
        (Some(&first), Some(&last))
    );
}

#[test]
fn server_killed_ten_times_loses_no_line_from_then_on() {
    let rig = rig();
    let counter = start_counter(&rig);
    let terminal = rig.attach(&["attach", "-t", "count"], (24, 80));
    terminal.wait_for_text("ready");
    // More than it will come to: it is always in the middle of it.
    rig.enter("count", "100000000");
    let mut reached = 0;
    for round in 1..=10 {
        terminal.wait_until("the count to go on", |screen| {
            let shown = numbers(&screen.text()).last().copied().unwrap_or(0);
            let goes_on = shown > reached;
            reached = reached.max(shown);
            goes_on
        });
        let server = rig.server();
        server.kill_9();
        terminal.wait_until("more of it", |screen| {
            numbers(&screen.text()).last() > Some(&(reached + 100))
        });
        assert_ne!(rig.server(), server);
        let text = rig.ok(&["capture-pane", "-p", "-t", "count", "-S", "-"]);
        let seen = numbers(&text);
        let (first, last) = (seen[0], *seen.last().unwrap());
        assert!(
            first < last && last > reached,
            "round {round}: {first} to {last}"
        );
        assert_consecutive(&seen, first, last);
        reached = last;
    }
    assert!(counter.is_alive(), "the same program");
    rig.write("home/enough", "");
    terminal.wait_for_text("stop ");
    let written = rig.read("home/numbers");
    let written: Vec<u64> = written.lines().map(|line| line.parse().unwrap()).collect();
    assert!(written.len() as u64 >= reached);
    assert_consecutive(&written, 1, written.len() as u64);
    assert!(!terminal.has_ended());
}

/// A session whose program sleeps for so long.
fn open_sleeping(rig: &Rig, session: &str, time: &str) -> Process {
    rig.ok(&["new", "-d", "-s", session, "--", "sleep", time]);
    rig.wait_for("the program", || rig.processes_with(time).pop())
}

/// With nobody attached the next command starts the next server.
fn next_command_finds_programs(rig: &Rig) {
    let program = open_sleeping(rig, "work", "1001");
    rig.server().kill_9();
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    assert!(program.is_alive());
    rig.ok(&["kill-session", "-t", "work"]);
    program.wait_gone();
    rig.wait_until("everything's end", || rig.processes().is_empty());
}

/// A program that ended while no server ran is found ended.
fn next_command_finds_what_ended(rig: &Rig) {
    rig.ok(&["new", "-d", "-s", "stays"]);
    let program = open_sleeping(rig, "ends", "1001");
    rig.server().kill_9();
    program.kill_9();
    rig.wait_until("only the other session", || {
        let list = rig.ok(&["ls"]);
        list.starts_with("stays: ") && list.lines().count() == 1
    });
    rig.ok(&["kill-session", "-t", "stays"]);
    rig.wait_until("everything's end", || rig.processes().is_empty());
}

/// A client that is attached starts the next server, which has sessions and options.
fn client_finds_sessions_and_options(rig: &Rig) {
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_prompt();
    rig.ok(&["new", "-d", "-s", "other"]);
    rig.ok(&["rename", "-t", "other", "renamed"]);
    rig.ok(&["set", "-g", "prefix", "C-a"]);
    rig.ok(&["set", "-t", "work", "prefix", "C-x"]);
    let list = rig.ok(&["ls"]);
    rig.server().kill_9();
    terminal.enter("echo still-$((40+2))");
    terminal.wait_for_text("still-42");
    assert_eq!(rig.ok(&["ls"]), list);
    assert_eq!(rig.ok(&["show", "-gv", "prefix"]), "C-a\n");
    assert_eq!(rig.ok(&["show", "-v", "-t", "work", "prefix"]), "C-x\n");
    rig.ok(&["new", "-d"]);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 3);
}

#[test]
fn server_that_follows_a_killed_one_has_sessions_options_and_programs() {
    let rig = rig();
    next_command_finds_programs(&rig);
    next_command_finds_what_ended(&rig);
    client_finds_sessions_and_options(&rig);
}

#[test]
fn keeper_killed_alone_loses_nothing_even_if_the_server_follows() {
    let rig = rig();
    let terminal = rig.attach(&["new", "-s", "first"], (24, 80));
    terminal.wait_for_prompt().enter("echo pid-$$");
    terminal.wait_for_text("pid-");
    let keeper = rig.keeper();
    keeper.kill_9();
    terminal.enter("clear; echo on-$((40+1))");
    terminal.wait_for_text("on-41");
    rig.wait_until(
        "another keeper",
        || matches!(rig.keepers()[..], [other] if other != keeper),
    );
    let program = open_sleeping(&rig, "second", "1001");
    rig.server().kill_9();
    terminal.enter("clear; echo on-$((40+2))");
    terminal.wait_for_text("on-42");
    let list = rig.ok(&["ls"]);
    assert!(
        list.contains("first: ") && list.contains("second: "),
        "{list}"
    );
    assert!(program.is_alive());
    // The shell that the dead keeper had started can still end, and its session with it.
    terminal.enter("exit");
    rig.wait_until("the first session's end", || {
        rig.ok(&["ls"]).starts_with("second: ")
    });
}

#[test]
fn both_killed_is_said_and_the_next_start_is_clean() {
    let rig = rig();
    for round in 0..3 {
        let program = open_sleeping(&rig, "work", "1001");
        let (server, keeper) = (rig.server(), rig.keeper());
        server.signal(Signal::SIGSTOP);
        keeper.kill_9();
        server.kill_9();
        // Its terminal is gone, and with it the program.
        program.wait_gone();
        assert!(
            rig.socket().exists(),
            "the stale socket is what is to be got over"
        );
        let started = rig.run(&["new", "-d", "-s", &format!("next-{round}")]);
        assert_eq!(started.ok(), "");
        let list = rig.ok(&["ls"]);
        assert_eq!(list.lines().count(), 2, "{list}");
        assert!(list.contains("(hibernated; ended: sleep 1001)"), "{list}");
        rig.ok(&["kill-server"]);
    }
}

/// All that the counter has printed, as far as it is kept.
fn counted(rig: &Rig) -> String {
    rig.ok(&["capture-pane", "-p", "-t", "count", "-S", "-"])
}

/// A restart keeps pids, screens, history and clients.
fn restarts_while_it_rests(rig: &Rig, terminal: &Terminal, counter: Process) {
    rig.enter("count", "500");
    terminal.wait_for_text("stop 500");
    let (screen, history, list) = (terminal.text(), counted(rig), rig.ok(&["ls"]));
    assert_eq!(numbers(&history).len(), 500);
    let (server, keeper) = (rig.server(), rig.keeper());
    for _ in 0..3 {
        let log = rig.log().matches("the server is ready").count();
        assert_eq!(rig.ok(&["restart-server"]), "");
        rig.wait_until("another server", || {
            rig.log().matches("the server is ready").count() > log
        });
        rig.wait_until("the client's return", || rig.ok(&["ls"]) == list);
        assert_eq!(counted(rig), history, "{}", rig.log());
    }
    assert_eq!((rig.server(), rig.keeper()), (server, keeper));
    assert!(counter.is_alive());
    terminal.wait_until("the same screen", |now| now.text() == screen);
    rig.enter("count", "1");
    terminal.wait_for_text("stop 501");
    assert_eq!(
        rig.read("run/shellkeep/default.lock").trim(),
        rig.server().pid.to_string()
    );
}

/// SIGTERM leaves programs and screens to the next server.
fn ends_while_it_rests(rig: &Rig, mut terminal: Terminal, counter: Process) {
    let history = counted(rig);
    let server = rig.server();
    server.signal(Signal::SIGTERM);
    server.wait_gone();
    assert_eq!(terminal.wait_exit(), 1);
    terminal.assert_given_back();
    assert!(!rig.socket().exists());
    assert!(counter.is_alive());
    assert_eq!(
        counted(rig),
        history,
        "the next command has taken everything over"
    );
    assert_ne!(rig.server(), server);
}

/// A restart in the middle of output loses no line.
fn restarts_while_it_counts(rig: &Rig, counter: Process) {
    let terminal = rig.attach(&["attach", "-t", "count"], (24, 80));
    rig.enter("count", "100000000");
    let mut reached = 501;
    for _ in 0..5 {
        terminal.wait_until("the count to go on", |screen| {
            let shown = numbers(&screen.text()).last().copied().unwrap_or(0);
            let goes_on = shown > reached + 200;
            reached = reached.max(shown);
            goes_on
        });
        rig.ok(&["restart-server"]);
    }
    rig.write("home/enough", "");
    terminal.wait_for_text("stop ");
    let text = counted(rig);
    let written = rig.read("home/numbers").lines().count() as u64;
    let seen = numbers(&text);
    let first = seen[0];
    assert!(
        first == 1 || seen.len() > 9_000,
        "only what is beyond the limit may go: {first}"
    );
    assert_consecutive(&seen, first, written);
    assert!(text.trim_end().ends_with(&format!("stop {written}")));
    assert!(counter.is_alive());
    assert_eq!(rig.processes_of(Role::Server).len(), 1);
}

#[test]
fn restart_server_and_sigterm_keep_programs_screens_and_every_line() {
    let rig = rig();
    let counter = start_counter(&rig);
    let terminal = rig.attach(&["attach", "-t", "count"], (24, 80));
    restarts_while_it_rests(&rig, &terminal, counter);
    ends_while_it_rests(&rig, terminal, counter);
    restarts_while_it_counts(&rig, counter);
}

/// A rig whose program is a copy that can be replaced, as an upgrade does.
fn upgradable() -> (tempfile::TempDir, Rig) {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("shellkeep");
    std::fs::copy(env!("CARGO_BIN_EXE_shellkeep"), &program).unwrap();
    let rig = Rig::new(&program);
    (dir, rig)
}

/// Puts another file in the program's place.
fn upgrade(dir: &tempfile::TempDir) {
    let new = dir.path().join("new");
    std::fs::copy(env!("CARGO_BIN_EXE_shellkeep"), &new).unwrap();
    std::fs::rename(new, dir.path().join("shellkeep")).unwrap();
}

/// The file that a process runs; the kernel says so if that is no longer there.
fn file_of(process: Process) -> String {
    let path = std::fs::read_link(format!("/proc/{}/exe", process.pid)).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn upgrade_takes_effect_with_a_restart_or_a_death_and_keeps_the_old_keeper() {
    let (dir, rig) = upgradable();
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_prompt().enter("echo before");
    terminal.wait_until("the line", |screen| screen.row(1) == "before");
    let (server, keeper) = (rig.server(), rig.keeper());
    let assert_runs_new = |process: Process| {
        let file = file_of(process);
        assert!(file.ends_with("/shellkeep"), "{file}");
    };
    upgrade(&dir);
    assert!(file_of(server).ends_with(" (deleted)"));
    rig.ok(&["restart-server"]);
    assert_runs_new(rig.server());
    assert_eq!((rig.server(), rig.keeper()), (server, keeper));
    // The client is the old program still, and goes on.
    terminal.enter("echo after-$((1+1))");
    terminal.wait_until("both", |screen| {
        screen.has("before") && screen.has("after-2")
    });
    // So does one whose server dies: it starts the new program.
    upgrade(&dir);
    assert!(file_of(rig.server()).ends_with(" (deleted)"));
    rig.server().kill_9();
    terminal.enter("echo after-$((1+2))");
    terminal.wait_for_text("after-3");
    assert_runs_new(rig.server());
    assert_eq!(rig.keeper(), keeper);
    keeper.kill_9();
    rig.ok(&["new", "-d"]);
    assert_runs_new(rig.keeper());
}

/// Every pane with its place, window by window.
fn places(rig: &Rig) -> String {
    let format = "#{session_name} #{window_index} #{window_layout} #{pane_id} #{pane_left},#{pane_top} #{pane_active}";
    rig.ok(&["list-panes", "-a", "-F", format])
}

#[test]
fn window_of_fourteen_panes_outlives_a_restart_and_the_death_of_both() {
    let rig = rig();
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "a",
        "-x",
        "240",
        "-y",
        "60",
        "--",
        "sh",
        "-c",
        "echo first; cat",
    ]);
    for number in 1..14 {
        let script = format!("echo pane-{number}; cat");
        rig.ok(&["split-window", "-d", "-t", "a", "--", "sh", "-c", &script]);
        rig.ok(&["select-layout", "-t", "a", "tiled"]);
    }
    rig.ok(&["join-pane", "-d", "-f", "-b", "-s", "a.9", "-t", "a.2"]);
    let text = |pane: usize| rig.ok(&["capture-pane", "-p", "-t", &format!("%{pane}")]);
    for number in 1..14 {
        let word = format!("pane-{number}");
        rig.wait_until("its line", || text(number).contains(&word));
    }
    let before = places(&rig);
    assert_eq!(before.lines().count(), 14);
    rig.ok(&["restart-server"]);
    assert_eq!(places(&rig), before);
    // An orderly end of both is as good for this as a crash: nothing but the store is left.
    rig.ok(&["kill-server", "--keep"]);
    rig.wait_until("the end", || rig.processes().is_empty());
    assert_eq!(places(&rig), before);
    for number in 1..14 {
        assert!(text(number).contains(&format!("pane-{number}")));
    }
}
