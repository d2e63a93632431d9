//! What was shown is there again: after the server's death, after the death of server and keeper, after an orderly end.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Rig, Terminal};

use crate::faults::{directory_of, file_below, stop};
use crate::{rig, say};

/// Prints numbered lines until it is told to stop, as fast as it can.
const FLOOD: &str = r#"
n=0
while [ ! -e "$HOME/enough" ]; do
  n=$((n + 1))
  echo "line $n of the flood"
done
echo "the last was $n"
exec cat
"#;

pub(crate) fn start_flood(rig: &Rig) {
    let script = rig.write("home/flood", FLOOD);
    let script = script.to_str().unwrap();
    rig.ok(&[
        "new", "-d", "-s", "flood", "-x", "80", "-y", "24", "--", "sh", script,
    ]);
}

/// The number of the last whole line that is shown.
pub(crate) fn last_line(text: &str) -> u64 {
    let lines = text.lines().rev();
    let mut numbers = lines.filter_map(|line| {
        let number = line
            .trim_end()
            .strip_prefix("line ")?
            .strip_suffix(" of the flood")?;
        number.parse().ok()
    });
    numbers.next().unwrap_or(0)
}

/// All that a pane has shown, and shows.
pub(crate) fn everything(rig: &Rig, pane: &str) -> String {
    rig.ok(&["capture-pane", "-p", "-e", "-t", pane, "-S", "-"])
}

#[track_caller]
pub(crate) fn assert_flood_is_whole(text: &str) {
    let (lines, end) = text.split_once("the last was ").expect("its end");
    let last: usize = end.lines().next().unwrap().trim().parse().unwrap();
    let mut expected = 0;
    for line in lines.lines() {
        expected += 1;
        assert_eq!(line.trim_end(), format!("line {expected} of the flood"));
    }
    assert_eq!(expected, last, "lines");
}

/// Both processes die at once, as they do when the machine does.
pub(crate) fn kill_both(rig: &Rig) {
    let (server, keeper) = (rig.server(), rig.keeper());
    server.signal(Signal::SIGKILL);
    keeper.signal(Signal::SIGKILL);
    server.wait_gone();
    keeper.wait_gone();
}

#[test]
fn pane_whose_program_had_ended_before_everything_did_is_as_it_was() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "cat"]);
    rig.ok(&["set-option", "-g", "remain-on-exit", "on"]);
    rig.ok(&["new-window", "-t", "work:1", "echo it was; exit 3"]);
    rig.wait_for_pane("its end", "work:1", |text| text.contains("Pane is dead"));
    let description = || {
        let path = directory_of(&rig.path("state/shellkeep"), "work").join("session.json");
        std::fs::read_to_string(path).unwrap()
    };
    rig.wait_until("its end to be written down", || {
        description().matches("\"died\": null").count() == 1
    });
    rig.ok(&["new-window", "-t", "work:2", "kill -9 $$"]);
    rig.wait_for_pane("its end", "work:2", |text| text.contains("Pane is dead"));
    rig.wait_until("its end to be written down", || {
        description().matches("\"died\": null").count() == 1
    });
    let ends = || {
        let how = "#{pane_dead}:#{pane_dead_status}:#{pane_dead_signal}:#{pane_dead_time}";
        rig.ok(&["list-panes", "-s", "-t", "work", "-F", how])
    };
    let ended = ends();
    assert!(ended.contains("1:3::"), "{ended}");
    assert!(ended.contains("1::9:"), "{ended}");
    let before = everything(&rig, "work:1");
    // What the recorder found out about who has the terminal is in there as well.
    let end = Instant::now() + Duration::from_secs(2);
    rig.wait_until("the recorder's look", || Instant::now() > end);
    kill_both(&rig);
    let facts = [
        "display-message",
        "-p",
        "-t",
        "work:1",
        "#{pane_dead} #{pane_hibernated}",
    ];
    assert_eq!(rig.ok(&facts), "1 0\n");
    assert_eq!(ends(), ended);
    assert_eq!(everything(&rig, "work:1"), before);
    let listed = rig.ok(&["ls", "-F", "#{session_name} #{session_facts}"]);
    assert!(!listed.contains("--"), "{listed}");
    rig.ok(&["respawn-pane", "-t", "work:1", "echo anew; cat"]);
    rig.wait_for_pane("the new program", "work:1", |text| text.starts_with("anew"));
}

