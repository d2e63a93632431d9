use expect_test::expect;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

fn with_menu(rig: &Rig, items: &[&str]) -> VirtualClient {
    let ann = rig.attach((12, 40), &["new", "-s", "work"]);
    let mut argv = vec![
        "display-menu",
        "-T",
        "#[align=centre]#S",
        "-x",
        "0",
        "-y",
        "9",
    ];
    argv.extend(items);
    let cli = rig.attach((5, 5), &["has"]);
    cli.start(&argv);
    ann
}

const ITEMS: &[&str] = &[
    "First",
    "a",
    "set -g @x first",
    "",
    "-Off",
    "b",
    "set -g @x off",
    "Third",
    "",
    "set -g @x third",
];

fn chosen(rig: &Rig) -> String {
    rig.run(&["show", "-gqv", "@x"])
        .stdout
        .trim_end()
        .to_owned()
}

/// The rows of a client's terminal without its status line.
fn rows(client: &VirtualClient, count: usize) -> String {
    let text = client.text();
    let rows: Vec<&str> = text.lines().take(count).map(str::trim_end).collect();
    format!("{}\n", rows.join("\n"))
}

#[test]
fn menu_is_drawn_as_tmux_draws_it() {
    let rig = Rig::new();
    let ann = with_menu(&rig, ITEMS);
    expect![[r#"



        ┌───work────┐
        │ First (a) │
        ├───────────┤
        │ Off       │
        │ Third     │
        └───────────┘
    "#]]
    .assert_eq(&rows(&ann, 9));
}

#[test]
fn menu_key_runs_its_command_and_closes_it() {
    let rig = Rig::new();
    let ann = with_menu(&rig, ITEMS);
    ann.keys("a");
    assert_eq!(chosen(&rig), "first");
    assert!(!ann.text().contains("Third"), "{}", ann.text());
    ann.keys("x");
    assert_eq!(rig.pty(0).was_typed(), "x", "keys go to the pane again");
}

#[test]
fn menu_arrows_skip_what_cannot_be_chosen() {
    let rig = Rig::new();
    let ann = with_menu(&rig, ITEMS);
    ann.keys("b");
    assert_eq!(chosen(&rig), "", "an item that is off has no key");
    ann.keys("Down Enter");
    assert_eq!(chosen(&rig), "third");
}

#[test]
fn menu_is_left_by_q_and_keeps_keys_from_the_pane() {
    let rig = Rig::new();
    let ann = with_menu(&rig, ITEMS);
    ann.keys("z C-b q");
    assert_eq!(rig.pty(0).was_typed(), "");
    assert!(!ann.text().contains("Third"));
    assert_eq!(chosen(&rig), "");
}

#[test]
fn menu_command_waits_until_it_is_closed() {
    let rig = Rig::new();
    let ann = rig.attach((12, 40), &["new"]);
    let cli = rig.attach((5, 5), &["has"]);
    cli.start(&[
        "display-menu",
        "One",
        "1",
        "set -g @x one",
        ";",
        "set",
        "-g",
        "@y",
        "after",
    ]);
    assert_eq!(rig.run(&["show", "-gqv", "@y"]).stdout, "");
    ann.keys("Escape");
    assert_eq!(rig.run(&["show", "-gqv", "@y"]).stdout, "after\n");
}

#[test]
fn menu_that_lacks_words_or_room_is_not_shown() {
    let rig = Rig::new();
    let ann = rig.attach((4, 40), &["new"]);
    let few = rig.run(&["display-menu", "name", "k"]);
    assert_eq!(
        (few.stderr.as_str(), few.status),
        ("not enough arguments\n", Some(1))
    );
    let mut argv = vec!["display-menu"];
    argv.extend(ITEMS);
    assert_eq!(
        rig.run(&argv).status,
        Some(0),
        "six rows do not fit into four"
    );
    assert!(!ann.text().contains("First"));
}

#[test]
fn menu_names_are_formats_and_empty_ones_are_left_out() {
    let rig = Rig::new();
    let ann = with_menu(
        &rig,
        &[
            "#{?pane_marked,No,}",
            "n",
            "",
            "",
            "#{?session_name,Yes,}",
            "y",
            "set -g @x '#S'",
        ],
    );
    let text = ann.text();
    assert!(text.contains("Yes (y)") && !text.contains("├"), "{text}");
    ann.keys("y");
    assert_eq!(chosen(&rig), "work", "commands are formats, too");
}

/// Right button down, moved to a line of the menu that opens, and let go there.
fn choose_by_mouse(client: &VirtualClient, row: u16, col: u16, line: &str) {
    client.sends(format!("\x1b[<2;{};{}M", col + 1, row + 1));
    let text = client.text();
    let found = text.lines().enumerate().find_map(|(row, shown)| {
        let at = shown.find(line)?;
        Some((row + 1, shown[..at].chars().count() + 1))
    });
    let (row, col) = found.unwrap_or_else(|| panic!("no {line}: {text}"));
    client.sends(format!("\x1b[<34;{col};{row}M"));
    client.sends(format!("\x1b[<2;{col};{row}m"));
}

#[test]
fn right_click_on_a_pane_opens_a_menu_that_the_release_chooses_from() {
    let rig = Rig::new();
    let ann = rig.attach((30, 80), &["new", "-s", "work"]);
    choose_by_mouse(&ann, 3, 40, "Horizontal Split");
    let panes = || rig.run(&["list-panes", "-F", "#{pane_left}"]).stdout;
    assert_eq!(panes(), "0\n41\n");
    ann.sends("\x1b[<2;10;4M");
    assert!(ann.text().contains("Vertical Split"), "{}", ann.text());
    ann.sends("\x1b[<2;80;30m");
    assert!(!ann.text().contains("Vertical Split"), "{}", ann.text());
    choose_by_mouse(&ann, 3, 60, "Kill");
    assert_eq!(
        panes(),
        "0\n",
        "the pane below the mouse, not the active one"
    );
}

#[test]
fn right_click_on_the_status_line_opens_the_menu_of_what_is_there() {
    let rig = Rig::with_status("set -g status-left '[#S] '\nset -g status-right ''");
    let ann = rig.attach((30, 80), &["new", "-s", "work", "-n", "first"]);
    rig.run(&["new-window", "-n", "second"]);
    choose_by_mouse(&ann, 29, 8, "Kill");
    let windows = rig.run(&["list-windows", "-F", "#W"]).stdout;
    assert_eq!(windows, "second\n");
    choose_by_mouse(&ann, 29, 1, "New Session");
    assert_eq!(rig.run(&["ls"]).stdout.lines().count(), 2);
}
