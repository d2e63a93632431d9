//! Hooks run in the order of tmux, for the same commands.

use std::cell::Cell;

use shellkeep_keeper::Program;

use super::Both;

const HOOKS: &[&str] = &[
    "after-copy-mode",
    "after-kill-pane",
    "after-new-session",
    "after-new-window",
    "after-resize-pane",
    "after-select-layout",
    "after-select-pane",
    "after-select-window",
    "after-send-keys",
    "after-split-window",
    "pane-died",
    "pane-exited",
    "pane-mode-changed",
    "pane-title-changed",
    "session-closed",
    "session-created",
    "session-renamed",
    "session-window-changed",
    "window-layout-changed",
    "window-linked",
    "window-pane-changed",
    "window-renamed",
    "window-resized",
    "window-unlinked",
];

/// tmux and shellkeep, with every hook writing its name down.
struct Logged {
    both: Both,
    /// So many programs were started that had a chance to end.
    played: Cell<usize>,
}

impl Logged {
    fn start(name: &str) -> Self {
        let logged = Self {
            both: Both::start(name),
            played: Cell::new(0),
        };
        logged.run(&["new", "-d", "-s", "base", "-x", "80", "-y", "24", "cat"]);
        logged.run(&["set", "-g", "automatic-rename", "off"]);
        for hook in HOOKS {
            let command = format!("set -ga @log '{hook} '");
            let is_of_window = hook.starts_with("window-") || hook.starts_with("pane-");
            let is_of_session = ["window-linked", "window-unlinked"].contains(hook);
            let flag = match is_of_window && !is_of_session {
                true => "-gw",
                false => "-g",
            };
            logged.run(&["set-hook", flag, hook, &command]);
        }
        logged
    }

    fn run(&self, args: &[&str]) {
        let (ours, theirs) = self.both.ask(args);
        assert_eq!((ours.status, theirs.status), (0, 0), "{args:?}: {ours:?}");
    }

    /// Programs that end do so: `true` as soon as it runs, the others at `C-d`.
    fn play_programs(&self) {
        let rig = &self.both.rig;
        let spawned = rig.spawned();
        let new = self.played.replace(spawned.len());
        for (at, spawned) in spawned.iter().enumerate() {
            let pane = spawned.pane.0;
            let is_true = matches!(&spawned.program, Program::Argv(words) if words.last().is_some_and(|word| word == b"true"));
            let ends = rig.has_pty(pane)
                && (is_true && at >= new || rig.pty(pane).was_typed().contains('\x04'));
            if ends {
                rig.pty(pane).exits(0);
            }
        }
    }

    /// Runs a command in both, and asserts that the same hooks run, until the one that is `settled`.
    fn same(&self, args: &[&str], settled: &str) {
        self.run(&[&["set", "-g", "@log", "", ";"], args].concat());
        self.play_programs();
        let log = ["show", "-gv", "@log"];
        let ours = self.both.rig.run(&log).stdout;
        let is_over = |text: &str| {
            text.contains(settled) && text.split(' ').count() == ours.split(' ').count()
        };
        let theirs = self
            .both
            .tmux
            .run_until(&log, |answer| is_over(&answer.stdout));
        assert_eq!(ours, theirs.stdout, "{args:?}: shellkeep left, tmux right");
    }

    /// Runs commands one after the other, a line each; behind `|` stands the hook that runs last.
    fn same_for_each(&self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (command, settled) = line.split_once(" | ").unwrap_or((line, ""));
            let words: Vec<&str> = command.split(' ').collect();
            self.same(&words, settled);
        }
    }
}

#[test]
fn hooks_run_in_the_same_order_as_in_tmux() {
    Logged::start("hooks").same_for_each(
        "new -d -s one cat
        new-window -t one cat
        new-window -d -t one cat
        select-window -t one:0
        select-window -t one:0
        next-window -t one
        previous-window -t one
        last-window -t one
        select-pane -t one -T title
        select-pane -t one:.0
        rename-window -t one:0 other
        rename-session -t one eins
        link-window -s eins:0 -t base:5
        unlink-window -t base:5
        copy-mode -t base
        send-keys -t base -X cancel
        choose-tree -t base
        kill-window -t eins:1
        kill-session -t eins
        new -d -s two -n x cat
        swap-window -s base:0 -t two:0
        swap-window -d -s base:0 -t two:0
        link-window -s two:0 -t base:9
        new-window -d -t two:4 cat
        link-window -k -s two:4 -t base:9
        link-window -dk -s two:0 -t base:9
        unlink-window -t base:9",
    );
}

#[test]
fn hooks_of_panes_run_in_the_same_order_as_in_tmux() {
    Logged::start("hooks_of_panes").same_for_each(
        "split-window -t base cat
        split-window -d -t base cat
        split-window -h -t base: cat
        split-window -Z -t base: cat
        resize-pane -Z -t base:
        select-pane -t base:.0
        kill-pane -t base:.3
        kill-pane -t base:.0
        select-pane -t base:.1
        select-pane -t base:.0
        last-pane -t base
        resize-pane -t base:.0 -D 2
        resize-pane -t base:.0 -y 5
        select-layout -t base tiled
        select-layout -t base even-horizontal
        next-layout -t base
        previous-layout -t base
        swap-pane -s base:.0 -t base:.1
        swap-pane -d -s base:.0 -t base:.1
        select-pane -t base:.0
        swap-pane -d -s base:.0 -t base:.1
        swap-pane -U -t base:.1",
    );
}

#[test]
fn hooks_of_panes_that_move_run_in_the_same_order_as_in_tmux() {
    Logged::start("hooks_of_panes_that_move").same_for_each(
        "split-window -t base cat
        split-window -t base cat
        split-window -t base cat
        break-pane -s base:.0
        break-pane -d -s base:0.0
        break-pane -d -n name -s base:0.0
        break-pane -d -s base:1 -t base:7
        split-window -t base:0 cat
        join-pane -s base:0.0 -t base:7
        select-pane -t base:7.1
        join-pane -d -s base:7.1 -t base:0
        join-pane -s base:7.0 -t base:0
        join-pane -h -s base:0.0 -t base:0.1
        join-pane -dh -s base:0.0 -t base:0.1
        move-pane -s base:0.0 -t base:2
        kill-pane -a -t base:2",
    );
}

#[test]
fn hooks_of_programs_that_end_run_in_the_same_order_as_in_tmux() {
    Logged::start("hooks_of_ends").same_for_each(
        "new-window -d -t base:2 cat
        split-window -t base:2 true | pane-exited
        split-window -d -t base:2 true | pane-exited
        new-window -t base true | window-unlinked
        new-window -d -t base true | window-unlinked
        set -wg remain-on-exit on
        split-window -t base:2 true | pane-died
        respawn-pane -t base:2 cat
        respawn-pane -k -t base:2 cat
        respawn-window -k -t base:2 cat
        select-window -t base:0
        respawn-window -k -t base:2 cat
        set -wg remain-on-exit off
        resize-window -t base:2 -x 100 -y 30
        resize-window -t base:2 -x 100 -y 30
        new -d -s three true | session-closed
        new -d -s four cat
        split-window -t four -l 5 cat
        send-keys -t four:.1 C-d | pane-exited
        send-keys -t four:.0 C-d | session-closed",
    );
}