#[test]
fn server_killed_100_times_in_a_flood_loses_and_doubles_no_line() {
    let rig = rig();
    let others: Vec<String> = (0..19).map(|number| format!("s{number}")).collect();
    for name in &others {
        let print = format!(
            "printf '\\033[3{}m%s is here\\033[m\\n' {name}; cat",
            1 + name.len()
        );
        rig.ok(&[
            "new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "sh", "-c", &print,
        ]);
    }
    start_flood(&rig);
    let pids = rig.ok(&["list-panes", "-a", "-F", "#{pane_pid}"]);
    for name in &others {
        rig.wait_for_pane("its text", name, |text| text.contains("is here"));
    }
    let before: Vec<String> = others.iter().map(|name| everything(&rig, name)).collect();
    let clients: Vec<Terminal> = ["flood", "flood", "s3"]
        .map(|name| rig.attach(&["attach", "-t", name], (24, 80)))
        .into();
    clients[2].wait_for_text("s3 is here");
    let mut reached = 0;
    let goes_on = |client: &Terminal, reached: u64| {
        client.wait_until("the flood to go on", |screen| {
            last_line(&screen.text()) > reached
        });
    };
    let mut times = Vec::new();
    for _ in 0..100 {
        for client in &clients[..2] {
            goes_on(client, reached);
        }
        let server = rig.server();
        reached = last_line(&clients[0].text()).max(last_line(&clients[1].text()));
        let began = Instant::now();
        server.signal(Signal::SIGKILL);
        for client in &clients[..2] {
            goes_on(client, reached);
        }
        times.push(began.elapsed());
    }
    times.sort();
    // Where the tests share their processors with others, and in a debug build, half a second may be too short for somebody.
    let usual = times[times.len() / 2];
    say(&format!(
        "back after {usual:?}, at most {:?}",
        times[times.len() - 1]
    ));
    let most = if cfg!(debug_assertions) { 5000 } else { 500 };
    assert!(usual < Duration::from_millis(most), "{usual:?}");
    rig.write("home/enough", "");
    for client in &clients[..2] {
        client.wait_for_text("the last was");
    }
    assert_flood_is_whole(&everything(&rig, "flood"));
    assert!(clients[2].text().contains("s3 is here"));
    assert_eq!(rig.ok(&["list-panes", "-a", "-F", "#{pane_pid}"]), pids);
    for (name, before) in others.iter().zip(before) {
        assert_eq!(everything(&rig, name), before, "{name}");
    }
}

#[test]
fn server_killed_comes_back_with_the_same_screen_and_modes() {
    let rig = rig();
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_prompt();
    terminal.enter(
        "seq 1 500; printf '\\033[?2004h\\033[?1000h\\033[4 q\\033[1;35m%soured\\033[m' col",
    );
    terminal.wait_for_text("coloured");
    let facts = "#{cursor_x} #{cursor_y} #{mouse_standard_flag} #{history_size} #{pane_pid}";
    let (text, state) = (
        everything(&rig, "work"),
        rig.ok(&["display", "-p", "-t", "work", facts]),
    );
    rig.server().kill_9();
    assert_eq!(rig.ok(&["display", "-p", "-t", "work", facts]), state);
    assert_eq!(everything(&rig, "work"), text);
    terminal.enter("echo on");
    terminal.wait_for_text("on");
}

