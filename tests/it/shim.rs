//! Called as `tmux`: its flags, its version and its variables; and libtmux, which drives it as it drives tmux.

use std::process::Command;

use shellkeep_testkit::real::{Output, Rig};

use crate::{is_installed, rig, skip};

/// The program called as tmux.
fn shim(rig: &Rig, args: &[&str]) -> Command {
    let bin = rig.path("bin");
    if !bin.exists() {
        let said = rig.ok(&["tmux-shim", &bin.display().to_string()]);
        assert!(
            said.contains(&format!("export PATH={}:", bin.display())),
            "{said}"
        );
    }
    let mut command = rig.other_command(&bin.join("tmux").display().to_string());
    command.args(args);
    command
}

fn run(rig: &Rig, args: &[&str]) -> Output {
    rig.finish(shim(rig, args))
}

/// The flags are those of tmux.
fn flags_are_the_same(rig: &Rig) {
    for args in [
        &["-V"][..],
        &["-Z"],
        &["-L"],
        &["-h"],
        &["-c", "echo $0 said"],
    ] {
        let ours = run(rig, args);
        let mut theirs = rig.other_command("tmux");
        theirs.args(args).env("TMUX_TMPDIR", rig.path("run"));
        let theirs = rig.finish(theirs);
        assert_eq!(ours, theirs, "{args:?}: shellkeep left, tmux right");
    }
}

/// Panes find themselves in `$TMUX`.
fn panes_find_themselves(rig: &Rig) {
    run(rig, &["new", "-d", "-s", "a", "env | grep -a TMUX; cat"]).ok();
    let text = rig.wait_for_pane("the variables", "a", |text| text.contains("TMUX_PANE=%0"));
    assert!(text.contains("TMUX=/"), "{text}");
    assert!(text.contains("/run/shellkeep/default,"), "{text}");
    assert_eq!(run(rig, &["display", "-p", "#{version}"]).ok(), "3.3a\n");
    let ours = rig.ok(&["display", "-p", "#{version} #{shellkeep_version}"]);
    assert_eq!(ours, format!("3.3a {}\n", env!("CARGO_PKG_VERSION")));
    let shown = run(rig, &["show-environment", "-t", "a", "TMUX"]).ok();
    assert_eq!(shown, "", "it is hidden, as in tmux");
    // A label names the same server to both.
    run(rig, &["-L", "other", "new", "-d", "-s", "b", "cat"]).ok();
    let listed = rig.ok(&["-L", "other", "ls", "-F", "#{session_name}"]);
    assert_eq!(listed, "b\n");
}

/// The configuration of tmux is read where there is no other.
fn configuration_is_found(rig: &Rig) {
    std::fs::remove_file(rig.path("config/shellkeep/shellkeep.conf")).unwrap();
    rig.write("home/.tmux.conf", "set -g @mine yes\n");
    run(rig, &["new", "-d", "-s", "a", "cat"]).ok();
    assert_eq!(run(rig, &["show", "-gv", "@mine"]).ok(), "yes\n");
    rig.write("config/shellkeep/shellkeep.conf", "set -g @mine ours\n");
    run(rig, &["-L", "x", "new", "-d", "-s", "a", "cat"]).ok();
    assert_eq!(
        run(rig, &["-L", "x", "show", "-gv", "@mine"]).ok(),
        "ours\n"
    );
}

#[test]
fn flags_variables_and_configuration_are_those_of_tmux() {
    if is_installed("tmux") {
        flags_are_the_same(&rig());
    }
    panes_find_themselves(&rig());
    configuration_is_found(&rig());
}

