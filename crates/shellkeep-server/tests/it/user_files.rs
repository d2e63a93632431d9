//! Files that users name: none of them holds the server up.

use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use shellkeep_testkit::virtual_rig::Rig;

fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a"]);
    rig.run(&["setb", "content"]);
    rig
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}

#[test]
fn pipes_and_devices_are_refused_and_others_go_on() {
    let rig = rig();
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    mkfifo(&pipe, Mode::S_IRWXU).unwrap();
    let pipe = text(&pipe);
    for command in ["source-file", "load-buffer", "save-buffer"] {
        let refused = rig.run(&[command, pipe]);
        assert_eq!(refused.status, Some(1), "{command}");
        assert_eq!(
            refused.stderr,
            format!("{pipe}: a pipe, not a regular file\n")
        );
        let refused = rig.run(&[command, "/dev/zero"]);
        assert_eq!(
            refused.stderr, "/dev/zero: a device, not a regular file\n",
            "{command}"
        );
        let refused = rig.run(&[command, "/dev/fd/63"]);
        assert_eq!(
            refused.stderr,
            "/dev/fd/63: the server cannot open a descriptor of its caller; \
             name - for standard input or output\n",
            "{command}"
        );
        let fine = rig.run(&[command, "/dev/null"]);
        assert_eq!((fine.status, fine.stderr.as_str()), (Some(0), ""));
    }
    assert_eq!(rig.run(&["ls", "-F", "#S"]).stdout, "a\n");
}

#[test]
fn standard_streams_have_the_names_that_the_system_gives_them() {
    let rig = rig();
    rig.run_with_input(&["source-file", "/dev/stdin"], "set -s @x 1\n");
    assert_eq!(rig.run(&["show", "-sv", "@x"]).stdout, "1\n");
    rig.run_with_input(&["load-buffer", "/dev/fd/0"], "typed");
    assert_eq!(rig.run(&["save-buffer", "/dev/stdout"]).stdout, "typed");
}

#[test]
fn link_to_a_file_is_followed_and_large_one_refused() {
    let rig = rig();
    let dir = tempfile::tempdir().unwrap();
    let (file, link) = (dir.path().join("file"), dir.path().join("link"));
    std::fs::write(&file, "set -s @x linked\n").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(rig.run(&["source-file", text(&link)]).status, Some(0));
    assert_eq!(rig.run(&["show", "-sv", "@x"]).stdout, "linked\n");
    let sparse = std::fs::File::create(&file).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let refused = rig.run(&["source-file", text(&link)]);
    assert_eq!(
        refused.stderr,
        format!("{}: larger than 4 MiB\n", text(&link))
    );
    let refused = rig.run(&["load-buffer", text(&link)]);
    assert_eq!(
        refused.stderr,
        format!("{}: larger than 64 MiB\n", text(&link))
    );
}

#[test]
fn file_that_sources_itself_twice_ends() {
    let rig = rig();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("twice");
    let line = format!("source-file {}\n", text(&file));
    std::fs::write(&file, line.repeat(2)).unwrap();
    let over = rig.run(&["source-file", text(&file)]);
    assert_eq!(over.status, Some(1));
    let said = "source-file: one command leads to more than 1000 files; the rest is not run";
    assert!(over.stderr.trim_end().ends_with(said), "{}", over.stderr);
    assert_eq!(over.stderr.lines().count(), 2, "{}", over.stderr);
    // In queues of their own.
    let line = format!("run-shell -bC 'source-file {}'\n", text(&file));
    std::fs::write(&file, line.repeat(2)).unwrap();
    rig.run(&["source-file", text(&file)]);
    assert_eq!(rig.run(&["ls", "-F", "#S"]).stdout, "a\n");
}

#[test]
fn key_of_a_mode_that_presses_itself_ends() {
    let rig = rig();
    rig.run(&["bind", "-T", "copy-mode", "x", "send-keys", "-N", "3", "x"]);
    rig.run(&["copy-mode"]);
    rig.run(&["send-keys", "x"]);
    assert_eq!(rig.run(&["ls", "-F", "#S"]).stdout, "a\n");
}

#[test]
fn long_file_lets_others_have_their_turn() {
    let rig = rig();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("long");
    let lines: Vec<String> = (0..20_000).map(|n| format!("set -s @n {n}")).collect();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let long = rig.begin(&["source-file", text(&file)]);
    let seen = loop {
        let seen = rig.run_at_once(&["show", "-sqv", "@n"]).stdout;
        if !seen.is_empty() {
            break seen;
        }
    };
    assert_ne!(seen, "19999\n", "another command waited for all of it");
    assert_eq!(long.finished().status, Some(0));
    assert_eq!(rig.run(&["show", "-sv", "@n"]).stdout, "19999\n");
}

#[test]
fn fault_drops_its_own_line_and_no_other() {
    let rig = rig();
    let input = "set -s @a 1 ; nope ; set -s @a 2\nset -s @b 3\n\
                 set -s @c 4 ; run-shell -C 'kill-session -t nope' ; set -s @c 5\n";
    let run = rig.run_with_input(&["source-file", "-"], input);
    assert_eq!(
        run.stderr,
        "-:1: unknown command: nope\n-:3: can't find session: nope\n"
    );
    for (name, value) in [("@a", "1\n"), ("@b", "3\n"), ("@c", "5\n")] {
        assert_eq!(rig.run(&["show", "-sv", name]).stdout, value, "{name}");
    }
}
