use std::path::PathBuf;
use std::time::Duration;

use shellkeep_testkit::virtual_rig::Rig;

/// A directory of files, gone when the test is.
struct Files(PathBuf);

impl Files {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let dir = std::env::temp_dir().join(format!("shellkeep-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a folder is made");
        for (name, text) in files {
            std::fs::write(dir.join(name), text.replace("DIR", &dir.to_string_lossy()))
                .expect("a file is written");
        }
        Self(dir)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a"]);
    rig
}

#[test]
fn if_shell_chooses_by_a_format() {
    let rig = rig();
    let chosen = |condition: &str| {
        let argv = ["if", "-F", condition, "display -p yes", "display -p no"];
        rig.run(&argv).stdout
    };
    assert_eq!(chosen("#{==:#{session_name},a}"), "yes\n");
    assert_eq!(chosen("#{==:#{session_name},b}"), "no\n");
    assert_eq!(chosen(""), "no\n");
    assert_eq!(chosen("0"), "no\n");
    assert_eq!(chosen("00"), "no\n", "as in tmux");
    let line = rig.run(&["if", "-F", "1", "display -p 1", ";", "display", "-p", "2"]);
    assert_eq!(line.stdout, "1\n2\n");
    let wrong = rig.run(&["if", "-F", "1", "display -p x ; frobnicate"]);
    assert_eq!((wrong.stdout.as_str(), wrong.status), ("", Some(1)));
}

#[test]
fn commands_are_run_by_run_shell_at_once_or_later() {
    let rig = rig();
    let run = rig.run(&["run", "-C", "display -p c ; display -p d"]);
    assert_eq!(run.stdout, "c\nd\n");
    assert_eq!(rig.run(&["run"]).status, Some(0));
    assert_eq!(
        rig.run(&["run", "-d", "x"]).stderr,
        "invalid delay time: x\n"
    );
    let late = rig.run(&["run", "-d", "0.2", "-C", "display -p late"]);
    assert_eq!(late.stdout, "late\n");
    rig.run(&["run", "-b", "-d", "60", "-C", "set -g @later yes"]);
    assert_eq!(rig.run(&["show", "-gqv", "@later"]).stdout, "");
    rig.pass(Duration::from_secs(61));
    assert_eq!(rig.run(&["show", "-gqv", "@later"]).stdout, "yes\n");
}

/// As tmux 3.3a answers.
#[test]
fn lines_of_a_text_that_a_command_is_given_are_one_sequence_and_those_of_a_file_are_not() {
    let rig = rig();
    let value = |name: &str| rig.run(&["show", "-gqv", name]).stdout;
    rig.run(&["run", "-C", "set -g @a { ls\nlsc\n}\nset -g @b 1"]);
    assert_eq!(value("@a"), "list-sessions ; list-clients\n");
    assert_eq!(value("@b"), "1\n");
    rig.run(&["run", "-C", "bind x { ls\nlsc }"]);
    let keys = rig.run(&["list-keys", "-T", "prefix", "x"]).stdout;
    assert!(keys.ends_with("list-sessions \\; list-clients\n"), "{keys}");
    let text = "kill-session -t none\nset -g @c 1";
    rig.run(&["run", "-C", text]);
    rig.run(&["if", "-F", "1", text]);
    assert_eq!(value("@c"), "", "the first line has failed");
    let lines = "set -g @d { ls\nlsc }\nset -g @e { if 1 { ls\nlsc } ; ls\nlsc }\n\
                 set-hook -g session-renamed { ls\nlsc }\n\
                 if -F 1 {\nkill-session -t none\nset -g @f 1\n}\n";
    let files = Files::new("sequences", &[("lines", lines)]);
    rig.run(&["source", &files.path("lines")]);
    assert_eq!(value("@d"), "list-sessions ;; list-clients\n");
    assert_eq!(
        value("@e"),
        "if-shell 1 { list-sessions ;; list-clients } ; list-sessions ;; list-clients\n"
    );
    assert_eq!(value("@f"), "1\n", "its lines are apart");
    let hook = rig.run(&["show-hooks", "-g", "session-renamed"]).stdout;
    assert_eq!(hook, "session-renamed[0] list-sessions ; list-clients\n");
}

#[test]
fn channel_wakes_those_who_wait() {
    let rig = rig();
    let waiting = rig.attach((24, 80), &["wait-for", "x", ";", "display", "-p", "woken"]);
    assert_eq!(waiting.finished().status, None);
    rig.run(&["wait-for", "-S", "x"]);
    let finished = waiting.finished();
    assert_eq!(
        (finished.stdout.as_str(), finished.status),
        ("woken\n", Some(0))
    );
    // A signal that nobody waited for is kept for the next.
    rig.run(&["wait-for", "-S", "y"]);
    assert_eq!(rig.run(&["wait-for", "y"]).status, Some(0));
}

#[test]
fn lock_is_handed_on_in_order_and_past_those_who_left() {
    let rig = rig();
    assert_eq!(rig.run(&["wait-for", "-L", "x"]).status, Some(0));
    let gone = rig.attach((24, 80), &["wait-for", "-L", "x"]);
    let next = rig.attach((24, 80), &["wait-for", "-L", "x"]);
    drop(gone);
    rig.settle();
    assert_eq!(next.finished().status, None);
    rig.run(&["wait-for", "-U", "x"]);
    assert_eq!(next.finished().status, Some(0));
    rig.run(&["wait-for", "-U", "x"]);
    assert_eq!(
        rig.run(&["wait-for", "-U", "x"]).stderr,
        "channel x not locked\n"
    );
}

#[test]
fn client_that_leaves_does_not_keep_its_commands_from_ending() {
    let rig = rig();
    let gone = rig.attach(
        (24, 80),
        &["run", "-d", "5", ";", "set", "-g", "@done", "yes"],
    );
    drop(gone);
    rig.pass(Duration::from_secs(6));
    assert_eq!(rig.run(&["show", "-gqv", "@done"]).stdout, "yes\n");
}

#[test]
fn files_name_others_and_go_on_after_faults() {
    let files = Files::new(
        "nested",
        &[
            (
                "a.conf",
                "set -g @a 1\nset -g sttaus 1\nsource DIR/b.conf\nset -g @c 3\n",
            ),
            ("b.conf", "set -g @b 2\n"),
        ],
    );
    let rig = rig();
    let sourced = rig.run(&["source", &files.path("a.conf")]);
    let place = format!("{}:2: invalid option: sttaus", files.path("a.conf"));
    assert!(sourced.stderr.starts_with(&place), "{sourced:?}");
    assert_eq!(sourced.status, Some(1));
    let shown = rig.run(&[
        "show", "-gv", "@a", ";", "show", "-gv", "@b", ";", "show", "-gv", "@c",
    ]);
    assert_eq!(shown.stdout, "1\n2\n3\n");
}

#[test]
fn files_are_found_by_pattern_traced_and_only_read() {
    let files = Files::new(
        "glob",
        &[
            ("1.conf", "set -g @x 1 ; display -p one"),
            ("2.conf", "display -p two\nfrobnicate"),
        ],
    );
    let rig = rig();
    let sourced = rig.run(&["source", &files.path("*.conf")]);
    assert_eq!(sourced.stdout, "one\ntwo\n");
    assert!(
        sourced
            .stderr
            .contains("2.conf:2: unknown command: frobnicate")
    );
    rig.run(&["set", "-gu", "@x"]);
    let read = rig.run(&["source", "-n", &files.path("*.conf")]);
    assert_eq!((read.stdout.as_str(), read.status), ("", Some(1)));
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "");
    let traced = rig.run(&["source", "-nv", &files.path("1.conf")]).stdout;
    let line = format!(
        "{}:1: set-option -g @x 1 ; display-message -p one\n",
        files.path("1.conf")
    );
    assert_eq!(traced, line);
    let missing = rig.run(&["source", "/nowhere/x.conf", &files.path("1.conf")]);
    assert_eq!(
        missing.stderr,
        "/nowhere/x.conf: No such file or directory\n"
    );
    assert_eq!(
        (missing.stdout.as_str(), missing.status),
        ("one\n", Some(1))
    );
}