#[test]
fn server_killed_while_sessions_sleep_finds_all_of_them_again() {
    let rig = rig();
    for name in ["one", "two"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "cat"]);
        rig.ok(&["new-window", "-d", "-t", name, "cat"]);
    }
    kill_both(&rig);
    let list = [
        "ls",
        "-F",
        "#{session_name} #{session_id} #{session_windows}",
    ];
    let before = rig.ok(&list);
    assert_eq!(before.lines().count(), 2, "{before}");
    rig.server().kill_9();
    assert_eq!(rig.ok(&list), before);
    rig.ok(&["rename-session", "-t", "two", "three"]);
    rig.server().kill_9();
    assert_eq!(rig.ok(&list), before.replace("two", "three"));
    rig.ok(&["kill-session", "-t", "one"]);
    rig.server().kill_9();
    let left = rig.ok(&list);
    assert!(
        left.starts_with("three") && left.lines().count() == 1,
        "{left}"
    );
}

#[test]
fn both_killed_gives_back_sessions_layouts_screens_directories_and_environment() {
    let rig = rig();
    std::fs::create_dir(rig.path("home/project")).unwrap();
    let terminal = rig.attach(
        &["new", "-s", "work", "-n", "first", "-e", "COLOUR=teal"],
        (24, 80),
    );
    terminal.wait_for_prompt();
    terminal.enter("cd project; seq 1 300; echo shown-before");
    terminal.wait_until("it", |screen| screen.text().contains("\nshown-before"));
    rig.ok(&["split-window", "-h", "-t", "work"]);
    rig.ok(&["new-window", "-t", "work", "-n", "second"]);
    rig.ok(&["new", "-d", "-s", "other", "--", "sleep", "1001"]);
    rig.ok(&["rename", "-t", "other", "renamed"]);
    rig.ok(&["select-window", "-t", "work:first"]);
    rig.ok(&["set", "-t", "work", "status-left", "mine"]);
    let shape = "#{session_name} #{window_name} #{window_layout} #{pane_id} #{pane_index}";
    let shapes = rig.ok(&["list-panes", "-a", "-F", shape]);
    let shown = everything(&rig, "work:first.0");
    drop(terminal);
    rig.wait_until("its directory to be noted", || {
        state_contains(&rig, "home/project")
    });
    rig.wait_for_pane("a prompt", "work:second", |text| text.contains('$'));
    kill_both(&rig);

    let list = rig.ok(&["ls"]);
    assert!(list.contains("work: 2 windows"), "{list}");
    assert!(list.contains("renamed: 1 windows"), "{list}");
    assert!(list.contains("hibernated; ended: sleep 1001"), "{list}");
    assert_eq!(rig.ok(&["list-panes", "-a", "-F", shape]), shapes);
    assert_eq!(
        rig.ok(&["show", "-v", "-t", "work", "status-left"]),
        "mine\n"
    );
    assert_eq!(everything(&rig, "work:first.0"), shown);
    let path = [
        "display",
        "-p",
        "-t",
        "work:first.0",
        "#{pane_current_path}",
    ];
    let project = rig.path("home/project");
    assert_eq!(rig.ok(&path).trim_end(), project.to_str().unwrap());
    assert!(
        rig.processes_with("-sh").is_empty(),
        "nothing runs before somebody comes"
    );

    let terminal = rig.attach(&["attach", "-t", "work"], (24, 80));
    terminal.wait_for_text("shown-before");
    rig.ok(&["select-pane", "-t", "work:first.0"]);
    terminal.enter("echo $PWD/$COLOUR");
    terminal.wait_for_text("project/teal");
    let again = everything(&rig, "work:first.0");
    assert!(again.starts_with(shown.trim_end()), "{again}");
    assert!(again.contains("\u{1b}[2m[shellkeep: "), "{again}");
    // Keys that are sent to a sleeping pane wake it, and arrive.
    let second = || rig.ok(&["display", "-p", "-t", "work:second", "#{pane_hibernated}"]);
    assert_eq!(second(), "1\n");
    rig.enter("work:second", "echo woken-$((6*7))");
    rig.wait_for_pane("the answer", "work:second", |text| {
        text.contains("woken-42")
    });
    assert_eq!(second(), "0\n");
    // A program that does not come back is named.
    is_named_until_it_is_awake(&rig, "renamed", "sleep 1001");
    // So are they and so is it when the server has ended in good order.
    rig.ok(&["new", "-d", "-s", "late", "--", "sleep", "1002"]);
    rig.wait_for("the program", || rig.processes_with("1002").pop());
    stop(&rig);
    is_named_until_it_is_awake(&rig, "late", "sleep 1002");
    rig.end_and_keep();
    assert_eq!(second(), "1\n");
    rig.enter("work:second", "echo again-$((6*7))");
    rig.wait_for_pane("the answer", "work:second", |text| {
        text.contains("again-42")
    });
    assert_eq!(second(), "0\n");
}

