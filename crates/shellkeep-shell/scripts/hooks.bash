# The rest of the integration: a revived shell reads it shortly after its first prompt, which does not need it.

# Only a subshell in parentheses can look for a request without running a DEBUG trap of the user's, and nothing that it
# does can harm this shell. The line is written last, or before a state that is not complete yet: once the server has
# both, it may make another request at once. `$_` is passed first, before any other command changes it.
__shellkeep_trap='( __shellkeep_asked "$?" "${_-}" && __shellkeep_unanswered && { __shellkeep_head; builtin trap -p; __shellkeep_answer "$@"; } >|"$__shellkeep_dir/state"; __shellkeep_hooked ) >/dev/null 2>&1 || __shellkeep_install'
__shellkeep_key='( __shellkeep_asked "$?" "${_-}" && { __shellkeep_unanswered && { __shellkeep_line; __shellkeep_head; builtin trap -p; __shellkeep_answer "$@"; } >|"$__shellkeep_dir/state"; __shellkeep_line; }; __shellkeep_hooked ) >/dev/null 2>&1 || __shellkeep_install'
# Runs when the shell exits, before an EXIT trap of the user's. That trap must see the original status. In a shell with
# -e a failure here would end the trap.
__shellkeep_at_exit='( __shellkeep_leaving "$?" "${_-}" "$-" && { __shellkeep_head; builtin trap -p; __shellkeep_leave "$@"; } >|"$__shellkeep_dir/exit.state"; builtin exit "$__shellkeep_code" ) >/dev/null 2>&1'
# Before a WINCH trap of the user's, which must not run if the signal was sent for a request.
__shellkeep_unless='( __shellkeep_questioned ) 2>/dev/null || {'

