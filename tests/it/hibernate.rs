//! Panes sleep and come back as they were, and whatever must not sleep does not.

use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Process, Rig, nothing_happens_for};

use crate::{is_installed, rig, side_by_side};

pub(crate) const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

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

/// The same, with more lines of configuration.
pub(crate) fn rig_with_config(shell: &str, more: &str) -> Option<Rig> {
    let rig = rig_with(shell)?;
    let config = rig.read("config/shellkeep/shellkeep.conf") + more;
    rig.write("config/shellkeep/shellkeep.conf", &config);
    Some(rig)
}

/// Checks these shells, if they are installed, each in a world of its own.
pub(crate) fn with_each_shell(shells: &[&str], check: impl Fn(&Rig, &str) + Sync) {
    with_each_configured_shell(shells, "", check);
}

/// The same, with more lines of configuration.
pub(crate) fn with_each_configured_shell(
    shells: &[&str],
    more: &str,
    check: impl Fn(&Rig, &str) + Sync,
) {
    let rows: Vec<(&str, ())> = shells.iter().map(|shell| (*shell, ())).collect();
    side_by_side(&rows, |shell, ()| {
        if let Some(rig) = rig_with_config(shell, more) {
            check(&rig, shell);
        }
    });
}

/// What sets a variable in a shell.
pub(crate) fn assignment(shell: &str, name: &str, value: &str) -> String {
    match shell {
        "fish" => format!("set -g {name} {value}"),
        _ => format!("{name}={value}"),
    }
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

/// Waits until this is what runs in front of a pane's shell.
#[track_caller]
pub(crate) fn wait_for_command(rig: &Rig, name: &str, command: &str) {
    rig.wait_until(&format!("{command} in front of {name}"), || {
        ask(rig, name, "#{pane_current_command}") == command
    });
}

/// Has a shell clear its screen, whatever is typed at its prompt.
pub(crate) fn clear(rig: &Rig, name: &str) {
    rig.ok(&["send-keys", "-t", name, "C-l"]);
    rig.wait_for_pane("a clear screen", name, |text| text.trim() == "$");
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

/// Puts a pane to sleep and wakes it.
#[track_caller]
pub(crate) fn sleep_and_wake(rig: &Rig, name: &str) {
    hibernate(rig, name);
    rig.ok(&["restore", "-t", name]);
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

/// What is set in a shell, and what prints all of it.
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

/// Sets all of that.
pub(crate) fn set_all(rig: &Rig, name: &str, shell: &str) {
    enter(rig, name, setting(shell).0);
    enter(rig, name, "echo is-set");
    wait_for_text(rig, name, "\nis-set\n$");
}

/// History that was never saved comes back.
fn history_comes_back(rig: &Rig) {
    begin(rig, "history");
    enter(rig, "history", "echo remember me");
    wait_for_text(rig, "history", "\nremember me\n$");
    hibernate(rig, "history");
    // fish counts in seconds: what was typed in the one in which a shell begins is another's for it.
    let seconds = || {
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed();
        now.unwrap().as_secs()
    };
    let typed = seconds();
    rig.wait_until("the next second", || seconds() > typed);
    rig.ok(&["restore", "-t", "history"]);
    rig.ok(&["send-keys", "-t", "history", "Up"]);
    let above = "\nremember me\n$ echo remember me";
    wait_for_text(rig, "history", above);
}

/// Programs find the terminal set as before.
fn terminal_comes_back(rig: &Rig, shell: &str) {
    begin(rig, "terminal");
    let set = "stty -ixon werase undef erase '^H' start '^B'";
    enter(rig, "terminal", set);
    let settings = |file: &str| {
        let tell = format!("stty -g >~/{file}.new; mv ~/{file}.new ~/{file}");
        enter(rig, "terminal", &tell);
        let path = rig.path("home").join(file);
        rig.wait_until("the settings", || path.exists());
        wait_for_prompt(rig, "terminal");
        std::fs::read_to_string(path).unwrap()
    };
    let before = settings("before");
    for file in ["once", "twice"] {
        sleep_and_wake(rig, "terminal");
        assert_eq!(settings(file), before, "{shell}");
    }
}

fn scrollback_and_colours_come_back(rig: &Rig) {
    begin(rig, "colours");
    let line = "seq 1 2000; printf '\\033[1;35mcol%s\\033[m\\n' oured";
    enter(rig, "colours", line);
    wait_for_text(rig, "colours", "\ncoloured\n$");
    let all = ["capture-pane", "-p", "-e", "-t", "colours", "-S", "-"];
    let before = rig.ok(&all);
    hibernate(rig, "colours");
    assert_eq!(rig.ok(&all), before, "asleep");
    assert!(is_asleep(rig, "colours"), "reading it woke it");
    rig.ok(&["restore", "-t", "colours"]);
    rig.wait_until("the same", || rig.ok(&all) == before);
}

/// All that is set, and a half-typed line, three times.
fn state_comes_back(rig: &Rig, shell: &str) {
    begin(rig, "work");
    set_all(rig, "work", shell);
    for cycle in 1..=3 {
        clear(rig, "work");
        rig.ok(&["send-keys", "-t", "work", "-l", "echo half typed"]);
        rig.ok(&["send-keys", "-t", "work", "Left", "Left"]);
        rig.wait_until("the cursor in the line", || {
            ask(rig, "work", "#{cursor_x}") == "15"
        });
        let (before, old) = (picture(rig, "work"), shell_of(rig, "work"));
        hibernate(rig, "work");
        let list = rig.ok(&["ls"]);
        assert!(list.contains("(hibernated)"), "{list}");
        assert!(is_asleep(rig, "work"));
        old.wait_gone();
        assert_eq!(picture(rig, "work"), before, "asleep, cycle {cycle}");
        let said = rig.ok(&["restore", "-t", "work"]);
        assert!(said.contains("a half-typed line"), "{said}");
        assert!(!said.contains("did not return"), "{said}");
        wait_for_picture(rig, "work", &before);
        assert_eq!(ask(rig, "work", "#{session_state}"), "active");
        assert_ne!(shell_of(rig, "work").pid, old.pid);
        rig.enter("work", "X");
        wait_for_text(rig, "work", "\nhalf typXed\n");
        enter(rig, "work", setting(shell).1);
        let all = "\nhi-there\nsaid so\nhello out b c\nproj\nsub out\n";
        wait_for_text(rig, "work", all);
    }
}

#[test]
fn shells_come_back_as_they_were() {
    with_each_shell(&SHELLS, |rig, shell| {
        // First: nothing else is in the history that a fish shares.
        history_comes_back(rig);
        state_comes_back(rig, shell);
        if shell != "fish" {
            terminal_comes_back(rig, shell);
        }
        if shell == "bash" {
            scrollback_and_colours_come_back(rig);
        }
    });
}

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

fn attaching_wakes_and_shows_what_was_there(rig: &Rig) {
    begin(rig, "seen");
    enter(rig, "seen", "echo there; kept=yes");
    wait_for_text(rig, "seen", "\nthere\n$");
    hibernate(rig, "seen");
    let terminal = rig.attach(&["attach", "-t", "seen"], (24, 80));
    terminal.enter("echo kept: $kept");
    terminal.wait_for_text("kept: yes");
    assert!(terminal.text().contains("there\n"));
    assert!(!is_asleep(rig, "seen"));
    assert_eq!(terminal.text().matches("$ echo kept").count(), 1);
}

/// Keys during a sleep that is called off go to the old shell.
fn keys_go_to_a_shell_that_stays(rig: &Rig) {
    begin(rig, "stays");
    let shell = shell_of(rig, "stays");
    // It cannot answer, and loses nothing of what is typed.
    shell.signal(Signal::SIGSTOP);
    let mut child = spawn(rig, &["hibernate", "-t", "stays"]);
    let pane = ask(rig, "stays", "#{pane_id}");
    let dir = format!(
        "run/shellkeep/default.shells/{}",
        pane.trim_start_matches('%')
    );
    rig.wait_until("a question", || {
        !rig.read(&format!("{dir}/request")).is_empty()
    });
    enter(rig, "stays", "echo still $$");
    child.wait().unwrap();
    assert!(!is_asleep(rig, "stays"));
    shell.signal(Signal::SIGCONT);
    wait_for_text(rig, "stays", &format!("\nstill {}\n$", shell.pid));
}

/// Keys during a sleep that comes about go to the new shell.
fn keys_go_to_the_shell_that_comes(rig: &Rig) {
    begin(rig, "comes");
    for step in ["captured", "written", "read-back", "noted"] {
        enter(rig, "comes", &format!("n={step}; echo se''t {step}"));
        wait_for_text(rig, "comes", &format!("\nset {step}\n$"));
        wait_for_prompt(rig, "comes");
        let old = shell_of(rig, "comes");
        let (server, mut child) = stopped_server(rig, step, &["hibernate", "-t", "comes"]);
        // These wait for the server, and are the first thing that it hears of when it goes on.
        let keys = ["send-keys", "-t", "comes", "echo new $n", "Enter"];
        let mut typing = spawn(rig, &keys);
        server.signal(Signal::SIGCONT);
        child.wait().unwrap();
        typing.wait().unwrap();
        wait_for_text(rig, "comes", &format!("\nnew {step}\n$"));
        assert_shown_once(rig, "comes", &format!("new {step}"));
        old.wait_gone();
    }
}

/// Asserts that a line is on a pane's screen, and not twice.
#[track_caller]
pub(crate) fn assert_shown_once(rig: &Rig, name: &str, line: &str) {
    let shown = rig.ok(&["capture-pane", "-p", "-t", name]);
    let count = shown.lines().filter(|shown| *shown == line).count();
    assert_eq!(count, 1, "{line:?} in {shown}");
}

fn keys_wake_a_pane_and_arrive_behind_the_prompt(rig: &Rig) {
    begin(rig, "woken");
    hibernate(rig, "woken");
    enter(rig, "woken", "echo arr''ived");
    wait_for_text(rig, "woken", "$ echo arr''ived\narrived\n$");
}

/// Keys typed while a pane falls asleep or wakes are not lost.
fn keys_are_typed_at_any_moment(rig: &Rig) {
    begin(rig, "work");
    for round in 0..12 {
        let command = if round % 2 == 0 {
            "hibernate"
        } else {
            "restore"
        };
        // The command may have come after the keys, and have put to sleep what had done with them.
        if command == "restore" && !is_asleep(rig, "work") {
            wait_for_prompt(rig, "work");
            hibernate(rig, "work");
        }
        let mut child = spawn(rig, &[command, "-t", "work"]);
        nothing_happens_for(Duration::from_millis(round * 3));
        enter(rig, "work", &format!("echo ro''und {round}"));
        child.wait().unwrap();
        wait_for_text(rig, "work", &format!("\nround {round}\n$"));
    }
}

#[test]
fn keys_typed_before_in_and_after_a_sleep_arrive_once() {
    with_each_shell(&SHELLS, |rig, shell| {
        keys_wake_a_pane_and_arrive_behind_the_prompt(rig);
        keys_are_typed_at_any_moment(rig);
        if shell == "bash" {
            attaching_wakes_and_shows_what_was_there(rig);
            keys_go_to_a_shell_that_stays(rig);
            if cfg!(debug_assertions) {
                keys_go_to_the_shell_that_comes(rig);
            }
        }
    });
}

#[test]
fn what_a_key_just_before_began_is_on_the_screen() {
    with_each_shell(&SHELLS, |rig, _| {
        begin(rig, "work");
        for round in 0..20 {
            wait_for_prompt(rig, "work");
            let line = format!("echo ro''und {round}");
            rig.ok(&["send-keys", "-t", "work", "-l", &line]);
            wait_for_text(rig, "work", &line);
            // In one turn of the server: the key is on its way to the shell, and nowhere to be seen. It may be refused.
            let both = "send-keys -t work Enter ; hibernate -t work";
            let _ = rig.run(&both.split(' ').collect::<Vec<_>>());
            wait_for_text(rig, "work", &format!("\nround {round}\n$"));
            if is_asleep(rig, "work") {
                rig.ok(&["restore", "-t", "work"]);
            }
        }
    });
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
    wait_for_command(&rig, "busy", "sleep");
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
