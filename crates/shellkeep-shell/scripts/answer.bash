# What answering a request needs. The subshell that answers reads it, so that a shell without requests does not have to.

# A request is answered once, however often the signal comes. An answer to an earlier request does not count: it may
# have been written late.
__shellkeep_unanswered() {
    builtin local __shellkeep_each=
    IFS= builtin read -r __shellkeep_each <"$__shellkeep_dir/state"
    [[ $__shellkeep_each != "#shellkeep $__shellkeep_nonce begin" ]]
}

__shellkeep_section() {
    builtin printf '#shellkeep %s %s\n' "$__shellkeep_nonce" "$1"
}

__shellkeep_head() {
    __shellkeep_section begin
    builtin printf 'shell bash\nversion %s\nstatus %s\n' "$BASH_VERSION" "$__shellkeep_status"
    builtin printf 'setopts %s\nshopts %s\n' "$__shellkeep_setopts" "$__shellkeep_shopts"
    builtin printf 'cwd %q\nword %q\n' "$PWD" "$__shellkeep_word"
    __shellkeep_section traps
}

# A shell that goes on after its answer must not wait for it, so a copy in the background writes everything as it is
# now. Its output is open already, and its lists have names of their own, so a later request cannot mix with it.
__shellkeep_answer() {
    # A system that shuts down sends SIGTERM to every process and waits for the copy to end. And if the copy died of a
    # signal, bash would take it for a program that has left the terminal in disorder, and would end line editing.
    builtin trap '' TERM HUP
    builtin local __shellkeep_purpose=
    { IFS= builtin read -r __shellkeep_purpose; IFS= builtin read -r __shellkeep_purpose; } <"$__shellkeep_dir/request"
    __shellkeep_lists=
    if [[ $__shellkeep_purpose == capture ]]; then
        __shellkeep_lists=-$__shellkeep_nonce
        ( __shellkeep_tell "$@" ) &
    else
        __shellkeep_tell "$@"
    fi
    builtin exit 0
}

# The last thing that a shell does when it exits: it waits until everything is written.
__shellkeep_leave() {
    builtin trap '' TERM HUP
    __shellkeep_section process
    builtin printf '%s\n' "$$"
    __shellkeep_lists=.exit
    __shellkeep_tell "$@"
}

# Writes the whole state to standard output. Nothing has to be restored afterwards, because the subshell exits.
__shellkeep_tell() {
    __shellkeep_section arguments
    if (($#)); then builtin printf ' %q' "$@"; fi
    builtin printf '\n'
    __shellkeep_section shopt
    builtin shopt -p
    __shellkeep_section disabled
    builtin enable -n
    __shellkeep_section umask
    builtin umask -p
    __shellkeep_section limits
    builtin local __shellkeep_each
    for __shellkeep_each in c d e f i l m n q r s t u v x; do
        builtin printf '%s ' "$__shellkeep_each"
        builtin ulimit -S "-$__shellkeep_each"
        builtin printf '%s ' "$__shellkeep_each"
        builtin ulimit -H "-$__shellkeep_each"
    done
    __shellkeep_section own
    __shellkeep_own
    __shellkeep_section directories
    builtin declare -p DIRSTACK
    __shellkeep_section aliases
    builtin alias -p
    __shellkeep_section completions
    builtin complete -p
    __shellkeep_section bindings
    for __shellkeep_each in emacs vi-insert vi-command; do
        builtin printf 'keymap %s\n' "$__shellkeep_each"
        # Slow (8 ms and more), so only for the key maps in use. Shell commands bound to keys are few.
        case $__shellkeep_each:$__shellkeep_setopts: in
            vi-command:* | *:"${__shellkeep_each%%-*}":*) builtin bind -m "$__shellkeep_each" -p ;;
        esac
        builtin bind -m "$__shellkeep_each" -s
        builtin printf 'commands\n'
        builtin bind -m "$__shellkeep_each" -X
    done
    builtin printf 'settings\n'
    builtin bind -v
    __shellkeep_unhook_all
    __shellkeep_section variables
    builtin declare -p
    # The lists go to files of their own, because only then are they written with their times.
    if [[ ${HISTTIMEFORMAT@a} != *r* ]]; then HISTTIMEFORMAT=%s; fi
    builtin history -w "$__shellkeep_dir/history$__shellkeep_lists"
    # A shell that exits adds these to its history file itself.
    if [[ $__shellkeep_lists != .exit ]]; then builtin history -a "$__shellkeep_dir/unsaved$__shellkeep_lists"; fi
    builtin unset -f __shellkeep_adopt __shellkeep_again __shellkeep_answer __shellkeep_asked __shellkeep_begin __shellkeep_command __shellkeep_count __shellkeep_encode __shellkeep_give \
        __shellkeep_guard __shellkeep_head __shellkeep_hook __shellkeep_hook_command __shellkeep_hook_trap \
        __shellkeep_hooked __shellkeep_install __shellkeep_keys __shellkeep_leave __shellkeep_leaving __shellkeep_line __shellkeep_load __shellkeep_own __shellkeep_prompt \
        __shellkeep_put __shellkeep_questioned __shellkeep_rest __shellkeep_section __shellkeep_status __shellkeep_tell __shellkeep_unanswered \
        __shellkeep_unhook_all __shellkeep_unhook_command
    builtin printf '#shellkeep %s names\n' "$__shellkeep_nonce"
    builtin declare -F
    builtin printf '#shellkeep %s functions\n' "$__shellkeep_nonce"
    builtin declare -f
    builtin printf '#shellkeep %s end\n' "$__shellkeep_nonce"
}

# The variables of the terminal and the session that differ from what was given; with a dash those that are gone.
__shellkeep_own() {
    builtin local __shellkeep_each
    for __shellkeep_each in DISPLAY STY TERM TERM_PROGRAM TERM_PROGRAM_VERSION WAYLAND_DISPLAY XAUTHORITY SSH_AGENT_PID SSH_ASKPASS SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY TMUX TMUX_PANE "${!SSH_@}" "${!TMUX@}"; do
        if [[ ! -v $__shellkeep_each ]]; then
            if [[ $__shellkeep_given == *$'\n'"$__shellkeep_each="* ]]; then builtin printf -- '-%s\n' "$__shellkeep_each"; fi
        elif [[ $__shellkeep_given != *$'\n'"$__shellkeep_each=${!__shellkeep_each}"$'\n'* ]]; then
            builtin printf '%s\n' "$__shellkeep_each"
        fi
    done
}

__shellkeep_unhook_all() {
    if [[ ${PS0@a}${PS1@a}${PS2@a}${PROMPT_COMMAND@a} == *r* ]]; then builtin return 0; fi
    PS1=${PS1//"$__shellkeep_p"/}
    PS1=${PS1//"$__shellkeep_a"/}
    PS1=${PS1//"$__shellkeep_b"/}
    PS0=${PS0//"$__shellkeep_c"/}
    if [[ -z $PS0 ]]; then builtin unset -v PS0; fi
    PS2=${PS2//"$__shellkeep_k"/}
    PS2=${PS2//"$__shellkeep_b"/}
    __shellkeep_unhook_command
}

# The half-typed line, which only a command bound to a key can read.
__shellkeep_line() {
    if [[ -v READLINE_LINE ]]; then
        {
            __shellkeep_section line
            builtin printf '%s\n%s\n' "$READLINE_POINT" "$READLINE_LINE"
            __shellkeep_section end
        } >|"$__shellkeep_dir/line"
    fi
}
