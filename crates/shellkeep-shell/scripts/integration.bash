# shellkeep's integration for bash 4.4 and later: what runs at every prompt. How a question is answered is in a file of its own.
#
# It is put in front of the file the shell is started with, so it is read before anything of the user's: no
# function or alias of theirs can get into what is defined here. What runs at a prompt calls `builtin`, since
# users wrap printf, cd and trap; behind it an assignment is a word like any other and has to be quoted.

# A login shell and a revived one begin as POSIX shells, which would read some of what follows differently.
\builtin set +o posix
\builtin shopt -q expand_aliases && __shellkeep_aliases=1 || __shellkeep_aliases=0
\builtin shopt -u expand_aliases

# Where questions are put; nobody else's business, so not in the environment of what is started from here.
__shellkeep_dir=${SHELLKEEP_SHELL_DIR-}
__shellkeep_host=${HOSTNAME-}
builtin unset -v SHELLKEEP_SHELL_DIR
# 1 at the first line of a prompt, 2 at a continuation, 0 otherwise. Prompts set it by arithmetic, which is
# all that can be done there without a process.
__shellkeep_at=0
__shellkeep_ran=0
__shellkeep_none=
__shellkeep_break=$'\n'
__shellkeep_seen=0
__shellkeep_cwd=
__shellkeep_url=
__shellkeep_kind=
__shellkeep_lost=0
__shellkeep_marked=0
__shellkeep_debug=
__shellkeep_later=
__shellkeep_bound=0
__shellkeep_answers=@ANSWERS@
__shellkeep_guarded='case $BASH_COMMAND in __shellkeep_*) ;; *)'
__shellkeep_a='\[\e]133;A\a\]'
__shellkeep_b='\[\e]133;B\a\]'
__shellkeep_c='${__shellkeep_none:$((__shellkeep_at=0,__shellkeep_ran=1,0)):0}\e]133;C$({ __shellkeep_command; } 2>/dev/null)\a'
__shellkeep_k='\[\e]133;A;k=s\a\]${__shellkeep_none:$((__shellkeep_at=2,0)):0}'
# Before 5.1 PROMPT_COMMAND is one text. If it is exported, a shell started from here must not mind it.
__shellkeep_first='${__shellkeep_dir+__shellkeep_status}'
__shellkeep_last='${__shellkeep_dir+__shellkeep_prompt}'
# A subshell in brackets is the one thing that can look for a question without running a user's DEBUG trap,
# and whatever it does cannot harm this shell. The line comes last, or before a state that nobody has yet: whoever has both may
# ask anew at once.
__shellkeep_trap='( __shellkeep_asked "$?" && __shellkeep_unanswered && { __shellkeep_head; builtin trap -p; __shellkeep_answer "$@"; } >|"$__shellkeep_dir/state"; __shellkeep_hooked ) >/dev/null 2>&1 || __shellkeep_install'
__shellkeep_key='( __shellkeep_asked "$?" && { __shellkeep_unanswered && { __shellkeep_line; __shellkeep_head; builtin trap -p; __shellkeep_answer "$@"; } >|"$__shellkeep_dir/state"; __shellkeep_line; }; __shellkeep_hooked ) >/dev/null 2>&1 || __shellkeep_install'

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

# Prints the line about to run, for the C mark. One that did not get into the history stays untold: the user
# may have meant it to.
__shellkeep_command() {
    [[ $HISTCMD != "$__shellkeep_seen" ]] || builtin return 0
    builtin set +xeu
    __shellkeep_text=$(HISTTIMEFORMAT= builtin history 1)
    [[ $__shellkeep_text =~ ^\ *[0-9]+[*\ ]\ (.*)$ ]] || builtin return 0
    __shellkeep_encode "${BASH_REMATCH[1]}"
    builtin printf ';cmdline_url=%s' "$__shellkeep_url"
} 2>/dev/null

__shellkeep_status() {
    { __shellkeep_saved=$?; builtin return "$__shellkeep_saved"; } 2>/dev/null
}

__shellkeep_give() {
    builtin return "$__shellkeep_saved"
}