/// Shells without an integration, as login shells, whose profile sets another PATH.
#[test]
fn login_shell_without_an_integration_has_this_server_as_tmux() {
    for shell in ["dash", "mksh", "ksh"] {
        if !is_installed(shell) {
            continue;
        }
        let rig = rig();
        rig.write(
            "home/.profile",
            "PATH=/usr/local/bin:/usr/bin:/bin; export PATH\n",
        );
        rig.write("home/.shrc", "mine=read\n");
        let mut which = rig.other_command("sh");
        which.args(["-c", &format!("command -v {shell}")]);
        let path = rig.finish(which).ok();
        let config = format!(
            "set -g default-shell {}\nset-environment -g ENV '$HOME/.shrc'\n",
            path.trim()
        );
        rig.write("config/shellkeep/shellkeep.conf", &config);
        rig.ok(&["new", "-d", "-s", "a", "-x", "200", "-y", "20"]);
        let line = "echo tmux: $(command -v tmux) $mine \"$ENV\" ${SHELLKEEP_ENV-none}:";
        rig.enter("a", line);
        let said = ".tmux-shim/tmux read $HOME/.shrc none:\n";
        rig.wait_for_pane(&format!("{shell} to have the shim"), "a", |text| {
            text.contains(said)
        });
        rig.enter("a", "tmux display -p here-#S");
        rig.wait_for_pane("an answer", "a", |text| text.contains("\nhere-a\n"));
    }
}

/// What a tool in Python does first; each step prints a line.
const LIBTMUX: &str = r##"
import libtmux, time
server = libtmux.Server(socket_name="lib")
print("alive", server.is_alive())
session = server.new_session(session_name="one", x=100, y=30, window_command="sh")
print("sessions", [s.name for s in server.sessions], server.has_session("one"))
window = session.new_window(window_name="two", attach=False, window_shell="sh")
print("windows", [w.window_index for w in session.windows])
pane = window.split(shell="sh")
print("panes", [p.pane_id for p in window.panes], pane.pane_width, pane.pane_height)
pane.send_keys("echo hello-$((1+1))", enter=True)
for _ in range(200):
    if "hello-2" in pane.capture_pane():
        break
    time.sleep(0.05)
print("captured", "hello-2" in pane.capture_pane())
print("renamed", window.rename_window("three").window_name)
window.select_layout("even-horizontal")
window.resize(height=20, width=80)
print("resized", window.window_width, window.window_height)
print("display", pane.display_message("#{pane_id}", get_text=True))
session.set_option("status-left", "x")
print("option", session.show_option("status-left"))
session.set_environment("FOO", "bar")
print("environment", session.getenv("FOO"))
session.set_hook("after-new-window", "display-message hi")
print("hooks", session.show_hooks())
print("selected", window.select_pane(pane.pane_id).pane_id, session.select_window("three").window_name)
print("moved", window.move_window("7").window_index)
pane.clear()
pane.kill()
print("left", [p.pane_id for p in window.panes])
window.kill()
print("renamed", session.rename_session("uno").name)
try:
    server.new_session(session_name="uno")
except Exception as error:
    print("refused", type(error).__name__)
try:
    server.switch_client("uno")
except Exception as error:
    print("refused", type(error).__name__)
server.kill()
print("alive", server.is_alive())
"##;

#[test]
fn libtmux_does_what_it_does_with_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let script = rig.write("home/tool.py", LIBTMUX).display().to_string();
    let python = |path: &str| {
        let mut command = rig.other_command("python3");
        command.arg(&script).env("PATH", path);
        command.env("TMUX_TMPDIR", rig.path("run"));
        // Where `cargo xtask test` has put it, if the system has none.
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/target/python");
        command.env("PYTHONPATH", own);
        rig.finish(command)
    };
    let path = "/usr/local/bin:/usr/bin:/bin";
    let _ = run(&rig, &["-V"]);
    let theirs = python(path);
    if theirs.stderr.contains("ModuleNotFoundError") || theirs.status == -1 {
        return skip("libtmux is not installed");
    }
    let ours = python(&format!("{}:{path}", rig.path("bin").display()));
    assert_eq!(ours, theirs, "shellkeep left, tmux right");
    assert_eq!(ours.status, 0, "{}", ours.stderr);
}
