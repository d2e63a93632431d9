//! Whole configurations, written as people write them for tmux: they load without a word and have their effect.

use shellkeep_testkit::real::Rig;

use crate::rig;

/// Loads a configuration, and asserts that nobody complains.
#[track_caller]
fn load(rig: &Rig, text: &str) {
    rig.write("config/shellkeep/shellkeep.conf", text);
    let first = rig.run(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    assert_eq!((first.stderr.as_str(), first.status), ("", 0), "{first:?}");
}

#[track_caller]
fn assert_shown(rig: &Rig, expected: &[(&str, &str, &str)]) {
    for (flags, option, value) in expected {
        let shown = rig.ok(&["show", flags, option]);
        assert_eq!(shown.trim_end(), *value, "{option}");
    }
}

#[test]
fn everyday_configuration_has_its_effect() {
    let rig = rig();
    load(
        &rig,
        r##"
# remap prefix from 'C-b' to 'C-a'
unbind C-b
set-option -g prefix C-a
bind-key C-a send-prefix

# split panes using | and -
bind | split-window -h -c "#{pane_current_path}"
bind - split-window -v -c "#{pane_current_path}"
unbind '"'
unbind %

bind r source-file ~/.tmux.conf \; display-message "Config reloaded!"

# vim-like pane switching
bind -r h select-pane -L
bind -r j select-pane -D
bind -r k select-pane -U
bind -r l select-pane -R
bind -n M-Left select-pane -L
bind -n M-H previous-window
bind -n M-L next-window

set -g mouse on
set -g base-index 1
setw -g pane-base-index 1
set -g renumber-windows on
set -sg escape-time 0
set -g history-limit 50000
set -g display-time 4000
set -g status-interval 5
set -g default-terminal "screen-256color"
set -ga terminal-overrides ",xterm-256color:Tc"
set -as terminal-features ",xterm*:RGB"
set -g focus-events on
setw -g aggressive-resize on
setw -g monitor-activity on
set -g visual-activity off
set -g set-titles on
set -g set-titles-string '#h ❐ #S ● #I #W'
"##,
    );
    assert_shown(
        &rig,
        &[
            ("-gv", "prefix", "C-a"),
            ("-gv", "base-index", "1"),
            ("-gwv", "pane-base-index", "1"),
            ("-sv", "escape-time", "0"),
            ("-sv", "default-terminal", "screen-256color"),
            (
                "-s",
                "terminal-overrides",
                "terminal-overrides[0] xterm-256color:Tc",
            ),
            ("-gv", "set-titles-string", "#h ❐ #S ● #I #W"),
        ],
    );
    let bound = rig.ok(&["list-keys", "-T", "prefix", "|"]);
    assert_eq!(
        bound,
        "bind-key -T prefix | split-window -h -c \"#{pane_current_path}\"\n"
    );
    assert!(rig.ok(&["list-keys", "-T", "prefix", "h"]).contains("-r"));
    assert_eq!(rig.run(&["list-keys", "-T", "prefix", "%"]).status, 1);
}

#[test]
fn vi_copy_keys_and_status_styling_load() {
    let rig = rig();
    load(
        &rig,
        r##"
setw -g mode-keys vi
set -g status-keys vi
bind -T copy-mode-vi v send-keys -X begin-selection
bind -T copy-mode-vi C-v send-keys -X rectangle-toggle
bind -T copy-mode-vi y send-keys -X copy-pipe-and-cancel "xclip -sel clip -i"
unbind -T copy-mode-vi MouseDragEnd1Pane
bind P paste-buffer

#### COLOUR (Solarized dark)
set-option -g status-style fg=yellow,bg=black
set-window-option -g window-status-style fg=brightblue,bg=default
set-window-option -g window-status-current-style fg=brightred,bg=default
set-option -g pane-border-style fg=black
set-option -g pane-active-border-style fg=brightgreen
set-option -g message-style fg=brightred,bg=black
set-option -g display-panes-active-colour blue
set-window-option -g clock-mode-colour green
set-window-option -g window-status-bell-style fg=black,bg=red
set -g status-position top
set -g status-justify centre
set -g status-left-length 60
set -g status-left '#[fg=colour232,bg=colour154] #S #[fg=colour154,bg=colour238,nobold]'
set -g status-right "#{?client_prefix,#[reverse]<Prefix>#[noreverse] ,}%H:%M #(whoami)@#h"
setw -g window-status-format ' #I#[fg=colour237]:#[fg=colour250]#W#[fg=colour244]#F '
setw -g window-status-current-format ' #I:#W#{?window_zoomed_flag, 🔍,} '
set -g window-status-separator ""
"##,
    );
    assert_shown(
        &rig,
        &[
            ("-gwv", "mode-keys", "vi"),
            ("-gv", "status-style", "fg=yellow,bg=black"),
            ("-gv", "status-position", "top"),
            ("-gwv", "window-status-separator", ""),
        ],
    );
    let keys = rig.ok(&["list-keys", "-T", "copy-mode-vi", "y"]);
    assert!(
        keys.contains("copy-pipe-and-cancel \"xclip -sel clip -i\""),
        "{keys}"
    );
}

#[test]
fn version_checks_and_conditions_choose() {
    let rig = rig();
    load(
        &rig,
        r##"
if-shell "test -f ~/nope" "set -g @file yes" "set -g @file no"
if-shell -b 'true' 'set -g @background yes'
if-shell 'uname | grep -q Linux' {
    set -g @system linux
    bind C-l send-keys C-l
} {
    set -g @system other
}
run-shell "true"
%if #{==:#{host},nowhere-at-all}
set -g @host nowhere
%elif 1
set -g @host here
%else
set -g @host never
%endif
%hidden COLOR=blue
set -g @color "$COLOR"
set -gF @expanded "#{l:x}y"
if -F '#{m:screen*,#{default-terminal}}' 'set -g @term screen' 'set -g @term other'
set -g @last done
"##,
    );
    assert_shown(
        &rig,
        &[
            ("-gv", "@file", "no"),
            ("-gv", "@system", "linux"),
            ("-gv", "@host", "here"),
            ("-gv", "@color", "blue"),
            ("-gv", "@expanded", "xy"),
            ("-gv", "@last", "done"),
        ],
    );
    rig.wait_until("what runs in the background", || {
        rig.run(&["show", "-gqv", "@background"]).stdout == "yes\n"
    });
}

#[test]
fn conditions_are_over_before_the_first_session_is_opened() {
    let rig = rig();
    load(
        &rig,
        "if-shell 'sleep 0.3' 'set -g @window done'\nset -g default-command 'printf \"<%s>\" \"$LATE\"; exec cat'\nset-environment -g LATE yes\n",
    );
    rig.wait_for_pane("the program", "work", |text| text.contains("<yes>"));
    assert_shown(&rig, &[("-gv", "@window", "done")]);
}

#[test]
fn plugins_are_run_and_may_ask_the_server() {
    let rig = rig();
    let program = env!("CARGO_BIN_EXE_shellkeep");
    let plugin = rig.write(
        "home/.tmux/plugins/tpm/tpm",
        &format!(
            "#!/bin/sh\nkey=$({program} show-option -gqv @plugin-key)\n{program} bind-key \"$key\" display-message plugged\n{program} set-environment -g TMUX_PLUGIN_MANAGER_PATH ~/.tmux/plugins/\n"
        ),
    );
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&plugin)
        .status()
        .unwrap();
    load(
        &rig,
        "set -g @plugin 'tmux-plugins/tpm'\nset -g @plugin-key 'C-p'\nrun '~/.tmux/plugins/tpm/tpm'\n",
    );
    let bound = rig.ok(&["list-keys", "-T", "prefix", "C-p"]);
    assert_eq!(bound, "bind-key -T prefix C-p display-message plugged\n");
    let path = rig.ok(&["show-environment", "-g", "TMUX_PLUGIN_MANAGER_PATH"]);
    assert!(path.ends_with("/.tmux/plugins/\n"), "{path}");
}

