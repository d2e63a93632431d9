//! Sessions, windows and panes come, go and move: the same commands to both, one after the other.

use super::Both;

#[test]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn windows_panes_and_sessions_come_go_and_move_as_in_tmux() {
    let both = Both::start("windows");
    both.same_script(
        "
        new -d -s a -x 80 -y 24 cat
        new-window -d cat
        new-window -d -n foo cat
        new-window -d -t 7 cat
        new-window -t 7 cat
        new-window -kd -t 7 cat
        new-window -dP cat
        new-window -dP -F #{window_id}.#{pane_id} cat
        new-window -a -t 0 cat
        new-window -b -t 0 cat
        new-window -a -d -t 99 cat
        new-window -S -n foo
        new-window -S -n nope cat
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_stack_index}
        new-window -d -n foo cat
        new-window -S -n foo
        rename-window -t nope bar
        rename-window x#{session_name}
        rename-window -t 0 ''
        lsw -F #{?automatic-rename,auto,#{window_name}}
        select-window -t 1
        select-window -t 42
        select-window -l
        select-window -n
        select-window -p
        select-window -T -t 1
        select-window -T -t 1
        last-window
        next-window
        previous-window
        next-window -a
        previous-window -a
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_stack_index}
        move-window -t 0
        move-window -s 0 -t 0
        move-window -s 1 -t 0
        move-window -s 1 -t 50
        move-window -d -s 50 -t 51
        move-window -a -s 51 -t 0
        move-window -b -s 7 -t 0
        move-window -k -s 2 -t 3
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_stack_index}
        move-window -r
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_stack_index}
        move-window
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_stack_index}
        swap-window -s 0 -t 1
        swap-window -d -s 0 -t 1
        swap-window -s 0 -t 0
        swap-window -s 0 -t 44
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_stack_index}
        link-window -s 0 -t 1
        link-window -s 0 -t 0
        link-window -s 0 -t 60
        link-window -d -s 0 -t 61
        link-window -a -s 0 -t 1
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_linked}
        unlink-window -t 60
        unlink-window -t 61
        unlink-window -t 2
        unlink-window -t 1
        unlink-window -k -t 1
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_linked}
        kill-window -t 0
        kill-window -t 0
        kill-window -a
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_linked}
        split-window cat
        split-window -h cat
        split-window -d -b cat
        split-window -P cat
        split-window -dP -F #{pane_id} -l 3 cat
        split-window -l 30% cat
        split-window -h -l x
        split-window -l -3
        split-window -l x%
        split-window -p x
        split-window -p 25 -h cat
        split-window -f cat
        split-window -fhb cat
        lsp -F #{pane_index}:#{pane_id}:#{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}:#{pane_active}#{pane_last}
        lsw -F #{window_layout}
        select-layout even-vertical
        lsw -F #{window_layout}
        select-layout -o
        lsw -F #{window_layout}
        next-layout
        lsw -F #{window_layout}
        next-layout
        lsw -F #{window_layout}
        previous-layout
        lsw -F #{window_layout}
        select-layout -n
        select-layout -p
        select-layout tiled
        lsw -F #{window_layout}
        select-layout -E
        lsw -F #{window_layout}
        select-layout main-horizontal
        set -w main-pane-height 10
        select-layout
        lsw -F #{window_layout}
        set -w main-pane-width 40%
        select-layout main-vertical
        lsw -F #{window_layout}
        select-pane -t 0
        select-pane -t 99
        select-pane -R
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        select-pane -L
        select-pane -D
        select-pane -U
        select-pane -l
        last-pane
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        select-pane -m -t 2
        display -p #{pane_marked_set}
        select-pane -m -t 2
        display -p #{pane_marked_set}
        select-pane -m -t 2
        select-pane -M
        display -p #{pane_marked_set}
        select-pane -d
        lsp -F #{pane_index}#{pane_input_off}
        select-pane -e
        lsp -F #{pane_index}#{pane_input_off}
        select-pane -T a#{pane_id}b
        display -p #{pane_title}
        select-pane -P fg=red
        select-pane -g
        resize-pane -Z
        lsw -F #{window_flags}:#{window_visible_layout}:#{window_layout}
        select-pane -t 0
        lsw -F #{window_flags}:#{window_visible_layout}:#{window_layout}
        resize-pane -Z
        select-pane -Z -t 1
        lsw -F #{window_flags}:#{window_visible_layout}:#{window_layout}
        resize-pane -Z -t 2
        resize-pane -Z -t 2
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        resize-pane -D 3
        resize-pane -U
        resize-pane -R 2
        resize-pane -L
        lsw -F #{window_layout}
        resize-pane -x 20 -y 5
        lsw -F #{window_layout}
        resize-pane -x 50%
        lsw -F #{window_layout}
        resize-pane -x 150%
        resize-pane -x foo
        resize-pane -y -1
        resize-pane -L foo
        resize-pane -L 0
        swap-pane -U
        swap-pane -D
        swap-pane -d -s 0 -t 2
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        swap-pane -s 0 -t 1
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        swap-pane -s 0 -t 77
        rotate-window
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        rotate-window -D
        lsp -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        lsw -F #{window_layout}
        break-pane -d -P -s 1
        break-pane -n broken -d -s 1 -t 20
        break-pane -s 0.1 -t 20
        break-pane -a -s 1
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_panes}
        lsp -s -F #{window_index}:#{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        break-pane -s 20.0 -t 30
        break-pane -s 30.0 -t 30
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_panes}
        join-pane -s 30.0 -t 0.0
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_layout}
        join-pane -h -d -s 0.0 -t 0.1 -l 10
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_layout}
        join-pane -b -s 0.0 -t 0.2 -l 20%
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_layout}
        lsp -t 0 -F #{pane_index}:#{pane_id}:#{pane_active}#{pane_last}
        join-pane -s 0.0 -t 0.0
        join-pane -l x -s 0.0 -t 0.1
        move-pane -s 0.0 -t 1.0
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_layout}
        kill-pane -t 0.0
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_layout}
        kill-pane -a -t 0.0
        kill-pane -t 0.0
        lsw -F #{window_index}:#{window_id}:#{window_flags}:#{window_layout}
        resize-window -x 100 -y 30
        lsw -F #{window_index}:#{window_width}x#{window_height}:#{window-size}
        resize-window -R 10
        resize-window -U 5
        resize-window -A
        lsw -F #{window_index}:#{window_width}x#{window_height}
        resize-window -a
        resize-window -x 0
        resize-window -x foo
        resize-window -x 20000
        resize-window -R foo
        new -d -s b -x 50 -y 20 cat
        new-window -d -t b: cat
        lsw -t b -F #{window_width}x#{window_height}
        link-window -s a:1 -t b:5
        link-window -d -s a:1 -t b:0
        link-window -dk -s a:1 -t b:0
        lsw -t b -F #{window_index}:#{window_id}:#{window_flags}
        unlink-window -t b:5
        unlink-window -t b:0
        move-window -s b:1 -t a:
        lsw -a -F #S:#{window_index}:#{window_id}:#{window_flags}
        new -d -t a
        ls -F #{session_id}:#S:#{session_group}:#{session_windows}:#{session_grouped}
        new -d -t a -s grouped
        new -d -t new-group
        new -d -t a cat
        new -d -t a -n foo
        ls -F #{session_id}:#S:#{session_group}:#{session_windows}:#{session_group_list}
        lsw -t grouped -F #{window_index}:#{window_id}:#{window_flags}
        select-window -t grouped:9
        next-window -t grouped
        new-window -d -t grouped: cat
        lsw -t a -F #{window_index}:#{window_id}:#{window_flags}
        lsw -t grouped -F #{window_index}:#{window_id}:#{window_flags}
        swap-window -s a:0 -t grouped:1
        link-window -s a:0 -t grouped:44
        unlink-window -t grouped:0
        kill-window -t grouped:0
        lsw -t a -F #{window_index}:#{window_id}:#{window_flags}
        kill-session -t grouped
        ls -F #{session_id}:#S:#{session_group}:#{session_windows}:#{session_group_list}
        rename-session -t b c
        rename-session -t c z#{session_windows}
        rename-session -t z1 a
        rename-session -t z1 ''
        kill-session -C -t a
        kill-session -t nope
        new -dP -s p1 cat
        new -dP -F #{session_id}:#{window_id}:#{pane_id} -s p2 cat
        new -d -s p2
        new -A -d -s p2
        new -d cat
        ls -F #{session_id}:#S
        respawn-pane -t p2
        respawn-window -t p2
        respawn-pane -k -t p2 cat
        lsp -t p2 -F #{pane_id}:#{pane_start_command}
        set -g base-index 1
        set -g pane-base-index 2
        new -d -s based cat
        split-window -d -t based cat
        lsp -t based -F #{window_index}.#{pane_index}
        set -g renumber-windows on
        new-window -t based: cat
        new-window -t based: cat
        kill-window -t based:1
        lsw -t based -F #{window_index}:#{window_id}:#{window_flags}
        switch-client -t based
        switch-client -n
        detach-client
        detach-client -a
        detach-client -s based
        suspend-client
        kill-session -a -t based
        ls -F #{session_id}:#S
        kill-session -t based
        ",
    );
}
