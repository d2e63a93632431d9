# shellkeep's integration for fish 3.4 and later. It is read after the user's own files.
set -g __shellkeep_dir $SHELLKEEP_SHELL_DIR
set -e SHELLKEEP_SHELL_DIR
set -g __shellkeep_at 0
set -g __shellkeep_ran 0
set -g __shellkeep_status 0
# From version 4 on fish marks the beginnings of prompts and commands by itself.
set -g __shellkeep_marks 1
string match -qr '^[0-3]\.' -- $version; or set -g __shellkeep_marks 0

function __shellkeep_give
    return $argv[1]
end

# The user's prompt with the marks around it. Fish cuts the line break at a prompt's end, so it must go before ours.
function __shellkeep_prompt
    set -l state $status
    set -l begin
    test $__shellkeep_marks = 1; and set begin \e']133;A'\a
    set -l text (__shellkeep_give $state; __shellkeep_user_prompt | string collect)
    printf '%s%s\e]133;B\a' "$begin" "$text"
end

# Prompts come and go with themes; ours goes around each new one.
function __shellkeep_hook
    if not functions -q __shellkeep_user_prompt; or not string match -q '*__shellkeep_prompt*' -- (functions fish_prompt)
        functions -e __shellkeep_user_prompt
        functions -c fish_prompt __shellkeep_user_prompt
        function fish_prompt
            __shellkeep_prompt
        end
    end
end

function __shellkeep_at_prompt --on-event fish_prompt
    set -g __shellkeep_status $status
    if test $__shellkeep_marks = 1
        if test $__shellkeep_ran = 1
            printf '\e]133;D;%s\a' $__shellkeep_status
        else
            printf '\e]133;D\a'
        end
    end
    printf '\e]7;file://%s%s\a' $hostname (string escape --style=url -- $PWD)
    set -g __shellkeep_ran 0
    set -g __shellkeep_at 1
    __shellkeep_hook
end

function __shellkeep_before --on-event fish_preexec
    set -g __shellkeep_at 0
    set -g __shellkeep_ran 1
    if test $__shellkeep_marks = 1
        if string match -q ' *' -- $argv[1]
            printf '\e]133;C\a'
        else
            printf '\e]133;C;cmdline_url=%s\a' (string escape --style=url -- $argv[1] | string sub -l 4096)
        end
    end
end

# The question.
function __shellkeep_asked --on-signal URG
    test $__shellkeep_at = 1 -a -n "$__shellkeep_dir"; and test -e $__shellkeep_dir/request; or return 0
    set -l nonce
    read nonce <$__shellkeep_dir/request; and test -n "$nonce"; or return 0
    __shellkeep_answer $nonce >$__shellkeep_dir/state 2>/dev/null
end

function __shellkeep_answer -a nonce
    printf '#shellkeep %s begin\nshell fish\nversion %s\nstatus %s\ncwd %s\n' $nonce $version $__shellkeep_status (string escape -- $PWD)
    status is-login; and echo login
    echo "#shellkeep $nonce umask"
    echo umask (umask)
    echo "#shellkeep $nonce limits"
    for each in c d f l n s t u v
        echo $each (ulimit -S -$each)
        echo $each (ulimit -H -$each)
    end
    echo "#shellkeep $nonce abbreviations"
    abbr --show
    echo "#shellkeep $nonce bindings"
    bind --user
    echo "#shellkeep $nonce variables"
    set -l exported (set --names --global --export)
    for name in (set --names --global)
        switch $name
            case '__shellkeep_*' 'SHELLKEEP_*' 'SSH_*' 'TMUX*' TERM TERM_PROGRAM TERM_PROGRAM_VERSION STY DISPLAY WAYLAND_DISPLAY XAUTHORITY
            case SHLVL PWD COLUMNS LINES CMD_DURATION status pipestatus status_generation history version FISH_VERSION fish_pid last_pid hostname _ umask fish_kill_signal fish_killring euid '__fish_*dir' __fish_active_key_bindings __fish_last_bind_mode fish_bind_mode __fish_initialized argv
            case '*'
                set -l flags -g
                contains -- $name $exported; and set flags -gx
                echo set $flags $name (string escape -- $$name)
        end
    end
    echo "#shellkeep $nonce names"
    # Functions with a file of their own come from there when they are called.
    set -l files (string replace -r '.*/(.*)\.fish$' '$1' -- $fish_function_path/*.fish)
    set -l names
    for name in (functions --all --names; string join \n -- $files | sort -u) 
        echo $name
    end | sort | uniq -u | string match -v '__shellkeep_*' | read -z --delimiter \n --array names
    set names (string match -v fish_prompt -- $names)
    string join \n -- fish_prompt $names
    echo "#shellkeep $nonce functions"
    functions __shellkeep_user_prompt | string replace -r '^function __shellkeep_user_prompt\b' 'function fish_prompt'
    for name in $names
        test -n "$name"; and functions -- $name
    end
    echo "#shellkeep $nonce end"
end

function __shellkeep_tell
    test -n "$__shellkeep_dir"; and test -e $__shellkeep_dir/request; or return 0
    set -l nonce
    read nonce <$__shellkeep_dir/request; and test -n "$nonce"; or return 0
    begin
        echo "#shellkeep $nonce line"
        commandline -C
        printf '%s\n' (commandline | string collect)
        echo "#shellkeep $nonce end"
    end >$__shellkeep_dir/line
    test -s $__shellkeep_dir/state; or __shellkeep_answer $nonce >$__shellkeep_dir/state 2>/dev/null
end

# Puts back what was typed before the shell slept.
function __shellkeep_put
    if set -q __shellkeep_half
        commandline -r -- $__shellkeep_half
        commandline -C $__shellkeep_point
        set -e __shellkeep_half __shellkeep_point
    end
end

for __shellkeep_each in default insert
    bind -M $__shellkeep_each \U10F701 __shellkeep_tell
    bind -M $__shellkeep_each \U10F702 __shellkeep_put
end
set -e __shellkeep_each
