//! The table of session options.

use super::spec::{
    Kind, MAX_NUMBER, OptionSpec, choice, color, duration, flag, key, list, number, style, text,
};

/// The longest part of the status line.
const MAX_STATUS_LENGTH: i64 = i16::MAX as i64;

/// The windows whose alerts have an effect.
const ACTIONS: &[&str] = &["none", "any", "current", "other"];
/// How an alert is shown.
const VISUAL: &[&str] = &["off", "on", "both"];

/// The first status line, built from other options in the same way as tmux's, so that settings for tmux have the same
/// effect.
const STATUS_LINE: &str = concat!(
    "#[align=left range=left #{E:status-left-style}]",
    "#[push-default]",
    "#{T;=/#{status-left-length}:status-left}",
    "#[pop-default]",
    "#[norange default]",
    "#[list=on align=#{status-justify}]",
    "#[list=left-marker]<#[list=right-marker]>#[list=on]",
    "#{W:",
    "#[range=window|#{window_index} #{E:window-status-style}",
    "#{?#{&&:#{window_last_flag},#{!=:#{E:window-status-last-style},default}}, #{E:window-status-last-style},}",
    "#{?#{&&:#{window_bell_flag},#{!=:#{E:window-status-bell-style},default}}, #{E:window-status-bell-style},",
    "#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}},#{!=:#{E:window-status-activity-style},default}}, #{E:window-status-activity-style},}}]",
    "#[push-default]",
    "#{T:window-status-format}",
    "#[pop-default]",
    "#[norange default]",
    "#{?window_end_flag,,#{window-status-separator}}",
    ",",
    "#[range=window|#{window_index} list=focus ",
    "#{?#{!=:#{E:window-status-current-style},default},#{E:window-status-current-style},#{E:window-status-style}}",
    "#{?#{&&:#{window_last_flag},#{!=:#{E:window-status-last-style},default}}, #{E:window-status-last-style},}",
    "#{?#{&&:#{window_bell_flag},#{!=:#{E:window-status-bell-style},default}}, #{E:window-status-bell-style},",
    "#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}},#{!=:#{E:window-status-activity-style},default}}, #{E:window-status-activity-style},}}]",
    "#[push-default]",
    "#{T:window-status-current-format}",
    "#[pop-default]",
    "#[norange list=on default]",
    "#{?window_end_flag,,#{window-status-separator}}",
    "}",
    "#[nolist align=right range=right #{E:status-right-style}]",
    "#[push-default]",
    "#{T;=/#{status-right-length}:status-right}",
    "#[pop-default]",
    "#[norange default]",
);

/// The second status line: the panes.
const STATUS_PANES: &str = concat!(
    "#[align=centre]",
    "#{P:#{?pane_active,#[reverse],}#{pane_index}[#{pane_width}x#{pane_height}]#[default] }",
);

