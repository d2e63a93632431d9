use shellkeep_testkit::virtual_rig::Rig;

#[test]
fn config_with_faults_is_read_to_the_end_and_complained_of_once() {
    let rig = Rig::with_config(
        "set -g prefix C-a\nfrobnicate\nset -s 'x\n# fine\nset -s escape-time 5\n",
    );
    let first = rig.run(&["new", "-d"]);
    assert_eq!(first.status, Some(0), "a bad line is not fatal");
    assert_eq!(
        first.stderr,
        "test.conf:2: unknown command: frobnicate\ntest.conf:3: a single quote is not closed\n"
    );
    assert_eq!(rig.run(&["ls"]).stderr, "");
    assert_eq!(rig.run(&["show", "-gv", "prefix"]).stdout, "C-a\n");
    assert_eq!(rig.run(&["show", "-sv", "escape-time"]).stdout, "5\n");
}

#[test]
fn source_file_that_is_missing_is_an_error_unless_quiet() {
    let rig = Rig::new();
    rig.run(&["new", "-d"]);
    assert_eq!(rig.run(&["source", "/nowhere/x.conf"]).status, Some(1));
    assert_eq!(
        rig.run(&["source", "-q", "/nowhere/x.conf"]).status,
        Some(0)
    );
}

/// A server with a configuration, about which nothing is complained.
#[track_caller]
fn load(text: &str) -> Rig {
    let rig = Rig::with_status(text);
    let first = rig.run(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    assert_eq!((first.stderr.as_str(), first.status), ("", Some(0)));
    rig
}

#[track_caller]
fn ok(rig: &Rig, args: &[&str]) -> String {
    let done = rig.run(args);
    assert_eq!((&done.stderr[..], done.status), ("", Some(0)), "{args:?}");
    done.stdout
}

#[track_caller]
fn assert_shown(rig: &Rig, expected: &[(&str, &str, &str)]) {
    for (flags, option, value) in expected {
        let shown = ok(rig, &["show", flags, option]);
        assert_eq!(shown.trim_end(), *value, "{option}");
    }
}

#[test]
fn everyday_configuration_has_its_effect() {
    let rig = load(
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
    let bound = ok(&rig, &["list-keys", "-T", "prefix", "|"]);
    assert_eq!(
        bound,
        "bind-key -T prefix | split-window -h -c \"#{pane_current_path}\"\n"
    );
    assert!(ok(&rig, &["list-keys", "-T", "prefix", "h"]).contains("-r"));
    assert_eq!(rig.run(&["list-keys", "-T", "prefix", "%"]).status, Some(1));
}

#[test]
fn vi_copy_keys_and_status_styling_load() {
    let rig = load(
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
    let keys = ok(&rig, &["list-keys", "-T", "copy-mode-vi", "y"]);
    assert!(
        keys.contains("copy-pipe-and-cancel \"xclip -sel clip -i\""),
        "{keys}"
    );
}

#[test]
fn old_and_new_options_are_passed_over_and_listed_once() {
    let rig = load(
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
    let _ann = rig.attach((24, 80), &["attach"]);
    let messages = ok(&rig, &["show-messages"]);
    assert_eq!(
        messages.matches("extended-keys-format").count(),
        1,
        "{messages}"
    );
    assert_eq!(rig.run(&["ls"]).stderr, "");
}

#[test]
fn standard_input_is_a_configuration_too() {
    let rig = load("");
    let text = "set -g @in yes\ndisplay -p read\n";
    let output = rig.run_with_input(&["source-file", "-"], text);
    assert_eq!(
        (output.stdout.as_str(), output.status),
        ("read\n", Some(0)),
        "{output:?}"
    );
    assert_shown(&rig, &[("-gv", "@in", "yes")]);
}
