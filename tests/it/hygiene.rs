//! The server as a process, and what its programs inherit.

use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use shellkeep_testkit::real::{Process, Rig, nothing_happens_for};

use crate::rig;

#[test]
fn server_and_keeper_are_cut_off_from_whoever_started_them() {
    let rig = rig();
    // With descriptors that nobody closes, a mask, a directory and a terminal of its own.
    let start = "exec 7</etc/passwd 8>$HOME/leaked 9</dev/null; umask 022; shellkeep new -d; echo started; read line";
    let caller = rig.start(&["sh", "-c", start], &[], (24, 80));
    caller.wait_for_text("started");
    let (server, keeper) = (rig.server(), rig.keeper());
    for process in [server, keeper] {
        let (session, terminal) = process.session_and_terminal();
        assert_eq!(session, process.pid, "{process} leads its session");
        assert_eq!(terminal, 0, "{process} has no terminal");
        assert_eq!(process.cwd().to_str(), Some("/"), "{process}");
        assert_eq!(process.status("Umask"), "0077", "{process}");
        let descriptors = process.descriptors();
        for (number, path) in &descriptors {
            let path = path.to_string_lossy();
            assert!(
                !path.ends_with("/passwd") && !path.ends_with("/leaked") && !path.contains("pts/"),
                "{process} holds {number} -> {path}"
            );
            if *number < 2 {
                assert_eq!(path, "/dev/null", "{process}: {number}");
            }
            if *number == 2 {
                assert!(path.ends_with(".log"), "{process}: {number} -> {path}");
            }
        }
    }
    assert!(!caller.has_ended());
}

#[test]
fn programs_get_the_callers_mask_limits_environment_and_no_more() {
    let rig = rig();
    let tell = r#"{ umask; ulimit -n; ulimit -Hn; echo "$MINE"; pwd; grep -E '^Sig(Ign|Blk)' /proc/self/status; ls -1 /proc/self/fd; } > $HOME/told; cat"#;
    let script = format!(
        "exec 7</etc/passwd; umask 0027; ulimit -Sn 777; ulimit -Hn 4000; cd /usr; MINE=yes; export MINE; exec shellkeep new -d '{}'",
        tell.replace('\'', r"'\''")
    );
    assert_eq!(rig.sh(&script).ok(), "");
    let told = rig.wait_for("the program's note", || {
        let told = rig.read("home/told");
        // The fifth descriptor is the listing's own.
        (told.lines().count() >= 11).then_some(told)
    });
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "0027");
    assert_eq!(
        lines[1], "777",
        "the soft limit is the caller's, not what the keeper raised it to"
    );
    assert_eq!(lines[2], "4000");
    assert_eq!(lines[3], "yes");
    assert_eq!(lines[4], "/usr");
    for line in &lines[5..7] {
        // Signals 32 and 33 belong to the C library, which ignores them in whatever it spawns.
        let mask = line.split_whitespace().last().unwrap();
        let mask = u64::from_str_radix(mask, 16).unwrap() & !(0b11 << 31);
        assert_eq!(mask, 0, "{line}");
    }
    assert_eq!(
        lines[7..],
        ["0", "1", "2", "3"],
        "standard streams and the listing's own"
    );
    // The limits are the caller's after a restart and with another keeper, too.
    rig.ok(&["restart-server"]);
    let keeper = rig.keeper();
    keeper.kill_9();
    rig.wait_until(
        "another keeper",
        || matches!(rig.keepers()[..], [other] if other != keeper),
    );
    rig.ok(&["new", "-d", "-s", "second", "ulimit -n > $HOME/limit; cat"]);
    rig.wait_until("the program's note", || !rig.read("home/limit").is_empty());
    assert_eq!(rig.read("home/limit"), "777\n");
}

#[test]
fn caller_without_standard_streams_is_served_and_loses_no_file_to_them() {
    let rig = rig();
    // The last one prints where a file of the program's own might be by now.
    for script in [
        "exec shellkeep new -d -s work <&- >&- 2>&-",
        "exec shellkeep ls >&-",
        "exec shellkeep no-such-command 2>&-",
    ] {
        assert_eq!(rig.sh(script).stdout, "");
    }
    let sessions = rig.ok(&["ls", "-F", "#{session_name}"]);
    assert_eq!(sessions, "work\n");
    let lock = rig.read("run/shellkeep/default.lock");
    assert_eq!(lock.trim(), rig.server().pid.to_string());
    // A reader that has gone away is no signal.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = rig.command(&["ls"]).stdout(writer).status().unwrap();
    assert!(status.code().is_some(), "{status}");
}

#[test]
fn what_nobody_types_has_the_mask_and_the_place_of_whoever_started_the_server() {
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "new-session -d -s conf -- sleep 1001\nnew-session -d -s deep -c lib -- sleep 1002\n",
    );
    let new = rig.sh("umask 0027; cd /usr; exec shellkeep new -d -s work");
    assert_eq!(new.ok(), "");
    let paths = rig.ok(&["ls", "-F", "#{session_name} #{session_path}"]);
    assert_eq!(paths, "conf /usr\ndeep /usr/lib\nwork /usr\n");
    has_the_users_mask(&rig);
    // One whose program is being started has none yet.
    let masks = || -> Vec<String> {
        let panes = rig.ok(&["list-panes", "-a", "-F", "#{pane_pid}"]);
        let panes = panes.lines().filter_map(|pid| pid.parse().ok());
        panes
            .map(|pid| Process::find(pid).unwrap().status("Umask"))
            .collect()
    };
    assert_eq!(masks(), vec!["0027"; 3]);
    rig.ok(&[
        "set-hook",
        "-g",
        "session-renamed",
        "new-window -d -- sleep 1003",
    ]);
    rig.ok(&["rename-session", "-t", "work", "a"]);
    rig.wait_until("the window", || masks() == vec!["0027"; 4]);
    // The next server knows it, too, whoever starts that one.
    rig.server().kill_9();
    rig.ok(&["rename-session", "-t", "a", "b"]);
    rig.wait_until("the window", || masks() == vec!["0027"; 5]);
    rig.ok(&["restart-server"]);
    rig.ok(&["rename-session", "-t", "b", "c"]);
    rig.wait_until("the window", || masks() == vec!["0027"; 6]);
}

