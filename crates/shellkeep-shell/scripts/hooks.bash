# The rest of the integration: what the first prompt of a revived shell does without, and reads a moment later.

# A subshell in brackets is the one thing that can look for a question without running a user's DEBUG trap,
# and whatever it does cannot harm this shell. The line comes last, or before a state that nobody has yet: whoever has both may
# ask anew at once. The last word of the last command is told before anything else is run.
__shellkeep_trap='( __shellkeep_asked "$?" "${_-}" && __shellkeep_unanswered && { __shellkeep_head; builtin trap -p; __shellkeep_answer "$@"; } >|"$__shellkeep_dir/state"; __shellkeep_hooked ) >/dev/null 2>&1 || __shellkeep_install'
__shellkeep_key='( __shellkeep_asked "$?" "${_-}" && { __shellkeep_unanswered && { __shellkeep_line; __shellkeep_head; builtin trap -p; __shellkeep_answer "$@"; } >|"$__shellkeep_dir/state"; __shellkeep_line; }; __shellkeep_hooked ) >/dev/null 2>&1 || __shellkeep_install'
# At the end of the shell, in front of a trap of the user's, which finds the status as it was: in a shell with -e that would end the trap.
__shellkeep_at_exit='( __shellkeep_leaving "$?" "${_-}" "$-" && { __shellkeep_head; builtin trap -p; __shellkeep_leave "$@"; } >|"$__shellkeep_dir/exit.state"; builtin exit "$__shellkeep_code" ) >/dev/null 2>&1'
# In front of a trap of the user's: no size has changed if there is a question.
__shellkeep_unless='( __shellkeep_questioned ) 2>/dev/null || {'

# Sets __shellkeep_url to a text as URLs write it.
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

# Tells the line about to run, in a file that only this shell writes: a line in a mark could be any program's. One that did not get into
# the history stays untold: the user may have meant it to. This is also where a PROMPT_COMMAND without ours is found out, which only the shell itself can mend: its
# trap runs before the command does.
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

# The number of the next line in the history. Before 5.1 HISTCMD does not tell it to a command of ours.
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

# Ours goes to the end of PROMPT_COMMAND, where the prompt is made by then, except that what bash-preexec puts last
# stays there: it takes the next command for the user's.
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
            # The first is what a user replaces who sets it to a text.
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

# Puts ours in front of traps of the user's. A file is ten times faster than a process to read a trap from, and one that is not
# cut short first another ten: some file systems write those to the disk.
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
    # A subshell that reads this before its shell does ends at once, and would take it for its own.
    if [[ $BASH_SUBSHELL == 0 && $__shellkeep_was != *__shellkeep_leaving* ]]; then
        # A POSIX shell lists one that is not set, too.
        if [[ $__shellkeep_was == - ]]; then __shellkeep_was=; fi
        builtin trap -- "$__shellkeep_at_exit${__shellkeep_was:+$__shellkeep_break$__shellkeep_was}" EXIT
    fi
    __shellkeep_was=${__shellkeep_list[6]-}
    if [[ $__shellkeep_was != *__shellkeep_asked* ]]; then
        if [[ -n $__shellkeep_was && $__shellkeep_was != - ]]; then __shellkeep_was=$__shellkeep_break$__shellkeep_unless$__shellkeep_break$__shellkeep_was$__shellkeep_break'}'; else __shellkeep_was=; fi
        builtin trap -- "$__shellkeep_trap$__shellkeep_was" WINCH
    fi
} 2>/dev/null

# Takes ours out of PROMPT_COMMAND again, and makes it what it was: a text, a list or nothing.
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

# Whether PROMPT_COMMAND still has ours: a re-read .bashrc throws it out.
__shellkeep_hooked() {
    [[ "${PROMPT_COMMAND[*]-}" == *__shellkeep_prompt* ]] || [[ ${PROMPT_COMMAND@a} == *r* ]]
}

# Binds our keys: at first only where they are needed, since it takes its time.
__shellkeep_keys() {
    builtin local __shellkeep_map
    for __shellkeep_map in "$@"; do
        builtin bind -m "$__shellkeep_map" -x '"\e[7701;1~": '"$__shellkeep_key"
        builtin bind -m "$__shellkeep_map" -x '"\e[7701;2~": __shellkeep_put "${_-}"'
    done 2>/dev/null
    if (($# > 2)); then __shellkeep_bound=2; elif ((!__shellkeep_bound)); then __shellkeep_bound=1; fi
}

# Sets everything up, or up again. It never fails: a shell that stops at errors would be gone.
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

# In the subshell: is there a question, and is this the moment for an answer?
__shellkeep_asked() {
    __shellkeep_questioned || builtin return 1
    # One name on the stack: not in the middle of a completion or of a command.
    [[ ${__shellkeep_at-} == 1 && ${#FUNCNAME[@]} == 1 ]] || builtin return 1
    __shellkeep_begin request "$@"
}

# In the subshell of a shell that ends: is its state wanted, and whole? It is not in a function, whose variables would be told for the
# shell's, nor in a shell that has not read all that it comes back with, nor where the terminal has gone, and the server with it.
__shellkeep_leaving() {
    __shellkeep_code=$1
    case $3 in *e*) __shellkeep_code=0 ;; esac
    [[ -s ${__shellkeep_dir:-/}/exit && $BASH_SUBSHELL == 1 && ${#FUNCNAME[@]} == 1 && -z ${__shellkeep_later-} && ! -v __shellkeep_late && -t 0 ]] || builtin return 1
    __shellkeep_begin exit "$@"
}

# From here on the user's functions are out of the way: a mere assignment makes the shell posixly correct, where `unset` is found
# before any function of that name. The rest is read from a file: a shell that is never asked need not carry it.
__shellkeep_begin() {
    # A prompt that cannot be rid of our marks is not told.
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
