//! The tables of window and pane options.

use super::spec::{Kind, MAX_NUMBER, OptionSpec, choice, color, flag, number, style, text};

pub(super) const WINDOW: &[OptionSpec] = &[
    color(
        "cursor-colour",
        &["none"],
        "Colour of the cursor; the terminal's own unless set",
    )
    .pane(),
    choice(
        "cursor-style",
        &[
            "default",
            "blinking-block",
            "block",
            "blinking-underline",
            "underline",
            "blinking-bar",
            "bar",
        ],
        &["default"],
        "Shape of the cursor until a program sets another",
    )
    .pane(),
    flag(
        "aggressive-resize",
        &["off"],
        "Whether only clients that show the window count for its size",
    )
    .window(),
    flag(
        "allow-passthrough",
        &["off"],
        "Whether a program may talk to the outer terminal directly",
    )
    .pane(),
    flag(
        "allow-rename",
        &["off"],
        "Whether a program may rename its window",
    )
    .pane(),
    flag(
        "alternate-screen",
        &["on"],
        "Whether a program may use the alternate screen",
    )
    .pane(),
    flag(
        "automatic-rename",
        &["on"],
        "Whether a window is named after its program",
    )
    .window(),
    text(
        "automatic-rename-format",
        &["#{?pane_in_mode,[shellkeep],#{pane_current_command}}#{?pane_dead,[dead],}"],
        "The automatic name of a window",
    )
    .window()
    .differs("in copy mode and its like tmux names the window after itself, and so does shellkeep"),
    color("clock-mode-colour", &["blue"], "Colour of the clock").window(),
    choice(
        "clock-mode-style",
        &["12", "24"],
        &["24"],
        "Hours on the clock",
    )
    .window(),
    style(
        "copy-mode-match-style",
        &["bg=cyan,fg=black"],
        "Look of search matches",
    )
    .window(),
    style(
        "copy-mode-current-match-style",
        &["bg=magenta,fg=black"],
        "Look of the match under the cursor",
    )
    .window(),
    style(
        "copy-mode-mark-style",
        &["bg=red,fg=black"],
        "Look of the line with the mark",
    )
    .window(),
    text(
        "fill-character",
        &[""],
        "Character for the space outside a window; a dot if empty",
    )
    .window(),
    text(
        "main-pane-height",
        &["24"],
        "Rows of the main pane in main-horizontal, or a percentage",
    )
    .window(),
    text(
        "main-pane-width",
        &["80"],
        "Columns of the main pane in main-vertical, or a percentage",
    )
    .window(),
    choice(
        "mode-keys",
        &["emacs", "vi"],
        &["emacs"],
        "Which keys work in copy mode",
    )
    .window(),
    style(
        "mode-style",
        &["bg=yellow,fg=black"],
        "Look of the selection in a mode",
    )
    .window(),
    flag(
        "monitor-activity",
        &["off"],
        "Whether output in the window is an alert",
    )
    .window(),
    flag(
        "monitor-bell",
        &["on"],
        "Whether a bell in the window is an alert",
    )
    .window(),
    number(
        "monitor-silence",
        (0, MAX_NUMBER),
        &["0"],
        "Silence for so long is an alert; 0 for never",
    )
    .window()
    .unit("seconds"),
    text(
        "other-pane-height",
        &["0"],
        "Rows of the other panes in main-horizontal; 0 for the rest",
    )
    .window(),
    text(
        "other-pane-width",
        &["0"],
        "Columns of the other panes in main-vertical; 0 for the rest",
    )
    .window(),
    style(
        "pane-active-border-style",
        &["#{?pane_in_mode,fg=yellow,#{?synchronize-panes,fg=red,fg=green}}"],
        "Look of the active pane's border",
    )
    .window(),
    number(
        "pane-base-index",
        (0, u16::MAX as i64),
        &["0"],
        "The number of the first pane",
    )
    .window(),
    text(
        "pane-border-format",
        &["#{?pane_active,#[reverse],}#{pane_index}#[default] \"#{pane_title}\""],
        "Text in a pane's border",
    )
    .pane(),
    choice(
        "pane-border-indicators",
        &["off", "colour", "arrows", "both"],
        &["colour"],
        "How the border shows which of two panes is active",
    )
    .window(),
    choice(
        "pane-border-lines",
        &["single", "double", "heavy", "simple", "number"],
        &["single"],
        "Lines with which borders are drawn",
    )
    .window(),
    choice(
        "pane-border-status",
        &["off", "top", "bottom"],
        &["off"],
        "Whether a border has a text, and where",
    )
    .window(),
    style(
        "pane-border-style",
        &["default"],
        "Look of the other borders",
    )
    .window(),
    OptionSpec::new(
        "pane-colours",
        Kind::Color,
        &[],
        "The palette of a pane, by number",
    )
    .array(" ,")
    .pane(),
    style("popup-style", &["default"], "Look of a popup").window(),
    style(
        "popup-border-style",
        &["default"],
        "Look of a popup's border",
    )
    .window(),
    choice(
        "popup-border-lines",
        &[
            "single", "double", "heavy", "simple", "rounded", "padded", "none",
        ],
        &["single"],
        "Lines with which a popup's border is drawn",
    )
    .window(),
    choice(
        "remain-on-exit",
        &["off", "on", "failed"],
        &["off"],
        "Whether a pane stays when its program has ended, or only if it failed",
    )
    .pane(),
    text(
        "remain-on-exit-format",
        &[concat!(
            "Pane is dead (",
            "#{?#{!=:#{pane_dead_status},},status #{pane_dead_status},}",
            "#{?#{!=:#{pane_dead_signal},},signal #{pane_dead_signal},}, ",
            "#{t:pane_dead_time})",
        )],
        "The text in a pane whose program has ended",
    )
    .pane(),
    flag(
        "scroll-on-clear",
        &["on"],
        "Whether text that is cleared from the screen goes to the history",
    )
    .pane(),
    flag(
        "synchronize-panes",
        &["off"],
        "Whether input goes to all panes of the window",
    )
    .pane(),
    style(
        "window-active-style",
        &["default"],
        "Look of the active pane",
    )
    .pane(),
    choice(
        "window-size",
        &["largest", "smallest", "manual", "latest"],
        &["latest"],
        "Which client determines a window's size",
    )
    .window(),
    style("window-style", &["default"], "Look of panes").pane(),
    style(
        "window-status-activity-style",
        &["reverse"],
        "Look of a window with activity in the list",
    )
    .window(),
    style(
        "window-status-bell-style",
        &["reverse"],
        "Look of a window with a bell in the list",
    )
    .window(),
    text(
        "window-status-current-format",
        &["#I:#W#{?window_flags,#{window_flags}, }"],
        "The current window in the list",
    )
    .window(),
    style(
        "window-status-current-style",
        &["default"],
        "Look of the current window in the list",
    )
    .window(),
    text(
        "window-status-format",
        &["#I:#W#{?window_flags,#{window_flags}, }"],
        "A window in the list",
    )
    .window(),
    style(
        "window-status-last-style",
        &["default"],
        "Look of the last window in the list",
    )
    .window(),
    text(
        "window-status-separator",
        &[" "],
        "The separator between two windows in the list",
    )
    .window(),
    style(
        "window-status-style",
        &["default"],
        "Look of a window in the list",
    )
    .window(),
    flag(
        "wrap-search",
        &["on"],
        "Whether a search wraps around at the end",
    )
    .window(),
    flag(
        "xterm-keys",
        &["on"],
        "Whether modified keys are sent as xterm sends them; always so",
    )
    .window(),
];
