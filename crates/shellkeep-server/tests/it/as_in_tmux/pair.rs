//! What is around the panes: the same configuration, commands and keys to both, and the same screens.

use std::cell::RefCell;
use std::collections::BTreeMap;

use shellkeep_testkit::real::Screen;
use shellkeep_testkit::virtual_rig::{Rig, VirtualClient};

use super::Both;

/// Nothing that differs between two programs or two moments. Without the first, tmux takes keys that come fast for pasted.
const CONFIG: &str = "set -g assume-paste-time 0\nset -g status-right ''\nset -g display-time 60000\nset -g automatic-rename off\n\
    set -g set-clipboard off\n";

/// The same session in tmux and here, on a terminal each.
pub(super) struct Pair {
    pub(super) both: Both,
    ours: VirtualClient,
    /// What programs were given of a line that has not ended.
    lines: RefCell<BTreeMap<u32, String>>,
}

/// What is to be seen. Where a cursor is that is not shown cannot be.
fn look(screen: &Screen<'_>) -> String {
    let all = screen.look();
    let seen = all.lines().filter(|line| !line.ends_with("hidden true"));
    seen.collect::<Vec<_>>().join("\n") + "\n"
}

impl Pair {
    pub(super) fn start(name: &str, more: &str) -> Self {
        Self::start_sized(name, more, (12, 60))
    }

    /// The same, on terminals of another size.
    pub(super) fn start_sized(name: &str, more: &str, size: (u16, u16)) -> Self {
        let config = format!("{CONFIG}{more}\n");
        let both = Both::start_with(name, Rig::with_status(&config));
        let session = ["new", "-s", "work", "-n", "main", "stty -echo; exec cat"];
        both.tmux.attach(&config, &session, size);
        let ours = both.rig.attach(size, &session);
        let pair = Self {
            both,
            ours,
            lines: RefCell::default(),
        };
        pair.same("[work] 0:main");
        pair
    }

    /// Runs a command in both.
    pub(super) fn run(&self, args: &[&str]) -> &Self {
        let (ours, theirs) = self.both.ask(args);
        assert_eq!((ours.status, theirs.status), (0, 0), "{args:?}: {ours:?}");
        self
    }

    pub(super) fn keys(&self, names: &str) -> &Self {
        self.ours.keys(names);
        self.both.tmux.keys(names);
        self.play_programs();
        self
    }

    pub(super) fn types(&self, text: &str) -> &Self {
        self.ours.sends(text);
        self.both.tmux.sends(text.as_bytes());
        self.play_programs();
        self
    }

    /// Every program prints each line it is given, on a terminal that does not echo.
    fn play_programs(&self) {
        let rig = &self.both.rig;
        for pane in rig.spawned().iter().map(|spawned| spawned.pane.0) {
            if !rig.has_pty(pane) {
                continue;
            }
            let pty = rig.pty(pane);
            let mut lines = self.lines.borrow_mut();
            let line = lines.entry(pane).or_default();
            line.push_str(&pty.was_typed().replace('\r', "\n"));
            let end = line.rfind('\n').map_or(0, |at| at + 1);
            let printed: String = line.drain(..end).collect();
            pty.says(printed.replace('\n', "\r\n"));
        }
    }

    /// Asserts that tmux shows a text, and that both screens are the same.
    #[track_caller]
    pub(super) fn same(&self, text: &str) -> &Self {
        self.same_when(text, |screen| screen.has(text))
    }

    /// Asserts that both screens are the same, once tmux shows what it is to show.
    #[track_caller]
    pub(super) fn same_when(&self, what: &str, is_settled: impl Fn(&Screen<'_>) -> bool) -> &Self {
        self.same_by(what, is_settled, look)
    }

    /// Asserts that both show the same of what `look` looks at.
    #[track_caller]
    pub(super) fn same_by(
        &self,
        what: &str,
        is_settled: impl Fn(&Screen<'_>) -> bool,
        look: impl Fn(&Screen<'_>) -> String,
    ) -> &Self {
        let ours = self.ours.screen(&look);
        let theirs = self.both.tmux.screen(what, &ours, &is_settled, &look);
        assert!(
            ours == theirs,
            "{what}: in shellkeep\n{ours}\nin tmux\n{theirs}"
        );
        assert!(self.ours.screen(is_settled), "{what} is not shown");
        self
    }

    /// Asserts that both show a text, wherever.
    #[track_caller]
    pub(super) fn both_show(&self, text: &str) -> &Self {
        let has = |screen: &Screen<'_>| screen.has(text);
        self.same_by(text, has, |screen| format!("{}\n", has(screen)))
    }
}