#[test]
fn file_that_names_itself_ends() {
    let files = Files::new("loop", &[("me.conf", "source DIR/me.conf\nset -ga @n x")]);
    let rig = rig();
    let sourced = rig.run(&["source", &files.path("me.conf")]);
    assert_eq!(sourced.status, Some(1));
    assert!(
        sourced.stderr.contains("files inside each other"),
        "{sourced:?}"
    );
}

#[test]
fn things_of_other_versions_are_passed_over_quietly_and_told_once() {
    let rig = Rig::with_config(
        "set -g mode-mouse on\nset -g utf8 on\nset -g extended-keys-format csi-u\nnew-pane\nset -g @end yes\n",
    );
    let first = rig.run(&["new", "-d"]);
    assert_eq!(first.stderr, "");
    assert_eq!(rig.run(&["show", "-gv", "@end"]).stdout, "yes\n");
    let _ann = rig.attach((24, 80), &["attach"]);
    let messages = rig.run(&["show-messages"]).stdout;
    for what in ["mode-mouse", "utf8", "extended-keys-format", "new-pane"] {
        let told = messages.lines().filter(|line| line.contains(what)).count();
        assert_eq!(told, 1, "{what} in {messages}");
    }
}

#[test]
fn aliases_stand_for_commands() {
    let rig = Rig::with_config(
        "set -s command-alias[10] 'say=display -p said'\nset -s command-alias[11] two='display -p 1 ; display -p 2'",
    );
    rig.run(&["new", "-d"]);
    assert_eq!(rig.run(&["say"]).stdout, "said\n");
    assert_eq!(rig.run(&["two"]).stdout, "1\n2\n");
}