# The last of PROMPT_COMMAND. It leaves -e, -u and -x as they were and has nothing traced but its own name.
__shellkeep_prompt() {
    { builtin local "__shellkeep_status=$?" "__shellkeep_flags=$-"; builtin set +xeu; } 2>/dev/null
    if [[ $__shellkeep_kind == text ]]; then
        __shellkeep_status=${__shellkeep_saved-$__shellkeep_status}
    fi
    if [[ -t 1 ]]; then
        if ((__shellkeep_ran)); then
            builtin printf '\e]133;D;%s\a' "$__shellkeep_status"
        else
            builtin printf '\e]133;D\a'
        fi
        if [[ $PWD != "$__shellkeep_cwd" ]]; then
            __shellkeep_encode "$PWD"
            __shellkeep_cwd=$PWD __shellkeep_path=$__shellkeep_url
        fi
        builtin printf '\e]7;file://%s%s\a' "$__shellkeep_host" "$__shellkeep_path"
    fi
    if ((__shellkeep_ran)); then
        __shellkeep_hook_trap
        if ((__shellkeep_bound < 2)); then __shellkeep_keys emacs vi-insert vi-command; fi
        # The key that asks for it never came.
        if [[ -n $__shellkeep_later ]]; then __shellkeep_load; fi
    fi
    __shellkeep_hook
    __shellkeep_ran=0 __shellkeep_seen=$HISTCMD
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return 0
    } 2>/dev/null
}

