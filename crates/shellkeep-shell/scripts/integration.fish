# shellkeep's integration for fish 3.3 and later. It is read after the user's own files.
set -g __shellkeep_at 0
set -g __shellkeep_ran 0
set -g __shellkeep_runs 0
# How many commands were entered.
set -g __shellkeep_nth 0
set -g __shellkeep_status 0
set -g __shellkeep_worn
# Since version 4, fish marks the starts of prompts and commands itself.
set -g __shellkeep_marks 1
builtin string match -qr '^[0-3]\.' -- $version; or set -g __shellkeep_marks 0

function __shellkeep_give
    return $argv[1]
end

# Puts the shim's directory into PATH: with an argument in place of an earlier server's directory, otherwise first.
# Directories of other servers are removed.
function __shellkeep_set_path
    set -q __shellkeep_shim[1]; or builtin string match -q '*.tmux-shim' -- $PATH; or return 0
    set -l __shellkeep_at 1
    set -l __shellkeep_rest (builtin string match -v '*.tmux-shim' -- $PATH)
    if set -q argv[1]
        for __shellkeep_each in $PATH
            builtin string match -q '*.tmux-shim' -- $__shellkeep_each; and break
            set __shellkeep_at (math $__shellkeep_at + 1)
        end
        builtin test $__shellkeep_at -gt (count $PATH); and set __shellkeep_at 1
    end
    set -l __shellkeep_head
    builtin test $__shellkeep_at -gt 1; and set __shellkeep_head $PATH[1..(math $__shellkeep_at - 1)]
    set -gx PATH $__shellkeep_head $__shellkeep_shim $__shellkeep_rest[$__shellkeep_at..-1]
end

# Runs last before the first prompt. Its status is the one with which the shell begins: 0 in a new shell.
function __shellkeep_arrive
    set -l __shellkeep_first $__shellkeep_code 0
    set -e __shellkeep_code
    return $__shellkeep_first[1]
end

# The user's prompt with our marks. Fish drops a newline at the end of a prompt, so the newline must come before our
# mark.
function __shellkeep_prompt
    set -l __shellkeep_state $status
    # A prompt of the user calls a copy of ours that was made while ours was installed.
    set -q __shellkeep_draws; and return
    set -g __shellkeep_draws
    set -l __shellkeep_begin
    builtin test $__shellkeep_marks$__shellkeep_begun = 10; and set __shellkeep_begin \e']133;A'\a
    # Fish's prompt if there is no function.
    set -l __shellkeep_text "$USER@$hostname $PWD > "
    if builtin functions -q __shellkeep_user_prompt
        set __shellkeep_text (__shellkeep_give $__shellkeep_state; __shellkeep_user_prompt | builtin string collect)
    end
    builtin printf '%s%s\e]133;B\a' "$__shellkeep_begin" "$__shellkeep_text"
    set -e __shellkeep_draws
end

# The mode prompt, which fish shows before the prompt in the same line, without newlines. An empty one must stay empty:
# only then does fish draw the prompt again when the mode changes.
function __shellkeep_mode_prompt
    set -l __shellkeep_state $status
    set -l __shellkeep_text (__shellkeep_give $__shellkeep_state; __shellkeep_user_mode_prompt)
    set -g __shellkeep_begun 0
    builtin test -n "$__shellkeep_text"; or return 0
    set -g __shellkeep_begun 1
    builtin printf '%s' \e']133;A'\a $__shellkeep_text
end

# Installs our functions around the user's prompts while these are shown. Commands see the user's own, so that they can
# copy or wrap them, as virtual environments do.
function __shellkeep_hook
    __shellkeep_unhook
    set -g __shellkeep_begun 0
    builtin functions -q fish_prompt; and builtin functions -c fish_prompt __shellkeep_user_prompt
    function fish_prompt
        __shellkeep_prompt
    end
    set -g __shellkeep_worn _prompt
    builtin test $__shellkeep_marks = 1; and builtin functions -q fish_mode_prompt; or return 0
    builtin functions -c fish_mode_prompt __shellkeep_user_mode_prompt
    function fish_mode_prompt
        __shellkeep_mode_prompt
    end
    set -a __shellkeep_worn _mode_prompt
end

function __shellkeep_unhook
    for __shellkeep_kind in $__shellkeep_worn
        if __shellkeep_is_ours fish$__shellkeep_kind $__shellkeep_kind
            __shellkeep_put_back fish$__shellkeep_kind $__shellkeep_kind
        else
            # The code that replaced the prompt may have copied ours, to call it.
            set -l __shellkeep_names
            begin
                set -l fish_function_path
                set __shellkeep_names (builtin functions --all --names | builtin string match -rv '^__shellkeep_')
            end
            for __shellkeep_name in $__shellkeep_names
                __shellkeep_is_ours $__shellkeep_name $__shellkeep_kind; and __shellkeep_put_back $__shellkeep_name $__shellkeep_kind
            end
        end
        builtin functions -e __shellkeep_user$__shellkeep_kind
    end
    set -g __shellkeep_worn
