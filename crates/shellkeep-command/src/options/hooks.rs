//! Hooks: options whose values are commands that run after an event.

use super::spec::{Kind, OptionSpec};

const fn hook(name: &'static str, text: &'static str) -> OptionSpec {
    OptionSpec::new(name, Kind::Command, &[], text)
        .array("")
        .session()
        .hook()
}

/// A hook that runs after a command.
macro_rules! after {
    ($command:literal) => {
        hook(
            concat!("after-", $command),
            concat!("Runs after ", $command),
        )
    };
}

pub(super) const HOOKS: &[OptionSpec] = &[
    after!("bind-key"),
    after!("capture-pane"),
    after!("copy-mode"),
    after!("display-message"),
    after!("display-panes"),
    after!("kill-pane"),
    after!("list-buffers"),
    after!("list-clients"),
    after!("list-keys"),
    after!("list-panes"),
    after!("list-sessions"),
    after!("list-windows"),
    after!("load-buffer"),
    after!("lock-server"),
    after!("new-session"),
    after!("new-window"),
    after!("paste-buffer"),
    after!("pipe-pane"),
    after!("queue"),
    after!("refresh-client"),
    after!("rename-session"),
    after!("rename-window"),
    after!("resize-pane"),
    after!("resize-window"),
    after!("save-buffer"),
    after!("select-layout"),
    after!("select-pane"),
    after!("select-window"),
    after!("send-keys"),
    after!("set-buffer"),
    after!("set-environment"),
    after!("set-hook"),
    after!("set-option"),
    after!("show-environment"),
    after!("show-messages"),
    after!("show-options"),
    after!("split-window"),
    after!("unbind-key"),
    hook(
        "alert-activity",
        "Runs when a watched window has had output",
    ),
    hook("alert-bell", "Runs when a watched window has rung the bell"),
    hook(
        "alert-silence",
        "Runs when a watched window has been silent",
    ),
    hook(
        "client-active",
        "Runs when a client becomes the last one used in its session",
    ),
    hook("client-attached", "Runs when a client has attached"),
    hook("client-detached", "Runs when a client has detached"),
    hook(
        "client-focus-in",
        "Runs when a client's terminal gains the focus",
    ),
    hook(
        "client-focus-out",
        "Runs when a client's terminal loses the focus",
    ),
    hook(
        "client-resized",
        "Runs when a client's terminal was resized",
    ),
    hook(
        "client-session-changed",
        "Runs when a client shows another session",
    ),
    hook("session-closed", "Runs when a session has ended"),
    hook("session-created", "Runs when a session is new"),
    hook(
        "session-hibernate-failed",
        "Runs when hibernating a pane of a session has failed after it began; not when it was refused",
    )
    .ours(),
    hook(
        "session-hibernated",
        "Runs when all panes of a session are asleep",
    )
    .ours(),
    hook("session-renamed", "Runs when a session has another name"),
    hook(
        "session-revive-failed",
        "Runs when waking a pane of a session has failed",
    )
    .ours(),
    hook(
        "session-revived",
        "Runs when the first pane of a sleeping session is awake again",
    )
    .ours(),
    hook(
        "session-window-changed",
        "Runs when a session has another current window",
    ),
    hook(
        "window-linked",
        "Runs when a window was added to a session",
    ),
    hook("window-unlinked", "Runs when a window has left a session"),
    hook(
        "pane-died",
        "Runs when a pane's program has ended and the pane stays",
    )
    .pane(),
    hook("pane-exited", "Runs when a pane's program has ended").pane(),
    hook("pane-focus-in", "Runs when a pane gains the focus").pane(),
    hook("pane-focus-out", "Runs when a pane loses the focus").pane(),
    hook(
        "pane-hibernate-failed",
        "Runs when hibernating a pane has failed after it began; not when it was refused",
    )
    .pane()
    .ours(),
    hook("pane-hibernated", "Runs when a pane has fallen asleep")
        .pane()
        .ours(),
    hook(
        "pane-mode-changed",
        "Runs when a pane enters or leaves a mode",
    )
    .pane(),
    hook(
        "pane-revive-failed",
        "Runs when waking a pane has failed",
    )
    .pane()
    .ours(),
    hook("pane-revived", "Runs when a sleeping pane is awake again")
        .pane()
        .ours(),
    hook(
        "pane-set-clipboard",
        "Runs when a program has set the clipboard",
    )
    .pane(),
    hook("pane-title-changed", "Runs when a pane has another title").pane(),
    hook(
        "window-layout-changed",
        "Runs when a window has another layout",
    )
    .window(),
    hook(
        "window-pane-changed",
        "Runs when a window has another active pane",
    )
    .window(),
    hook("window-renamed", "Runs when a window has another name").window(),
    hook("window-resized", "Runs when a window has another size").window(),
];