#[test]
fn files_source_each_other_and_hooks_run() {
    let rig = rig();
    rig.write(
        "home/.tmux/keys.conf",
        "bind -n F6 set -g @pressed yes\nsource-file ~/.tmux/deeper/*.conf\n",
    );
    rig.write("home/.tmux/deeper/one.conf", "set -g @one 1\n");
    rig.write("home/.tmux/deeper/two.conf", "set -g @two 2\n");
    load(
        &rig,
        r##"
source-file ~/.tmux/keys.conf
source-file -q ~/.tmux/not-there.conf
set-hook -g session-created 'set -gF @created "#{hook_session_name}"'
set-hook -g after-rename-session { set -gF @renamed "#{session_name}" ; set -g @twice yes }
set -g command-alias[50] hello='set -g @hello yes'
"##,
    );
    // As in tmux, an alias is known to what is read after it was set.
    rig.ok(&["hello"]);
    rig.ok(&["rename-session", "-t", "work", "play"]);
    assert_shown(
        &rig,
        &[
            ("-gv", "@one", "1"),
            ("-gv", "@two", "2"),
            ("-gv", "@created", "work"),
            ("-gv", "@renamed", "play"),
            ("-gv", "@twice", "yes"),
            ("-gv", "@hello", "yes"),
        ],
    );
}

#[test]
fn old_and_new_options_are_passed_over_and_listed_once() {
    let rig = rig();
    load(
        &rig,
        r##"
set -g utf8 on
set-window-option -g utf8 on
set -g status-utf8 on
setw -g mode-mouse on
set -g mouse-select-pane on
set -g pane-border-fg black
set -g monitor-content on
set -g extended-keys-format csi-u
set -g menu-selected-style bg=blue
set -g @after yes
"##,
    );
    assert_shown(&rig, &[("-gv", "@after", "yes")]);
    let _ann = rig.attach(&["attach"], (24, 80));
    let messages = rig.wait_for("a client", || {
        let shown = rig.run(&["show-messages"]);
        (shown.status == 0).then_some(shown.stdout)
    });
    assert_eq!(
        messages.matches("extended-keys-format").count(),
        1,
        "{messages}"
    );
    assert_eq!(rig.run(&["ls"]).stderr, "");
}

#[test]
fn standard_input_is_a_configuration_too() {
    let rig = rig();
    load(&rig, "");
    let mut command = rig.command(&["source-file", "-"]);
    let text = rig.write("home/stdin.conf", "set -g @in yes\ndisplay -p read\n");
    command.stdin(std::fs::File::open(text).unwrap());
    let output = rig.finish(command);
    assert_eq!(
        (output.stdout.as_str(), output.status),
        ("read\n", 0),
        "{output:?}"
    );
    assert_shown(&rig, &[("-gv", "@in", "yes")]);
}
