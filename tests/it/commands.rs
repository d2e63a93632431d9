//! Commands from a shell: what they print, and their exit statuses.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::rig;

#[test]
fn new_session_gives_its_program_what_was_asked_for() {
    let rig = rig();
    let dir = rig.path("home/some where");
    std::fs::create_dir(&dir).unwrap();
    let program = "stty size > $HOME/size; pwd > $HOME/pwd; cat";
    let size = ["new", "-d", "-s", "stays", "-x", "33", "-y", "7"];
    rig.ok(&[&size[..], &["-c", "some where", program]].concat());
    rig.wait_until("the program's notes", || !rig.read("home/pwd").is_empty());
    assert_eq!(rig.read("home/size"), "7 33\n");
    assert_eq!(rig.read("home/pwd").trim_end(), dir.to_str().unwrap());

    let tell = r#"printf '%s|' "$0" "$@" "$A" "$B" "$TERM" > "$HOME/told"; cat"#;
    let given = ["-e", "A=1 2", "-e", "B=x=y"];
    let words = ["--", "sh", "-c", tell, "zero", "a b", "", "-x;y"];
    rig.ok(&[&["new", "-d"], &given[..], &words].concat());
    rig.wait_until("the program's note", || {
        rig.read("home/told").ends_with('|')
    });
    let told = rig.read("home/told");
    let (told, term) = told.trim_end_matches('|').rsplit_once('|').unwrap();
    assert_eq!(told, "zero|a b||-x;y|1 2|x=y");
    assert!(
        ["tmux-256color", "screen-256color"].contains(&term),
        "{term}"
    );

    // One that is not there is named, and leaves nothing.
    let refused = rig.run(&["new", "-d", "-s", "x", "--", "/no/such/program", "arg"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("/no/such/program"), "{refused:?}");
    rig.wait_until("only the first sessions", || {
        rig.ok(&["ls"]).lines().count() == 2
    });
}

#[test]
fn labels_and_paths_are_servers_of_their_own() {
    let rig = rig();
    let path = rig.path("elsewhere");
    let path = path.to_str().unwrap();
    rig.ok(&["new", "-d", "-s", "plain"]);
    rig.ok(&["-L", "other", "new", "-d", "-s", "labelled"]);
    rig.ok(&["-S", path, "new", "-d", "-s", "placed"]);
    for (flags, name) in [
        (&[][..], "plain"),
        (&["-L", "other"], "labelled"),
        (&["-S", path], "placed"),
    ] {
        let list = rig.ok(&[flags, &["ls"]].concat());
        assert_eq!(list.lines().count(), 1, "{list}");
        assert!(list.starts_with(name), "{list}");
    }
    let pids = ["default", "other"].map(|label| rig.find_server_of(label).unwrap().pid);
    assert_ne!(pids[0], pids[1]);
    rig.ok(&["-L", "work.lock.1", "new", "-d"]);
}

/// What a refusal says.
enum Said<'a> {
    Exactly(&'a str),
    Begins(&'a str),
    Contains(&'a str),
}

#[test]
fn words_that_need_no_server_are_answered_without_one() {
    use Said::{Begins, Contains, Exactly};
    let rig = rig();
    let none = format!("no server running on {}", rig.socket().display());
    let long = rig.path(&"x".repeat(120)).to_string_lossy().into_owned();
    let mut refusals = vec![
        (
            vec!["kill-sesion"],
            Exactly("unknown command: kill-sesion; did you mean kill-session?"),
        ),
        (
            vec!["new", "--no-such-flag"],
            Begins("command new-session: "),
        ),
        (vec!["-Z"], Contains("--help")),
        (vec!["-L", "a/b", "ls"], Begins("bad label")),
        (
            vec!["-S", &long, "new", "-d"],
            Begins("socket path too long: "),
        ),
        (vec!["-N", "new", "-d"], Begins("no server running on ")),
    ];
    for args in [
        &["ls"][..],
        &["has", "-t", "x"],
        &["info"],
        &["server-info"],
        &["kill-server"],
        &["kill-session", "-t", "x"],
        &["send-keys", "x"],
        &["capture-pane", "-p"],
        &["detach"],
        &["rename", "x"],
        &["restart-server"],
    ] {
        refusals.push((args.to_vec(), Exactly(&none)));
    }
    // Each would be a file of another server.
    let labels = ["work.lock", "work.keeper", "work.start", "work.shells"];
    let bad = labels.map(|label| format!("bad label: {label:?} (files ending in "));
    for (label, bad) in labels.iter().zip(&bad) {
        refusals.push((vec!["-L", label, "new", "-d"], Begins(bad)));
    }
    for (args, wanted) in refusals {
        let said = rig.run(&args).fails();
        let is_said = match wanted {
            Exactly(wanted) => said == wanted,
            Begins(wanted) => said.starts_with(wanted),
            Contains(wanted) => said.contains(wanted),
        };
        assert!(is_said, "{args:?}: {said}");
    }
    let mut command = rig.command(&["send-keys", "-l"]);
    command.arg(OsStr::from_bytes(b"caf\xe9"));
    let said = rig.finish(command).fails();
    assert_eq!(said, "not UTF-8: \"caf\\xE9\"");

    let version = format!("shellkeep {}\n", env!("CARGO_PKG_VERSION"));
    for word in ["-V", "version", "--version"] {
        assert_eq!(rig.ok(&[word]), version, "{word}");
    }
    let help = rig.ok(&["--help"]);
    for name in [
        "\nCommands (",
        "new-session",
        "attach-session",
        "list-sessions",
        "restart-server",
    ] {
        assert!(help.contains(name), "{name}: {help}");
    }
    for word in ["help", "-h"] {
        assert_eq!(rig.ok(&[word]), help, "{word}");
    }
    let help = rig.ok(&["new", "--help"]);
    assert!(help.contains("Name of the session"), "{help}");
    assert_eq!(rig.ok(&["help", "ls"]), rig.ok(&["ls", "--help"]));

    assert!(rig.processes().is_empty());
    assert!(!rig.socket().exists());
    // The other flags of tmux are known, too.
    rig.ok(&["-2ul", "-T", "256", "new", "-d", "-s", "work"]);
    assert_eq!(rig.run(&["info"]).fails(), "no current client");
}

#[test]
fn configuration_is_read_to_its_end_and_complained_of_by_name() {
    let rig = rig();
    let text = "set -g prefix C-a\nset -g nope 1\nfrobnicate\nset 'x\nset -s escape-time 77 # ok\n";
    let usual = rig.write("config/shellkeep/shellkeep.conf", text);
    let first = rig.run(&["new", "-d"]);
    assert_eq!(first.status, 0);
    let said: Vec<&str> = first.stderr.lines().collect();
    let file = usual.display();
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(said[0], format!("{file}:2: invalid option: nope"));
    assert!(
        said[1].starts_with(&format!("{file}:3: unknown command: frobnicate")),
        "{said:?}"
    );
    assert!(said[2].starts_with(&format!("{file}:4: ")), "{said:?}");
    assert_eq!(rig.ok(&["show", "-gv", "prefix"]), "C-a\n");
    assert_eq!(rig.ok(&["show", "-sv", "escape-time"]), "77\n");
    // One that is named is read in place of the usual one.
    let call = ["-L", "named"];
    let named = rig.write("home/my.conf", "set -s escape-time 5\n");
    let config = ["-f", named.to_str().unwrap(), "new", "-d"];
    rig.ok(&[&call[..], &config].concat());
    let show = |flags: &str, option: &str| rig.ok(&[&call[..], &["show", flags, option]].concat());
    assert_eq!(show("-gv", "prefix"), "C-b\n");
    assert_eq!(show("-sv", "escape-time"), "5\n");
    // One that was named and is not there is worth a word; the session is opened all the same.
    let missing = rig.run(&["-L", "second", "-f", "/no/such.conf", "new", "-d"]);
    assert_eq!(missing.status, 0);
    let sentence = "/no/such.conf: No such file or directory\n";
    assert_eq!(missing.stderr, sentence);
    assert_eq!(rig.ok(&["-L", "second", "ls"]).lines().count(), 1);
}
