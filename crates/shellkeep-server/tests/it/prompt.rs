//! Prompts: keys in, screen out.

use expect_test::{Expect, expect};
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

/// A session with a status line that says little, and messages that stay.
const CONFIG: &str = "set -g display-time 0\nset -g status-right ''\nset -g status-left '[#S]'\n";

fn attach(rig: &Rig) -> VirtualClient {
    let client = rig.attach((4, 40), &["new", "-s", "work"]);
    rig.pty(0).says("$ ");
    client
}

/// Compares the last row.
fn check(client: &VirtualClient, expected: &Expect) {
    let rows = client.with_terminal(|terminal| terminal.size().rows());
    let last = client.with_terminal(|terminal| terminal.row(rows - 1).text());
    expected.assert_eq(last.trim_end());
}

#[test]
fn prompt_runs_the_command_that_is_typed() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    ann.keys("C-b :");
    check(&ann, &expect![":"]);
    let cursor = ann.with_terminal(|terminal| terminal.cursor());
    assert!(!cursor.visible);
    ann.sends("rename-session play");
    check(&ann, &expect![":rename-session play"]);
    ann.keys("Enter");
    assert_eq!(rig.pty(0).was_typed(), "");
    assert_eq!(rig.run(&["has", "-t", "=play"]).status, Some(0));
    assert!(ann.with_terminal(|terminal| terminal.cursor()).visible);
}

#[test]
fn prompt_says_what_is_wrong_until_a_key_is_typed() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    ann.keys("C-b :").sends("kill-session -t 'nope#[bold]'\r");
    check(&ann, &expect!["Can't find session: nope#[bold]"]);
    ann.keys("a");
    assert_eq!(rig.pty(0).was_typed(), "a");
    ann.keys("C-b :").sends("frobnicate\r");
    check(&ann, &expect!["Unknown command: frobnicate"]);
}

#[test]
fn prompt_left_by_escape_does_nothing() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    ann.keys("C-b :").sends("kill-server").keys("Escape");
    rig.settle();
    ann.keys("x");
    assert_eq!(rig.pty(0).was_typed(), "x");
}

#[test]
fn prompt_with_a_template_puts_the_answers_in() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    ann.keys("C-b $");
    check(&ann, &expect!["(rename-session) work"]);
    ann.keys("C-u").sends("my play\r");
    assert_eq!(rig.run(&["has", "-t", "=my play"]).status, Some(0));
    let command = [
        "command-prompt",
        "-b",
        "-p",
        "one,two",
        "-I",
        "a,#S",
        "set -g @x '%2 %1'",
    ];
    assert_eq!(rig.run(&command).stderr, "");
    check(&ann, &expect!["one a"]);
    ann.keys("b Enter");
    check(&ann, &expect!["two my play"]);
    ann.keys("Enter");
    assert_eq!(rig.run(&["show", "-gv", "@x"]).stdout, "my play ab\n");
}

#[test]
fn prompt_for_one_key_takes_it_at_once() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    rig.run(&[
        "command-prompt",
        "-b",
        "-1",
        "-p",
        "which",
        "set -g @x '%%'",
    ]);
    check(&ann, &expect!["which"]);
    ann.keys("z");
    assert_eq!(rig.run(&["show", "-gv", "@x"]).stdout, "z\n");
    rig.run(&[
        "command-prompt",
        "-b",
        "-k",
        "-p",
        "which",
        "set -g @x '%%'",
    ]);
    ann.keys("C-Left");
    assert_eq!(rig.run(&["show", "-gv", "@x"]).stdout, "C-Left\n");
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn prompt_with_i_tells_every_change() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    rig.run(&["command-prompt", "-i", "-p", "find", "set -ga @x '%%'"]);
    ann.keys("a b BSpace Enter");
    assert_eq!(rig.run(&["show", "-gv", "@x"]).stdout, "==a=ab=a\n");
}

#[test]
fn prompt_remembers_what_was_typed() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    for line in ["set -g @a 1", "set -g @b 2"] {
        ann.keys("C-b :").sends(line).keys("Enter");
    }
    ann.keys("C-b : Up Up");
    check(&ann, &expect![":set -g @a 1"]);
    ann.keys("Down");
    check(&ann, &expect![":set -g @b 2"]);
    ann.keys("C-c");
    let history = rig.run(&["show-prompt-history", "-T", "command"]).stdout;
    assert_eq!(
        history,
        "History for command:\n\n1: set -g @a 1\n2: set -g @b 2\n\n"
    );
    rig.run(&["clear-prompt-history"]);
    let history = rig.run(&["show-prompt-history", "-T", "command"]).stdout;
    assert_eq!(history, "History for command:\n\n\n");
    let wrong = rig.run(&["show-prompt-history", "-T", "nope"]).stderr;
    assert_eq!(wrong, "invalid type: nope\n");
}