# Puts our marks where prompts, themes and `activate` have lost them. A read-only prompt is left alone; then
# nothing says that the shell is at it, and it is never asked anything.
__shellkeep_hook() {
    __shellkeep_at=0
    if [[ ${PS0@a}${PS1@a}${PS2@a}${PROMPT_COMMAND@a} == *r* ]]; then builtin return 0; fi
    if [[ -n $__shellkeep_debug && $__shellkeep_ran == 1 ]]; then
        # The line that was to be put back first never came.
        builtin eval "__shellkeep_debug=; $__shellkeep_debug"
    fi
    if [[ ${PS1-} != "$__shellkeep_a"*"$__shellkeep_b" ]]; then
        # They were there at the last prompt, so something behind us makes it anew.
        if [[ ${PROMPT_COMMAND[-1]-} != __shellkeep_prompt ]] 2>/dev/null; then __shellkeep_lost=$__shellkeep_marked; fi
        PS1=${PS1//"$__shellkeep_a"/}
        PS1=$__shellkeep_a${PS1//"$__shellkeep_b"/}$__shellkeep_b
    fi
    __shellkeep_marked=1
    if builtin shopt -q promptvars; then
        if [[ ${PS0-} != *"$__shellkeep_c"* ]]; then PS0=$__shellkeep_c${PS0-}; fi
        if [[ ${PS2-} != "$__shellkeep_k"*"$__shellkeep_b" ]]; then
            PS2=$__shellkeep_k${PS2-}$__shellkeep_b
        fi
        __shellkeep_at=1
    else
        if [[ ${PS0-} == *"$__shellkeep_c"* ]]; then PS0=${PS0//"$__shellkeep_c"/}; fi
        if [[ ${PS2-} == "$__shellkeep_k"* ]]; then
            PS2=${PS2#"$__shellkeep_k"}
            PS2=${PS2%"$__shellkeep_b"}
        fi
    fi
    __shellkeep_hook_command
}

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
        else
            PROMPT_COMMAND=("${__shellkeep_list[@]}" __shellkeep_prompt)
        fi
    else
        if ((!__shellkeep_lost)) && [[ ${PROMPT_COMMAND-} == *"$__shellkeep_last"* ]]; then builtin return 0; fi
        __shellkeep_unhook_command
        __shellkeep_kind=text
        PROMPT_COMMAND=$__shellkeep_first$'\n'${PROMPT_COMMAND-}$'\n'$__shellkeep_last
    fi
    __shellkeep_lost=0
}

# Puts ours in front of a trap of the user's. A file is ten times faster than a process to read a trap from, and one that is not
# cut short first another ten: some file systems write those to the disk.
__shellkeep_hook_trap() {
    builtin local -a __shellkeep_list
    builtin local __shellkeep_was=
    [[ -n $__shellkeep_dir ]] || builtin return 0
    { builtin trap -p WINCH; builtin printf '\0'; } 1<>"$__shellkeep_dir/trap" || builtin return 0
    IFS= builtin read -r -d '' __shellkeep_was <"$__shellkeep_dir/trap"
    if [[ $__shellkeep_was != *__shellkeep_asked* ]]; then
        builtin eval "__shellkeep_list=($__shellkeep_was)"
        __shellkeep_was=${__shellkeep_list[2]-}
        builtin trap -- "$__shellkeep_trap${__shellkeep_was:+$__shellkeep_break$__shellkeep_was}" WINCH
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
        builtin bind -m "$__shellkeep_map" -x '"\e[7701;2~": __shellkeep_put'
    done 2>/dev/null
    if (($# > 2)); then __shellkeep_bound=2; fi
}

# Sets everything up, or up again. The status of what ran before goes through.
__shellkeep_install() {
    { builtin local "__shellkeep_status=$?" "__shellkeep_flags=$-"; builtin set +xeu; } 2>/dev/null
    if ((__shellkeep_bound)); then
        __shellkeep_keys emacs vi-insert vi-command
    elif [[ -o vi ]]; then
        __shellkeep_keys vi-insert vi-command
    else
        __shellkeep_keys emacs
    fi
    if ((!__shellkeep_bound)); then __shellkeep_bound=1; fi
    __shellkeep_hook_trap
    if [[ ! ${PROMPT_COMMAND@a} == *r* ]]; then __shellkeep_hook_command; fi
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return "$__shellkeep_status"
    } 2>/dev/null
}

# In the subshell: is there a question, and is this the moment for an answer? From here on the user's
# functions are out of the way: a mere assignment makes the shell posixly correct, where `unset` is found
# before any function of that name. The rest is read from a file: a shell that is never asked need not carry it.
__shellkeep_asked() {
    [[ -n ${__shellkeep_dir-} && -e $__shellkeep_dir/request ]] || builtin return 1
    # One name on the stack: not in the middle of a completion or of a command.
    [[ ${__shellkeep_at-} == 1 && ${#FUNCNAME[@]} == 1 ]] || builtin return 1
    __shellkeep_status=$1 __shellkeep_setopts=$SHELLOPTS __shellkeep_shopts=$BASHOPTS
    POSIXLY_CORRECT=1
    unset -f builtin
    unset -v POSIXLY_CORRECT
    builtin set +euxvfCET +o posix
    builtin shopt -u expand_aliases
    builtin enable alias bind complete declare dirs enable history printf read shopt trap ulimit umask unset
    IFS= builtin read -r __shellkeep_nonce <"$__shellkeep_dir/request" && [[ -n $__shellkeep_nonce ]] && builtin . "$__shellkeep_answers"
}

# Puts a line back that was typed before the shell slept, and what the prompt could do without. A user's DEBUG trap is set only
# now: it would take this for a command.
__shellkeep_put() {
    if [[ -v __shellkeep_half ]]; then
        READLINE_LINE=$__shellkeep_half READLINE_POINT=$__shellkeep_point
        builtin unset -v __shellkeep_half __shellkeep_point
    fi
    if [[ -n $__shellkeep_later ]]; then __shellkeep_load; fi
    # The last command here: nothing after it may run the trap.
    if [[ -n $__shellkeep_debug ]]; then builtin eval "__shellkeep_debug=; $__shellkeep_debug"; fi
}

# Reads what waited for the prompt, as it was written: no aliases in functions, every pattern.
__shellkeep_load() {
    { builtin local "__shellkeep_flags=$-" "__shellkeep_shopts=$BASHOPTS" "__shellkeep_file=$__shellkeep_later"; builtin set +xveu; } 2>/dev/null
    builtin shopt -u expand_aliases
    builtin shopt -s extglob
    builtin . "$__shellkeep_file" >/dev/null 2>&1
    case :$__shellkeep_shopts: in *:extglob:*) ;; *) builtin shopt -u extglob ;; esac
    case :$__shellkeep_shopts: in *:expand_aliases:*) builtin shopt -s expand_aliases ;; esac
    if [[ -n $__shellkeep_later ]]; then
        __shellkeep_later=
        builtin printf '\r\e[J\e[2mshellkeep: some functions and completions did not return\e[m\n'
    fi
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *v*) builtin set -v ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return 0
    } 2>/dev/null
}
