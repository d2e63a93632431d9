//! What is around the panes looks as in tmux: the same configuration, commands and keys, and the same screens.

use shellkeep_testkit::real::{Rig, Screen, Terminal};

use crate::programs;
use crate::tmux::{both, tmux};
use crate::{is_installed, rig};

/// Nothing that differs between two programs or two moments. Without the first, tmux takes keys that come fast for pasted.
const CONFIG: &str = "set -g assume-paste-time 0\nset -g status-right ''\nset -g display-time 60000\nset -g automatic-rename off\n\
    set -g set-clipboard off\n";

/// What is to be seen. Where a cursor is that is not shown is nobody's business.
fn look(screen: &Screen<'_>) -> String {
    let all = programs::look(screen);
    let seen = all.lines().filter(|line| !line.ends_with("hidden true"));
    seen.collect::<Vec<_>>().join("\n")
}

/// The same session in tmux and here.
pub(crate) struct Pair {
    pub(crate) rig: Rig,
    theirs: Terminal,
    ours: Terminal,
}

impl Pair {
    pub(crate) fn start(more: &str) -> Self {
        Self::start_sized(more, (12, 60))
    }

    /// The same, on terminals of another size.
    pub(crate) fn start_sized(more: &str, size: (u16, u16)) -> Self {
        let rig = rig();
        let config = rig.write(
            "config/shellkeep/shellkeep.conf",
            &format!("{CONFIG}{more}\n"),
        );
        let config = config.to_str().unwrap();
        let session = ["new", "-s", "work", "-n", "main", "stty -echo; exec cat"];
        let run = rig.path("run");
        let env = [("TMUX_TMPDIR", run.to_str().unwrap())];
        let words = [&["tmux", "-f", config][..], &session].concat();
        let theirs = rig.start(&words, &env, size);
        let ours = rig.attach(&session, size);
        let pair = Self { rig, theirs, ours };
        pair.same("[work] 0:main");
        pair
    }

    /// Runs a command in both.
    pub(crate) fn run(&self, args: &[&str]) -> &Self {
        let (ours, theirs) = both(&self.rig, args);
        assert_eq!((ours.status, theirs.status), (0, 0), "{args:?}: {ours:?}");
        self
    }

    pub(crate) fn keys(&self, names: &str) -> &Self {
        self.theirs.keys(names);
        self.ours.keys(names);
        self
    }

    pub(crate) fn types(&self, text: &str) -> &Self {
        self.theirs.type_text(text);
        self.ours.type_text(text);
        self
    }

    /// Waits until tmux shows a text, and until both screens are the same.
    pub(crate) fn same(&self, text: &str) -> &Self {
        self.same_when(text, |screen| screen.has(text))
    }

    /// Both, for what is to be seen in each by itself.
    pub(crate) fn terminals(&self) -> [&Terminal; 2] {
        [&self.theirs, &self.ours]
    }

    /// Waits until both show a text, wherever.
    pub(crate) fn both_show(&self, text: &str) -> &Self {
        for terminal in [&self.theirs, &self.ours] {
            terminal.wait_until(text, |screen| screen.has(text));
        }
        self
    }

    /// Waits until tmux shows a text, and until both show the same of what `look` looks at.
    pub(crate) fn same_by(&self, text: &str, look: fn(&Screen<'_>) -> Vec<String>) {
        self.theirs.wait_until(text, |screen| screen.has(text));
        let last = std::cell::RefCell::new((Vec::new(), Vec::new()));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.ours.wait_until("the same as in tmux", |screen| {
                let (ours, theirs) = (look(screen), self.theirs.screen(look));
                let is_same = ours == theirs;
                *last.borrow_mut() = (ours, theirs);
                is_same
            });
        }));
        if outcome.is_err() {
            let (ours, theirs) = last.into_inner();
            panic!(
                "{text}: in shellkeep\n{}\nin tmux\n{}",
                ours.join("\n"),
                theirs.join("\n")
            );
        }
    }

    pub(crate) fn same_when(
        &self,
        what: &str,
        is_settled: impl FnMut(&Screen<'_>) -> bool,
    ) -> &Self {
        self.theirs.wait_until(what, is_settled);
        let last = std::cell::RefCell::new((String::new(), String::new()));
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.ours.wait_until("the same as in tmux", |screen| {
                let (ours, theirs) = (look(screen), self.theirs.screen(look));
                let is_same = ours == theirs;
                *last.borrow_mut() = (ours, theirs);
                is_same
            });
        }));
        if outcome.is_err() {
            let (ours, theirs) = last.into_inner();
            panic!("{what}: in shellkeep\n{ours}\nin tmux\n{theirs}");
        }
        self
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        let _ = tmux(&self.rig, &["kill-server"]);
    }
}

#[test]
fn borders_and_status_lines_look_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let pair = Pair::start("set -g default-command 'stty -echo; exec cat'");
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
    if !is_installed("tmux") {
        return;
    }
    let pair = Pair::start("");
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
    if !is_installed("tmux") {
        return;
    }
    let pair = Pair::start("set -g default-command 'stty -echo; exec cat'");
    pair.run(&["split-window", "-h", "-l", "20"]).same("│");
    pair.run(&["split-window", "-v"]).same("├");
    pair.run(&["display-panes", "-b", "-d", "60000"])
        .same("39x11");
    pair.keys("0");
    pair.same_when("no numbers", |screen| !screen.has("39x11"));
    pair.run(&["clock-mode", "-t", "work:0.0"]);
    pair.same_when("a clock", |screen| {
        // Whatever the hour, the right side of its first digit is lit.
        let cell = screen.cell(2, 8);
        cell.is_some_and(|cell| cell.bgcolor() != vt100::Color::Default)
    });
}