/// The program of a session that sleeps is said to have ended, in the list and in its pane.
fn is_named_until_it_is_awake(rig: &Rig, session: &str, program: &str) {
    let ended = format!("ended: {program}");
    let list = rig.ok(&["ls"]);
    assert!(list.contains(&ended), "{list}");
    let terminal = rig.attach(&["attach", "-t", session], (24, 80));
    terminal.wait_for_text(&format!("{program} ended"));
    terminal.wait_for_prompt();
    let list = rig.ok(&["ls"]);
    assert!(!list.contains(&ended), "it is awake: {list}");
}

#[test]
fn private_session_is_found_and_nothing_of_it_is_on_disk() {
    let rig = rig();
    let secret = "echo marker-secret-4711; printf '\\033]2;marker-secret-4711\\007'; echo the pass'word is'; cat";
    let private = ["new", "-d", "--private", "-s", "secret-4711"];
    let variable = ["-e", "S=marker-secret-4711", "--", "sh", "-c", secret];
    rig.ok(&[&private[..], &variable].concat());
    rig.wait_for_pane("its text", "secret-4711", |text| {
        text.contains("password is")
    });
    assert_eq!(
        rig.ok(&["search", "password is"]),
        "secret-4711:0.0:2:the password is\n"
    );
    for name in ["index", "screen"] {
        assert_eq!(file_below(&rig.path("state"), name), None);
    }
    rig.open("open", "echo marker-open; cat");
    let long = ["new", "-d", "--private", "-s", "hidden-4711", "--"];
    rig.ok(&[&long[..], &["sh", "-c", "seq 1 30000; cat"]].concat());
    rig.wait_for_pane("its text", "hidden-4711", |text| text.contains("\n30000\n"));
    assert!(everything(&rig, "hidden-4711").starts_with("1\n2\n"));
    rig.wait_until("the other to be written", || {
        state_contains(&rig, "marker-open")
    });
    // What a killed server has taken along is said.
    rig.server().kill_9();
    let text = rig.wait_for_pane("a word", "hidden-4711", |text| {
        text.contains("[shellkeep: ")
    });
    assert!(text.contains("a private session is kept nowhere"), "{text}");
    rig.enter("hidden-4711", "still here");
    rig.wait_for_pane("the program", "hidden-4711", |text| {
        text.matches("still here").count() == 2
    });
    assert!(rig.ok(&["ls"]).contains("secret-4711"));
    rig.server().signal(Signal::SIGTERM);
    rig.wait_until("the server's end", || rig.find_server().is_none());
    assert!(
        rig.ok(&["ls"]).contains("secret-4711"),
        "its program goes on"
    );
    for name in ["secret-4711", "hidden-4711"] {
        rig.ok(&["kill-session", "-t", name]);
    }
    rig.ok(&["kill-server"]);
    rig.wait_until("everything's end", || rig.processes().is_empty());
    assert!(!state_contains(&rig, "-4711"));
}