end

function __shellkeep_is_ours -a __shellkeep_which __shellkeep_kind
    set -l __shellkeep_text (builtin functions $__shellkeep_which)
    builtin string match -qr '^(?:# .*)?function \S+\s+__shellkeep'$__shellkeep_kind'\s+end$' -- "$__shellkeep_text"
end

function __shellkeep_put_back -a __shellkeep_which __shellkeep_kind
    builtin functions -e $__shellkeep_which
    builtin functions -q __shellkeep_user$__shellkeep_kind; and builtin functions -c __shellkeep_user$__shellkeep_kind $__shellkeep_which
end

# Writes what the shell is doing to a file that only this shell writes: any program can print marks.
function __shellkeep_say
    builtin test -w "$__shellkeep_dir/phase"; or return 0
    builtin printf '%s\n' "#shellkeep $__shellkeep_nth $argv[1]" $argv[2..-1] "#shellkeep $__shellkeep_nth end" >$__shellkeep_dir/phase 2>/dev/null
end

# Adds a command or its end to the list of commands that the server reads.
function __shellkeep_log
    builtin test -w "$__shellkeep_dir/commands"; or return 0
    builtin printf '%s\n' "#shellkeep $__shellkeep_nth $argv[1]" $argv[2..-1] "#shellkeep $__shellkeep_nth end" >>$__shellkeep_dir/commands 2>/dev/null
end

function __shellkeep_at_prompt --on-event fish_prompt
    set -g __shellkeep_status $status
    # `read` can use the function of the prompt for its own.
    builtin test $__shellkeep_runs = 0; or return 0
    set -l __shellkeep_exit
    builtin test $__shellkeep_ran = 1; and set __shellkeep_exit $__shellkeep_status
    __shellkeep_say "prompt $__shellkeep_exit"
    builtin test $__shellkeep_ran = 1; and __shellkeep_log "prompt $__shellkeep_exit"
    builtin test $__shellkeep_marks = 1; and builtin printf '%s' \e']133;D' \;$__shellkeep_exit \a
    # Each command substitution takes a tenth of a millisecond.
    if builtin string match -qr '^[A-Za-z0-9_/.~-]*$' -- $PWD
        builtin printf '\e]7;file://%s%s\a' $hostname $PWD
    else
        builtin printf '\e]7;file://%s%s\a' $hostname (builtin string escape --style=url -- $PWD)
    end
    set -g __shellkeep_ran 0
    set -e __shellkeep_draws
    # At the first prompt nothing was changed since it was installed.
    set -e __shellkeep_hooked; or __shellkeep_hook
    set -g __shellkeep_at 1
    builtin functions -q __shellkeep_terminated; or __shellkeep_listen
end

function __shellkeep_after --on-event fish_postexec
    set -g __shellkeep_runs 0
end

function __shellkeep_before --on-event fish_preexec
    set -g __shellkeep_at 0
    builtin functions -e __shellkeep_terminated
    set -g __shellkeep_ran 1
    set -g __shellkeep_runs 1
    __shellkeep_unhook
    set -g __shellkeep_nth (builtin math $__shellkeep_nth + 1)
    # Fish keeps such a line out of the history.
    if builtin string match -q ' *' -- "$argv[1]"
        __shellkeep_say runs
        __shellkeep_log runs ''
    else
        __shellkeep_say runs "$argv[1]"
        set -l __shellkeep_cwd $PWD
        builtin string match -q '*'\n'*' -- $PWD; and set __shellkeep_cwd ''
        __shellkeep_log runs "$__shellkeep_cwd" "$argv[1]"
    end
    builtin test $__shellkeep_marks = 1; and builtin printf '\e]133;C\a'
end

# The variables in the scope of the prompt, in which the callers of this function are; functions do not see them
# otherwise.
function __shellkeep_look_around -S
    set -g __shellkeep_locals
    for __shellkeep_name in (set --names --local | builtin string match -rv '^(__shellkeep_.*|argv)$')
        set -l __shellkeep_kinds --unexport --unpath
        set -q --local --export $__shellkeep_name; and set __shellkeep_kinds[1] --export
        set -q --local --path $__shellkeep_name; and set __shellkeep_kinds[2] --path
        set -a __shellkeep_locals (builtin string join ' ' -- set --local $__shellkeep_kinds $__shellkeep_name (builtin string escape -- $$__shellkeep_name))
    end
end

