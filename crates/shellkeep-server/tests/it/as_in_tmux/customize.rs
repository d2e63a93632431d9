//! `customize-mode` looks and works as in tmux.

use shellkeep_testkit::real::Screen;

use super::pair::Pair;

/// What is told of the current line but for its first sentence, which is our own, and the line itself.
fn told(screen: &Screen<'_>) -> String {
    let rows = screen.rows();
    let title = rows.iter().find_map(|row| row.strip_prefix("┌ "));
    let title = title.and_then(|title| title.split(" ─").next());
    let title = title.unwrap_or_default().to_owned();
    let current = rows.iter().filter(|row| {
        let name = row.rsplit("─> ").next().unwrap_or_default();
        name.trim_start().starts_with(&format!("{title}: "))
    });
    // Which key leads to it depends on how many there are.
    let current = current.map(|row| row.split_once(' ').map_or("", |(_, row)| row.trim()));
    let mut lines = vec![title.clone()];
    lines.extend(current.map(str::to_owned));
    let about = [
        "This is a",
        "Option value",
        "The default",
        "Global value",
        "Available",
        "Command:",
    ];
    let told = rows.iter().filter(|row| {
        let row = row.trim_start_matches("│ ");
        about.iter().any(|start| row.starts_with(start))
    });
    lines.extend(told.cloned());
    lines.join("\n")
}

/// The whole tree, where it has nothing of our own in it.
fn tree(screen: &Screen<'_>) -> String {
    let rows = screen.rows();
    let lines = rows.iter().take(11).map(|row| row.trim_end().to_owned());
    let lines: Vec<String> = lines.chain([told(screen)]).collect();
    lines.join("\n")
}

#[test]
fn options_and_keys_are_browsed_and_changed_as_in_tmux() {
    let pair = Pair::start_sized(
        "customize",
        "bind -T own -r -N 'A note' C-y display hi\nset -g default-shell /bin/sh",
        (24, 80),
    );
    pair.run(&["customize-mode", "-t", "work"]);
    let same = |what: &str| pair.same_by(what, |screen| screen.has(what), tree);
    same("(0) + Server Options");
    pair.keys("Down Down Down Down Down Right Down");
    same("Command: display-message hi");
    pair.keys("Right Down Down Down");
    same("Repeat: on");
    pair.keys("s");
    same("Repeat: off");
    pair.keys("g M--");
    same("(6) + Key Table - prefix");
    // From here on, options of our own stand among tmux's.
    pair.keys("Down Right").both_show("activity-action");
    let same = |what: &str| pair.same_by(what, |screen| screen.has(what), told);
    pair.keys("C-s").both_show("(search)");
    pair.types("status-justify")
        .both_show("(search) status-justify");
    pair.keys("Enter");
    same("Available values are: left, centre, right, absolute-centre");
    pair.keys("s");
    same("status-justify: (session work) centre");
    pair.keys("d").both_show("Reset status-justify to default?");
    pair.types("y");
    same("status-justify: left");
    pair.keys("S");
    same("status-justify: centre");
    pair.keys("C-s").both_show("(search)");
    pair.types("word-sep").both_show("(search) word-sep");
    pair.keys("Enter");
    same("word-separators");
    pair.keys("s")
        .both_show("(word-separators, for session work)");
    pair.keys("C-u").types("ab");
    pair.both_show("(word-separators, for session work) ab");
    pair.keys("Enter");
    same("word-separators: (session work) ab");
    for args in [&["show", "-t", "work"][..], &["list-keys", "-T", "own"]] {
        let (ours, theirs) = pair.both.ask(args);
        assert_eq!(ours.stdout, theirs.stdout, "{args:?}");
    }
}