#[test]
fn window_of_a_private_session_is_nowhere_on_disk_when_others_have_it_too() {
    let rig = rig();
    let secret = [
        "new",
        "-d",
        "--private",
        "-s",
        "secret",
        "-n",
        "window-4711",
    ];
    rig.ok(&[secret.as_slice(), &["--", "cat"]].concat());
    rig.ok(&["select-pane", "-t", "secret", "-T", "title-4711"]);
    rig.ok(&["set", "-w", "-t", "secret", "@option", "option-4711"]);
    // A session with the same windows is as private.
    rig.ok(&["new", "-d", "-s", "same-4711", "-t", "secret"]);
    let is_private = ["display", "-p", "-t", "same-4711", "#{session_private}"];
    assert_eq!(rig.ok(&is_private), "1\n");
    // Others keep all but the window.
    rig.ok(&["new-window", "-t", "secret:1", "-n", "other-4711", "cat"]);
    for (name, window) in [("work", "secret:0"), ("alone", "secret:1")] {
        rig.ok(&["new", "-d", "-s", name, "-n", "open-window", "--", "cat"]);
        let target = format!("{name}:5");
        rig.ok(&["link-window", "-s", window, "-t", &target]);
        rig.ok(&["select-window", "-t", &target]);
    }
    rig.ok(&["kill-window", "-t", "alone:0"]);
    rig.ok(&["split-window", "-t", "work:5", "echo text-$((4710+1)); cat"]);
    rig.wait_for_pane("the text", "work:5.1", |text| text.contains("text-4711"));
    // Also when it is in no private session any more, and its panes are elsewhere.
    for name in ["secret", "same-4711"] {
        rig.ok(&["kill-session", "-t", name]);
    }
    rig.ok(&["rename-window", "-t", "alone:5", "renamed-4711"]);
    rig.ok(&["break-pane", "-d", "-s", "work:5.1", "-t", "work:6"]);
    rig.ok(&["join-pane", "-d", "-s", "work:5.0", "-t", "work:0"]);
    rig.ok(&["rename", "-t", "work", "renamed"]);
    rig.wait_until("all to be written", || state_contains(&rig, "renamed"));
    rig.server().kill_9();
    rig.ok(&["ls"]);
    rig.ok(&["select-pane", "-t", "renamed:6", "-T", "title-4711"]);
    rig.ok(&["restart-server"]);
    assert!(!state_contains(&rig, "-4711"));
    kill_both(&rig);
    let windows = "#{session_name}:#{window_index} #{window_name}";
    let windows = rig.ok(&["list-windows", "-a", "-F", windows]);
    let windows: Vec<&str> = windows.lines().collect();
    let [alone, "renamed:0 open-window"] = windows[..] else {
        panic!("{windows:?}");
    };
    assert!(alone.starts_with("alone:5 "), "{alone}");
    let panes = rig.ok(&["list-panes", "-t", "renamed:0"]);
    assert_eq!(panes.lines().count(), 2, "{panes}");
    assert!(!state_contains(&rig, "-4711"));
}

/// Whether any file of the state directory, or its name, has this in it, packed or not.
pub(crate) fn state_contains(rig: &Rig, marker: &str) -> bool {
    let mut folders = vec![rig.path("state")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            // One that is still being written does not count before it has its name.
            if path.extension().is_some_and(|it| it == "new") {
                continue;
            }
            if path.to_string_lossy().contains(marker) {
                return true;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap_or_default();
            let has = |bytes: &[u8]| {
                bytes
                    .windows(marker.len())
                    .any(|window| window == marker.as_bytes())
            };
            if has(&bytes) || unpacked(&bytes).iter().any(|bytes| has(bytes)) {
                return true;
            }
        }
    }
    false
}

/// What is in the compressed parts of a file.
fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let starts = (0..bytes.len().saturating_sub(4)).filter(|at| bytes[*at..*at + 4] == MAGIC);
    let parts = starts.map(|at| {
        let mut part = Vec::new();
        if let Ok(mut decoder) = zstd::stream::read::Decoder::new(&bytes[at..]) {
            // What follows the frame is not of it.
            let _ = std::io::copy(&mut decoder, &mut part);
        }
        part
    });
    parts.collect()
}
