//! What tmux has too works as in tmux where programs have to run for it: the same words to both, and the same answers. The rest is in
//! `as_in_tmux` of the server's tests.

use shellkeep_testkit::real::{Output, Rig};
use shellkeep_testkit::tmux::{without_hints, words};

use crate::{is_installed, rig};

/// tmux in the same world.
pub(crate) fn tmux(rig: &Rig, args: &[&str]) -> Output {
    let mut command = rig.other_command("tmux");
    command.args(["-f", "/dev/null"]).args(args);
    command.env("TMUX_TMPDIR", rig.path("run"));
    rig.finish(command)
}

/// Both, for the same words. Their sockets have different names, and only theirs.
pub(crate) fn both(rig: &Rig, args: &[&str]) -> (Output, Output) {
    (rig.run(args), tmux(rig, args))
}

/// Asserts that both say the same.
#[track_caller]
pub(crate) fn same(rig: &Rig, args: &[&str]) {
    let (mut ours, theirs) = both(rig, args);
    ours.stderr = without_hints(&ours.stderr, &theirs.stderr);
    assert_eq!(ours, theirs, "{args:?}: shellkeep left, tmux right");
}

fn wait_for_both(rig: &Rig, session: &str, text: &str) {
    rig.wait_until("the text in both", || {
        let (ours, theirs) = both(rig, &["capture-pane", "-p", "-t", session]);
        ours.stdout.contains(text) && theirs.stdout.contains(text)
    });
}

#[test]
fn path_of_who_calls_is_the_path_of_what_is_started() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status off\nset -g tmux-shim off\n",
    );
    let command = "echo \"path $PATH $FOO\"; /bin/cat";
    for args in [
        &["new", "-d", "-s", "a", command][..],
        &["setenv", "-t", "a", "PATH", "/nowhere"],
        &["setenv", "-t", "a", "FOO", "bar"],
        &["neww", "-t", "a:1", command],
        &["neww", "-t", "a:2", "-e", "PATH=/other", command],
        &["setenv", "-g", "PATH", "/global"],
        &["respawn-pane", "-k", "-t", "a:0", command],
    ] {
        same(&rig, args);
    }
    for window in ["a:0", "a:1", "a:2"] {
        let ours = rig.wait_for_pane("the path", window, |text| text.contains("path "));
        let theirs = rig.wait_for("tmux's path", || {
            let text = tmux(&rig, &["capture-pane", "-p", "-t", window]).stdout;
            text.contains("path ").then_some(text)
        });
        assert_eq!(ours, theirs, "{window}: shellkeep left, tmux right");
    }
    tmux(&rig, &["kill-server"]).ok();
}

#[test]
fn server_is_started_for_sessions_alone_and_goes_with_a_first_command_that_fails() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    for args in [
        &["ls"][..],
        &["has"],
        &["kill-server"],
        &["list-panes", "-a"],
    ] {
        let words = [&["-L", "other"], args].concat();
        let complaint = rig.run(&words).fails();
        assert!(complaint.contains("other"), "{args:?}: {complaint}");
    }
    assert!(!rig.path("run/shellkeep/other").exists());
    // Its own it finds again.
    rig.ok(&["kill-server", "--keep"]);
    assert!(rig.ok(&["ls"]).starts_with("work: "));
    rig.ok(&["kill-server"]);
    if !is_installed("tmux") {
        return;
    }
    same(&rig, &["new", "-s", "a"]);
    rig.wait_until("no server", || rig.run(&["ls"]).status == 1);
    let (ours, theirs) = both(&rig, &["ls"]);
    assert_eq!((ours.status, theirs.status), (1, 1), "{ours:?} {theirs:?}");
    // One that was asked for stays, and so do options that are set in it.
    rig.ok(&["start-server"]);
    rig.ok(&["set", "-g", "@kept", "yes"]);
    assert_eq!(rig.ok(&["show", "-gv", "@kept"]), "yes\n");
}

#[test]
fn program_that_ends_at_once_tells_its_status() {
    let rig = rig();
    let terminal = rig.attach(&["new", "-s", "work"], (24, 80));
    terminal.wait_for_prompt();
    for _ in 0..10 {
        assert_eq!(rig.run(&["display-popup", "-E", "true"]).status, 0);
        assert_eq!(rig.run(&["display-popup", "-EE", "true"]).status, 0);
        assert_eq!(rig.run(&["display-popup", "-E", "exit 3"]).status, 3);
    }
    // A pane remains as it is asked for.
    rig.ok(&["set", "-g", "remain-on-exit", "failed"]);
    for _ in 0..10 {
        rig.ok(&["new-window", "-d", "-t", "work:5", "exec true"]);
        rig.wait_until("its end", || rig.ok(&["list-windows"]).lines().count() == 1);
    }
    rig.ok(&["set", "-g", "remain-on-exit", "on"]);
    for status in 0..10 {
        let program = format!("exit {status}");
        rig.ok(&["new-window", "-d", "-t", "work:5", &program]);
        let told = rig.wait_for("its end", || {
            let told = "#{pane_dead} #{pane_dead_status}";
            let told = rig.ok(&["display", "-p", "-t", "work:5", told]);
            told.starts_with('1').then_some(told)
        });
        assert_eq!(told, format!("1 {status}\n"));
        rig.ok(&["kill-window", "-t", "work:5"]);
    }
}

