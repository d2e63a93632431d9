//! Paste buffers, and the clipboard in front of the user.

use shellkeep_testkit::virtual_rig::Rig;

fn rig() -> Rig {
    let rig = Rig::new();
    rig.run(&["new", "-d", "-s", "a"]);
    rig
}

fn list(rig: &Rig) -> String {
    rig.run(&["lsb"]).stdout
}

#[test]
fn buffers_are_set_listed_shown_and_deleted() {
    let rig = rig();
    assert_eq!(rig.run(&["show-buffer"]).stderr, "no buffers\n");
    rig.run(&["set-buffer", "one"]);
    rig.run(&["set-buffer", "-b", "named", "two\nlines"]);
    rig.run(&["set-buffer", "-a", "-b", "named", "!"]);
    assert_eq!(
        list(&rig),
        "named: 10 bytes: \"two\\nlines!\"\nbuffer0: 3 bytes: \"one\"\n"
    );
    assert_eq!(rig.run(&["showb", "-b", "buffer0"]).stdout, "one");
    rig.run(&["deleteb"]);
    assert_eq!(list(&rig), "buffer0: 3 bytes: \"one\"\n");
    let json = rig.run(&["lsb", "--json"]).stdout;
    assert!(json.contains("\"buffer_name\":\"buffer0\""), "{json}");
}

#[test]
fn list_buffers_with_format_and_filter_prints_those_it_fits() {
    let rig = rig();
    rig.run(&["setb", "one", ";", "setb", "three"]);
    let printed = rig.run(&[
        "lsb",
        "-F",
        "#{buffer_name}=#{buffer_size}",
        "-f",
        "#{==:#{buffer_size},5}",
    ]);
    assert_eq!(printed.stdout, "buffer1=5\n");
}

#[test]
fn paste_buffer_types_with_the_separator_wanted() {
    let rig = rig();
    let pty = rig.pty(0);
    rig.run(&["setb", "a\nb"]);
    rig.run(&["pasteb"]);
    assert_eq!(pty.was_typed(), "a\rb");
    rig.run(&["pasteb", "-r"]);
    assert_eq!(pty.was_typed(), "a\nb");
    rig.run(&["pasteb", "-p", "-s", ", "]);
    assert_eq!(pty.was_typed(), "a, b");
    pty.says("\x1b[?2004h");
    rig.run(&["setb", "x\x1b[201~y"]);
    rig.run(&["pasteb", "-d", "-p"]);
    let typed = pty.was_typed();
    assert!(
        typed.starts_with("\x1b[200~x") && typed.ends_with("y\x1b[201~"),
        "{typed:?}"
    );
    assert_eq!(typed.matches("\x1b[201~").count(), 1, "{typed:?}");
    assert_eq!(list(&rig), "buffer0: 3 bytes: \"a\\nb\"\n");
}

#[test]
fn load_buffer_from_standard_input_takes_all_of_it() {
    let rig = rig();
    let long = "word ".repeat(100_000);
    let done = rig.run_with_input(
        &["load-buffer", "-b", "in", "-", ";", "showb", "-b", "in"],
        &long,
    );
    assert_eq!(done.status, Some(0));
    assert!(done.stdout == long, "{} bytes", done.stdout.len());
    rig.run_with_input(&["load-buffer", "-b", "nothing", "-"], "");
    assert!(!list(&rig).contains("nothing"));
}

#[test]
fn save_buffer_and_load_buffer_go_by_the_callers_directory() {
    let rig = rig();
    let dir = std::env::temp_dir().join(format!("shellkeep-buffers-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join("f").display().to_string();
    rig.run(&["setb", "one\n"]);
    rig.run(&["saveb", &file]);
    rig.run(&["saveb", "-a", &file]);
    rig.run(&["loadb", "-b", "back", &file]);
    let shown = rig.run(&["showb", "-b", "back"]).stdout;
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(shown, "one\none\n");
    let missing = rig.run(&["loadb", "nowhere/at all"]).stderr;
    assert_eq!(missing, "/nowhere/at all: No such file or directory\n");
}

#[test]
fn programs_set_the_clipboard_only_where_the_option_lets_them() {
    let rig = rig();
    let ann = rig.attach((10, 40), &["attach"]);
    let set = "\x1b]52;c;aGVsbG8=\x07";
    rig.run(&["setb", "secret"]);
    rig.pty(0).says(set).says("\x1b]52;c;?\x07");
    assert_eq!(ann.clipboard(), None, "unless the user allows it");
    assert_eq!(rig.pty(0).was_typed(), "");
    rig.run(&["set", "-s", "set-clipboard", "on"]);
    rig.pty(0).says(set);
    assert_eq!(ann.clipboard().as_deref(), Some("hello"));
    assert_eq!(rig.run(&["showb"]).stdout, "hello");
    rig.pty(0).says("\x1b]52;c;?\x07");
    assert_eq!(rig.pty(0).was_typed(), "\x1b]52;c;aGVsbG8=\x1b\\");
    rig.run(&["set", "-s", "set-clipboard", "external"]);
    rig.pty(0).says(set);
    assert_eq!(ann.clipboard(), None);
    rig.run(&["setb", "-w", "mine"]);
    assert_eq!(ann.clipboard().as_deref(), Some("mine"));
}
