//! What is around the panes looks as in tmux.

use super::pair::Pair;

#[test]
fn borders_and_status_lines_look_as_in_tmux() {
    let pair = Pair::start("borders", "set -g default-command 'stty -echo; exec cat'");
    pair.run(&["split-window", "-h"]).same("│");
    pair.run(&["split-window", "-v"]).same("├");
    pair.run(&["select-pane", "-t", "work:0.0"]).same("├");
    pair.run(&["select-pane", "-m", "-t", "work:0.1"])
        .same("*M");
    pair.run(&["set", "-g", "pane-border-lines", "heavy"])
        .same("┣");
    pair.run(&["set", "-g", "pane-border-format", "<#{pane_index}>"]);
    pair.run(&["set", "-g", "pane-border-status", "bottom"])
        .same("<2>");
    pair.run(&["set", "-g", "pane-border-status", "top"])
        .same("<2>");
    pair.run(&["set", "-g", "window-style", "bg=colour236"]);
    pair.run(&["set", "-g", "window-active-style", "bg=black,fg=white"]);
    pair.same("<2>");
    pair.run(&["resize-pane", "-Z", "-t", "work:0.1"])
        .same("*MZ");
    pair.run(&["new-window", "-n", "other"]).same("1:other*");
    pair.run(&["set", "-g", "status-style", "bg=blue,fg=white,bold"])
        .same("1:other*");
    pair.run(&["set", "-g", "status-justify", "centre"])
        .same("1:other*");
    pair.run(&["set", "-g", "status", "2"]).same("0[60x9]");
    pair.run(&["set", "-g", "status-position", "top"])
        .same("0[60x9]");
    pair.run(&["set", "-g", "status", "off"]);
    pair.same_when("no status line", |screen| !screen.has("other"));
}

#[test]
fn prompts_and_messages_look_as_in_tmux() {
    let pair = Pair::start("prompts", "");
    pair.keys("C-b :")
        .same_when("the prompt", |screen| screen.row(11).starts_with(':'));
    pair.types("set -g @x 'a b'").same(":set -g @x 'a b'");
    pair.keys("C-a").same(":set -g @x 'a b'");
    pair.keys("Right C-k")
        .same_when("a cut line", |screen| screen.row(11).trim() == ":s");
    pair.keys("C-u")
        .types("select-window -t 9")
        .keys("Enter")
        .same("find window: 9");
    pair.keys("C-b ,").same("(rename-window) main");
    pair.keys("C-u").types("x").keys("Enter").same("0:x*");
    pair.keys("C-b x").same("kill-pane 0? (y/n)");
    pair.keys("n").same("0:x*");
    pair.run(&[
        "display-message",
        "-d",
        "60000",
        "#[bold]loud#[default] quiet",
    ])
    .same("loud quiet");
    pair.run(&["set", "-g", "status", "off"]).keys("C-b :");
    pair.same_when("the prompt", |screen| screen.row(11).starts_with(':'));
    pair.keys("Escape");
    pair.same_when("no prompt", |screen| !screen.row(11).starts_with(':'));
}

#[test]
fn numbers_and_the_clock_look_as_in_tmux() {
    let pair = Pair::start(
        "numbers_and_clock",
        "set -g default-command 'stty -echo; exec cat'",
    );
    pair.run(&["split-window", "-h", "-l", "20"]).same("│");
    pair.run(&["split-window", "-v"]).same("├");
    pair.run(&["display-panes", "-b", "-d", "60000"])
        .same("39x11");
    pair.keys("0");
    pair.same_when("no numbers", |screen| !screen.has("39x11"));
    pair.run(&["clock-mode", "-t", "work:0.0"]);
    pair.same_when("a clock", |screen| {
        // Whatever the hour, the right side of its first digit is lit.
        let style = screen.style(2, 8);
        style.is_some_and(|style| style.contains('/'))
    });
}
