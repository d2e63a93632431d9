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
fn conditions_choose_and_are_over_before_the_first_session_is_opened() {
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
if-shell 'sleep 0.3' 'set -g @window done'
set -g default-command 'printf "<%s>" "$LATE"; exec cat'
set-environment -g LATE yes
set -g @last done
"##,
    );
    rig.wait_for_pane("the program", "work", |text| text.contains("<yes>"));
    assert_shown(
        &rig,
        &[
            ("-gv", "@window", "done"),
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
fn files_source_each_other_plugins_ask_the_server_and_hooks_run() {
    let rig = rig();
    let program = env!("CARGO_BIN_EXE_shellkeep");
    let plugin = rig.write(
        "home/.tmux/plugins/tpm/tpm",
        &format!(
            "#!/bin/sh\nkey=$({program} show-option -gqv @plugin-key)\n{program} bind-key \"$key\" display-message plugged\n{program} set-environment -g TMUX_PLUGIN_MANAGER_PATH ~/.tmux/plugins/\n"
        ),
    );
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(plugin, executable).unwrap();
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
set -g @plugin 'tmux-plugins/tpm'
set -g @plugin-key 'C-p'
run '~/.tmux/plugins/tpm/tpm'
"##,
    );
    let bound = rig.ok(&["list-keys", "-T", "prefix", "C-p"]);
    assert_eq!(bound, "bind-key -T prefix C-p display-message plugged\n");
    let path = rig.ok(&["show-environment", "-g", "TMUX_PLUGIN_MANAGER_PATH"]);
    assert!(path.ends_with("/.tmux/plugins/\n"), "{path}");
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
