//! What a command has changed of what is kept is written when the command answers: the death of server and keeper right after the
//! answer undoes nothing.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::control::Speaker;
use crate::rig;

/// A change that is not written in time is lost now and then only, so all are tried this often.
const ROUNDS: usize = 3;

/// Words in which `%` is the number of the round.
struct Change {
    argv: &'static str,
    /// What shows it.
    probe: &'static str,
    /// What is shown then, among other things.
    shown: &'static str,
    /// What is not.
    hidden: &'static str,
}

const fn change(argv: &'static str, probe: &'static str, shown: &'static str) -> Change {
    let hidden = "\0";
    Change {
        argv,
        probe,
        shown,
        hidden,
    }
}

const fn removal(argv: &'static str, probe: &'static str, hidden: &'static str) -> Change {
    let shown = "";
    Change {
        argv,
        probe,
        shown,
        hidden,
    }
}

const SESSIONS: &str = "list-sessions -F <#{session_name}|#{session_pinned}|#{session_tags}>";
const ARCHIVE: &str = "list-sessions -a -F <#{session_name}|#{session_state}>";
const WINDOWS: &str = "list-windows -t work -F <#{window_index}|#{window_name}|#{window_active}>";
const PANES: &str =
    "list-panes -s -t work -F <#{window_name}|#{pane_start_command}|#{pane_active}>";

fn in_round(text: &str, round: usize) -> String {
    text.replace('%', &round.to_string())
}

fn run(rig: &Rig, text: &str, round: usize) -> String {
    let text = in_round(text, round);
    let argv: Vec<&str> = text.split(' ').collect();
    rig.ok(&argv)
}

/// Who dies right after a command's answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Killed {
    /// What is kept is in the store.
    Both,
    /// What is kept is with the keeper, and in the store.
    Server,
}

/// Who asks for a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// A client for each command.
    Plainly,
    /// A client in control mode.
    InControlMode,
}

/// Runs each command, kills as soon as it has answered, and looks for what it has done.
fn are_not_undone(asked: Asked, killed: Killed, changes: &[Change]) {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "24", "cat"]);
    rig.ok(&["new", "-d", "-s", "other", "-x", "80", "-y", "24", "cat"]);
    for round in 0..ROUNDS {
        for change in changes {
            // One by one: looking for them takes longer than a server needs to write.
            rig.ok(&["list-sessions"]);
            let (server, keeper) = (rig.server(), rig.keeper());
            let mut speaker = (asked == Asked::InControlMode).then(|| {
                let speaker = Speaker::start(rig.command(&["-C", "attach", "-t", "work"]));
                speaker.wait_for_start();
                speaker
            });
            match &mut speaker {
                None => drop(run(&rig, change.argv, round)),
                Some(speaker) => speaker.ask(&in_round(change.argv, round)),
            }
            server.signal(Signal::SIGKILL);
            if killed == Killed::Both {
                keeper.signal(Signal::SIGKILL);
                keeper.wait_gone();
            }
            server.wait_gone();
            if let Some(speaker) = speaker {
                speaker.kill();
            }
            let seen = run(&rig, change.probe, round);
            let has = |text: &str| seen.contains(&in_round(text, round));
            let is_kept = has(change.shown) && !has(change.hidden);
            assert!(is_kept, "{} in round {round}:\n{seen}", change.argv);
        }
    }
}

const SESSION_CHANGES: &[Change] = &[
    change("new -d -s new% cat", SESSIONS, "<new%|0|>"),
    change("rename-session -t new% named%", SESSIONS, "<named%|0|>"),
    change("pin -t named%", SESSIONS, "<named%|1|>"),
    change("pin -u -t named%", SESSIONS, "<named%|0|>"),
    change("tag -t named% red%", SESSIONS, "<named%|0|red%>"),
    change(
        "set-option -t work @note note%",
        "show-options -v -t work @note",
        "note%",
    ),
    change(
        "set-environment -t work KEPT value%",
        "show-environment -t work KEPT",
        "KEPT=value%",
    ),
    removal("kill-session -t named%", SESSIONS, "<named%|"),
    change("reopen named%", SESSIONS, "<named%|0|red%>"),
    change("archive -t named%", ARCHIVE, "<named%|archived>"),
    change("set-buffer -b buffer% text", "list-buffers", "buffer%:"),
    removal("delete-buffer -b buffer%", "list-buffers", "buffer%:"),
    removal("forget -y named%", ARCHIVE, "<named%|"),
];

const WINDOW_CHANGES: &[Change] = &[
    change("new-window -d -t work:5 -n win cat", WINDOWS, "<5|win|0>"),
    change("rename-window -t work:5 win%", WINDOWS, "<5|win%|0>"),
    change("select-window -t work:5", WINDOWS, "<5|win%|1>"),
    change("split-window -d -t work:5 cat -u", PANES, "<win%|cat -u|0>"),
    change("select-pane -t work:5.1", PANES, "<win%|cat -u|1>"),
    change(
        "set-option -w -t work:5 @note note%",
        "show-options -wv -t work:5 @note",
        "note%",
    ),
    change(
        "set-option -p -t work:5.1 @note note%",
        "show-options -pv -t work:5.1 @note",
        "note%",
    ),
    change(
        "select-pane -t work:5.1 -T title%",
        "display -p -t work:5.1 #{pane_title}",
        "title%",
    ),
    change("move-window -d -s work:5 -t work:7", WINDOWS, "<7|win%|"),
    removal("kill-pane -t work:7.1", PANES, "<win%|cat -u|"),
    change(
        "move-window -d -s work:7 -t other:7",
        "list-windows -t other -F <#{window_name}>",
        "<win%>",
    ),
    removal(
        "kill-window -t other:7",
        "list-windows -t other -F <#{window_name}>",
        "<win%>",
    ),
];

/// What concerns no session is with the keeper alone: a server that finds no keeper reads its configuration.
const SERVER_CHANGES: &[Change] = &[
    change(
        "set-option -g @note note%",
        "show-options -gv @note",
        "note%",
    ),
    change(
        "set-option -s @note note%",
        "show-options -sv @note",
        "note%",
    ),
    change(
        "set-environment -g KEPT value%",
        "show-environment -g KEPT",
        "KEPT=value%",
    ),
    change(
        "bind-key -T root F1% display note%",
        "list-keys -T root",
        "display-message note%",
    ),
];

#[test]
fn changes_are_not_undone_by_the_death_of_all_processes() {
    are_not_undone(Asked::Plainly, Killed::Both, SESSION_CHANGES);
    are_not_undone(Asked::Plainly, Killed::Both, WINDOW_CHANGES);
    are_not_undone(Asked::InControlMode, Killed::Both, SESSION_CHANGES);
}

#[test]
fn changes_are_not_undone_by_the_death_of_the_server() {
    for changes in [SESSION_CHANGES, WINDOW_CHANGES, SERVER_CHANGES] {
        are_not_undone(Asked::Plainly, Killed::Server, changes);
    }
}
