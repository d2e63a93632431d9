//! Options, hooks, keys, the environment, conditions and channels answer as in tmux, word for word but for our hints.

use super::Both;

fn start(both: &Both) {
    let session = ["new", "-d", "-s", "a", "-x", "80", "-y", "24", "cat"];
    let (ours, theirs) = both.ask(&session);
    assert_eq!(ours, theirs);
    // Where our defaults differ on purpose, or a system's do, both are made to agree.
    for set in [
        &["set", "-g", "status", "on"][..],
        &["set", "-g", "mouse", "off"],
        &[
            "set",
            "-gw",
            "automatic-rename-format",
            "#{?pane_in_mode,[tmux],#{pane_current_command}}#{?pane_dead,[dead],}",
        ],
        &["set", "-g", "history-limit", "2000"],
        &["set", "-g", "default-shell", "/bin/sh"],
        &["set", "-g", "default-terminal", "screen"],
        &["set", "-s", "escape-time", "500"],
        &["set", "-s", "set-clipboard", "external"],
        &["set", "-gu", "default-size"],
        &["set", "-u", "default-size"],
    ] {
        let (ours, theirs) = both.ask(set);
        assert_eq!(ours, theirs, "{set:?}");
    }
}

#[test]
fn lists_have_all_of_tmux_and_beside_it_ours() {
    let both = Both::start("option_lists");
    start(&both);
    for list in [
        &["show", "-s"][..],
        &["show-hooks", "-g"],
        &["show-hooks", "-gw"],
    ] {
        let (ours, theirs) = both.ask(list);
        let name = |line: &str| line.split([' ', '[']).next().map(str::to_owned);
        let known: Vec<_> = theirs.stdout.lines().map(name).collect();
        let shared = ours
            .stdout
            .lines()
            .filter(|line| known.contains(&name(line)));
        let theirs: Vec<&str> = theirs.stdout.lines().collect();
        assert_eq!(shared.collect::<Vec<_>>(), theirs, "{list:?}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn options_of_every_scope_answer_as_in_tmux() {
    let both = Both::start("options");
    start(&both);
    let count = both.same_script(
        r##"
        show
        show -w
        show -p
        show -gw
        show -gwv
        show -gv status-left
        show -g prefix
        show -g prefix2
        show -gv status-format
        show -g 'status-format[0]'
        show -g 'status-format[7]'
        show -g update-environment
        show -gv 'update-environment[3]'
        show -g 'base-index[0]'
        show @x
        show -q @x
        show -s @x
        set @x 1
        show @x
        show -v @x
        show -w @x
        show -A @x
        show -pA @x
        set -p @x p
        show -p
        show -p @x
        set -w @x w
        show -pA @x
        set -pu @x
        show -pA @x
        show -p @x
        show -pq @x
        set -s @x s
        show -s @x
        show -gv @x
        set -g @y 'a b'
        show -g @y
        show -gv @y
        show -A @y
        set -ga @y ' c'
        show -g @y
        set -a @y d
        show @y
        set -u @y
        show @y
        set -gu @y
        show -g @y
        set -F @f '#{session_name}-#{window_index}'
        show -v @f
        set -o @f x
        set -oq @f x
        set -og status on
        set -og @new 1
        set -og @new 2
        set -ou @f
        show -q @f
        set -t nope status off
        set -t nope:3 mode-keys vi
        set -w -t nope remain-on-exit on
        set -p -t nope remain-on-exit on
        set -p -t %99 remain-on-exit on
        set -t nope @u 1
        set -w -t nope @u 1
        setw -t nope @u 1
        set -p -t nope @u 1
        set -q -t nope @u 1
        show -t nope
        show -w -t nope
        show -p -t nope
        show -q -t nope
        show -t nope status
        showw -t nope mode-keys
        showw -v mode-keys
        showw -gv mode-keys
        showw mode-keys
        setw mode-keys vi
        showw mode-keys
        show -w
        show -wA mode-keys
        setw -u mode-keys
        showw mode-keys
        show -A mode-keys
        setw -g mode-keys vi
        setw -g mode-keys
        showw -g mode-keys
        set -g mode-keys emacs
        set mode-keys foo
        set status-l x
        set status-lef x
        show -g status-le
        set -q status-l x
        set nope 1
        set -q nope 1
        show nope
        show -q nope
        show ''
        set '' 1
        set -g status
        show -g status
        set -g status foo
        set -g status 3
        set -g status on
        set -g base-index -1
        set -g base-index x
        set -g base-index 99999999999
        set -g base-index 1
        show -gv base-index
        set -g base-index
        set -gu base-index
        show -g base-index
        set -g prefix Foo
        set -g prefix C-a
        show -g prefix
        set -g prefix None
        show -g prefix
        set -gu prefix
        set -g status-style 'fg=red,bg=#112233'
        show -g status-style
        set -ga status-style bold
        show -g status-style
        set -g status-style 'fg=nope'
        set -g status-bg nope
        set -g status-bg red
        show -g status-bg
        set -gu status-style
        set -g display-panes-colour colour300
        set -g display-panes-colour colour33
        show -g display-panes-colour
        set -s 'command-alias[100]' 'zz=display -p zz'
        show -s command-alias
        zz
        set -su 'command-alias[100]'
        zz
        set -s 'nope[1]' x
        set -g 'status[1]' on
        set -g 'status-format[' on
        set -g 'status-format[x]' on
        set -g 'status-format[-1]' on
        set -g '@u[1]' x
        set -as terminal-overrides ',xterm*:Tc'
        show -s terminal-overrides
        set -s terminal-overrides 'a:b,c:d'
        show -s terminal-overrides
        set -s terminal-overrides ''
        show -s terminal-overrides
        show -sv terminal-overrides
        set -su terminal-overrides
        set -g update-environment 'A B C'
        show -g update-environment
        set -ga update-environment D
        set -gu 'update-environment[1]'
        show -g update-environment
        set -g 'update-environment[9]' Z
        show -gv update-environment
        set -gu update-environment
        set update-environment Q
        show update-environment
        show -A update-environment
        set -u update-environment
        show -A 'update-environment[2]'
        set -w remain-on-exit on
        set -p remain-on-exit off
        show -p remain-on-exit
        set -wU remain-on-exit
        show -p remain-on-exit
        show -w remain-on-exit
        set -wg remain-on-exit on
        show -p -A remain-on-exit
        set -wgu remain-on-exit
        set -g default-shell /bin/nope
        set -g default-shell /etc/passwd
        set -g default-shell sh
        set -g default-size 100x
        set -g default-size 100x30
        show -g default-size
        set -g word-separators 'a\b$c'
        show -g word-separators
        set -g @q ''
        show -g @q
        set -g @q '~'
        show -g @q
        set -g @q '#{x} ; ~ %1 $HOME'
        show -g @q
        set -g @q 'a{b}'
        show -g @q
        set
        set -g
        set -g status on off
        show -g status off
        set -z status
        "##,
    );
    assert!(count >= 150, "{count}");
}

#[test]
fn hooks_answer_as_in_tmux() {
    let both = Both::start("set_hooks");
    start(&both);
    both.same_script(
        r##"
        show-hooks
        show-hooks -w
        show-hooks -p
        show-hooks -g nope
        set-hook -g foo bar
        set-hook -g after-new-window foo
        set-hook -g after-new-window 'neww -d ; splitw -h -t 1'
        show-hooks -g after-new-window
        set-hook -ga after-new-window 'display hi'
        show-hooks -g after-new-window
        show -gv after-new-window
        set-hook -g 'after-new-window[5]' 'display a ; display b'
        show-hooks -g after-new-window
        set-hook -gu 'after-new-window[0]'
        show-hooks -g after-new-window
        set-hook -gu after-new-window
        show-hooks -g after-new-window
        set-hook after-x y
        set-hook pane-died 'display x'
        show-hooks pane-died
        show-hooks -p pane-died
        show-hooks -w
        set-hook -u pane-died
        show-hooks -w
        set-hook -p pane-exited 'run true'
        show-hooks -p
        set-hook -pu pane-exited
        set-hook -t nope after-list-keys 'display x'
        set-hook -R nope
        set-hook -g status off
        show -gv status
        set -g status on
        set-hook -g after-list-sessions 'display -p "h #{hook} [#{hook_arguments}] #{hook_flag_F}"'
        ls -F '#S'
        set-hook -gu after-list-sessions
        set-hook -g after-set-environment 'display -p "#{hook_argument_0} #{hook_argument_1} #{hook_flag_g}"'
        setenv -g QQ 1
        set-hook -gu after-set-environment
        set-hook -g after-rename-session 'display -p "#{session_name} #{hook_arguments}"'
        rename -t a b
        rename -t b a
        set-hook -gu after-rename-session
        set-hook -g after-show-options 'display -p so'
        show -gv status
        show -gv nope
        set-hook -gu after-show-options
        set-hook -g after-list-sessions 'has -t nope ; display -p not'
        ls -F x ; display -p next
        set-hook -gu after-list-sessions
        set-hook -g @mine 'display -p mine'
        set-hook -R @mine
        set-hook -t a after-list-windows 'display -p lw'
        lsw -F x -t a
        show-hooks -t a
        set-hook -g after-if-shell 'display -p x'
        show -H
        set-hook
        set-hook -g
        "##,
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn keys_and_environment_answer_as_in_tmux() {
    let both = Both::start("keys_and_environment");
    start(&both);
    both.same_script(
        r##"
        setenv
        setenv A
        setenv A 1
        showenv A
        setenv -r A
        showenv A
        setenv -u A
        showenv A
        setenv -u A 2
        setenv -r A 2
        setenv '' 2
        setenv 'a=b' 2
        setenv -h H 3
        showenv
        showenv -h
        showenv H
        showenv -h H
        showenv -s
        setenv -g Q 'a"b$c`d\e'
        showenv -gs Q
        setenv -F F '#{session_name}'
        showenv F
        setenv -t nope A 1
        showenv -t nope
        showenv -g nope
        showenv -gh
        bind
        bind x foo
        bind Foo display
        bind x display hi \; display ho
        list-keys -T prefix x
        bind -n -r F5 'display a ; display b'
        list-keys -T root F5
        bind -T my y 'display hi ; if -F 1 { display yo }'
        list-keys -T my
        list-keys -T nope
        unbind -T nope x
        unbind
        unbind -a x
        unbind -q
        unbind Foo
        unbind -q Foo
        unbind -a -T nope
        unbind -T my y
        list-keys -T my
        list-keys nokey
        list-keys y
        list-keys -N x
        list-keys -N -T prefix c
        list-keys -1 -N
        list-keys -N -P 'foo ' c
        bind -N 'my note' z display z
        list-keys -N z
        bind z
        list-keys z
        unbind z
        list-keys z
        unbind z
        bind x display -Q
        bind M-\ display
        list-keys -T prefix M-\
        list-keys -N -T nope
        list-keys -N c
        list-keys -N -T copy-mode
        list-keys c
        list-keys -1 c
        list-keys -N -1 c
        list-keys -N C-o
        list-keys
        list-keys -N
        unbind -a
        list-keys -T prefix
        list-keys -N
        bind c kill-server
        list-keys -T prefix
        list-keys -N
        "##,
    );
}
