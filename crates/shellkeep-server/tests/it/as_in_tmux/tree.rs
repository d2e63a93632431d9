//! What a tree asks for is asked in the status line, as in tmux.

use super::pair::Pair;

const TREE: &[&str] = &["choose-tree", "-sN", "-t", "work", "-F", "x"];

#[test]
fn questions_of_a_tree_stand_in_the_status_line_as_in_tmux() {
    let pair = Pair::start("tree_questions", "");
    pair.run(&["new", "-d", "-s", "other", "-n", "one", "cat"])
        .run(&["new", "-d", "-s", "third", "-n", "one", "cat"]);
    pair.run(TREE).same("third: x");
    pair.keys("/").same("(search)");
    pair.types("thi").same("(search) thi");
    // The line is edited as at any prompt.
    pair.keys("Left BSpace").same("(search) ti");
    pair.types("h").same("(search) thi");
    pair.keys("Enter").same("[work] 0:main");
    pair.keys("x").same("Kill session third?");
    pair.keys("n").same("[work] 0:main");
    pair.keys(":").same("(current)");
    pair.keys("Escape").same("[work] 0:main");
    pair.keys("C-t :").same("(3 tagged)");
    pair.types("set -t '%%' @seen yes").same("@seen yes");
    pair.keys("Enter").same("[work] 0:main");
    pair.keys("X").same("Kill 3 tagged?");
    pair.keys("Escape").same("[work] 0:main");
    pair.keys("T f").same("(filter)");
    pair.types("#{==:#S,other}").same("#{==:#S,other}");
    pair.keys("Enter");
    // What a filter brings back stands folded here, and open in tmux; so only the question is compared.
    pair.same_by(
        "one line",
        |screen| !screen.has("third: x"),
        |_| String::new(),
    );
    // What it is stands there to be changed; who turns away from it has none.
    pair.keys("f").both_show("(filter) #{==:#S,other}");
    pair.keys("C-c").both_show("third: x");
}

#[test]
fn question_of_a_tree_at_the_top_stands_in_the_status_line_there() {
    let pair = Pair::start(
        "tree_question_at_the_top",
        "set -g status-position top\nset -g status 2",
    );
    pair.run(&["new", "-d", "-s", "other", "-n", "one", "cat"]);
    pair.run(TREE).same("other: x");
    pair.keys("f").same("(filter)");
    pair.keys("C-c").same("[work] 0:main");
    pair.keys("x").same("Kill session work?");
}

#[test]
fn previews_of_windows_and_panes_look_as_in_tmux() {
    let pair = Pair::start_sized("tree_previews", "", (24, 80));
    for panes in 2..=4 {
        pair.run(&["split-window", "-t", "work:0", "cat"]);
        pair.run(&["select-layout", "-t", "work:0", "tiled"]);
        pair.keys("C-b w").same(&format!("│ {} │", panes - 1));
        pair.keys("q").same("[work] 0:main");
    }
    for name in [
        "two",
        "a-name-that-is-too-long-for-its-share-of-the-row",
        "four",
    ] {
        pair.run(&["new-window", "-d", "-n", name, "cat"]);
        pair.keys("C-b s").same("(sort: index)");
        pair.keys("q").same("[work] 0:main");
    }
}