# Sets __shellkeep_url to a text, URL-encoded.
__shellkeep_encode() {
    builtin local LC_ALL=C "__shellkeep_text=${1:0:4096}" __shellkeep_run __shellkeep_byte
    __shellkeep_url=
    while [[ -n $__shellkeep_text ]]; do
        __shellkeep_run=${__shellkeep_text%%[!A-Za-z0-9/._~,:@+=-]*}
        __shellkeep_url+=$__shellkeep_run
        __shellkeep_text=${__shellkeep_text:${#__shellkeep_run}}
        if [[ -n $__shellkeep_text ]]; then
            builtin printf -v __shellkeep_byte %d "'${__shellkeep_text:0:1}"
            builtin printf -v __shellkeep_byte '%%%02X' "$((__shellkeep_byte & 255))"
            __shellkeep_url+=$__shellkeep_byte
            __shellkeep_text=${__shellkeep_text:1}
        fi
    done
}

# Writes the command line that is about to run to a file that only this shell writes: a mark could be printed by any
# program. A line that is not in the history is not written, because the user may have kept it out on purpose. This also
# detects that PROMPT_COMMAND has lost our command, which only the shell itself can repair: its signal trap runs before
# the command does.
__shellkeep_command() {
    __shellkeep_hooked || builtin kill -WINCH "$$"
    builtin set +xeu
    [[ -w $__shellkeep_dir/phase ]] || builtin return 0
    __shellkeep_text=
    if [[ $HISTCMD != "$__shellkeep_seen" || $__shellkeep_kind == text ]]; then
        __shellkeep_text=$(HISTTIMEFORMAT= builtin history 1)
        if [[ $__shellkeep_text =~ ^\ *([0-9]+)[*\ ]\ (.*)$ ]] && [[ $__shellkeep_kind != text || ${BASH_REMATCH[1]} -ge $__shellkeep_seen ]]; then
            __shellkeep_text=${BASH_REMATCH[2]}$__shellkeep_break
        else
            __shellkeep_text=
        fi
    fi
    builtin printf '#shellkeep %s runs\n%s#shellkeep %s end\n' "$__shellkeep_nth" "$__shellkeep_text" "$__shellkeep_nth" 1<>"$__shellkeep_dir/phase"
    [[ -w $__shellkeep_dir/commands ]] || builtin return 0
    builtin printf '#shellkeep %s runs\n%s\n%s#shellkeep %s end\n' "$__shellkeep_nth" "${PWD##*$__shellkeep_break*}" "$__shellkeep_text" "$__shellkeep_nth" >>"$__shellkeep_dir/commands"
} 2>/dev/null

# The number of the next line in the history. Before 5.1, HISTCMD is not usable in our commands.
__shellkeep_count() {
    builtin local __shellkeep_was=
    __shellkeep_seen=1
    [[ -n $__shellkeep_dir ]] || builtin return 0
    { builtin history 1; builtin printf '\0'; } 1<>"$__shellkeep_dir/trap" || builtin return 0
    builtin read -r -d '' __shellkeep_was <"$__shellkeep_dir/trap"
    __shellkeep_was=${__shellkeep_was#"${__shellkeep_was%%[0-9]*}"}
    __shellkeep_was=${__shellkeep_was%%[!0-9]*}
    __shellkeep_seen=$((${__shellkeep_was:-0} + 1))
} 2>/dev/null

# Puts our command at the end of PROMPT_COMMAND, where the prompt is complete. Only the last element of bash-preexec
# stays behind it, because it takes the next command for the user's.
__shellkeep_hook_command() {
    builtin local -a __shellkeep_list
    builtin local __shellkeep_tail=
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
        if ((!__shellkeep_lost)) && [[ ${PROMPT_COMMAND[*]-} == *__shellkeep_prompt* ]]; then builtin return 0; fi
        __shellkeep_unhook_command
        if ((${#PROMPT_COMMAND[@]} == 0)); then
            __shellkeep_kind=none
        elif [[ ${PROMPT_COMMAND[*]@a} == *a* ]]; then
            __shellkeep_kind=array
        else
            __shellkeep_kind=scalar
        fi
        __shellkeep_list=("${PROMPT_COMMAND[@]}")
        if [[ ${#__shellkeep_list[@]} -gt 1 && ${__shellkeep_list[-1]} == *_interactive_mode ]]; then
            __shellkeep_tail=${__shellkeep_list[-1]}
            builtin unset -v '__shellkeep_list[-1]'
            PROMPT_COMMAND=("${__shellkeep_list[@]}" __shellkeep_prompt "$__shellkeep_tail")
        elif ((${#__shellkeep_list[@]})); then
            PROMPT_COMMAND=("${__shellkeep_list[@]}" __shellkeep_prompt)
        else
            # Not as the first element, which a user replaces by assigning a plain text.
            PROMPT_COMMAND=([1]=__shellkeep_prompt)
        fi
    else
        if ((!__shellkeep_lost)) && [[ ${PROMPT_COMMAND-} == *"$__shellkeep_last"* ]]; then builtin return 0; fi
        __shellkeep_unhook_command
        __shellkeep_kind=text
        PROMPT_COMMAND=$__shellkeep_first$'\n'${PROMPT_COMMAND-}$'\n'$__shellkeep_last
    fi
    __shellkeep_lost=0
}

# Puts our traps before the user's. Reading a trap through a file is ten times faster than through a subshell, and ten
# times faster again if the file is not truncated first, because some file systems then write it to the disk.
__shellkeep_hook_trap() {
    builtin local -a __shellkeep_list
    builtin local __shellkeep_was=
    [[ -n $__shellkeep_dir ]] || builtin return 0
    { builtin trap -p EXIT WINCH; builtin printf '\0'; } 1<>"$__shellkeep_dir/trap" || builtin return 0
    IFS= builtin read -r -d '' __shellkeep_was <"$__shellkeep_dir/trap"
    __shellkeep_was=${__shellkeep_was//"${__shellkeep_early-}"/}
    __shellkeep_was=${__shellkeep_was//"${__shellkeep_early_exit-}"/}
    if [[ $__shellkeep_was == *__shellkeep_leaving*__shellkeep_asked* ]]; then builtin return 0; fi
    builtin eval "__shellkeep_list=($__shellkeep_was)"
    # Each is four words: trap -- TEXT NAME.
    if [[ ${__shellkeep_list[3]-} != EXIT ]]; then __shellkeep_list=('' '' '' EXIT "${__shellkeep_list[@]}"); fi
    __shellkeep_was=${__shellkeep_list[2]-}
    # A subshell that runs this before its parent does exits at once, and would take the trap for its own.
    if [[ $BASH_SUBSHELL == 0 && $__shellkeep_was != *__shellkeep_leaving* ]]; then
        # A POSIX shell also lists a trap that is not set.
        if [[ $__shellkeep_was == - ]]; then __shellkeep_was=; fi
        builtin trap -- "$__shellkeep_at_exit${__shellkeep_was:+$__shellkeep_break$__shellkeep_was}" EXIT
    fi
    __shellkeep_was=${__shellkeep_list[6]-}
    if [[ $__shellkeep_was != *__shellkeep_asked* ]]; then
        if [[ -n $__shellkeep_was && $__shellkeep_was != - ]]; then __shellkeep_was=$__shellkeep_break$__shellkeep_unless$__shellkeep_break$__shellkeep_was$__shellkeep_break'}'; else __shellkeep_was=; fi
        builtin trap -- "$__shellkeep_trap$__shellkeep_was" WINCH
    fi
} 2>/dev/null

# Removes our command from PROMPT_COMMAND, and restores its original type: a text, an array or unset.
__shellkeep_unhook_command() {
    builtin local -a __shellkeep_list
    builtin local __shellkeep_each "__shellkeep_attr=${PROMPT_COMMAND@a}"
    __shellkeep_list=()
    if [[ $__shellkeep_kind == text ]]; then
        PROMPT_COMMAND=${PROMPT_COMMAND-}
        PROMPT_COMMAND=${PROMPT_COMMAND//"$__shellkeep_first"$'\n'/}
        PROMPT_COMMAND=${PROMPT_COMMAND//$'\n'"$__shellkeep_last"/}
        if [[ -z $PROMPT_COMMAND ]]; then builtin unset -v PROMPT_COMMAND; fi
        builtin return 0
    fi
    case " ${PROMPT_COMMAND[*]-} " in *__shellkeep_prompt*) ;; *) builtin return 0 ;; esac
    for __shellkeep_each in "${PROMPT_COMMAND[@]}"; do
        if [[ $__shellkeep_each != __shellkeep_prompt ]]; then __shellkeep_list+=("$__shellkeep_each"); fi
    done
    case $__shellkeep_kind in
        none | scalar)
            builtin unset -v PROMPT_COMMAND
            if ((${#__shellkeep_list[@]} > 1)); then
                PROMPT_COMMAND=("${__shellkeep_list[@]}")
            elif [[ $__shellkeep_kind == scalar || ${#__shellkeep_list[@]} -gt 0 ]]; then
                PROMPT_COMMAND=${__shellkeep_list[0]-}
            fi
            ;;
        *) PROMPT_COMMAND=("${__shellkeep_list[@]}") ;;
    esac
    if [[ $__shellkeep_attr == *x* ]]; then builtin export PROMPT_COMMAND; fi
}

# Whether PROMPT_COMMAND still has our command: sourcing .bashrc again may remove it.
__shellkeep_hooked() {
    [[ "${PROMPT_COMMAND[*]-}" == *__shellkeep_prompt* ]] || [[ ${PROMPT_COMMAND@a} == *r* ]]
}

# Binds our keys, at first only in the maps in use, because binding is slow.
__shellkeep_keys() {
    builtin local __shellkeep_map
    for __shellkeep_map in "$@"; do
        builtin bind -m "$__shellkeep_map" -x '"\e[7701;1~": '"$__shellkeep_key"
        builtin bind -m "$__shellkeep_map" -x '"\e[7701;2~": __shellkeep_put "${_-}"'
    done 2>/dev/null
    if (($# > 2)); then __shellkeep_bound=2; elif ((!__shellkeep_bound)); then __shellkeep_bound=1; fi
}

# Installs everything, or repairs it. It must not fail, because a shell with -e would exit.
__shellkeep_install() {
    { builtin local "__shellkeep_flags=$-"; builtin set +xeu; } 2>/dev/null
    if ((__shellkeep_bound)); then
        __shellkeep_keys emacs vi-insert vi-command
    elif [[ -o vi ]]; then
        __shellkeep_keys vi-insert vi-command
    else
        __shellkeep_keys emacs
    fi
    if [[ ${1-} != trap ]]; then __shellkeep_hook_trap; fi
    if [[ ! ${PROMPT_COMMAND@a} == *r* ]]; then __shellkeep_hook_command; fi
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return 0
    } 2>/dev/null
}

# Whether the server waits for an answer.
__shellkeep_questioned() {
    [[ -n ${__shellkeep_dir-} && -e $__shellkeep_dir/request ]]
}

# In the subshell: whether there is a request, and it can be answered now.
__shellkeep_asked() {
    __shellkeep_questioned || builtin return 1
    # One function on the stack: not during a completion or a command.
    [[ ${__shellkeep_at-} == 1 && ${#FUNCNAME[@]} == 1 ]] || builtin return 1
    __shellkeep_begin request "$@"
}

# In the subshell of a shell that exits: whether its state is wanted and complete. It is not in a function, whose local
# variables would be written as the shell's, not in a shell that has not read all of its state, and not if the terminal
# is gone, because then the server is too.
__shellkeep_leaving() {
    __shellkeep_code=$1
    case $3 in *e*) __shellkeep_code=0 ;; esac
    [[ -s ${__shellkeep_dir:-/}/exit && $BASH_SUBSHELL == 1 && ${#FUNCNAME[@]} == 1 && -z ${__shellkeep_later-} && ! -v __shellkeep_late && -t 0 ]] || builtin return 1
    __shellkeep_begin exit "$@"
}

# From here on the user's functions have no effect: assigning POSIXLY_CORRECT makes the shell a POSIX shell, in which
# `unset` is found before a function of that name. The rest is read from a file, so that a shell without requests does
# not need it.
__shellkeep_begin() {
    # A prompt from which our marks cannot be removed cannot be written.
    [[ ${PS0@a}${PS1@a}${PS2@a}${PROMPT_COMMAND@a} != *r* ]] || builtin return 1
    __shellkeep_question=$__shellkeep_dir/$1
    __shellkeep_status=$2 __shellkeep_word=${3-} __shellkeep_setopts=$SHELLOPTS __shellkeep_shopts=$BASHOPTS
    POSIXLY_CORRECT=1
    unset -f builtin
    unset -v POSIXLY_CORRECT
    builtin set +euxvfCET +o posix
    builtin shopt -u expand_aliases
    builtin enable alias bind complete declare dirs enable history printf read shopt trap ulimit umask unset
    IFS= builtin read -r __shellkeep_nonce <"$__shellkeep_question" && [[ -n $__shellkeep_nonce ]] && builtin . "$__shellkeep_answers"
}
