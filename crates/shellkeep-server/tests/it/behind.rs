//! Clients that do not read: what they cost has a bound, and they get the newest when they read again.

use std::path::Path;

use shellkeep_testkit::virtual_rig::Rig;

/// What this process has in memory, in bytes.
fn memory() -> usize {
    let text = std::fs::read_to_string(Path::new("/proc/self/statm")).unwrap_or_default();
    let pages = text.split_whitespace().nth(1);
    pages
        .and_then(|pages| pages.parse::<usize>().ok())
        .unwrap_or(0)
        * 4096
}

#[test]
fn terminal_that_does_not_read_costs_no_memory_whatever_a_program_asks_of_it() {
    let rig =
        Rig::with_status("set -s set-clipboard on\nset -g set-titles on\nset -s buffer-limit 2");
    let ann = rig.attach((24, 80), &["new", "-s", "a"]);
    let pty = rig.pty(0);
    pty.says("$ ");
    let _ = ann.painted();
    ann.stops();
    // Fills what lies between server and client.
    for round in 0..40 {
        pty.says(format!(
            "\x1b[H{}",
            char::from(b'a' + round % 26).to_string().repeat(1900)
        ));
    }
    let before = memory();
    let clipboard = "QUFB".repeat(10_000);
    for round in 0..100 {
        pty.says("\x07".repeat(10_000));
        pty.says(format!("\x1b]52;c;{clipboard}\x07\x1b]2;title {round}\x07"));
    }
    let grown = memory().saturating_sub(before);
    assert!(grown < 24 << 20, "{} KiB more", grown >> 10);
    pty.says("\x1b[2J\x1b[Hnewest\x1b]52;c;bmV3ZXN0\x07");
    ann.continues();
    assert!(ann.text().starts_with("newest"), "{}", ann.text());
    assert_eq!(ann.clipboard().as_deref(), Some("newest"));
}

#[test]
fn commands_wait_for_a_client_that_does_not_read_what_they_print() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    rig.run_with_input(&["loadb", "-b", "large", "-"], vec![b'x'; 1 << 20]);
    let client = rig.begin(&["ls"]);
    let _ = client.finished();
    client.stops();
    let mut words = Vec::new();
    for number in 0..100 {
        words.extend([
            "showb".to_owned(),
            "-b".to_owned(),
            "large".to_owned(),
            ";".to_owned(),
            "set".to_owned(),
            "-s".to_owned(),
            "@n".to_owned(),
            number.to_string(),
            ";".to_owned(),
        ]);
    }
    client.start(&words.iter().map(String::as_str).collect::<Vec<_>>());
    rig.settle();
    let reached: u32 = rig
        .run(&["show", "-sv", "@n"])
        .stdout
        .trim()
        .parse()
        .unwrap();
    assert!(reached < 4, "{reached} buffers wait to be read");
    client.continues();
    assert_eq!(client.finished().stdout.len() >> 20, 100);
    assert_eq!(rig.run(&["show", "-sv", "@n"]).stdout, "99\n");
}

#[test]
fn program_that_asks_and_does_not_read_gets_no_answers_without_end() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    let pty = rig.pty(0);
    pty.reads_only(0);
    for _ in 0..20 {
        pty.says("\x1b[c".repeat(5_000));
    }
    pty.reads_only(usize::MAX);
    let answers = pty.was_typed().len();
    assert!((1000..100_000).contains(&answers), "{answers} bytes");
    // What is typed arrives all the same.
    pty.reads_only(0);
    rig.run(&["send-keys", "-N", "100000", "x"]);
    pty.reads_only(usize::MAX);
    assert_eq!(pty.was_typed().len(), 100_000);
}
