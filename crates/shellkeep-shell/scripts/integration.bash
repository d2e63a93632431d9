# shellkeep's integration for bash 4.4 and later: what runs at every prompt. How a request is answered is in a file of
# its own.
#
# It is put in front of the file with which the shell is started, so it is read before any file of the user: none of the
# user's functions and aliases can get into these definitions. What runs at a prompt uses `builtin`, because users wrap
# printf, cd and trap. After `builtin` an assignment is an ordinary word and has to be quoted.

# A login shell and a revived shell start as POSIX shells, which would read some of the following differently.
\builtin set +o posix
\builtin shopt -u expand_aliases

# What a first prompt needs. `at` is 1 at the first line of a prompt, 2 at a continuation, and 0 otherwise. Prompts set
# it by arithmetic, the only way to do so in a prompt without a process.
# `nth` counts the commands that were entered.
__shellkeep_host=${HOSTNAME-} __shellkeep_at=0 __shellkeep_ran=0 __shellkeep_nth=0 __shellkeep_marked=0 __shellkeep_none= __shellkeep_break=$'\n'
# The prompt itself records that it is shown, because PROMPT_COMMAND may have been replaced. This must not be exported
# with PS1.
__shellkeep_p='${__shellkeep_none:$((__shellkeep_at=1,0)):0}' __shellkeep_a='\[\e]133;A\a\]' __shellkeep_b='\[\e]133;B\a\]' __shellkeep_k='\[\e]133;A;k=s\a\]${__shellkeep_none:$((__shellkeep_at=2,0)):0}'
__shellkeep_c='${__shellkeep_none:$((__shellkeep_at=0,__shellkeep_ran=1,__shellkeep_nth+=1,0)):0}$({ __shellkeep_command; } 2>/dev/null)\e]133;C\a'
# The directory in which `tmux` is this server, to be put into PATH. Start-up files may set another PATH.
__shellkeep_shim=${SHELLKEEP_SHIM-}
builtin unset -v SHELLKEEP_SHIM
# The directory for requests. Programs that the shell starts must not find it in their environment.
__shellkeep_dir=${SHELLKEEP_SHELL_DIR-}
builtin unset -v SHELLKEEP_SHELL_DIR

#@ part later
# What the functions need besides.
__shellkeep_lost=0 __shellkeep_url= __shellkeep_debug= __shellkeep_later= __shellkeep_answers=@ANSWERS@ __shellkeep_guarded='case $BASH_COMMAND in *__shellkeep_*) ;; *)'
builtin : "${__shellkeep_kind=}" "${__shellkeep_bound=0}" "${__shellkeep_seen=0}" "${__shellkeep_cwd=}" "${__shellkeep_path=}"
# Before 5.1 PROMPT_COMMAND is one text. If it is exported, it must have no effect in other shells. The quotes are
# needed if IFS contains letters.
__shellkeep_first='${__shellkeep_dir+"__shellkeep_status"}' __shellkeep_last='${__shellkeep_dir+"__shellkeep_prompt"}'

#@ part functions
__shellkeep_status() {
    { __shellkeep_saved=$?; builtin return "$__shellkeep_saved"; } 2>/dev/null
}

__shellkeep_give() {
    builtin return "$__shellkeep_saved"
}

# The last part of PROMPT_COMMAND. It restores -e, -u and -x, and -x shows nothing of it but its name.
__shellkeep_prompt() {
    { builtin local "__shellkeep_status=$?" "__shellkeep_flags=$-"; builtin set +xeu; } 2>/dev/null
    if [[ $__shellkeep_kind == text ]]; then
        __shellkeep_status=${__shellkeep_saved-$__shellkeep_status}
    fi
    builtin local __shellkeep_exit=
    if ((__shellkeep_ran)); then __shellkeep_exit=$__shellkeep_status; fi
    # Any program can print marks. The server trusts a file that only this shell writes.
    if [[ -w $__shellkeep_dir/phase ]]; then
        builtin printf '#shellkeep %s prompt %s\n#shellkeep %s end\n' "$__shellkeep_nth" "$__shellkeep_exit" "$__shellkeep_nth" 2>/dev/null 1<>"$__shellkeep_dir/phase"
    fi
    if [[ $__shellkeep_ran == 1 && -w $__shellkeep_dir/commands ]]; then
        builtin printf '#shellkeep %s prompt %s\n#shellkeep %s end\n' "$__shellkeep_nth" "$__shellkeep_exit" "$__shellkeep_nth" 2>/dev/null >>"$__shellkeep_dir/commands"
    fi
    if [[ -t 1 ]]; then
        builtin printf '\e]133;D%s\a' "${__shellkeep_exit:+;$__shellkeep_exit}"
        if [[ $PWD != "$__shellkeep_cwd" ]]; then
            __shellkeep_encode "$PWD"
            __shellkeep_cwd=$PWD __shellkeep_path=$__shellkeep_url
        fi
        builtin printf '\e]7;file://%s%s\a' "$__shellkeep_host" "$__shellkeep_path"
    fi
    if ((__shellkeep_ran)); then
        __shellkeep_hook_trap
        if ((__shellkeep_bound < 2)); then __shellkeep_keys emacs vi-insert vi-command; fi
    fi
    __shellkeep_hook
    __shellkeep_ran=0 __shellkeep_seen=$HISTCMD
    if [[ $__shellkeep_kind == text ]]; then __shellkeep_count; fi
    {
        case $__shellkeep_flags in *e*) builtin set -e ;; esac
        case $__shellkeep_flags in *u*) builtin set -u ;; esac
        case $__shellkeep_flags in *x*) builtin set -x ;; esac
        builtin return 0
    } 2>/dev/null
}

# Puts our marks into prompts again if a theme or `activate` has removed them. Read-only prompts stay unchanged. Then
# the shell does not record that it shows a prompt, and never gets a request.
__shellkeep_hook() {
    __shellkeep_at=0
    if [[ ${PS0@a}${PS1@a}${PS2@a}${PROMPT_COMMAND@a} == *r* ]]; then builtin return 0; fi
    if [[ -n $__shellkeep_debug && $__shellkeep_ran == 1 ]]; then
        # The line that was to be restored first was never restored.
        builtin eval "__shellkeep_debug=; $__shellkeep_debug"
    fi
    builtin local "__shellkeep_begin=$__shellkeep_a"
    if [[ ${PS1@a} != *x* ]] && builtin shopt -q promptvars; then __shellkeep_begin=$__shellkeep_p$__shellkeep_a; fi
    if [[ ${PS1-} != "$__shellkeep_begin"*"$__shellkeep_b" ]]; then
        # The marks were there at the last prompt, so a command after ours rebuilds the prompt.
        if [[ ${PROMPT_COMMAND[-1]-} != __shellkeep_prompt ]] 2>/dev/null; then __shellkeep_lost=$__shellkeep_marked; fi
        PS1=${PS1//"$__shellkeep_p"/}
        PS1=${PS1//"$__shellkeep_a"/}
        PS1=$__shellkeep_begin${PS1//"$__shellkeep_b"/}$__shellkeep_b
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