# The handler of a request.
function __shellkeep_asked --on-signal URG -S
    builtin test $__shellkeep_at = 1 -a -n "$__shellkeep_dir"; and builtin test -e $__shellkeep_dir/request; or return 0
    set -l __shellkeep_nonce
    builtin read __shellkeep_nonce <$__shellkeep_dir/request; and builtin test -n "$__shellkeep_nonce"; or return 0
    __shellkeep_unanswered $__shellkeep_nonce; or return 0
    __shellkeep_look_around
    __shellkeep_answer $__shellkeep_nonce request >$__shellkeep_dir/state 2>/dev/null
end

# Runs when the shell exits: writes its state if that is wanted. Not if the terminal is gone, because then the server is
# too.
function __shellkeep_leave --on-event fish_exit -S
    set -g __shellkeep_status $status
    builtin test -n "$__shellkeep_dir"; and builtin test -s $__shellkeep_dir/exit; and builtin test -t 0; or return 0
    set -l __shellkeep_nonce
    builtin read __shellkeep_nonce <$__shellkeep_dir/exit; and builtin test -n "$__shellkeep_nonce"; or return 0
    __shellkeep_look_around
    __shellkeep_answer $__shellkeep_nonce exit >$__shellkeep_dir/exit.state 2>/dev/null
end

# SIGTERM ends fish at once and without an event, unless a function handles it. At the prompt this one writes the state first and then
# ends fish by the same signal. While a command runs it does not exist. If the user has a function for the signal, it does nothing.
function __shellkeep_listen
    function __shellkeep_terminated --on-signal TERM -S
        set -l __shellkeep_result $status
        builtin functions --handlers-type signal | builtin string match -qr '^SIGTERM (?!__shellkeep_terminated$)'; and return 0
        __shellkeep_give $__shellkeep_result
        __shellkeep_leave
        builtin functions -e __shellkeep_terminated
        command kill -TERM $fish_pid
    end
end

# Variables that depend on the process, the terminal or the time, as a pattern.
set -g __shellkeep_not_state '^(__shellkeep_.*|SHELLKEEP_.*|SSH_.*|TMUX.*|TERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|STY|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|SHLVL|PWD|COLUMNS|LINES|CMD_DURATION|status|pipestatus|status_generation|history|version|FISH_VERSION|fish_pid|last_pid|hostname|_|umask|fish_kill_signal|fish_killring|euid|__fish_.*dir|__fish_active_key_bindings|__fish_last_bind_mode|fish_bind_mode|__fish_initialized|argv)$'

# A request is answered once, however often the signal comes. An answer to an earlier request does not count.
function __shellkeep_unanswered
    set -l __shellkeep_first
    builtin read __shellkeep_first <$__shellkeep_dir/state
    builtin test "$__shellkeep_first" != "#shellkeep $argv[1] begin"
end