#[test]
fn prompt_completes_commands_options_and_sessions() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    ann.keys("C-b :").sends("set-o\t");
    check(&ann, &expect![":set-option"]);
    ann.sends("-g status-le\t");
    check(&ann, &expect![":set-option -g status-left"]);
    ann.keys("C-u").sends("kill-session -two\t");
    check(&ann, &expect![":kill-session -twork:"]);
}

#[test]
fn prompt_offers_words_to_choose_from_where_several_fit() {
    let rig = Rig::with_status(CONFIG);
    let ann = rig.attach((9, 50), &["new", "-s", "work"]);
    ann.keys("C-b :").sends("set -g status-left\t");
    let text = ann.text();
    let rows: Vec<&str> = text.lines().skip(3).map(str::trim_end).collect();
    let shown = [
        "      ┌────────────────────────┐",
        "      │ status-left        (0) │",
        "      │ status-left-length (1) │",
        "      │ status-left-style  (2) │",
        "      └────────────────────────┘",
        ":set -g status-left",
    ];
    assert_eq!(rows, shown, "{text}");
    ann.sends("\t\t").keys("Enter");
    check(&ann, &expect![":set -g status-left-style"]);
    ann.sends("\t");
    check(&ann, &expect![":set -g status-left-style"]);
    ann.keys("C-u").sends("set -g status-left\t1");
    check(&ann, &expect![":set -g status-left-length"]);
    ann.keys("C-u").sends("set -g status-left\t").keys("BSpace");
    assert!(!ann.text().contains('┌'), "{}", ann.text());
    ann.keys("Escape");
}

#[test]
fn prompt_in_the_way_of_a_paste_takes_it() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    ann.keys("C-b :").sends("\x1b[200~list\n-keys\x1b[201~");
    check(&ann, &expect![":list-keys"]);
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn confirmation_runs_the_command_only_for_a_yes() {
    let rig = Rig::with_status(CONFIG);
    let ann = attach(&rig);
    rig.run(&["confirm-before", "-b", "set -g @x yes"]);
    check(&ann, &expect!["Confirm 'set'? (y/n)"]);
    ann.keys("n");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "");
    rig.run(&["confirm-before", "-b", "-p", "sure?", "set -g @x yes"]);
    check(&ann, &expect!["sure?"]);
    ann.keys("y");
    assert_eq!(rig.run(&["show", "-gqv", "@x"]).stdout, "yes\n");
}

#[test]
fn numbers_of_panes_are_shown_over_them_and_choose_one() {
    let rig = Rig::with_status(CONFIG);
    let ann = rig.attach((9, 20), &["new", "-s", "work"]);
    rig.pty(0).says("$ some text");
    rig.run(&["display-panes", "-b", "-d", "0", "set -g @x '%%'"]);
    let blocks = ann.with_terminal(|terminal| {
        let rows = terminal.rows().map(|row| {
            let cells = row.cells();
            cells
                .map(|cell| match cell.style().bg {
                    shellkeep_core::Color::Palette(1) => '#',
                    _ => cell.text().chars().next().unwrap_or(' '),
                })
                .collect::<String>()
        });
        let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
        rows[..8].join("\n")
    });
    expect![[r#"
        $ some text     20x8

               #####
               #   #
               #   #
               #   #
               #####
    "#]]
    .assert_eq(&format!("{}\n", blocks.trim_end()));
    ann.keys("0");
    assert_eq!(rig.run(&["show", "-gv", "@x"]).stdout, "%0\n");
    assert_eq!(rig.pty(0).was_typed(), "");
}

#[test]
fn what_a_key_does_is_told_in_the_status_line() {
    let rig = Rig::with_status("set -g display-time 0");
    let ann = rig.attach((6, 60), &["new", "-s", "work"]);
    ann.keys("C-b / c");
    let text = ann.text();
    assert!(text.ends_with("C-b c Create a new window"), "{text}");
    let mode = rig.run(&["display", "-p", "#{pane_in_mode}"]).stdout;
    assert_eq!(mode, "0\n", "the pane is not covered");
}