/// Files that a user's commands make in a session `work` have the mask 0027 of whoever started the server, or one of their own.
fn has_the_users_mask(rig: &Rig) {
    let has = |name: &str, mode: u32| {
        rig.wait_until(name, || {
            let found = std::fs::metadata(rig.path(&format!("home/{name}")));
            found.is_ok_and(|found| found.mode() & 0o777 == mode)
        });
    };
    rig.ok(&["run-shell", "touch ~/ran; echo $0 >~/name"]);
    has("ran", 0o640);
    assert_eq!(rig.read("home/name"), "/bin/sh\n");
    rig.ok(&["if-shell", "touch ~/asked", ""]);
    has("asked", 0o640);
    rig.ok(&["pipe-pane", "-t", "work", "cat >~/piped"]);
    has("piped", 0o640);
    rig.ok(&["set-buffer", "text"]);
    let save = rig.sh("umask 0007; exec shellkeep save-buffer ~/saved");
    assert_eq!(save.ok(), "");
    has("saved", 0o660);
    assert_eq!(rig.read("home/saved"), "text");
    // What is there already stays as it is.
    rig.ok(&[
        "save-buffer",
        "-a",
        &rig.path("home/saved").to_string_lossy(),
    ]);
    has("saved", 0o660);
    assert_eq!(rig.read("home/saved"), "texttext");
}

#[test]
fn log_levels_are_as_the_environment_says() {
    let rig = rig();
    let mut command = rig.command(&["new", "-d"]);
    command.env("SHELLKEEP_LOG", "debug");
    rig.finish(command).ok();
    rig.wait_until("a word at that level", || rig.log().contains("DEBUG"));
    let mut command = rig.command(&["-L", "quiet", "new", "-d"]);
    command.env("SHELLKEEP_LOG", "error");
    rig.finish(command).ok();
    assert_eq!(rig.read("state/shellkeep/quiet.log"), "");
}

#[test]
fn server_with_fifty_idle_sessions_is_never_woken() {
    let rig = rig();
    let names: Vec<String> = (0..50).map(|number| format!("s{number}")).collect();
    let mut argv = Vec::new();
    for name in &names {
        argv.extend(["new", "-d", "-s", name, ";"]);
    }
    rig.ok(&argv);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 50);
    let terminal = rig.attach(&["attach", "-t", "s7"], (24, 80));
    terminal.wait_for_prompt();
    let both = [rig.server(), rig.keeper()];
    let wakeups = || both.map(|process| process.wakeups());
    // What was printed last is still looked at: once a second until the pane was quiet for five, and the catalogue is brought up to
    // date two seconds behind. Nothing that is due waits for longer without a sign of life.
    let mut last = (wakeups(), Instant::now());
    rig.wait_until("quiet", || {
        let now = wakeups();
        if now != last.0 {
            last = (now, Instant::now());
        }
        last.1.elapsed() > Duration::from_millis(2500)
    });
    let before = wakeups();
    nothing_happens_for(Duration::from_secs(2));
    assert_eq!(wakeups(), before, "server and keeper, in two seconds");
}

#[test]
fn status_line_that_tells_the_time_wakes_the_server_once_an_interval() {
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status-right '%H:%M'\nset -g status-interval 1\nset -g automatic-rename off\n",
    );
    let terminal = rig.attach(&["new", "-s", "work", "cat"], (24, 80));
    terminal.wait_until("a status line", |screen| screen.has("[work]"));
    let server = rig.server();
    let woken_in = |seconds: u64| {
        let before = server.wakeups();
        nothing_happens_for(Duration::from_secs(seconds));
        server.wakeups() - before
    };
    // Whatever the beginning was good for is over, and what was shown is on the disk.
    rig.wait_until("two quiet seconds", || woken_in(2) <= 3);
    // A thread that ends behind the last of what it wrote wakes, too; the beat alone is left then.
    rig.wait_until("one wakeup a second", || (3..=5).contains(&woken_in(4)));
    // Nobody looks.
    rig.ok(&["detach-client", "-s", "work"]);
    rig.wait_until("three quiet seconds without a client", || woken_in(3) == 0);
    let again = rig.attach(&["attach"], (24, 80));
    again.wait_until("a status line", |screen| screen.has("[work]"));
    rig.ok(&["set", "-g", "status-interval", "0"]);
    rig.wait_until("three quiet seconds that tell no time", || woken_in(3) == 0);
}

#[test]
fn memory_of_a_burst_is_given_back() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    let open = rig.write("home/open", &"neww -d -t work: cat\n".repeat(50));
    let close = rig.write("home/close", &"killw -t work:$\n".repeat(50));
    for _ in 0..8 {
        rig.ok(&["source-file", &open.display().to_string()]);
        rig.ok(&["source-file", &close.display().to_string()]);
    }
    // The burst takes some 80 MB, of which next to nothing is in use behind it.
    let own = || {
        let text = rig.server().status("RssAnon");
        let number = text.split_whitespace().next().unwrap().to_owned();
        number.parse::<u64>().unwrap()
    };
    rig.wait_until("the memory is given back", || own() < 24 << 10);
    assert_eq!(rig.ok(&["list-windows", "-t", "work"]).lines().count(), 1);
}