#[test]
fn pipes_pass_what_is_printed_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    same(
        &rig,
        &[
            "new",
            "-d",
            "-x",
            "40",
            "-y",
            "5",
            "-s",
            "p",
            "stty raw -echo; cat -u",
        ],
    );
    let (ours, theirs) = (rig.path("ours"), rig.path("theirs"));
    let into = |path: &std::path::Path| format!("cat > {}.#P", path.display());
    rig.ok(&["pipe-pane", "-t", "p", &into(&ours)]);
    tmux(&rig, &["pipe-pane", "-t", "p", &into(&theirs)]).ok();
    same(&rig, &["display", "-p", "-t", "p", "#{pane_pipe}"]);
    same(&rig, &["lsp", "-a", "-F", "#{pane_current_command}"]);
    same(&rig, &["send-keys", "-t", "p", "-l", "hello pipe"]);
    let piped = |name: &str| std::fs::read_to_string(rig.path(name)).unwrap_or_default();
    rig.wait_until("what was printed in both files", || {
        ["ours.0", "theirs.0"]
            .iter()
            .all(|name| piped(name).contains("hello pipe"))
    });
    // -o closes the pipe there is, and opens none.
    same(&rig, &["pipe-pane", "-o", "-t", "p", "cat"]);
    same(&rig, &["display", "-p", "-t", "p", "#{pane_pipe}"]);
    // What a command prints is typed.
    same(
        &rig,
        &["pipe-pane", "-I", "-t", "p", "echo typed by a pipe"],
    );
    wait_for_both(&rig, "p", "typed by a pipe");
    rig.wait_until("the end of both commands", || {
        let (ours, theirs) = both(&rig, &["display", "-p", "-t", "p", "#{pane_pipe}"]);
        ours.stdout == "0\n" && theirs.stdout == "0\n"
    });
    tmux(&rig, &["kill-server"]).ok();
}

/// A command a line.
const CONDITIONS_AND_JOBS: &str = r##"
if true 'display -p yes' 'display -p no'
if false 'display -p yes' 'display -p no'
if -F '#{session_name}' 'display -p yes'
if -F 0 'display -p yes'
if -F '' 'display -p a' 'display -p b'
if 'exit 3' 'display -p a' 'display -p b'
if -b true 'set -g @bg 1'
if true foo
if -F 1 'display -p x ; foo'
if true 'display -p 1' ; display -p 2
if -t nope true 'display -p x'
if -F 1 'if -F 0 { display -p a } { display -p b }'
if
if true
run -d 0.1
run -d x
run -C 'display -p c ; display -p d'
run
run -C foo
run -d 0.1 -C 'display -p q'
run -b true
run true
wait-for -S y
wait-for y
wait-for -L z
wait-for -U z
wait-for -U z
wait-for -U q
wait-for
source nope.conf
source -q nope.conf
source 'n*.conf'
source
source /tmp
source nope.conf ; display -p x
set -g @before 1 ; foo
show -gv @before
"##;

#[test]
fn conditions_jobs_channels_and_what_is_of_the_machine_are_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    // Semicolons alone ask for nothing.
    let (ours, theirs) = both(&rig, &[";"]);
    assert_eq!((ours.status, theirs.status), (1, 1), "{ours:?} {theirs:?}");
    for args in [
        &["new", "-d", "-s", "a", "cat"][..],
        &[";"],
        &[";", ";"],
        &[";", "ls", "-F", "#S", ";"],
        &["display", "-p", "#T #h"],
        &["display", "-p", "#{host} #{host_short} #{user} #{uid}"],
        &["display", "-p", "#{pane_title}"],
        &[
            "display",
            "-pv",
            "#S #{?window_active,yes,#{=3:host}} #{==:a,b}",
        ],
        &["server-access", "-l"],
        &["server-access", "-a", "root"],
    ] {
        same(&rig, args);
    }
    let same_script = |lines: &str| {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words = words(line);
            same(&rig, &words.iter().map(String::as_str).collect::<Vec<_>>());
        }
    };
    same_script(CONDITIONS_AND_JOBS);
    rig.write(
        "home/good.conf",
        "set -g @good 1\ndisplay -p good; display -p two\n",
    );
    same_script(
        r##"
        source good.conf
        source 'g*.conf'
        source -F '#{l:good}.conf'
        source -n good.conf
        "##,
    );
    // Commands in braces are a value.
    rig.write(
        "home/braces.conf",
        "set -g @one { display hi ; neww -d }\nset -g @more {\n display hi\n neww\n}\n",
    );
    same_script("source braces.conf\nshow -g @one\nshow -g @more");
    // How a shell command ends is the status of both; tmux shows its output in the pane, we where it was typed.
    for (command, status) in [("exit 3", 3), ("kill -9 $$", 137), ("true", 0)] {
        let (ours, theirs) = both(&rig, &["run", command]);
        assert_eq!((ours.status, theirs.status), (status, status));
    }
    same(&rig, &["kill-server"]);
}
