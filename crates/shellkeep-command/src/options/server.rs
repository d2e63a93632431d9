//! The table of server options.

use super::spec::{MAX_NUMBER, OptionSpec, choice, duration, flag, key, list, number, text};

pub(super) const SERVER: &[OptionSpec] = &[
    duration(
        "archive-after",
        &["30d"],
        "How long a hibernated session is kept before it is archived; 0 for forever",
    )
    .ours(),
    duration(
        "archive-keep",
        &["0"],
        "How long an archived session is kept before it is deleted; 0 for forever",
    )
    .ours(),
    key(
        "backspace",
        &["C-?"],
        "The key sent to programs for Backspace",
    ),
    number(
        "buffer-limit",
        (1, MAX_NUMBER),
        &["50"],
        "How many automatic paste buffers are kept; the oldest go first",
    )
    .unit("buffers"),
    list(
        "command-alias",
        ",",
        &[
            "split-pane=split-window",
            "splitp=split-window",
            "server-info=show-messages -JT",
            "info=show-messages -JT",
            "choose-window=choose-tree -w",
            "choose-session=choose-tree -s",
        ],
        "Other names for commands, each as name=command",
    ),
    text(
        "copy-command",
        &[""],
        "Shell command that copy-pipe gives the text to when it names none",
    ),
    text(
        "default-terminal",
        &[""],
        "TERM in new panes; if empty, tmux-256color where it is known, else screen-256color",
    )
    .differs("a system may lack tmux-256color, so the best one it knows is looked for"),
    text(
        "editor",
        &["/usr/bin/vi"],
        "Shell command that edits a file",
    ),
    duration(
        "end-budget",
        &["3s"],
        "How long an orderly shutdown waits for the state of idle shells; 0 for not at all",
    )
    .ours(),
    number(
        "escape-time",
        (0, MAX_NUMBER),
        &["10"],
        "How long to wait after an Escape for the rest of a key",
    )
    .unit("milliseconds")
    .differs("half a second is felt in every editor, and today's links deliver a key in one piece"),
    flag(
        "exit-empty",
        &["on"],
        "Whether the server ends when its last session has ended",
    ),
    flag(
        "exit-unattached",
        &["off"],
        "Whether the server ends when no client is attached",
    ),
    choice(
        "extended-keys",
        &["off", "on", "always"],
        &["off"],
        "Whether modified keys are sent to programs in full: on request, or always",
    ),
    flag(
        "focus-events",
        &["off"],
        "Whether programs that request it are notified when their pane gains or loses the focus",
    ),
    text(
        "history-file",
        &[""],
        "File that stores the history of prompts; none if empty",
    ),
    number(
        "max-active",
        (0, MAX_NUMBER),
        &["10"],
        "How many sessions are awake at a time; from 80 % on the least used hibernate, 0 for no limit",
    )
    .unit("sessions")
    .ours(),
    number(
        "max-total",
        (0, MAX_NUMBER),
        &["1000"],
        "How many sessions there are outside the archive; beyond it the least recently used are archived, but none used in the last hour, 0 for no limit",
    )
    .unit("sessions")
    .ours(),
    number(
        "message-limit",
        (0, MAX_NUMBER),
        &["1000"],
        "How many messages are kept for show-messages",
    )
    .unit("messages"),
    number(
        "prompt-history-limit",
        (0, MAX_NUMBER),
        &["100"],
        "How many lines are kept of each kind of prompt",
    )
    .unit("lines"),
    number(
        "record-limit",
        (0, MAX_NUMBER),
        &["0"],
        "How much of each pane's output is stored with its times, in recording/ beside its screen; 0 for nothing",
    )
    .unit("mebibytes")
    .ours(),
    list(
        "resume-rules",
        "",
        &[],
        "How programs are resumed when their pane is revived, each as pattern=command or pattern:unsent=command",
    )
    .ours(),
    number(
        "revive-budget",
        (0, MAX_NUMBER),
        &["512"],
        "How much memory panes woken by restore may take; beyond it only panes that clients show are woken, 0 for any amount",
    )
    .unit("mebibytes")
    .ours(),
    choice(
        "set-clipboard",
        &["off", "external", "on"],
        &["external"],
        "Whether the clipboard is set: never, by copying here only, or by programs too, which may then read the newest buffer as well (OSC 52)",
    ),
    list(
        "terminal-overrides",
        ",",
        &[],
        "Corrections of terminals' capabilities, each as pattern:capability=value",
    ),
    list(
        "terminal-features",
        ",",
        &[
            "xterm*:clipboard:ccolour:cstyle:focus:title",
            "screen*:title",
        ],
        "Features of terminals, each as pattern:feature:feature",
    ),
    list(
        "user-keys",
        ",",
        &[],
        "Escape sequences that are the keys User0, User1 and so on",
    ),
];
