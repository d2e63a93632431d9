//! Names from tmux that shellkeep does not have. A configuration written for tmux may use them without an error.

/// Options of other versions of tmux than the one that shellkeep follows.
static OPTIONS: &[&str] = &[
    // Newer versions.
    "allow-set-title",
    "codepoint-widths",
    "copy-mode-line-numbers",
    "copy-mode-position-format",
    "copy-mode-position-style",
    "copy-mode-selection-style",
    "default-client-command",
    "extended-keys-format",
    "get-clipboard",
    "initial-repeat-time",
    "input-buffer-size",
    "menu-border-lines",
    "menu-border-style",
    "menu-selected-style",
    "menu-style",
    "message-line",
    "pane-scrollbars",
    "pane-scrollbars-position",
    "pane-scrollbars-style",
    "prefix-timeout",
    "prompt-command-cursor-style",
    "prompt-cursor-colour",
    "prompt-cursor-style",
    "tiled-layout-max-columns",
    "tree-mode-preview-format",
    "tree-mode-preview-style",
    "variation-selector-always-wide",
    // Older versions.
    "c0-change-interval",
    "c0-change-trigger",
    "default-path",
    "force-width",
    "layout-history-limit",
    "message-attr",
    "message-bg",
    "message-command-attr",
    "message-command-bg",
    "message-command-fg",
    "message-fg",
    "mode-attr",
    "mode-bg",
    "mode-fg",
    "mode-mouse",
    "monitor-content",
    "mouse-resize-pane",
    "mouse-select-pane",
    "mouse-select-window",
    "mouse-utf8",
    "pane-active-border-bg",
    "pane-active-border-fg",
    "pane-border-bg",
    "pane-border-fg",
    "quiet",
    "status-attr",
    "status-left-attr",
    "status-left-bg",
    "status-left-fg",
    "status-right-attr",
    "status-right-bg",
    "status-right-fg",
    "status-utf8",
    "utf8",
    "visual-content",
    "window-status-activity-attr",
    "window-status-activity-bg",
    "window-status-activity-fg",
    "window-status-alert-attr",
    "window-status-alert-bg",
    "window-status-alert-fg",
    "window-status-attr",
    "window-status-bell-attr",
    "window-status-bell-bg",
    "window-status-bell-fg",
    "window-status-bg",
    "window-status-content-attr",
    "window-status-content-bg",
    "window-status-content-fg",
    "window-status-current-attr",
    "window-status-current-bg",
    "window-status-current-fg",
    "window-status-fg",
    "window-status-last-attr",
    "window-status-last-bg",
    "window-status-last-fg",
];

/// Commands of other versions of tmux.
static COMMANDS: &[&str] = &["choose-list", "delete-pane", "new-pane"];

/// Whether an error is about such a name.
pub(crate) fn is_foreign(message: &str) -> bool {
    let first = |rest: &str| {
        let end = rest.find([' ', ';', ',', '[', '(']).unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    if let Some(rest) = message.strip_prefix("invalid option: ") {
        return OPTIONS.contains(&first(rest).as_str());
    }
    if let Some(rest) = message.strip_prefix("ambiguous option: ") {
        return OPTIONS.contains(&first(rest).as_str());
    }
    if let Some(rest) = message.strip_prefix("unknown command: ") {
        return COMMANDS.contains(&first(rest).as_str());
    }
    message.ends_with(" is not supported yet") || message.contains(" is not supported here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_of_other_versions_are_told_from_mistakes() {
        assert!(is_foreign("invalid option: extended-keys-format"));
        assert!(is_foreign("invalid option: utf8 (did you mean …?)"));
        assert!(is_foreign("ambiguous option: mode-mouse"));
        assert!(is_foreign(
            "unknown command: new-pane; did you mean new-window?"
        ));
        assert!(is_foreign("something is not supported yet"));
        assert!(!is_foreign("invalid option: sttaus"));
        assert!(!is_foreign("unknown command: frobnicate"));
        assert!(!is_foreign("bad colour: utf8"));
    }

    #[test]
    fn options_we_have_are_not_foreign() {
        let known = OPTIONS
            .iter()
            .filter(|name| shellkeep_command::options::known(name).is_some());
        assert_eq!(known.copied().collect::<Vec<_>>(), [""; 0]);
    }
}