pub(super) const SESSION: &[OptionSpec] = &[
    choice("activity-action", ACTIONS, &["other"], "Windows whose activity is reported").session(),
    number(
        "assume-paste-time",
        (0, MAX_NUMBER),
        &["1"],
        "Without effect: terminals mark pastes",
    )
    .session()
    .unit("milliseconds"),
    number("base-index", (0, MAX_NUMBER), &["0"], "The number of the first window").session(),
    choice("bell-action", ACTIONS, &["any"], "Windows whose bells are reported").session(),
    duration(
        "capture-after",
        &["3s"],
        "Store the state of a shell that was idle at its prompt for so long; 0 for never",
    )
    .session()
    .ours(),
    text("default-command", &[""], "Command run in a new pane; a login shell if empty").session(),
    text(
        "default-shell",
        &[""],
        "The shell for new panes; if empty, $SHELL of the client that started the server",
    )
    .session()
    .differs("the shell is looked for when a pane starts, not when the server does"),
    OptionSpec::new(
        "default-size",
        Kind::Size,
        &["80x24"],
        "Size of windows that no client shows",
    )
    .session(),
    flag("destroy-unattached", &["off"], "Whether a session ends when its last client leaves")
        .session(),
    choice(
        "detach-on-destroy",
        &["off", "on", "no-detached"],
        &["on"],
        "Whether a client leaves when its session ends, or is shown another one",
    )
    .session(),
    color(
        "display-panes-active-colour",
        &["red"],
        "Colour of the active pane's number in display-panes",
    )
    .session(),
    color("display-panes-colour", &["blue"], "Colour of the other panes' numbers").session(),
    number("display-panes-time", (1, MAX_NUMBER), &["1000"], "How long display-panes shows the numbers")
        .session()
        .unit("milliseconds"),
    number("display-time", (0, MAX_NUMBER), &["750"], "How long a message is shown; 0 until a key is typed")
        .session()
        .unit("milliseconds"),
    flag(
        "hibernate",
        &["on"],
        "Whether an unused session may hibernate automatically",
    )
    .session()
    .ours(),
    duration(
        "hibernate-after",
        &["5m"],
        "Hibernate a session that was idle and not shown for so long; 0 for never",
    )
    .session()
    .ours(),
    number(
        "history-limit",
        (0, MAX_NUMBER),
        &["0"],
        "How many lines of history a new pane keeps; 0 for all",
    )
    .session()
    .unit("lines")
    .differs("output is never thrown away unless the user asks for it"),
    flag(
        "key-hints",
        &["off"],
        "Whether a line shows possible keys after the prefix",
    )
    .session()
    .ours(),
    text("key-table", &["root"], "The table in which keys are looked up first").session(),
    number(
        "lock-after-time",
        (0, MAX_NUMBER),
        &["0"],
        "Lock a session after it was idle for so long; 0 for never",
    )
    .session()
    .unit("seconds"),
    text("lock-command", &["lock -np"], "Shell command that locks a client").session(),
    style(
        "message-command-style",
        &["bg=black,fg=yellow"],
        "Look of the prompt while vi keys are in command mode",
    )
    .session(),
    style("message-style", &["bg=yellow,fg=black"], "Look of messages and of the prompt").session(),
    flag("mouse", &["on"], "Whether the mouse selects, resizes, scrolls and reaches programs")
        .session()
        .differs("a wheel that scrolls is what people expect; Shift leaves it to the terminal"),
    key("prefix", &["C-b"], "The key that introduces a binding").session(),
    key("prefix2", &["None"], "A second prefix key").session(),
    flag("renumber-windows", &["off"], "Whether windows are renumbered when one is closed")
        .session(),
    number(
        "repeat-time",
        (0, i16::MAX as i64),
        &["500"],
        "How long a repeatable key may follow without the prefix",
    )
    .session()
    .unit("milliseconds"),
    choice(
        "revive-on",
        &["attach", "key"],
        &["attach"],
        "Whether a hibernated pane wakes when a client shows it, or when a key is typed into it",
    )
    .session()
    .ours(),
    flag(
        "revive-rc",
        &["off"],
        "Whether a revived shell reads its start-up files again",
    )
    .session()
    .ours(),
    flag("set-titles", &["off"], "Whether the outer terminal's title is set").session(),
    text(
        "set-titles-string",
        &["#S:#I:#W - \"#T\" #{session_alerts}"],
        "The outer terminal's title",
    )
    .session(),
    flag(
        "shell-integration",
        &["on"],
        "Whether new shells mark their prompts and can hibernate",
    )
    .session()
    .ours(),
    choice("silence-action", ACTIONS, &["other"], "Windows whose silence is reported").session(),
    flag(
        "spare-unread",
        &["off"],
        "Whether a pane with output that no client has shown stays awake",
    )
    .session()
    .ours(),
    choice(
        "status",
        &["off", "on", "2", "3", "4", "5"],
        &["on"],
        "Whether there is a status line, or how many",
    )
    .session(),
    color("status-bg", &["default"], "Background of the status line; status-style is newer")
        .session(),
    color("status-fg", &["default"], "Foreground of the status line; status-style is newer")
        .session(),
    list("status-format", " ,", &[STATUS_LINE, STATUS_PANES], "The text of each status line")
        .session(),
    number(
        "status-interval",
        (0, MAX_NUMBER),
        &["15"],
        "How often the status line is redrawn; 0 for only when something changes",
    )
    .session()
    .unit("seconds"),
    choice(
        "status-justify",
        &["left", "centre", "right", "absolute-centre"],
        &["left"],
        "Where in the status line the windows are listed",
    )
    .session(),
    choice("status-keys", &["emacs", "vi"], &["emacs"], "Which keys edit at a prompt").session(),
    text("status-left", &["[#{session_name}] "], "Left part of the status line").session(),
    number("status-left-length", (0, MAX_STATUS_LENGTH), &["10"], "Longest left part")
        .session()
        .unit("columns"),
    style("status-left-style", &["default"], "Look of the left part").session(),
    choice("status-position", &["top", "bottom"], &["bottom"], "Where the status line is")
        .session(),
    text(
        "status-right",
        &["#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}] ,}\"#{=21:pane_title}\" %H:%M %d-%b-%y"],
        "Right part of the status line",
    )
    .session(),
    number("status-right-length", (0, MAX_STATUS_LENGTH), &["40"], "Longest right part")
        .session()
        .unit("columns"),
    style("status-right-style", &["default"], "Look of the right part").session(),
    style("status-style", &["bg=green,fg=black"], "Look of the status line").session(),
    choice(
        "tmux-shim",
        &["off", "commands", "panes"],
        &["panes"],
        "Whether `tmux` is this server, in commands that the server runs, or in them and in panes",
    )
    .session()
    .ours(),
    list(
        "update-environment",
        " ,",
        &[
            "DISPLAY",
            "KRB5CCNAME",
            "SSH_ASKPASS",
            "SSH_AUTH_SOCK",
            "SSH_AGENT_PID",
            "SSH_CONNECTION",
            "WINDOWID",
            "XAUTHORITY",
        ],
        "Variables taken from the client into a session's environment",
    )
    .session(),
    choice(
        "visual-activity",
        VISUAL,
        &["off"],
        "Whether activity is reported by a message instead of a bell, or by both",
    )
    .session(),
    choice(
        "visual-bell",
        VISUAL,
        &["off"],
        "Whether a bell is reported by a message instead of a bell, or by both",
    )
    .session(),
    choice(
        "visual-silence",
        VISUAL,
        &["off"],
        "Whether silence is reported by a message instead of a bell, or by both",
    )
    .session(),
    text(
        "word-separators",
        &["!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"],
        "Characters that separate words in copy mode",
    )
    .session(),
];