# Each command takes some tenths of a millisecond, so lists are handled as a whole. Fish reads no keys meanwhile, so
# between long lists it checks whether the request was withdrawn, which the server does when the user types.
function __shellkeep_answer -a __shellkeep_nonce __shellkeep_question
    # Lines since fish last wrote its history are only in memory. Fish may also write it later by itself, so do it
    # first.
    builtin history save
    builtin printf '#shellkeep %s begin\nshell fish\nversion %s\nstatus %s\ncwd %s\nconfig %s\n' $__shellkeep_nonce $version $__shellkeep_status (builtin string escape -- $PWD $__shellkeep_config)
    # Only `set` accepts a pattern without matches.
    set -l __shellkeep_files $__fish_sysconf_dir/conf.d/*.fish $__fish_vendor_confdirs/*.fish
    set -q __shellkeep_files[1]; and builtin printf 'conf %s\n' (builtin string replace -r '^.*/' '' -- $__shellkeep_files)
    status is-login; and builtin echo login
    set -q fish_bind_mode; and builtin echo mode $fish_bind_mode
    # The server counts the lines: fish takes 13 ms for 10,000.
    set -l __shellkeep_past fish
    set -q fish_history; and builtin test "$fish_history" != default; and set __shellkeep_past $fish_history
    builtin test -n "$__shellkeep_past"; and not set -q fish_private_mode
    and builtin echo past (builtin string escape -- $__fish_user_data_dir/{$__shellkeep_past}_history)
    if builtin test $__shellkeep_question = exit
        builtin echo "#shellkeep $__shellkeep_nonce process"
        builtin echo $fish_pid
    end
    builtin echo "#shellkeep $__shellkeep_nonce locals"
    set -q __shellkeep_locals[1]; and builtin string join \n -- $__shellkeep_locals
    builtin echo "#shellkeep $__shellkeep_nonce umask"
    builtin echo umask (umask)
    builtin echo "#shellkeep $__shellkeep_nonce limits"
    for __shellkeep_each in c d f l n s t u v
        builtin echo $__shellkeep_each (builtin ulimit -S -$__shellkeep_each)
        builtin echo $__shellkeep_each (builtin ulimit -H -$__shellkeep_each)
    end
    builtin echo "#shellkeep $__shellkeep_nonce abbreviations"
    abbr --show
    builtin test -e $__shellkeep_dir/$__shellkeep_question; or return
    builtin echo "#shellkeep $__shellkeep_nonce completions"
    builtin complete
    builtin test -e $__shellkeep_dir/$__shellkeep_question; or return
    builtin echo "#shellkeep $__shellkeep_nonce bindings"
    bind --user
    builtin test -e $__shellkeep_dir/$__shellkeep_question; or return
    builtin echo "#shellkeep $__shellkeep_nonce variables"
    set -l __shellkeep_own
    for __shellkeep_name in $__shellkeep_outside (set --names --global | builtin string match -r '^(?:SSH_|TMUX).*')
        if set -qg $__shellkeep_name
            contains -- "$__shellkeep_name=$$__shellkeep_name" $__shellkeep_given; or set -a __shellkeep_own $__shellkeep_name
        else if builtin string match -qr "^$__shellkeep_name=" -- $__shellkeep_given
            builtin echo set -eg $__shellkeep_name
        end
    end
    set -l __shellkeep_mine '^(?:'(builtin string join '|' -- '' $__shellkeep_own)')$'
    for __shellkeep_scope in --export --unexport
        set -l __shellkeep_all (set --names --global $__shellkeep_scope)
        for __shellkeep_name in (builtin string match -rv $__shellkeep_not_state -- $__shellkeep_all) (builtin string match -r $__shellkeep_mine -- $__shellkeep_all)
            set -l __shellkeep_kind --unpath
            set -q --path $__shellkeep_name; and set __shellkeep_kind --path
            builtin echo set --global $__shellkeep_scope $__shellkeep_kind $__shellkeep_name (builtin string escape -- $$__shellkeep_name)
        end
    end
    builtin test -e $__shellkeep_dir/$__shellkeep_question; or return
    # Code at the prompt may have replaced our function.
    __shellkeep_hook
    builtin echo "#shellkeep $__shellkeep_nonce names"
    # Functions from files are loaded again when they are called. With an empty function path, fish lists only the
    # others, including those with which the user has replaced one that has a file.
    set -l __shellkeep_names
    begin
        set -l fish_function_path
        set __shellkeep_names (builtin functions --all --names | builtin string match -rv '^(__shellkeep_.*|fish('(builtin string join '|' -- $__shellkeep_worn)'))?$')
    end
    set -l __shellkeep_users (builtin functions --all --names | builtin string match '__shellkeep_user_*')
    builtin string replace __shellkeep_user fish -- $__shellkeep_users
    set -q __shellkeep_names[1]; and builtin string join \n -- $__shellkeep_names
    builtin test -e $__shellkeep_dir/$__shellkeep_question; or return
    builtin echo "#shellkeep $__shellkeep_nonce functions"
    set -q __shellkeep_users[1]; and builtin functions -- $__shellkeep_users | builtin string replace -r '^function __shellkeep_user_' 'function fish_'
    set -q __shellkeep_names[1]; and builtin functions -- $__shellkeep_names
    # Fish would load these from their files again.
    builtin functions -q __shellkeep_user_prompt; or builtin echo functions -e fish_prompt
    builtin functions -q fish_mode_prompt; or builtin echo functions -e fish_mode_prompt
    builtin echo "#shellkeep $__shellkeep_nonce end"
end

function __shellkeep_tell -S
    builtin test -n "$__shellkeep_dir"; and builtin test -e $__shellkeep_dir/request; or return 0
    set -l __shellkeep_nonce
    builtin read __shellkeep_nonce <$__shellkeep_dir/request; and builtin test -n "$__shellkeep_nonce"; or return 0
    if __shellkeep_unanswered $__shellkeep_nonce
        __shellkeep_look_around
        __shellkeep_answer $__shellkeep_nonce request >$__shellkeep_dir/state 2>/dev/null
    end
    # The line ends the answer. Once the server has it, it may make another request at once, and anything later would be
    # taken for the next answer.
    begin
        builtin echo "#shellkeep $__shellkeep_nonce line"
        builtin commandline -C
        # The text has a newline at its end.
        builtin printf '%s' (builtin commandline | builtin string collect -N)
        builtin echo "#shellkeep $__shellkeep_nonce end"
    end >$__shellkeep_dir/line
end

# Restores the half-typed line.
function __shellkeep_put
    if set -q __shellkeep_half
        commandline -r -- $__shellkeep_half
        commandline -C $__shellkeep_point
        set -e __shellkeep_half
        set -e __shellkeep_point
    end
end

for __shellkeep_each in default insert replace replace_one visual
    bind -M $__shellkeep_each \U10F701 __shellkeep_tell
    bind -M $__shellkeep_each \U10F702 __shellkeep_put
end
set -e __shellkeep_each
